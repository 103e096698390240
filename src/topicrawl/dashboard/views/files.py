"""Style sheets and scripts, served as they are in the package."""

from __future__ import annotations

from functools import cache

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from topicrawl.report.page import stylesheet
from topicrawl.report.templates import template

PACKAGE = "topicrawl.dashboard.static"
SCRIPTS = ("app.js", "controls.js", "live.js", "marks.js", "parts.js", "send.js")
STYLE = "style.css"


def show(request: Request) -> Response:
    """A file by its name."""
    name = request.path_params["name"]
    if name != STYLE and name not in SCRIPTS:
        raise HTTPException(404, "There is no such file.")
    kind = "text/css" if name == STYLE else "text/javascript"
    return Response(_text(name), media_type=kind)


@cache
def _text(name: str) -> str:
    own = template(name, PACKAGE)
    return stylesheet(template("report.css"), own) if name == STYLE else own
