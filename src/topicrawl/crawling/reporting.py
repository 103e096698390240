"""The report of a run, and what a watched one has: of pages fetched anew what was seen last counts."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any

from topicrawl.crawling.judged import Now, relevance_now, revised
from topicrawl.judge.registry import TERMS
from topicrawl.model import Topic
from topicrawl.report.page import write_report
from topicrawl.report.summary import summarise
from topicrawl.setup.config import Config
from topicrawl.store.run import Run
from topicrawl.store.standing import Standing, standing

REPORT = "report.html"
REPORTED_TURNS = 30
"""Turns of a watch that the report lists, the latest."""


def report(
    run: Run, config: Config, summary: dict[str, Any], now: Now | None = None, known: Standing | None = None
) -> Path:
    """Write report.html of a run, replacing an earlier one; returns its path.

    `now` and `known` are computed where not given.
    """
    assert isinstance(config.topic, Topic)
    if run.missing_count:
        summary = {**summary, "missing": run.missing_count}
    known = standing(run) if known is None else known
    path, now = run.path / REPORT, relevance_now(run, known=known) if now is None else now
    old = known.replaced
    visits = [visit for visit in revised(run.visits(), now) if visit.n not in old] if old else None
    if visits is not None:
        again = summarise(
            visits,
            threshold=config.threshold,
            stop_reason=summary["stop_reason"],
            seconds=summary["seconds"],
            are_probabilities=config.judge != TERMS,
        )
        summary = {**summary, **again, "pages_per_cpu_second": summary["pages_per_cpu_second"]}
    write_report(
        path,
        title=config.topic.name,
        topic=config.topic,
        config=run.config_toml,
        visits=revised(run.visits(), now) if visits is None else visits,
        timings=run.timings(),
        summary=summary,
        turned=[turned for _, turned in islice(run.turned(), REPORTED_TURNS)],
    )
    return path


def watch_figures(run: Run, threshold: float, now: Now | None, known: Standing) -> dict[str, Any]:
    """What a watched run has: turns, pages as they were last seen and the relevant ones among them, fetches anew."""
    said = now if now is not None else {visit.n: visit.relevance for visit in run.visits()}
    return {
        "turns": run.turned_count,
        "pages": len(known.pages),
        "relevant": sum(bool(said[n] > threshold) for n in known.pages),
        "fetched_anew": len(known.anew),
    }
