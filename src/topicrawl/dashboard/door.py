"""The one place where the dashboard meets the crawl: what a person said and says, what a crawl tells of its memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from topicrawl.store.run import Run


class Said(NamedTuple):
    """The marks of a run that stand, by URL, and the number of instructions up to them."""

    marks: Mapping[str, bool]
    told: int


def marks_of(run: Run) -> Said:
    """What people said of pages of a run."""
    marks: dict[str, bool] = {}
    instructions = run.instructions()
    for instruction in instructions:
        for mark in instruction.marks:
            if mark.relevant is None:
                marks.pop(mark.page.url, None)
            else:
                marks[mark.page.url] = mark.relevant
    return Said(marks, len(instructions))
