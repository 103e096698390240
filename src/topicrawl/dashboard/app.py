"""The addresses of the dashboard."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from topicrawl.dashboard.guard import Guard, Keys, Names
from topicrawl.dashboard.runs import Runs
from topicrawl.dashboard.views import files, page, pages, run_list
from topicrawl.dashboard.views.frame import problem
from topicrawl.errors import TopicrawlError

View = Callable[[Request], Response] | Callable[[Request], Awaitable[Response]]
VIEWS: dict[str, View] = {
    "/": run_list.show,
    "/static/{name}": files.show,
    "/run/{run}/": pages.show,
    "/run/{run}/pages": pages.show,
    "/run/{run}/page/{n:int}": page.show,
    "/run/{run}/page/{n:int}/why": page.why,
    "/run/{run}/page/{n:int}/archived": page.archived,
    "/run/{run}/link": page.link,
}


def application(runs: Runs, names: Names, keys: Keys) -> Starlette:
    """The dashboard of some runs."""
    app = Starlette(
        routes=[Route(path, view) for path, view in VIEWS.items()],
        middleware=[Middleware(Guard, names=names, keys=keys)],
        exception_handlers={HTTPException: _no_page, TopicrawlError: _failed},
    )
    app.state.runs, app.state.keys = runs, keys
    return app


def _no_page(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return HTMLResponse(problem(request, error.detail), error.status_code)


def _failed(request: Request, error: Exception) -> Response:
    return HTMLResponse(problem(request, str(error)), 500)
