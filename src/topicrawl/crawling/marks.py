"""Marks on pages of a run: as an instruction, with what each page says; and the visits of a run as marks have it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext

import msgspec

from topicrawl.errors import UsageError
from topicrawl.model import Instruction, Mark, Page, Visit
from topicrawl.store.run import Run
from topicrawl.store.shard_files import whole_of
from topicrawl.urls import canonical

Verdict = tuple[str, bool | None]
"""A URL, and whether its page is relevant; None takes an earlier verdict back."""


def marking(run: Run, verdicts: Iterable[Verdict], time: float = 0.0) -> Instruction:
    """The instruction that marks pages of `run`, which may be open for reading; `time` is when a person said so.

    A URL that redirected stands for the page it led to. One that was not visited is marked without a page.
    Of a shard, pages of the others can be marked too: its judge learns from them. `UsageError` if one is no http or
    https URL.
    """
    with whole_run(run) as all_pages:
        return Instruction(marks=[_mark(all_pages, url, relevant, time) for url, relevant in verdicts])


def page_of(run: Run, url: str) -> Page | None:
    """The page at a canonical URL, of any shard of the crawl."""
    with whole_run(run) as all_pages:
        return all_pages.page(url)


def whole_run(run: Run) -> AbstractContextManager[Run]:
    """The crawl that a run is a shard of, for reading; the run itself if it is none."""
    whole = whole_of(run.path)
    return nullcontext(run) if whole == run.path else Run.open(whole, writable=False)


def _mark(run: Run, url: str, relevant: bool | None, time: float) -> Mark:
    link = canonical(url)
    if link is None:
        raise UsageError(f"{url!r} is no http or https URL; give one as visits.jsonl has it")
    visit = run.visit_of(link)
    place = visit.url if visit and visit.fetched else link
    return Mark(run.page(place), relevant, place, time)


def marked(run: Run, visits: Iterable[Visit]) -> Iterator[Visit]:
    """Those of the visits that a person marked, with the relevance that this gives them."""
    last = run.last_marks()
    for visit in visits if last else ():
        mark = last.get(visit.url) or last.get(visit.asked)
        if visit.fetched and mark is not None and mark.relevant is not None:
            yield msgspec.structs.replace(visit, relevance=float(mark.relevant))


def as_marked(run: Run) -> Iterator[Visit]:
    """All visits of a run, with the relevance that people gave them, or that the judge said at the visit."""
    marks = {visit.n: visit for visit in marked(run, run.visits())}
    return (marks.get(visit.n, visit) for visit in run.visits())
