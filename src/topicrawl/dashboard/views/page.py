"""Page: what it says as the judge read it, why it was chosen, where it leads, and the archived copy."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from topicrawl.crawling import explain
from topicrawl.crawling.make import present_of
from topicrawl.dashboard.archived import inert
from topicrawl.dashboard.guard import ARCHIVED
from topicrawl.dashboard.links import fates, parent_of, visit_number
from topicrawl.dashboard.query import row_of
from topicrawl.dashboard.views.frame import fragment, opened
from topicrawl.dashboard.views.frame import show as show_page
from topicrawl.dashboard.words import counted, pieces
from topicrawl.model import Topic
from topicrawl.page.decode import decode
from topicrawl.urls import canonical
from topicrawl.web.http.decoding import decoded, encodings
from topicrawl.web.warc_record import BODY_LIMIT, ENCODINGS


def show(request: Request) -> Response:
    """A visit and its page."""
    run, n = opened(request), int(request.path_params["n"])
    run.refresh()
    far, config = run.far(), run.config()
    assert isinstance(config.topic, Topic)
    with run.index() as connection, run.run() as log:
        row = row_of(connection, n)
        told = next(log.told(n - 1), None) if row else None
        if row is None or told is None or told[0].n != n:
            raise HTTPException(404, f"There is no visit {n} yet.")
        visit, ask, outcome = told
        found = outcome.page
        words = counted(found, config.topic) if found else []
        return show_page(
            request,
            "page.html",
            "pages",
            run,
            name=run.name,
            row=row,
            visit=visit,
            ask=ask,
            document=found,
            pieces=pieces(found.text, words) if found else [],
            counts=_counts(words),
            parent=parent_of(connection, log, visit),
            links=fates(connection, found.links) if found else [],
            threshold=far.threshold,
            judge=config.judge,
            has_copy=log.archived(n) is not None,
        )


def _counts(words: list[tuple[int, int, str]]) -> list[tuple[str, int]]:
    """The words that counted and how often each occurs, the most frequent first."""
    found: dict[str, int] = {}
    for _, _, term in words:
        found[term] = found.get(term, 0) + 1
    return sorted(found.items(), key=lambda each: (-each[1], each[0]))


def why(request: Request) -> Response:
    """The part of the page that explains the choice, made from the newest snapshot and the log after it."""
    run, n = opened(request), int(request.path_params["n"])
    with run.run() as log:
        visit = next(log.visits(n - 1), None)
        if visit is None or visit.n != n:
            raise HTTPException(404, f"There is no visit {n} yet.")
        begin = present_of(log)
        story = explain.why(begin.crawl, log.replay(begin.seq), visit.asked, visit)
    return fragment("why.html", story=story, name=run.name)


def link(request: Request) -> Response:
    """The page at the URL in the address, or what is known of a link that was not fetched."""
    run, url = opened(request), canonical(request.query_params.get("url", "")) or ""
    run.refresh()
    with run.index() as connection:
        n = visit_number(connection, url)
    if n is not None:
        return RedirectResponse(f"/run/{run.name}/page/{n}", 303)
    if not url:
        raise HTTPException(404, "Give an http or https URL.")
    with run.run() as log:
        begin = present_of(log)
        story = explain.why(begin.crawl, log.replay(begin.seq), url, None)
    return show_page(request, "link.html", "pages", run, story=story, name=run.name)


def archived(request: Request) -> Response:
    """The archived copy as inert HTML, for a frame in a sandbox."""
    run, n = opened(request), int(request.path_params["n"])
    with run.run() as log:
        record = log.record(n)
    if record is None:
        raise HTTPException(404, "The archive has no copy of this page.")
    headers = {name.lower(): value for name, value in record.headers}
    named = encodings(headers.get("content-encoding", ""), ENCODINGS)
    body = decoded(record.body, named, BODY_LIMIT)[0] if named else record.body
    text, _ = decode(body or record.body, headers.get("content-type", ""))
    is_html = "html" in headers.get("content-type", "html") or text.lstrip()[:1] == "<"
    return HTMLResponse(inert(text, is_html=is_html), headers={"Content-Security-Policy": ARCHIVED})
