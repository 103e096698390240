"""Which visits of a watched run count: a page may have been fetched many times, and be gone by now."""

from __future__ import annotations

from typing import NamedTuple

from topicrawl.store.run import Run

GONE = (404, 410)
"""Statuses that say that a page is no longer there."""


class Standing(NamedTuple):
    """What the visits of a run are by now, as numbers of visits; all empty in a run that was not watched."""

    anew: frozenset[int]
    """They fetched a known page anew."""
    replaced: frozenset[int]
    """Later ones replace them: the page was fetched anew, or is gone."""
    pages: tuple[int, ...]
    """They have a page as it was last seen."""


NOT_WATCHED = Standing(frozenset(), frozenset(), ())


def standing(run: Run) -> Standing:
    """What the visits of a run are by now, from one pass over them.

    A page that was first found through a redirect is asked for anew where it is, not where it was asked for. A page
    that moved counts as the page that it leads to.
    """
    if run.last_turn is None:
        return NOT_WATCHED
    known, again, last, old = set[str](), set[int](), dict[str, int](), set[int]()
    for visit in run.visits():
        if visit.asked in known:
            again.add(visit.n)
        else:
            known.add(visit.asked)
        if visit.fetched:
            known.add(visit.url)
        if visit.fetched or visit.status in GONE:
            old.update(last.pop(url) for url in {visit.asked, visit.url} if url in last)
        if visit.fetched:
            last[visit.url] = visit.n
    return Standing(frozenset(again), frozenset(old), tuple(last.values()))


def fetched_anew(run: Run) -> frozenset[int]:
    """The numbers of the visits that fetched a known page anew; none in a run that was not watched."""
    return standing(run).anew


def replaced(run: Run) -> frozenset[int]:
    """The numbers of the visits that later ones replace; none in a run that was not watched."""
    return standing(run).replaced
