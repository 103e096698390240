"""report.html: one file that shows how a crawl went and loads nothing.

Titles, URLs and hosts come from pages that may be hostile. Every text is escaped (`safe`); as a second defence the
page's Content-Security-Policy allows no script but ours (by its hash) and no network.
"""

from __future__ import annotations

import base64
import hashlib
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Any

import numpy as np

from topicrawl.model import Timing, Topic, Turned, Visit
from topicrawl.report import charts, tables
from topicrawl.report.digest import Digest, digest
from topicrawl.report.evolution import evolution_panel
from topicrawl.report.learning import learning_panel
from topicrawl.report.sources import sources_panel
from topicrawl.report.summary import UNKNOWN_PRECISION, need_of_browser, why_stopped
from topicrawl.report.tables import amount, bytes_of, duration, safe
from topicrawl.report.templates import template
from topicrawl.report.watch import watch_panel
from topicrawl.store.disk import disk_errors, write_atomically

BEST_PAGES = 25
DOUBTFUL_PAGES = 10
MOST_HOSTS = 50
WIDE, HALF, NARROW = 980, 460, 350
"""Widths at which charts are drawn, in CSS pixels: a full panel, half of one, and a phone."""


def write_report(
    path: str | Path,
    *,
    title: str,
    topic: Topic,
    config: str,
    visits: Iterable[Visit],
    timings: Iterable[tuple[int, Timing]],
    summary: Mapping[str, Any],
    turned: Sequence[Turned] = (),
) -> None:
    """Write the report of a crawl to `path`, replacing what is there only when the new one is complete.

    `config` is the run's crawl.toml as text, `summary` the result of `summarise` for the same visits.
    """
    page = render(
        title=title,
        topic=topic,
        config=config,
        visits=visits,
        timings=timings,
        summary=summary,
        turned=turned,
    )
    with disk_errors(Path(path)):
        write_atomically(Path(path), page.encode("utf-8", errors="replace"))


def render(
    *,
    title: str,
    topic: Topic,
    config: str,
    visits: Iterable[Visit],
    timings: Iterable[tuple[int, Timing]],
    summary: Mapping[str, Any],
    turned: Sequence[Turned] = (),
) -> str:
    """The report as HTML text; `turned` are the latest turns of a watch, the latest first."""
    doubtful = DOUBTFUL_PAGES if "expected_precision" in summary else 0
    gathered = digest(visits, threshold=summary["threshold"], best=BEST_PAGES, doubtful=doubtful)
    style, script = stylesheet(template("report.css")), template("report.js")
    return Template(template("report.html")).substitute(
        policy=policy(style, script),
        style=style,
        script=script,
        title=safe(title),
        lead=_lead(summary),
        topic=tables.terms(topic),
        cards=_cards(summary),
        latest=amount(charts.latest(gathered.pages), "page"),
        **_charts(gathered),
        sources=sources_panel(summary.get("sources", [])),
        evolution=evolution_panel(summary.get("evolution", ()), both, WIDE),
        learning=learning_panel(summary.get("learning", {}), summary.get("against"), both, HALF),
        watch=watch_panel(turned, summary["threshold"]),
        best=tables.best_pages(gathered),
        doubtful=_doubtful(gathered, summary),
        hosts=tables.hosts(gathered, MOST_HOSTS),
        failures=tables.failures(summary["failures"]),
        times=tables.times(timings),
        config=tables.settings(_without_texts(tomllib.loads(config))),
    )


def _without_texts(config: dict[str, Any]) -> dict[str, Any]:
    """The settings without the example pages of a crawl by example."""
    config.get("topic", {}).pop("examples", None)
    return config


def policy(style: str, script: str | None = None) -> str:
    """The Content-Security-Policy: nothing from the network, inline code only by hash, without `script` none."""
    allowed = {
        "default-src": "'none'",
        "style-src": _hash(style),
        "script-src": "'none'" if script is None else _hash(script),
        "img-src": "data:",
    }
    allowed |= {"base-uri": "'none'", "form-action": "'none'"}
    return "; ".join(f"{what} {source}" for what, source in allowed.items())


def _hash(code: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(code.encode()).digest()).decode() + "'"


