"""How people ask a crawl for something: the dashboard, the command line and the Python interface use only this.

    running crawl     the wish is carried out within a second (listening.py)
    run that stands   marks are logged at once, so that report, exports and `why` follow; other wishes wait for a resume

A mark needs no crawl to be logged: what it changes is computed by the next replay, at its place in the log.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from topicrawl.crawling.judged import relevance_now, revised
from topicrawl.crawling.listening import unsettled
from topicrawl.crawling.session import report
from topicrawl.crawling.wishes import instruction_of
from topicrawl.errors import BusyError
from topicrawl.report.summary import summarise
from topicrawl.setup.run_config import config_of
from topicrawl.store import wishes
from topicrawl.store.lock import is_locked
from topicrawl.store.run import LOCK, Run
from topicrawl.store.wishes import WAITING, Body, Marks, Wish
from topicrawl.value.judges.registry import TERMS

PATIENCE = 5.0
"""Seconds to wait for a running crawl to carry out a wish."""
BETWEEN = 0.05


def is_running(path: Path) -> bool:
    """Whether a process is writing the run in `path`."""
    return is_locked(path / LOCK)


def wish(path: Path, *bodies: Body, patience: float = PATIENCE) -> list[Wish]:
    """Ask the crawl in `path`; returns the wishes with what came of them, which after `patience` may still wait."""
    ids = wishes.add(path, *bodies)
    if any(isinstance(body, Marks) for body in bodies):
        log_marks(path)
    until = time.monotonic() + patience
    while True:
        found = {each.id: each for each in wishes.wishes(path)}
        asked = [found[each] for each in ids]
        late = time.monotonic() > until or not is_running(path)
        if late or all(each.state != WAITING for each in asked):
            return asked
        time.sleep(BETWEEN)


def log_marks(path: Path) -> bool:
    """Log the marks that wait in a run that no process writes; False if one does, which then carries them out.

    Summary and report of a run that has them are written anew. Call it once for many marks: every page is judged again.
    """
    if not any(isinstance(each.body, Marks) for each in wishes.waiting(path)):
        return True
    try:
        run = Run.open(path)
    except BusyError:
        return False
    with run:
        waiting = [each for each in unsettled(path) if isinstance(each.body, Marks)]
        instructions = [instruction_of(run, each, {}) for each in waiting]
        summary = run.summary
        run.write(instructions)
        unsettled(path)
        adds_links = any(mark.page is None for each in instructions for mark in each.marks)
        if summary is not None and not adds_links:
            _finish_again(run, summary)
    return True


def _finish_again(run: Run, summary: dict[str, Any]) -> None:
    """Write summary and report by what people have said since the crawl ended."""
    config, now = config_of(run), relevance_now(run)
    figures = summarise(
        revised(run.visits(), now),
        threshold=config.threshold,
        stop_reason=summary["stop_reason"],
        seconds=summary["seconds"],
        are_probabilities=config.judge != TERMS,
    )
    again = {**summary, **figures, "pages_per_cpu_second": summary.get("pages_per_cpu_second")}
    run.finish(again)
    report(run, config, again, now)
