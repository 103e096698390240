"""The panel of a watch in the report: what the latest turns noticed of relevant pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime

from topicrawl.model import NOTICED, Noticed, Turned
from topicrawl.report.tables import amount, link, safe

MOST_PAGES = 40
"""Pages that are listed."""
MOST_LINES = 12
"""Lines of a difference that are shown."""


def watch_panel(turned: Sequence[Turned], threshold: float) -> str:
    """The panel as HTML; empty where there was no turn. `turned` has the latest first."""
    if not turned:
        return ""
    found = [(turn, each) for turn in turned for each in turn.noticed if each.relevance > threshold]
    counts = Counter(each.change for _, each in found)
    listed = ", ".join(f"{amount(counts[kind])} {kind}" for kind in NOTICED if counts[kind]) or "nothing"
    rows = "".join(_row(turn.time, each) for turn, each in found[:MOST_PAGES])
    table = (
        f"<table><thead><tr><th>when (UTC)</th><th>what</th><th>page</th></tr></thead><tbody>{rows}</tbody></table>"
        if rows
        else ""
    )
    return (
        '<section class="panel"><h2>What changed</h2>'
        f'<p class="about">Relevant pages in the latest {amount(len(turned), "turn")} of the watch: {listed}. '
        f"The last turn made {amount(turned[0].visits, 'request')}, {amount(turned[0].again)} of them for known "
        f"pages.</p>{table}</section>"
    )


def _row(when: float, noticed: Noticed) -> str:
    moment = datetime.fromtimestamp(when, UTC).strftime("%Y-%m-%d %H:%M")
    lines = "".join(f"<li><bdi>{safe(line)}</bdi></li>" for line in noticed.diff[:MOST_LINES])
    more = f"<details><summary>difference</summary><ul>{lines}</ul></details>" if lines else ""
    to = f" → <bdi>{safe(noticed.to)}</bdi>" if noticed.to else ""
    return (
        f"<tr><td>{moment}</td><td>{safe(noticed.change)}</td>"
        f"<td>{link(noticed.url, noticed.title or noticed.url)}"
        f"<br><small><bdi>{safe(noticed.url)}</bdi>{to}</small>{more}</td></tr>"
    )
