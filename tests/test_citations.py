"""Sections, equations, tables and figures cited by number exist in the paper that is named before them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class Paper:
    """The headings of a paper, and its last equation, table and figure."""

    sections: str
    equations: int
    tables: int
    figures: int


PAPERS = {
    "FCWSEO": Paper("1 2 2.1 2.2 2.3 3 4 5 5.1 5.2 5.3 5.4 6 6.1 6.2 6.3 7 7.1 7.2 7.3 8", 18, 5, 9),
    "FCITS_OH": Paper(
        "1 2 2.1 2.2 3 3.1 3.2 3.3 3.4 4 4.1 4.2 4.3 4.4 4.5 4.6 4.7 4.8 5 5.1 5.2 5.2.1 5.2.2 5.3 6",
        12,
        3,
        9,
    ),
    "IELP": Paper("1 2 2.1 2.2 3 3.1 3.2 4 4.1 4.2 5", 6, 2, 3),
    "SVSM-MCOA": Paper(
        "1 2 2.1 2.2 2.3 3 3.1 3.1.1 3.1.2 3.1.3 3.2 3.2.1 3.2.2 3.2.3 3.3 4 4.1 4.1.1 4.1.2 4.1.3 4.2 4.3 5",
        8,
        4,
        7,
    ),
    "SemXDM": Paper("1 2 3 3.1 3.2 3.3 3.4 3.5 4 4.1 4.2 4.2.1 4.2.2 4.3 4.3.1 4.3.2 5", 3, 0, 6),
}
CITED = re.compile(
    r"\b(?P<paper>" + "|".join(PAPERS) + r")(?:'s|,)? (?P<kind>§|Eqs?\. |Tables? |Figs?\. )"
    r"(?P<numbers>\(?\d[\d.]*\)?(?:(?:–|, | and )§?\(?\d[\d.]*\)?)*)"
)


def citations(text: str) -> Iterator[tuple[str, str, str]]:
    """Paper, kind and number of each citation."""
    for cited in CITED.finditer(text):
        for section, number in re.findall(r"(§?)\(?(\d+(?:\.\d+)*)", cited["numbers"]):
            yield cited["paper"], section or cited["kind"][:3], number


def exists(paper: Paper, kind: str, number: str) -> bool:
    if kind == "§":
        return number in paper.sections.split()
    last = {"Eq.": paper.equations, "Eqs": paper.equations, "Tab": paper.tables, "Fig": paper.figures}[kind]
    return number.isdigit() and 1 <= int(number) <= last


def test_a_section_that_a_paper_lacks_is_noticed() -> None:
    text = "FCWSEO §3.3, Eq. (8); FCITS_OH §4.3–4.6 and IELP Table 3; FCWSEO Eq. 11–15, §6.2; SVSM-MCOA §3.3 and §4.1.3"
    wrong = [each for each in citations(text) if not exists(PAPERS[each[0]], *each[1:])]
    assert wrong == [("FCWSEO", "§", "3.3"), ("IELP", "Tab", "3")]
    assert len(list(citations(text))) == 9


@pytest.mark.parametrize("folder", ["src", "bench", "docs"])
def test_what_is_cited_by_number_exists_in_the_paper(folder: str) -> None:
    wrong = [
        f"{path.relative_to(ROOT)}: {paper} {kind}{number}"
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in (".py", ".md")
        for paper, kind, number in citations(path.read_text())
        if not exists(PAPERS[paper], kind, number)
    ]
    assert wrong == []


def test_the_citation_file_has_the_version_and_licence_of_the_package() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert {"cff-version", "message", "title", "authors"} <= cited.keys(), "what the format requires"
    assert (cited["version"], cited["license"]) == (project["version"], project["license"])
