"""Live: the harvest growing, what is being fetched, what is next and why, and the controls of the crawl."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from topicrawl.crawling.live_state import LiveState
from topicrawl.crawling.publishing import live_state_of
from topicrawl.dashboard import door
from topicrawl.dashboard.feed import Parts
from topicrawl.dashboard.opened import JUDGED_AT_MOST, Opened
from topicrawl.dashboard.present import FarError
from topicrawl.dashboard.query import Wanted, find
from topicrawl.dashboard.rendering import markup, render
from topicrawl.dashboard.views.frame import opened, state_now, stream
from topicrawl.dashboard.views.frame import show as show_page
from topicrawl.judge.registry import EXAMPLES
from topicrawl.report import charts
from topicrawl.report.page import WIDE, both
from topicrawl.setup.config import Config
from topicrawl.store import wishes
from topicrawl.store.shard_files import read_shard
from topicrawl.strategies.registry import make_strategy

PARTS = ("badge", "state", "cards", "curve", "limits", "flight", "next", "failures", "latest")
AT_MOST = 20_000
"""Events that are repeated to tell what a crawl that stands would do next."""
LATEST = 8
"""Pages that are listed as the latest."""
BUDGET = {
    "pages": "pages",
    "max_requests": "requests",
    "max_time": "time (such as 2h)",
    "relevant": "relevant pages",
}
"""Settings that limit a crawl, in words."""


def show(request: Request) -> Response:
    """The page, with what is known at once; the rest follows by events."""
    run = opened(request)
    run.refresh()
    return show_page(request, "live.html", "live", run, **gathered(run, in_full=False))


def events(request: Request) -> Response:
    """The stream of what changes."""
    return stream(request, opened(request), parts)


def parts(run: Opened) -> Parts:
    """The parts of the page that change."""
    values = gathered(run)
    return {f"live-{name}": render(f"live_{name}.html", values) for name in PARTS}


def gathered(run: Opened, *, in_full: bool = True) -> dict[str, Any]:
    """What the templates show. What takes long, the links next in line of a crawl that stands, only `in_full`."""
    live, too_far = told(run, in_full=in_full)
    state, why = state_now(run, live)
    far = run.far()
    with run.index() as connection:
        points = connection.execute("SELECT pages, relevant FROM curve ORDER BY pages").fetchall()
        failures = connection.execute(
            "SELECT k.name, count(*) FROM pages p JOIN kinds k ON k.id = p.kind WHERE p.kind > 1 GROUP BY p.kind"
            " ORDER BY 2 DESC"
        ).fetchall()
        latest = find(connection, Wanted(sort="newest"), far.threshold).rows[:LATEST]
        hosts = connection.execute("SELECT count(*) FROM sites WHERE section = '' AND pages").fetchone()[0]
    pages, relevant = points[-1] if points else (0, 0)
    config = run.config()
    with run.run() as log:
        summary = log.summary
    return {
        **controls(run, _resumed(run.path)),
        "name": run.name,
        "state": state,
        "state_why": why,
        "far": far,
        "live": live,
        "too_far": too_far,
        "pages": pages,
        "relevant": relevant,
        "recent": _recent(points),
        "at_visit": summary.get("relevant_at_visit") if summary and not run.writer else None,
        "judges_again": config.judge == EXAMPLES and far.visits <= JUDGED_AT_MOST,
        "meanings": meanings_of(config),
        "hosts": hosts,
        "failures": failures,
        "latest": latest,
        "curve": markup(both(lambda w, h: charts.harvest_line(points, w, h), WIDE, 330, 260)),
    }


def controls(run: Opened, resumed: Path) -> dict[str, Any]:
    """What the controls of a crawl show; `resumed` is the folder that is named to resume it."""
    config = run.config()
    return {
        "folder": shlex.quote(str(resumed)),
        "listed_by": run.name,
        "waits": len(wishes.waiting(run.path)),
        "budget": [(name, label, getattr(config, name)) for name, label in BUDGET.items()],
    }


def told(run: Opened, *, in_full: bool = True) -> tuple[LiveState | None, str]:
    """What the crawl of a run knows, and why that is not read where it takes long; of one that stands `in_full` only,
    or if it is in memory."""
    if run.writer:
        return door.told_by(run.path), ""
    if not in_full and not run.present.is_made:
        return None, ""
    try:
        return _standing(run), ""
    except FarError as error:
        return None, str(error)


def meanings_of(config: Config) -> dict[str, str]:
    """What the factors of the strategy are, in words."""
    return make_strategy(config.strategy, config.parameters).meanings()


def _resumed(path: Path) -> Path:
    """The folder whose crawl is resumed: of a shard, that of the whole crawl."""
    return path.parent.parent if read_shard(path) else path


def _standing(run: Opened) -> LiveState:
    """What the crawl of a run that stands knows, from its snapshot and log."""
    with run.present.crawl(AT_MOST) as (crawl, log):
        return live_state_of(log, crawl)


def _recent(points: list[tuple[int, int]]) -> tuple[int, float] | None:
    """How many pages the latest are, and the share of relevant ones among them."""
    if not points:
        return None
    pages, relevant = points[-1]
    begin = pages - charts.latest(pages)
    earlier = next(((p, r) for p, r in reversed(points) if p <= begin), (0, 0))
    return pages - earlier[0], (relevant - earlier[1]) / (pages - earlier[0])
