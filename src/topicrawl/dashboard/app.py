"""The addresses of the dashboard."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from topicrawl.dashboard.guard import Guard, Keys
from topicrawl.dashboard.runs import Runs
from topicrawl.dashboard.views import (
    files,
    history,
    live,
    marks,
    page,
    pages,
    run_list,
    shards,
    sites,
    talk,
    topic,
)
from topicrawl.dashboard.views.frame import problem
from topicrawl.errors import TopicrawlError
from topicrawl.serving.names import Names

View = Callable[[Request], Response] | Callable[[Request], Awaitable[Response]]
VIEWS: dict[str, View] = {
    "/": run_list.show,
    "/static/{name}": files.show,
    "/run/{run}/": shards.front,
    "/run/{run}/shards": shards.show,
    "/run/{run}/shards/events": shards.events,
    "/run/{run}/live": live.show,
    "/run/{run}/events": live.events,
    "/run/{run}/pages": pages.show,
    "/run/{run}/page/{n:int}": page.show,
    "/run/{run}/page/{n:int}/why": page.why,
    "/run/{run}/page/{n:int}/words": page.words,
    "/run/{run}/page/{n:int}/archived": page.archived,
    "/run/{run}/link": page.link,
    "/run/{run}/marks": marks.show,
    "/run/{run}/marks/queue": marks.queue,
    "/run/{run}/marks/effects": marks.effects,
    "/run/{run}/marks/marked": marks.marked,
    "/run/{run}/marks.csv": marks.table,
    "/run/{run}/topic": topic.show,
    "/run/{run}/topic/learned": topic.learned,
    "/run/{run}/sites": sites.show,
    "/run/{run}/history": history.show,
}
SAID: dict[str, View] = {
    "/run/{run}/mark": talk.mark,
    "/run/{run}/favour": talk.favour,
    "/run/{run}/wish": talk.wish,
}
"""What a person says: only by POST, which the guard checks."""


def application(runs: Runs, names: Names, keys: Keys) -> ASGIApp:
    """The dashboard of some runs; the guard is around all of it, its failures included."""
    app = Starlette(
        routes=[
            *(Route(path, view) for path, view in VIEWS.items()),
            *(Route(path, view, methods=["POST"]) for path, view in SAID.items()),
        ],
        exception_handlers={HTTPException: _no_page, TopicrawlError: _failed, Exception: _fault},
    )
    app.state.runs, app.state.keys, app.state.feeds = runs, keys, {}
    return Guard(app, names, keys)


def _no_page(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _told(request, error.detail, error.status_code)


def _failed(request: Request, error: Exception) -> Response:
    return _told(request, str(error), 500)


def _fault(request: Request, error: Exception) -> Response:
    sentence = (
        f"The dashboard failed ({type(error).__name__}): run `topicrawl ui` in a terminal to see where."
    )
    return _told(request, sentence, 500)


def _told(request: Request, sentence: str, status: int) -> Response:
    """What went wrong: a page, or to a script that passed on what a person said, the sentence that it shows."""
    if request.method == "POST":
        return JSONResponse({"says": sentence}, status)
    return HTMLResponse(problem(request, sentence), status)
