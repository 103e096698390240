"""History: every instruction of a run, with a way to take it back, and the wishes that wait or were refused."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from topicrawl.dashboard import door
from topicrawl.dashboard.views.frame import opened
from topicrawl.dashboard.views.frame import show as show_page
from topicrawl.model import Instruction
from topicrawl.store import wishes
from topicrawl.store.wishes import DONE, WAITING, Change, Undo, Wish

MOST = 500
"""Instructions that are listed, the newest."""


def show(request: Request) -> Response:
    """The page."""
    run = opened(request)
    with run.run() as log:
        entries = door.history(log)[::-1][:MOST]
    others = [each for each in wishes.wishes(run.path) if each.state != DONE][::-1][:MOST]
    return show_page(
        request,
        "history.html",
        "history",
        run,
        name=run.name,
        entries=[(each, when(each.time), taking_back(each)) for each in entries],
        others=[(each, when(each.time), door.in_words(each)) for each in others],
        withdrawable=withdrawable(others),
    )


def when(time: float) -> str:
    """A moment as people read it, in UTC; empty where it is unknown."""
    return datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%d %H:%M:%S UTC") if time else ""


def withdrawable(others: Sequence[Wish]) -> set[str]:
    """The changes of settings that wait: another wish, carried out after such a one, takes it back."""
    taken_back = {each.body.wish for each in others if isinstance(each.body, Undo)}
    waiting = (each for each in others if each.state == WAITING and isinstance(each.body, Change))
    return {each.id for each in waiting} - taken_back


def taking_back(entry: door.Entry) -> dict[str, Any] | None:
    """The wish that takes an instruction back; None where nothing can. Marks need no running crawl, the others do."""
    if entry.undo is None:
        return None
    if entry.undo == Instruction(marks=entry.undo.marks):
        return {"kind": "marks", "verdicts": {mark.of: mark.relevant for mark in entry.undo.marks}}
    return {"kind": "undo", "seq": entry.seq}
