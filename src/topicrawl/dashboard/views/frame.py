"""What all views share: the frame around a page, the run that an address names."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, StreamingResponse

from topicrawl.crawling.live_state import LiveState
from topicrawl.dashboard.division import Division
from topicrawl.dashboard.feed import Feed, Parts, W
from topicrawl.dashboard.opened import Opened
from topicrawl.dashboard.rendering import render
from topicrawl.dashboard.runs import Runs, division_state, state_of

PLACES = (
    ("live", "Live"),
    ("pages", "Pages"),
    ("marks", "Marks"),
    ("topic", "Topic"),
    ("sites", "Sites"),
    ("history", "History"),
)
"""The views of a run: address and name."""
OF_ALL_SHARDS = (("shards", "Shards"),)
"""Those of a crawl in shards."""


def runs_of(request: Request) -> Runs:
    """The runs that this server shows."""
    runs: Runs = request.app.state.runs
    return runs


def opened(request: Request) -> Opened:
    """The run that the address names."""
    name = request.path_params["run"]
    found = runs_of(request).open(name)
    if found is None and runs_of(request).division(name) is not None:
        raise HTTPException(404, "This is a crawl in shards: open one of its shards for this.")
    if found is None:
        raise HTTPException(404, "There is no run of this name here. It may have been moved or removed.")
    return found


def asked(request: Request) -> Opened | Division:
    """The run that the address names, or the crawl in shards: what a person asks goes to all of them."""
    return runs_of(request).division(request.path_params["run"]) or opened(request)


def show(
    request: Request, template: str, place: str, run: Opened | Division | None = None, /, **values: Any
) -> HTMLResponse:
    """A page: `template` with these values inside the frame; `place` is its view in the menu."""
    return HTMLResponse(render(template, {**_frame(request, place, run), **values}))


def stream(request: Request, run: W, parts: Callable[[W], Parts]) -> StreamingResponse:
    """What changes in the view that shows a run first; `parts` makes it."""
    feeds: dict[str, Feed[W]] = request.app.state.feeds
    feed = feeds.setdefault(run.name, Feed(run, parts))
    return StreamingResponse(feed.events(), media_type="text/event-stream")


def fragment(template: str, /, **values: Any) -> HTMLResponse:
    """A part of a page, which a script puts in its place."""
    return HTMLResponse(render(template, values))


def problem(request: Request, sentence: str) -> str:
    """A page that says what went wrong."""
    return render("problem.html", {**_frame(request, "", None), "sentence": sentence})


def state_now(run: Opened, live: LiveState | None = None) -> tuple[str, str]:
    """Whether the crawl of a run is under way, paused or ended, and why; `live` is what it tells while it runs."""
    if live is not None and live.running:
        return ("paused", "a person said so") if live.paused else ("running", run.writer or "")
    with run.run() as log:
        state, why = state_of(run.path, log.summary)
        pauses = [each.pause for each in log.instructions() if each.pause is not None]
    return ("paused", "a person said so") if state == "running" and pauses[-1:] == [True] else (state, why)


def when(time: float) -> str:
    """A moment as people read it, in UTC; empty where it is unknown."""
    return datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%d %H:%M:%S UTC") if time else ""


def _frame(request: Request, place: str, run: Opened | Division | None) -> dict[str, Any]:
    state, why = ("", "")
    if isinstance(run, Division):
        state, why = division_state(run, run.summary())
    elif run is not None:
        state, why = state_now(run)
    return {
        "csrf": request.app.state.keys.csrf,
        "is_one": runs_of(request).is_one,
        "places": OF_ALL_SHARDS if isinstance(run, Division) else PLACES,
        "whole": None if run is None else runs_of(request).whole_of(run.path),
        "place": place,
        "run": None if run is None else run.name,
        "state": state,
        "state_why": why,
    }
