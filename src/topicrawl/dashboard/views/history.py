"""History: every instruction of a run, with a way to take it back, and the wishes that wait or were refused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from topicrawl.dashboard import door
from topicrawl.dashboard.views.frame import opened, when
from topicrawl.dashboard.views.frame import show as show_page
from topicrawl.model import Instruction
from topicrawl.store import wishes
from topicrawl.store.wishes import DONE, TAKEN_BACK, WAITING, Undo, Wish

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
        entries=[(each, when(each.time), taking_back(each), why_not(each)) for each in entries],
        waiting=_shown(each for each in others if each.state == WAITING),
        refused=_shown(each for each in others if each.state != WAITING),
        taken_back=TAKEN_BACK,
        withdrawable=withdrawable(others),
    )


def _shown(found: Iterable[Wish]) -> list[tuple[Wish, str, str]]:
    """Wishes with their time and what they ask for, in words."""
    return [(each, when(each.time), door.wish_in_words(each)) for each in found]


def withdrawable(others: Sequence[Wish]) -> set[str]:
    """The wishes that wait and can be taken back: all but those that take something back themselves."""
    taken_back = {each.body.wish for each in others if isinstance(each.body, Undo)}
    waiting = (each for each in others if each.state == WAITING and not isinstance(each.body, Undo))
    return {each.id for each in waiting} - taken_back


LASTING = ("seed ", "example ", "unwanted ", "stop")
"""How lines of instructions begin that cannot be taken back: what came of them is in the crawl."""


def why_not(entry: door.Entry) -> str:
    """Why an instruction has no button that takes it back."""
    lasts = any(line.startswith(LASTING) for line in entry.what)
    return "cannot be undone" if lasts else "no longer in force"


def taking_back(entry: door.Entry) -> dict[str, Any] | None:
    """The wish that takes an instruction back; None where nothing can. Marks need no running crawl, the others do."""
    if entry.undo is None:
        return None
    if entry.undo == Instruction(marks=entry.undo.marks):
        return {"kind": "marks", "verdicts": {mark.of: mark.relevant for mark in entry.undo.marks}}
    return {"kind": "undo", "seq": entry.seq}
