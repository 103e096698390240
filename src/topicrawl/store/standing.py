"""Which visits of a watched run count: a page may have been fetched many times, and be gone by now."""

from __future__ import annotations

from topicrawl.store.run import Run

GONE = (404, 410)
"""Statuses that say that a page is no longer there."""


def fetched_anew(run: Run) -> frozenset[int]:
    """The numbers of the visits that fetched a known page anew; none in a run that was not watched."""
    if run.last_turn is None:
        return frozenset()
    asked, again = set[str](), set[int]()
    for visit in run.visits():
        if visit.asked in asked:
            again.add(visit.n)
        asked.add(visit.asked)
    return frozenset(again)


def replaced(run: Run) -> frozenset[int]:
    """The numbers of the visits that later ones replace: the page was fetched anew, or is gone.

    None in a run that was not watched.
    """
    if run.last_turn is None:
        return frozenset()
    last, old = dict[str, int](), set[int]()
    for visit in run.visits():
        if visit.asked in last and (visit.fetched or visit.status in GONE):
            old.add(last.pop(visit.asked))
        if visit.fetched:
            last[visit.asked] = visit.n
    return frozenset(old)
