"""Marks on pages of a run, as an instruction: what a person said, with what each page says, taken from the log."""

from __future__ import annotations

from collections.abc import Iterable

from topicrawl.errors import UsageError
from topicrawl.model import Instruction, Mark
from topicrawl.store.run import Run
from topicrawl.urls import canonical

Verdict = tuple[str, bool | None]
"""A URL, and whether its page is relevant; None takes an earlier verdict back."""


def marking(run: Run, verdicts: Iterable[Verdict], time: float = 0.0) -> Instruction:
    """The instruction that marks pages of `run`, which may be open for reading; `time` is when a person said so.

    A URL that redirected stands for the page it led to. One that was not visited is marked without a page.
    `UsageError` if one is no http or https URL.
    """
    return Instruction(marks=[_mark(run, url, relevant, time) for url, relevant in verdicts])


def _mark(run: Run, url: str, relevant: bool | None, time: float) -> Mark:
    link = canonical(url)
    if link is None:
        raise UsageError(f"{url!r} is no http or https URL; give one as visits.jsonl has it")
    visit = run.visit_of(link)
    place = visit.url if visit and visit.fetched else link
    return Mark(run.page(place), relevant, place, time)