def stylesheet(*own: str) -> str:
    """The style of a page: colours and plots, which all pages share, and the page's own rules."""
    return "".join((template("tokens.css"), template("plots.css"), *own))


def _lead(summary: Mapping[str, Any]) -> str:
    stopped = f"The crawl stopped: {safe(why_stopped(summary))}."
    if missing := summary.get("missing"):
        stopped += f" Its archive has lost the records of {amount(missing, 'visit')}."
    if needing := summary.get("needs_script"):
        said = need_of_browser(summary)
        stopped += f" {amount(needing, 'page')} {said if needing > 1 else said.replace('say', 'says', 1)}."
    if not summary["fetches"]:
        return f"No page was fetched. {stopped}"
    found, where = amount(summary["relevant"], "relevant page"), amount(summary["hosts"], "host")
    fetched, spent = amount(summary["fetches"]), duration(summary["seconds"])
    return f"<strong>{found}</strong> among {fetched} fetched from {where} in {spent}. {stopped}"


def _doubtful(gathered: Digest, summary: Mapping[str, Any]) -> str:
    """How sure the judge is, and the pages nearest to the threshold; nothing where relevance is no probability."""
    if not gathered.doubtful:
        return ""
    called = amount(summary["relevant"], "page")
    sure = summary["expected_precision"]
    said = (
        f"By the probabilities of the judge, {sure:.0%} of the {called} called relevant are (expected precision)"
        if sure is not None
        else f"How many of the {called} called relevant are cannot be known: {UNKNOWN_PRECISION}"
    )
    return (
        f"<h2>In doubt</h2><p>{said}. The pages nearest to the threshold of {summary['threshold']:g}:</p>"
        f"{tables.doubtful_pages(gathered)}"
    )


def _cards(summary: Mapping[str, Any]) -> str:
    failed = sum(summary["failures"].values())
    requests = summary["fetches"] + failed
    cost = summary["pages_per_cpu_second"]
    rate = summary["fetches"] / summary["seconds"] if summary["seconds"] else 0.0
    cards = [
        (f"{summary['harvest_rate']:.1%}", "harvest rate", f"relevance above {summary['threshold']:g}"),
        (amount(summary["relevant"]), "relevant pages", f"of {amount(summary['fetches'])} fetched"),
        (
            f"{summary['average_relevance']:.3f}",
            "average relevance",
            f"standard deviation {summary['standard_deviation']:.3f}",
        ),
        (amount(summary["hosts"]), "hosts", "with at least one page"),
        (duration(summary["seconds"]), "time", f"{rate:,.1f} pages a second"),
        ("–" if cost is None else f"{cost:,.0f}", "pages per CPU-second", "of all processes"),
        (bytes_of(summary["bytes"]), "read", "after decoding"),
        (
            amount(failed),
            "failures",
            f"{failed / requests:.1%} of {amount(requests, 'request')}" if requests else "",
        ),
    ]
    return "\n".join(
        f'<div class="card"><b>{value}</b><span>{name}</span><em>{more}</em></div>'
        for value, name, more in cards
    )


def _charts(gathered: Digest) -> dict[str, str]:
    relevances = np.asarray(gathered.relevances)
    threshold = gathered.threshold
    found = np.cumsum(relevances > threshold, dtype=np.float64)
    depths = [(depth, share.pages, share.relevant) for depth, share in sorted(gathered.depths.items())]
    return {
        "harvest": both(lambda w, h: charts.harvest_curve(found, w, h), WIDE, 400, 300),
        "rate": both(lambda w, h: charts.rate_curve(found, w, h), WIDE, 200, 190),
        "histogram": both(lambda w, h: charts.histogram(relevances, threshold, w, h), HALF, 280, 240),
        "depths": both(lambda w, h: charts.depth_bars(depths, w, h), HALF, 280, 240),
    }


def both(draw: Callable[[int, int], str], width: int, height: int, narrow_height: int) -> str:
    """A chart drawn for wide screens and for phones, so that its text is readable on both; CSS shows one."""
    wide, narrow = draw(width, height), draw(NARROW, narrow_height)
    return f'<div class="wide">{wide}</div><div class="narrow">{narrow}</div>'
