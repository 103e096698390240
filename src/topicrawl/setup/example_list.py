"""Lists of example pages: one URL or path per line, or CSV with the columns `url` and `relevant`."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass

from topicrawl.errors import UsageError
from topicrawl.setup.seeds import numbered_lines

URL, RELEVANT = "url", "relevant"
VERDICTS = {**dict.fromkeys(("1", "true", "yes"), True), **dict.fromkeys(("0", "false", "no"), False)}
"""Values of the column `relevant`."""
Lines = Sequence[tuple[int, str]]


class ExampleListError(UsageError):
    """A list of examples that cannot be read."""


@dataclass(frozen=True, slots=True)
class ExampleList:
    """Positive and negative example pages: URLs and paths as written in the list."""

    wanted: tuple[str, ...]
    unwanted: tuple[str, ...] = ()


def is_url(text: str) -> bool:
    return text.lower().startswith(("http://", "https://"))


def looks_like_list(content: bytes) -> bool:
    """Whether a file is a list of pages instead of a page: a table of URLs, or one word per line, mostly URLs."""
    lines = numbered_lines(content)
    if not lines:
        return False
    if URL in _columns(lines):
        return True
    words = [text for _, text in lines]
    return not any(len(word.split()) > 1 for word in words) and 2 * sum(map(is_url, words)) >= len(words)


def parse_examples(content: bytes, source: str) -> ExampleList:
    """The pages in a list, without duplicates; `source` is what errors call the list."""
    lines = numbered_lines(content)
    if lines and lines[0][1].startswith("<"):
        raise ExampleListError(
            f"--examples {source!r}: is a page, not a list; name a page with --query {source}"
        )
    if _columns(lines) & {URL, RELEVANT}:
        found = _table(lines, source)
    elif len(lines) > 0 and all(text.rpartition(",")[2].strip().lower() in VERDICTS for _, text in lines):
        raise ExampleListError(
            f"--examples {source!r}: has no names of columns; write {URL},{RELEVANT} as first line"
        )
    else:
        found = dict.fromkeys((text for _, text in lines), True)
    wanted = tuple(place for place, relevant in found.items() if relevant)
    if not found:
        raise ExampleListError(
            f"--examples {source!r}: names no page; write one URL or path per line, "
            f"or a table with the columns {URL},{RELEVANT}"
        )
    return ExampleList(wanted, tuple(place for place, relevant in found.items() if not relevant))


def _columns(lines: Lines) -> set[str]:
    """The column names of a list, read as a table."""
    return {cell.strip().strip('"').lower() for cell in lines[0][1].split(",")} if lines else set()


def _table(lines: Lines, source: str) -> dict[str, bool]:
    """Whether each page of a table is relevant; without the column `relevant` all are."""
    rows = csv.reader(text for _, text in lines)
    names = [name.strip().lower() for name in next(rows)]
    if URL not in names:
        raise ExampleListError(
            f"--examples {source!r}: has no column {URL!r}; write {URL},{RELEVANT} as first line"
        )
    found: dict[str, bool] = {}
    for (number, _), cells in zip(lines[1:], rows, strict=False):
        row = dict(zip(names, (cell.strip() for cell in cells), strict=False))
        place, said = row.get(URL, ""), row.get(RELEVANT, "") if RELEVANT in names else "1"
        if not place or said.lower() not in VERDICTS:
            raise ExampleListError(
                f"--examples {source!r}, line {number}: {said or place!r} is no verdict on a page; write 1 or 0"
            )
        if found.setdefault(place, VERDICTS[said.lower()]) != VERDICTS[said.lower()]:
            raise ExampleListError(
                f"--examples {source!r}, line {number}: {place} is relevant and is not; keep one of the two"
            )
    return found
