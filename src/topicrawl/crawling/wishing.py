"""How people ask a crawl for something, from the command line, Python and (through dashboard/door.py) the browser.

    running crawl     the wish is carried out within a second (listening.py)
    run that stands   marks are logged at once, so that report, exports and `why` follow; other wishes wait for a resume

A mark needs no crawl to be logged: what it changes is computed by the next replay, at its place in the log.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence
from pathlib import Path

from topicrawl.crawling.listening import unsettled
from topicrawl.crawling.summing_up import sum_up
from topicrawl.crawling.wishes import instruction_of, refuse_example, taken_back_by
from topicrawl.errors import BusyError, UsageError
from topicrawl.store import wishes
from topicrawl.store.lock import is_locked
from topicrawl.store.run import LOCK, Run
from topicrawl.store.shard_files import read_route, runs_in, whole_of
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

    `UsageError` for what is known to be impossible; then none of them is asked.
    """
    ids = ask(path, *bodies)
    told = outcomes(path, ids, patience)
    if not any(isinstance(body, MAY_BE_LOGGED) for body in bodies):
        return told
    settle(path)
    return outcomes(path, ids, 0.0)


def ask(path: Path, *bodies: Body) -> list[str]:
    """Add wishes to the run in `path`; returns their ids. `UsageError` as in `wish`.

    All shards of a crawl are asked the same, also where `path` is one of them; only the first is asked to stop, and the
    others end with it.
    """
    whole = whole_of(path)
    runs = runs_in(whole)
    if read_route(whole) is not None:
        bodies = tuple(_for_shards(path, whole, body) for body in bodies)
    check(runs[0], bodies)
    stops = [body for body in bodies if isinstance(body, Stop)]
    others = [body for body in bodies if not isinstance(body, Stop)]
    return [*wishes.add_to(runs, *others), *wishes.add(runs[0], *stops)]


def settle(path: Path) -> None:
    """Log the marks that wait, where no process writes: of all shards of a crawl, also where `path` is one of them."""
    whole = whole_of(path)
    for each in runs_in(whole):
        log_marks(each)
    if read_route(whole) is not None and not is_running(whole):
        with Run.open(whole, writable=False) as run:
            if (summary := run.summary) is not None and run.is_summary_old:
                sum_up(run, summary)


def outcomes(path: Path, ids: Collection[str], patience: float) -> list[Wish]:
    """Some wishes with what came of them; as long as a crawl runs, they are waited for, up to `patience` seconds."""
    until, whole = time.monotonic() + patience, whole_of(path)
    while True:
        told = _least([each for run in runs_in(whole) for each in wishes.wishes(run) if each.id in ids])
        is_waiting = any(each.state == WAITING for each in told)
        if not is_waiting or time.monotonic() >= until or not is_running(whole):
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


def _for_shards(path: Path, whole: Path, body: Body) -> Body:
    """A wish as every shard of a crawl can carry it out; `UsageError` if they cannot."""
    if isinstance(body, Change) and "concurrency" in body.settings:
        raise UsageError("concurrency is divided between the shards; give it to the resume: crawl --out")
    if isinstance(body, Change) and not is_running(whole):
        raise UsageError(
            f"{whole}: no crawl is running there; give settings to the resume: topicrawl crawl --out {whole}"
        )
    if isinstance(body, Example):
        with Run.open(whole, writable=False) as run:
            if run.page(canonical(body.url) or body.url) is None:
                raise UsageError(
                    f"no shard has visited {body.url}; an example of a crawl in shards must be one of its pages: "
                    f"have it visited with --seed"
                )
    if isinstance(body, Undo) and not body.wish:
        with Run.open(path, writable=False) as run:
            entry = taken_back_by(run, body)
        if not entry.wish:
            raise UsageError("it was given to a resume; give the next one the old value: crawl --out")
        return Undo(wish=entry.wish)  # its number differs from shard to shard
    return body


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
                sum_up(run, summary)
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
