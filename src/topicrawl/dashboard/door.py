"""The one place where the dashboard meets the crawl: what a person said and says, what a crawl tells of its memory."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from topicrawl.crawling import wishing
from topicrawl.crawling.live_state import LiveState
from topicrawl.crawling.publishing import look
from topicrawl.crawling.wishes import Entry, history, wish_in_words
from topicrawl.crawling.wishing import outcomes
from topicrawl.store import wishes
from topicrawl.store.run import Run
from topicrawl.store.wishes import Body, Marks, Wish

__all__ = ["Entry", "Said", "ask", "history", "marks_of", "outcome", "settle", "told_by", "wish_in_words"]


class Said(NamedTuple):
    """The marks of a run that stand, by URL, and a value that changes with them."""

    marks: Mapping[str, bool]
    stamp: str


def marks_of(run: Run) -> Said:
    """What people said of pages of a run: what is in its log, then what waits to be carried out."""
    marks = {url: bool(mark.relevant) for url, mark in run.marks().items()}
    for wish in wishes.waiting(run.path):
        for url, verdict in wish.body.verdicts.items() if isinstance(wish.body, Marks) else ():
            marks.pop(url, None)
            if verdict is not None:
                marks[url] = verdict
    return Said(marks, " ".join(f"{url}={said:d}" for url, said in marks.items()))


def told_by(path: Path) -> LiveState | None:
    """What a running crawl tells; None before it did. It tells while somebody looks, which this says."""
    with suppress(OSError):
        return look(path)
    return None


def ask(path: Path, body: Body) -> Wish:
    """Pass on what a person wants, to all shards of a crawl; returns what came of it, or that it waits.

    `UsageError` if it is impossible.
    """
    return outcomes(path, wishing.ask(path, body), 0.0)[0]


def settle(path: Path) -> None:
    """Log the marks that wait in a run that no crawl writes; a running crawl carries them out itself."""
    wishing.settle(path)


def outcome(path: Path, wish: Wish, patience: float) -> Wish:
    """What came of a wish, or that it still waits after so many seconds."""
    return next(iter(outcomes(path, [wish.id], patience)), wish)
