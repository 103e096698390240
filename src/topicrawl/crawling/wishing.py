"""How people ask a crawl for something, from the command line, Python and (through dashboard/door.py) the browser.

    running crawl     the wish is carried out within a second (listening.py)
    run that stands   marks are logged at once, so that report, exports and `why` follow; other wishes wait for a resume

A mark needs no crawl to be logged: what it changes is computed by the next replay, at its place in the log.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from topicrawl.crawling.judged import relevance_now, revised
from topicrawl.crawling.listening import unsettled
from topicrawl.crawling.session import report
from topicrawl.crawling.wishes import instruction_of, refuse_example
from topicrawl.errors import BusyError, UsageError
from topicrawl.report.summary import summarise
from topicrawl.setup.run_config import config_of
from topicrawl.store import wishes
from topicrawl.store.lock import is_locked
from topicrawl.store.run import LOCK, Run
from topicrawl.store.shard_files import read_route, runs_in
from topicrawl.store.wishes import (
    DONE,
    REFUSED,
    WAITING,
    Body,
    Change,
    Example,
    GoOn,
    Marks,
    Pause,
    Seeds,
    Stop,
    Undo,
    Wish,
)
from topicrawl.urls import canonical
from topicrawl.value.judges.registry import TERMS

PATIENCE = 5.0
"""Seconds to wait for a running crawl to carry out a wish."""
BETWEEN = 0.05
NO_LINK_LEFT = "frontier empty"
MAY_BE_LOGGED = (Marks, Undo)
"""Wishes that a crawl need not be running for."""


def is_running(path: Path) -> bool:
    """Whether a process is writing the run in `path`."""
    return is_locked(path / LOCK)


def wish(path: Path, *bodies: Body, patience: float = PATIENCE) -> list[Wish]:
    """Ask the crawl in `path`; returns the wishes with what came of them, which after `patience` may still wait.

    `UsageError` for what is known to be impossible; then none of them is asked. All shards of a crawl are asked the
    same; only the first is asked to stop, and the others end with it.
    """
    runs = runs_in(path)
    check(runs[0], bodies)
    if is_in_shards := read_route(path) is not None:
        _check_shards(path, bodies)
    stops = [body for body in bodies if isinstance(body, Stop)]
    others = [body for body in bodies if not isinstance(body, Stop)]
    ids = {*wishes.add_to(runs, *others), *wishes.add(runs[0], *stops)}
    told = outcomes(path, ids, patience)
    if not any(isinstance(body, MAY_BE_LOGGED) for body in bodies):
        return told
    for run in runs:
        log_marks(run)
    if is_in_shards:
        finish_again(path)
    return outcomes(path, ids, 0.0)


def outcomes(path: Path, ids: Collection[str], patience: float) -> list[Wish]:
    """Some wishes with what came of them; as long as a crawl runs, they are waited for, up to `patience` seconds."""
    until = time.monotonic() + patience
    while True:
        told = _least([each for run in runs_in(path) for each in wishes.wishes(run) if each.id in ids])
        is_waiting = any(each.state == WAITING for each in told)
        if not is_waiting or time.monotonic() >= until or not is_running(path):
            return told
        time.sleep(BETWEEN)


def _least(found: Sequence[Wish]) -> list[Wish]:
    """Each wish once: refused if a shard refused it, waiting if it waits in one."""
    order = [DONE, WAITING, REFUSED]
    least: dict[str, Wish] = {}
    for each in found:
        before = least.setdefault(each.id, each)
        least[each.id] = max(before, each, key=lambda wish: order.index(wish.state))
    return list(least.values())


def _check_shards(path: Path, bodies: Sequence[Body]) -> None:
    """`UsageError` for what a crawl in shards cannot be asked."""
    for body in bodies:
        if isinstance(body, Example | Undo):
            raise UsageError(
                f"{path} is a crawl in shards: examples and --undo do not work there yet; mark pages instead"
            )
        if isinstance(body, Change) and "concurrency" in body.settings:
            raise UsageError("concurrency is divided between the shards; give it to the resume: crawl --out")
        if isinstance(body, Change) and not is_running(path):
            raise UsageError(
                f"{path}: no crawl is running there; give settings to the resume: topicrawl crawl --out {path}"
            )


def finish_again(path: Path) -> None:
    """Write summary and report of a crawl in shards anew, if it has ended."""
    if not is_running(path):
        with Run.open(path, writable=False) as run:
            if (summary := run.summary) is not None:
                _finish_again(run, summary)


def check(path: Path, bodies: Sequence[Body]) -> None:
    """`UsageError` for a wish that cannot be carried out, as far as the log tells."""
    with Run.open(path, writable=False) as run:
        for body in bodies:
            if isinstance(body, Pause | GoOn | Stop) and not is_running(path):
                raise UsageError(f"{path}: no crawl is running there; a resume goes on by itself")
            if isinstance(body, Marks) and (bad := [url for url in body.verdicts if canonical(url) is None]):
                raise UsageError(f"{bad[0]!r} is no http or https URL; give one as visits.jsonl has it")
            if isinstance(body, Example):
                refuse_example(run, body)
            elif isinstance(body, Change | Seeds) or (isinstance(body, Undo) and not body.wish):
                instruction_of(run, Wish("", 0.0, body), {})


def log_marks(path: Path) -> bool:
    """Log the marks that wait in a run that no process writes; False if one does, which then carries them out.

    Summary and report of a run that has them are written anew, also where a process died before it had. Call it once
    for many marks: every page is judged again.
    """
    left: set[str] = set()
    """Wishes that are no marks, and wait for a resume."""
    while _is_summary_old(path) or any(
        isinstance(each.body, MAY_BE_LOGGED) and each.id not in left for each in wishes.waiting(path)
    ):
        try:
            run = Run.open(path)
        except BusyError:
            return False
        with run:
            has_logged, summary = False, run.summary
            for each in unsettled(path):
                if isinstance(each.body, MAY_BE_LOGGED):
                    has_logged |= _log_mark(run, each)
                left.add(each.id)
            if summary is not None and summary["stop_reason"] == NO_LINK_LEFT:
                summary = run.summary  # none where a mark brings a link: the run may go on
            if summary is not None and (has_logged or run.is_summary_old):
                _finish_again(run, summary)
    return True


def _is_summary_old(path: Path) -> bool:
    with Run.open(path, writable=False) as run:
        return run.is_summary_old


def _log_mark(run: Run, wish: Wish) -> bool:
    """Log a wish that is a mark, or takes one back, and return whether that was done.

    One that cannot be carried out is refused, any other is left.

    One that takes back a wish which still waits is settled with it, and nothing is logged.
    """
    if wishes.withdraw(run.path, wish):
        return False
    try:
        instruction = instruction_of(run, wish, {})
    except UsageError as error:
        wishes.settle(run.path, wish.id, REFUSED, answer=str(error))
        return False
    if instruction.settings or instruction.pause is not None:
        return False
    run.write([instruction])
    wishes.settle(run.path, wish.id, DONE, seq=run.last_seq)
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
