"""Runs: all of them with their state, their harvest and a small curve."""

from __future__ import annotations

from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from topicrawl.dashboard.rendering import markup
from topicrawl.dashboard.runs import Card
from topicrawl.dashboard.views.frame import fragment, runs_of, when
from topicrawl.dashboard.views.frame import show as show_page
from topicrawl.safe_text import xml_escaped

WIDTH, HEIGHT = 160, 44


def show(request: Request) -> Response:
    """The list, or the run itself where there is only one; as a part of the page, only what changes."""
    runs = runs_of(request)
    if runs.is_one:
        for name in runs.paths():
            return RedirectResponse(f"/run/{quote(name)}/", 303)
        raise HTTPException(404, "The run is gone. It may have been moved or removed.")
    values = {
        "cards": [(card, markup(small_curve(card)), when(card.changed)) for card in runs.cards()],
        "folder": runs.root.resolve().name,
    }
    if "part" in request.query_params:
        return fragment("run_cards.html", **values)
    return show_page(request, "run_list.html", "runs", **values)


def small_curve(card: Card) -> str:
    """Relevant pages against pages fetched, without axes."""
    if not card.curve:
        return ""
    most = card.curve[-1][0]
    points = " ".join(
        f"{2 + x / most * (WIDTH - 4):.1f} {HEIGHT - 2 - y / most * (HEIGHT - 4):.1f}"
        for x, y in ((0, 0), *card.curve)
    )
    told = xml_escaped(f"{card.relevant:,} of {card.pages:,} pages are relevant")
    return (
        f'<svg class="small" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{told}">'
        f'<path class="ideal" d="M2 {HEIGHT - 2} {WIDTH - 2} 2"/><path class="curve" d="M{points}"/></svg>'
    )
