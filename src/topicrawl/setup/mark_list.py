"""Lists of marks: CSV with the columns `url` and `relevant`, as `topicrawl export --format marks` writes them."""

from __future__ import annotations

import csv

from topicrawl.errors import UsageError
from topicrawl.setup.example_list import RELEVANT, URL, VERDICTS
from topicrawl.setup.seeds import numbered_lines
from topicrawl.urls import canonical


def parse_marks(content: bytes, source: str) -> dict[str, bool | None]:
    """The verdicts of a list by URL, the last of each; an empty one takes an earlier verdict back.

    `source` is what errors call the list.
    """
    lines = numbered_lines(content)
    rows = csv.reader(text for _, text in lines)
    names = [name.strip().lower() for name in next(rows, [])]
    if not {URL, RELEVANT} <= set(names):
        raise UsageError(f"--from {source!r}: write {URL},{RELEVANT} as first line; it names the columns")
    found: dict[str, bool | None] = {}
    for (number, _), cells in zip(lines[1:], rows, strict=False):
        row = dict(zip(names, (cell.strip() for cell in cells), strict=False))
        link, said = canonical(row[URL]), row.get(RELEVANT, "").lower()
        if link is None:
            raise UsageError(f"--from {source!r}, line {number}: {row[URL]!r} is no http or https URL")
        if said and said not in VERDICTS:
            raise UsageError(
                f"--from {source!r}, line {number}: {said!r} is no verdict; write 1, 0 or nothing (to take it back)"
            )
        found[link] = VERDICTS[said] if said else None
    if not found:
        raise UsageError(f"--from {source!r}: has no line below the names of its columns")
    return found
