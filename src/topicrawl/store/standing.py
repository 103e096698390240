"""Which visits of a watched run count: a page may have been fetched many times, and be gone by now."""

from __future__ import annotations

from topicrawl.store.run import Run

GONE = (404, 410)
"""Statuses that say that a page is no longer there."""


def fetched_anew(run: Run) -> frozenset[int]:
    """The numbers of the visits that fetched a known page anew; none in a run that was not watched.

    A page that was first found through a redirect is asked for anew where it is, not where it was asked for.
    """
    if run.last_turn is None:
        return frozenset()
    known, again = set[str](), set[int]()
    for visit in run.visits():
        if visit.asked in known:
            again.add(visit.n)
            continue
        known.add(visit.asked)
        if visit.fetched:
            known.add(visit.url)
    return frozenset(again)


def replaced(run: Run) -> frozenset[int]:
    """The numbers of the visits that later ones replace: the page was fetched anew, or is gone.

    None in a run that was not watched. A page that moved counts as the page that it leads to.
    """
    if run.last_turn is None:
        return frozenset()
    last, old = dict[str, int](), set[int]()
    for visit in run.visits():
        if visit.fetched or visit.status in GONE:
            old.update(last.pop(url) for url in {visit.asked, visit.url} if url in last)
        if visit.fetched:
            last[visit.url] = visit.n
    return frozenset(old)
