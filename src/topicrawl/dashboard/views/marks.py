"""Marks: the pages worth a verdict, answered by keyboard, and what the verdicts changed."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from topicrawl.catalogue.questions import Question, questions_of
from topicrawl.dashboard import door
from topicrawl.dashboard.links import visit_number
from topicrawl.dashboard.opened import Opened
from topicrawl.dashboard.present import Effect
from topicrawl.dashboard.query import Wanted, find
from topicrawl.dashboard.views.frame import fragment, opened
from topicrawl.dashboard.views.frame import show as show_page
from topicrawl.store.exports.rows import marks_table

ASKED = 20
"""Pages of the queue."""
BEHIND = 20
"""Visits that the state of a crawl may lack without being told; a running crawl adds some meanwhile."""
SHOWN = 10
"""Marks whose effects are shown, the last ones."""


def show(request: Request) -> Response:
    """The page; queue and effects follow, because the state of the crawl must be read for them."""
    run = opened(request)
    folder = shlex.quote(str(run.path))
    return show_page(request, "marks.html", "marks", run, name=run.name, folder=folder, **_marked(run))


def marked(request: Request) -> Response:
    """The pages with a mark."""
    run = opened(request)
    return fragment("marked.html", name=run.name, **_marked(run))


def _marked(run: Opened) -> dict[str, Any]:
    run.refresh()
    far = run.far()
    with run.index() as connection:
        return {"far": far, "marked": find(connection, Wanted(mark="any", sort="newest"), far.threshold).rows}


def queue(request: Request) -> Response:
    """The pages worth a verdict."""
    run = opened(request)
    run.refresh()
    with run.present.crawl(seconds=run.present.PATIENCE) as (crawl, log):
        questions, visits = questions_of(log, ASKED, crawl), crawl.tally.visits
    with run.index() as connection:
        numbered = [(visit_number(connection, each.url), each) for each in questions]
    asked: list[tuple[int, Question]] = [(n, each) for n, each in numbered if n is not None]
    far = run.far()
    is_behind = far.visits - visits > BEHIND
    return fragment("queue.html", name=run.name, asked=asked, visits=visits, far=far, is_behind=is_behind)


@dataclass(frozen=True)
class Moved:
    """A link in the order of the next ones, before and after a mark."""

    url: str
    before: int | None
    after: int | None

    @property
    def stays(self) -> bool:
        """Whether its place is the same."""
        return self.before == self.after


def effects(request: Request) -> Response:
    """What the last marks changed."""
    run = opened(request)
    with run.present.crawl(seconds=run.present.PATIENCE):  # goes on, and notes what marks change
        pass
    found = [(each, moves(each)) for each in run.present.effects()[:SHOWN]]
    return fragment("effects.html", name=run.name, effects=found)


def table(request: Request) -> Response:
    """The marks of a run as marks.csv, which the next crawl takes as examples."""
    run = opened(request)
    with run.run() as log:
        said = door.marks_of(log).marks
    headers = {"Content-Disposition": 'attachment; filename="marks.csv"'}
    return Response(marks_table(said), media_type="text/csv", headers=headers)


def moves(effect: Effect) -> list[Moved]:
    """The links next in line after some marks, then those that were and are no more."""
    before = {url: place for place, url in enumerate(effect.before, 1)}
    after = {url: place for place, url in enumerate(effect.after, 1)}
    gone = [Moved(url, place, None) for url, place in before.items() if url not in after]
    return [*(Moved(url, before.get(url), place) for url, place in after.items()), *gone]
