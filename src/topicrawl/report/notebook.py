"""A run as a notebook shows it: a few figures and the harvest curve, as HTML.

The curve is an image, so that its style does not reach the rest of the notebook, and all text is escaped: the names of
topics and folders may be hostile.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from topicrawl.model import Visit
from topicrawl.report import charts
from topicrawl.report.standalone import standalone
from topicrawl.report.summary import why_stopped
from topicrawl.report.tables import amount, duration, safe

WIDTH, HEIGHT = 640, 280
"""Of the curve, in CSS pixels."""


def notebook_view(
    title: str, folder: str, visits: Iterable[Visit], summary: Mapping[str, Any], threshold: float
) -> str:
    """The HTML of a run. `visits` are drawn as they were judged at the visit; `summary` has the figures of the end."""
    relevant = np.array([visit.relevance > threshold for visit in visits if visit.fetched], dtype=np.float64)
    found = np.cumsum(relevant)
    curve = base64.b64encode(standalone(charts.harvest_curve(found, WIDTH, HEIGHT)).encode()).decode()
    pages, said = amount(summary["fetches"], "page"), amount(summary["relevant"], "relevant page")
    lines = [
        f"<b>{safe(title)}</b> · {safe(folder)}",
        f"{pages} from {amount(summary['hosts'], 'host')}, {said} (harvest rate {summary['harvest_rate']:.1%}), "
        f"{amount(sum(summary['failures'].values()), 'failure')}, {duration(summary['seconds'])}; "
        f"{safe(why_stopped(summary))}",
    ]
    text = "".join(f'<div style="margin:.2em 0">{line}</div>' for line in lines)
    alt = f"Harvest curve: {int(found[-1]) if len(found) else 0:,} of {len(found):,} pages are relevant"
    image = (
        f'<img alt="{alt}" width="{WIDTH}" style="max-width:100%" src="data:image/svg+xml;base64,{curve}">'
    )
    note = '<div style="margin:.2em 0;opacity:.7">curve: as judged at the visit</div>'
    return f"<div>{text}{image}{note}</div>"
