"""The table of CONTRIBUTING.md is true: the files it names exist and define the names in parentheses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROW = re.compile(r"^\| (.+?) \| (.+?) \| (.*?) ?\|$", re.MULTILINE)
NAMED = re.compile(r"`([\w./<>-]+?(?:/|\.\w+))`(?: \(`(\w+)`\))?")
"""A file or folder, and the name it defines or uses."""
LEAST_ROWS = 15


def rows() -> dict[str, list[tuple[str, str]]]:
    """What a contributor wants, and the files to touch with the name in parentheses (empty if none)."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    table = text.partition("## Where to change what")[2].partition("\n## ")[0]
    found = {row[0]: NAMED.findall(f"{row[1]} {row[2]}") for row in ROW.findall(table)}
    return {change: files for change, files in found.items() if change != "you want"}


def located(file: str) -> Path:
    """The file in the repository; for a file that is to be written (`<name>`), the folder it belongs to."""
    path = Path(file).parent if "<" in file else Path(file)
    return next((base / path for base in (ROOT / "src", ROOT) if (base / path).exists()), ROOT / path)


def test_the_table_has_a_row_for_many_changes() -> None:
    assert len(rows()) >= LEAST_ROWS


@pytest.mark.parametrize(("change", "files"), rows().items(), ids=rows())
def test_the_files_of_a_row_exist_and_have_the_names_in_parentheses(
    change: str, files: list[tuple[str, str]]
) -> None:
    assert files, f"{change}: names no file"
    for file, name in files:
        assert located(file).exists(), f"{change}: there is no {file}"
        if name:
            assert re.search(rf"\b{name}\b", located(file).read_text("utf-8")), (
                f"{change}: {name} is not in {file}"
            )
