"""The one place where the dashboard meets the crawl: what a person said and says, what a crawl tells of its memory."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from topicrawl.crawling.live_state import LiveState
from topicrawl.crawling.publishing import look
from topicrawl.crawling.wishes import Entry, history
from topicrawl.crawling.wishing import check, log_marks, outcomes
from topicrawl.store import wishes
from topicrawl.store.run import Run
from topicrawl.store.wishes import Body, Change, Example, Marks, Seeds, Undo, Unknown, Wish

__all__ = ["Entry", "Said", "ask", "history", "in_words", "marks_of", "outcome", "settle", "told_by"]


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
    """Pass on what a person wants; returns what came of it, or that it waits. `UsageError` if it is impossible."""
    check(path, [body])
    (number,) = wishes.add(path, body)
    return next(each for each in wishes.wishes(path) if each.id == number)


def settle(path: Path) -> None:
    """Log the marks that wait in a run that no crawl writes; a running crawl carries them out itself."""
    log_marks(path)


def outcome(path: Path, wish: Wish, patience: float) -> Wish:
    """What came of a wish, or that it still waits after so many seconds."""
    return next(iter(outcomes(path, [wish.id], patience)), wish)


def in_words(wish: Wish) -> str:
    """What a wish asks for, in a line."""
    body = wish.body
    if isinstance(body, Marks):
        words = {True: "relevant", False: "not relevant", None: "mark taken back:"}
        return ", ".join(f"{words[verdict]} {url}" for url, verdict in body.verdicts.items())
    if isinstance(body, Change):
        new = [f"{name}: {value}" for name, value in body.settings.items()]
        return "; ".join([*new, *(f"{name}: added {each}" for name in body.add for each in body.add[name])])
    if isinstance(body, Seeds):
        return f"{len(body.urls)} further seed{'s' * (len(body.urls) != 1)}: {', '.join(body.urls)}"
    if isinstance(body, Example):
        return f"{'example' if body.relevant else 'unwanted'} {body.url}"
    if isinstance(body, Undo):
        return f"take back event {body.seq:,}" if body.seq else "take back an earlier wish"
    return body.text if isinstance(body, Unknown) else str(msgspec.to_builtins(body)["kind"])
