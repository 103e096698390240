"""Chooses the record that answers a URL: a URL may occur in many records of several WARCs.

The first record with status 200 is the answer, else the first of any status. A `revisit` (same content as an
earlier record, stored once) answers a URL that has no 200 of its own: with its own status and headers where
it repeats them, and the body of the record it refers to, found by URL and date or else by payload digest.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from topicrawl.web.warc_index import Index
from topicrawl.web.warc_scan import Row


class Answer(NamedTuple):
    """The record, in WARC number `file`, that answers a URL; for a revisit `original` has the body."""

    file: int
    row: Row
    original: Answer | None = None

    @property
    def status(self) -> int:
        """The status; a revisit without a status line, or with 304, has that of its original."""
        if self.original and self.row.status in (0, 304):
            return self.original.status
        return self.row.status


def answers(indexes: list[Index]) -> tuple[dict[str, Answer], int]:
    """The answer to each URL, and the number of revisits whose original is in none of the files."""
    records = [Answer(file, row) for file, one in enumerate(indexes) for row in one.rows if not row.rendered]
    chosen: dict[str, Answer] = {}
    _choose(chosen, (record for record in records if not record.row.revisit))
    revisits = [record for record in records if record.row.revisit]
    if not revisits:
        return chosen, 0
    originals = _Originals(records)
    found = [Answer(file, row, original) for file, row, _ in revisits if (original := originals.of(row))]
    _choose(chosen, found)
    return chosen, len(revisits) - len(found)


def rendered_answers(indexes: list[Index]) -> dict[str, Answer]:
    """By URL, the first record of what a browser showed of the page."""
    records = [Answer(file, row) for file, one in enumerate(indexes) for row in one.rows if row.rendered]
    return {record.row.url: record for record in reversed(records)}


def _choose(chosen: dict[str, Answer], candidates: Iterable[Answer]) -> None:
    for candidate in candidates:
        current = chosen.get(candidate.row.url)
        if current is None or (current.status != 200 and candidate.status == 200):
            chosen[candidate.row.url] = candidate


class _Originals:
    """Finds what a revisit refers to."""

    def __init__(self, records: list[Answer]) -> None:
        full = [record for record in reversed(records) if not record.row.revisit]  # so that the first wins
        self.by_date = {(record.row.url, record.row.date): record for record in full}
        self.by_digest = {record.row.digest: record for record in full if record.row.digest}
        self.by_url = {record.row.url: record for record in full}

    def of(self, row: Row) -> Answer | None:
        """The original by URL and date; where a recorder wrote none, by digest, else by the revisit's own URL."""
        return (
            self.by_date.get((row.refers_to, row.refers_date))
            or self.by_digest.get(row.digest)
            or self.by_url.get(row.refers_to or row.url)
        )
