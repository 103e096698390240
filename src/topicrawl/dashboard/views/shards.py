"""Shards: a crawl in shards as one, with a row for each shard that leads to its own views."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from topicrawl.crawling.live_state import LiveState
from topicrawl.dashboard.division import Counts, Division
from topicrawl.dashboard.feed import Parts
from topicrawl.dashboard.rendering import markup, render
from topicrawl.dashboard.runs import division_state
from topicrawl.dashboard.views import live
from topicrawl.dashboard.views.frame import runs_of, state_now, stream, when
from topicrawl.dashboard.views.frame import show as show_page
from topicrawl.report import charts
from topicrawl.report.page import WIDE, both

PARTS = {
    "live-badge": "live_badge.html",
    "live-state": "live_state.html",
    "shards-cards": "shards_cards.html",
    "shards-curve": "shards_curve.html",
    "shards-table": "shards_table.html",
}
"""What changes: the element, and its template."""


@dataclass(frozen=True)
class Row:
    """A shard in the table."""

    shard: str
    run: str
    """Its name in addresses; empty for one that has not begun."""
    state: str
    why: str
    counts: Counts
    seen: str
    """When its last visit began."""
    live: LiveState | None
    """What its crawl knows; None where that was not told yet."""
    letters: int | None
    """Letters to it that it has not taken; None where senders or itself did not tell."""


def front(request: Request) -> Response:
    """What is shown first of a run: Shards, or Live."""
    is_divided = runs_of(request).division(request.path_params["run"]) is not None
    return show(request) if is_divided else live.show(request)


def show(request: Request) -> Response:
    """The page, with what is known at once; the rest follows by events."""
    division = _named(request)
    division.refresh()
    return show_page(request, "shards.html", "shards", division, **gathered(division, in_full=False))


def events(request: Request) -> Response:
    """The stream of what changes."""
    return stream(request, _named(request), parts)


def parts(division: Division) -> Parts:
    """The parts of the page that change."""
    values = gathered(division)
    return {place: render(template, values) for place, template in PARTS.items()}


def gathered(division: Division, *, in_full: bool = True) -> dict[str, Any]:
    """What the templates show. What takes long, the state of shards that stand, only `in_full`."""
    rows = rows_of(division, in_full=in_full)
    points = division.curve()
    pages, relevant = points[-1] if points else (0, 0)
    summary = division.summary()
    state, why = division_state(division, summary)
    going = [row.state for row in rows if row.state in ("running", "paused")]
    if going and set(going) == {"paused"}:
        state, why = "paused", "a person said so"
    return {
        **_controls(division),
        "name": division.name,
        "state": state,
        "state_why": why,
        "rows": rows,
        "pages": pages,
        "relevant": relevant,
        "at_end": summary.get("relevant") if summary and state not in ("running", "paused") else None,
        "waiting": _sum(row.live and row.live.waiting for row in rows),
        "speed": _sum(row.live and row.live.pages_per_second for row in rows),
        "sent": _sum(row.live and sum(row.live.sent.values()) for row in rows),
        "taken": _sum(row.live and sum(row.live.taken.values()) for row in rows),
        "letters": _sum(row.letters for row in rows),
        "hosts": len(set[str]().union(*(row.counts.hosts for row in rows))),
        "curve": markup(both(lambda w, h: charts.harvest_line(points, w, h), WIDE, 330, 260)),
    }


def _controls(division: Division) -> dict[str, Any]:
    """What the controls show: what was asked of one shard was asked of all."""
    begun = next((shard for shard in division.shards().values() if shard is not None), None)
    if begun is None:
        return {"folder": "", "listed_by": "", "waits": 0, "budget": []}
    return live.controls(begun, division.path)


def rows_of(division: Division, *, in_full: bool = True) -> list[Row]:
    """A row for each shard."""
    shards = division.shards()
    told = {name: live.told(shard, in_full=in_full)[0] for name, shard in shards.items() if shard}
    rows = []
    for name, shard in shards.items():
        counts = division.counts(name)
        state, why = state_now(shard, told[name]) if shard else ("not begun", "its folder has no run yet")
        run = shard.name if shard else ""
        letters = untaken(name, told) if len(told) == len(shards) else None
        rows.append(Row(name, run, state, why, counts, when(counts.last), told.get(name), letters))
    return rows


def untaken(shard: str, told: dict[str, LiveState | None]) -> int | None:
    """Letters to a shard that it has not taken; None where that is not known of all.

    Shards tell at different moments, so one may have taken what its sender has not told yet; that counts as none.
    """
    own = told[shard]
    if own is None:
        return None
    waiting = 0
    for sender, state in told.items():
        if state is None:
            return None
        waiting += max(0, state.sent.get(shard, 0) - own.taken.get(sender, 0))
    return waiting


def _sum(values: Any) -> Any:
    """The sum; None where one of them is not known."""
    known = list(values)
    return None if None in known else sum(known)


def _named(request: Request) -> Division:
    """The crawl in shards that the address names."""
    found = runs_of(request).division(request.path_params["run"])
    if found is None:
        raise HTTPException(404, "There is no crawl in shards of this name here.")
    return found
