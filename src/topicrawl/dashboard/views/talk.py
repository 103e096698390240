"""What a person says in the dashboard, passed on as wishes. The guard has checked where the request came from."""

from __future__ import annotations

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from topicrawl.dashboard import door
from topicrawl.dashboard.division import Division
from topicrawl.dashboard.favoured import best_waiting
from topicrawl.dashboard.opened import Opened
from topicrawl.dashboard.query import LARGEST
from topicrawl.dashboard.views.frame import asked, opened
from topicrawl.dashboard.views.sites import pattern_of
from topicrawl.errors import UsageError
from topicrawl.store.wishes import REFUSED, WAITING, Body, Example, Marks, Seeds, Undo

PATIENCE, FETCHED_BY = 2.0, 10.0
"""Seconds to wait for a running crawl to carry out a wish, and where it must fetch a page for it."""
FAVOURED = 20
"""Links of a favoured site that become seeds."""
VERDICTS = {"yes": True, "no": False, "forget": None}
WORDS = {"yes": "marked relevant", "no": "marked not relevant", "forget": "mark taken back"}


class Verdict(msgspec.Struct, forbid_unknown_fields=True):
    """A mark: the number of a visit, and yes, no or forget."""

    n: int
    mark: str


class Place(msgspec.Struct, forbid_unknown_fields=True):
    """A host, or a section of one."""

    host: str
    section: str


_place = msgspec.json.Decoder(Place).decode
_verdict = msgspec.json.Decoder(Verdict).decode
_wish = msgspec.json.Decoder(Body).decode


async def mark(request: Request) -> Response:
    """Mark the page of a visit."""
    run, body = opened(request), await request.body()
    return await run_in_threadpool(_mark, run, body)


def _mark(run: Opened, body: bytes) -> Response:
    try:
        said = _verdict(body)
        verdict = VERDICTS[said.mark]
    except (msgspec.MsgspecError, KeyError) as error:
        raise HTTPException(400, "This is no mark.") from error
    with run.run() as log:
        visit = next(log.visits(said.n - 1), None) if 0 < said.n < LARGEST else None
    if visit is None or visit.n != said.n or not visit.fetched:
        return _answer("there is no page of this visit", 409)
    door.ask(run.path, Marks({visit.url: verdict}))
    run.marked()
    run.refresh()
    return _answer(WORDS[said.mark])


async def favour(request: Request) -> Response:
    """Have the best waiting links of a site or section fetched next, as seeds."""
    run, body = opened(request), await request.body()
    return await run_in_threadpool(_favour, run, body)


def _favour(run: Opened, body: bytes) -> Response:
    try:
        place = _place(body)
    except msgspec.MsgspecError as error:
        raise HTTPException(400, "This is no site.") from error
    links = best_waiting(run, place.host, pattern_of(place.host, place.section), FAVOURED)
    if not links:
        return _answer("no link that may be a page waits there", 409)
    return _asked(run, Seeds(links), f"its {len(links)} best waiting links are fetched next")


async def wish(request: Request) -> Response:
    """Pass on any other wish, in the form that wishes.db has."""
    run, body = asked(request), await request.body()
    return await run_in_threadpool(_pass_on, run, body)


def _pass_on(run: Opened | Division, body: bytes) -> Response:
    try:
        wanted = _wish(body)
    except msgspec.MsgspecError as error:
        raise HTTPException(400, "This is no wish.") from error
    return _asked(run, wanted, "done")


def _asked(run: Opened | Division, wanted: Body, done: str) -> Response:
    """Pass on a wish and wait for what comes of it; `done` says that it was carried out."""
    runs = run.writer is not None
    try:
        passed_on = door.ask(run.path, wanted)
    except UsageError as error:
        return _answer(f"refused: {error}", 409)
    if isinstance(wanted, Marks) and isinstance(run, Opened):
        run.marked()
        return _answer(done)
    if isinstance(wanted, Marks | Undo):
        door.settle(run.path)
    patience = (FETCHED_BY if isinstance(wanted, Example) else PATIENCE) if runs else 0.0
    told = door.outcome(run.path, passed_on, patience)
    if told.state == REFUSED:
        return _answer(f"refused: {told.answer}", 409)
    if told.state == WAITING:
        return _answer(
            "passed on; the crawl has not carried it out yet"
            if runs
            else "kept: it is carried out when the crawl is resumed"
        )
    return _answer(done)


def _answer(sentence: str, status: int = 200) -> Response:
    return JSONResponse({"says": sentence}, status)
