"""Page: what it says as the judge read it, why it was chosen, where it leads, and the archived copy."""

from __future__ import annotations

import shlex
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from topicrawl.crawling import explain
from topicrawl.crawling.make import crawl_of, present_of
from topicrawl.crawling.snapshots import Restored
from topicrawl.dashboard.archived import inert
from topicrawl.dashboard.guard import ARCHIVED
from topicrawl.dashboard.links import fates, parent_of, visit_number
from topicrawl.dashboard.opened import Opened
from topicrawl.dashboard.present import FarError
from topicrawl.dashboard.query import LARGEST, row_of
from topicrawl.dashboard.views.frame import fragment, opened
from topicrawl.dashboard.views.frame import show as show_page
from topicrawl.dashboard.views.live import meanings_of
from topicrawl.dashboard.words import amounts, by_examples, by_terms, pieces
from topicrawl.judge.examples import ByExamples
from topicrawl.judge.registry import EXAMPLES
from topicrawl.model import Ask, Outcome, Topic, Visit
from topicrawl.store.main_texts import archived_copy
from topicrawl.store.run import Run
from topicrawl.urls import canonical

AT_MOST = 20_000
"""Events that are repeated without being asked, to know what the judge has learned."""
REPEATED = 2_000
"""Events of a log that is repeated as a whole to explain a page."""


def show(request: Request) -> Response:
    """A visit and its page."""
    run, n = opened(request), int(request.path_params["n"])
    run.refresh()
    far, config = run.far(), run.config()
    assert isinstance(config.topic, Topic)
    with run.index() as connection, run.run() as log:
        visit, ask, outcome = _told(log, n)
        row = row_of(connection, n)
        if row is None:
            raise HTTPException(404, f"Visit {n} is not in the index yet; load this again in a moment.")
        found = outcome.page
        terms = by_terms(found, config.topic) if found else []
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
            pieces=pieces(found.text, terms) if found else [],
            counts=amounts(terms),
            weighed=False,
            weighs=found is not None and config.judge == EXAMPLES,
            is_running=run.writer is not None,
            parent=parent_of(connection, log, visit),
            links=fates(connection, found.links) if found else [],
            threshold=far.threshold,
            judge=config.judge,
            has_copy=archived_copy(log, n) is not None,
        )


def words(request: Request) -> Response:
    """The text with the words that the judge weighs; nothing where it weighs none, or its state takes long to make."""
    run, n = opened(request), int(request.path_params["n"])
    with run.run() as log:
        _, _, outcome = _told(log, n)
    if outcome.page is None:
        raise HTTPException(404, "There is no page of this visit.")
    try:
        with run.present.crawl(AT_MOST, seconds=run.present.PATIENCE) as (crawl, _):
            if not isinstance(crawl.judge, ByExamples):
                return Response(status_code=204)
            found = by_examples(outcome.page, crawl.judge)
    except FarError:
        return Response(status_code=204)
    return fragment("text.html", pieces=pieces(outcome.page.text, found), counts=amounts(found), weighed=True)


def _told(log: Run, n: int) -> tuple[Visit, Ask, Outcome]:
    found = next(log.told(n - 1), None) if n < LARGEST else None
    if found is None or found[0].n != n:
        raise HTTPException(404, f"There is no visit {n} yet.")
    return found


def why(request: Request) -> Response:
    """The part of the page that explains the choice: of a small run by its whole log, which tells how the priority came
    about, else by the newest snapshot and the log after it.
    """
    run, n = opened(request), int(request.path_params["n"])
    with run.run() as log:
        visit, _, _ = _told(log, n)
        begin = _begin(log)
        story = explain.why(begin.crawl, log.replay(begin.seq), visit.asked, visit)
    return fragment("why.html", **_explained(run, story))


def _begin(log: Run) -> Restored:
    """Where an explanation begins: the start of a small log, the newest snapshot of others."""
    return Restored(crawl_of(log)) if log.last_seq <= REPEATED else present_of(log)


def link(request: Request) -> Response:
    """The page at the URL in the address, or what is known of a link that was not fetched."""
    run, url = opened(request), canonical(request.query_params.get("url", "")) or ""
    run.refresh()
    with run.index() as connection:
        n = visit_number(connection, url)
    if n is not None:
        return RedirectResponse(f"/run/{quote(run.name)}/page/{n}", 303)
    if not url:
        raise HTTPException(404, "Give an http or https URL.")
    with run.run() as log:
        begin = _begin(log)
        story = explain.why(begin.crawl, log.replay(begin.seq), url, None)
    return show_page(request, "link.html", "pages", run, **_explained(run, story))


def _explained(run: Opened, story: explain.Why) -> dict[str, object]:
    """What an explanation shows: the story of a link, and the command that tells all of it."""
    command = shlex.join(["topicrawl", "why", str(run.path), story.url, "--history"])
    return {"name": run.name, "story": story, "command": command, "meanings": meanings_of(run.config())}


def archived(request: Request) -> Response:
    """The archived copy as inert HTML, for a frame in a sandbox."""
    run, n = opened(request), int(request.path_params["n"])
    with run.run() as log:
        copy = archived_copy(log, n) if n < LARGEST else None
    if copy is None:
        raise HTTPException(404, "The archive has no copy of this page.")
    shown = inert(copy.text, is_html=copy.is_html)
    return HTMLResponse(shown, headers={"Content-Security-Policy": ARCHIVED})
