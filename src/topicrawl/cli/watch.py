"""`topicrawl watch`: a crawl that goes on; `topicrawl changes`: what it noticed."""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from topicrawl.cli.output import Output
from topicrawl.cli.runs import Folder
from topicrawl.errors import UsageError
from topicrawl.model import NOTICED, Noticed, Turned
from topicrawl.terminal import say, say_json

if TYPE_CHECKING:
    from topicrawl.crawling.session import Session
    from topicrawl.watching.watch import Watch

EXAMPLES = """\
[bold]topicrawl watch run/ --every 6h[/]  fetches 200 pages every six hours, until Ctrl-C

[bold]topicrawl watch run/ --every 1d --fetches 1000 --on-new ./tell-me[/]  tells a command what is new

[bold]topicrawl watch run/ --once[/]  one turn now: for cron, or a timer of systemd

[bold]topicrawl changes run/ --since 7d --diff[/]  what was noticed

A web with time, such as [bold]--web invented:7@day=0[/], has a clock of its own: turns do not wait.
"""
CHANGES = """\
[bold]topicrawl changes run/ --since 2026-11-10[/]   [bold]topicrawl changes run/ --since 12h --diff[/]

[bold]topicrawl changes run/ --all --json[/]  also pages that are not relevant, a line of JSON each
"""
DEFAULT_EVERY, DEFAULT_FETCHES = "6h", 200
LEAST_EVERY = 60.0
"""Seconds between two turns, at least."""


def watch(
    run: Folder,
    every: Annotated[
        str, typer.Option(metavar="TIME", help="Time between the beginnings of two turns: 90m, 6h, 1d.")
    ] = DEFAULT_EVERY,
    fetches: Annotated[
        int,
        typer.Option(metavar="N", min=1, help="Requests of a turn, for known pages and new links together."),
    ] = DEFAULT_FETCHES,
    turns: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="End after so many turns.", show_default=False)
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="Make one turn now, due or not, and end.")] = False,
    on_new: Annotated[
        str | None,
        typer.Option(
            metavar="COMMAND|URL",
            help="Tell a command (a line of JSON a page) or an http address what is new, changed or gone.",
            show_default=False,
        ),
    ] = None,
    sitemaps: Annotated[
        bool,
        typer.Option("--sitemaps/--no-sitemaps", help="Ask sites for their sitemaps and feeds each turn."),
    ] = True,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Say a line for each visit.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say only errors.")] = False,
    log_json: Annotated[bool, typer.Option("--log-json", help="Say each visit as a line of JSON.")] = False,
) -> None:
    """Go on with a crawl: fetch known pages anew when they may have changed, and new links, in turns."""
    from topicrawl.crawling.event_loop import give_all_to_the_crawl, run_loop
    from topicrawl.watching.telling import Listener
    from topicrawl.watching.watch import Watch

    output = Output(verbose=verbose, quiet=quiet, log_json=log_json)
    seconds = _seconds(every)
    listener = None if on_new is None else Listener(on_new, run.resolve())

    def prepare(session: Session) -> None:
        session.on_visit = lambda visit, page: output.visit(visit, session.crawl)

    def ended(turned: Turned, summary: dict[str, Any]) -> None:
        _tell_turn(output, turned, summary)

    async def go() -> Watch:
        made = Watch(run, seconds, fetches, listener, sitemaps, output.remark, ended, prepare)
        give_all_to_the_crawl()
        await made.go(1 if once else turns, at_once=once)
        return made

    if run_loop(go()).interrupted:
        output.say("interrupted", f"interrupted and saved; go on with: topicrawl watch {run}")


def _seconds(every: str) -> float:
    from topicrawl.setup.settings import seconds

    try:
        found = seconds(every)
    except ValueError:
        raise UsageError(f"--every {every!r} is no time; write 90m, 6h or 1d") from None
    if found < LEAST_EVERY:
        raise UsageError(f"--every {every}: turns are at least a minute apart; write 90m, 6h or 1d")
    return found


def _tell_turn(output: Output, turned: Turned, summary: dict[str, Any]) -> None:
    relevant = [each for each in turned.noticed if each.relevance > summary["threshold"]]
    counts = Counter(each.change for each in relevant)
    listed = ", ".join(f"{counts[kind]:,} {kind}" for kind in NOTICED if counts[kind]) or "nothing new"
    text = f"{_moment(turned.time)}  {turned.visits:,} requests ({turned.again:,} known pages)  {listed}"
    output.say("turn", text, time=turned.time, requests=turned.visits, again=turned.again, **counts)


def changes(
    run: Folder,
    since: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="A day or moment (2026-11-10, 2026-11-10T12:00), or how long ago: 12h, 7d.",
            show_default="the first turn",
        ),
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="Also pages that are not relevant.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Show what changed in the main text.")] = False,
    json: Annotated[bool, typer.Option("--json", help="A line of JSON a page.")] = False,
) -> None:
    """List what a watch noticed: new, changed and gone pages, the oldest first."""
    from topicrawl.setup.run_config import config_of
    from topicrawl.store.run import Run
    from topicrawl.watching.clock import time_of

    with Run.open(run, writable=False) as opened:
        threshold = config_of(opened).threshold
        turned = [each for _, each in opened.turned()]
        if not turned and opened.last_turn is None:
            raise UsageError(f"{run} was not watched so far; begin with: topicrawl watch {run} --every 6h")
        is_simulated = time_of(config_of(opened).web) is not None
    now = turned[0].time if turned and is_simulated else datetime.now(UTC).timestamp()
    earliest = _earliest(since, now)
    for turn in reversed(turned):
        if turn.time < earliest:
            continue
        for each in turn.noticed:
            if all_ or each.relevance > threshold:
                _show(turn.time, each, diff=diff, json=json)


def _earliest(since: str | None, now: float) -> float:
    """The earliest time that is asked for."""
    from topicrawl.setup.settings import seconds

    if since is None:
        return 0.0
    if re.match(r"\d{4}-", since):
        try:
            found = datetime.fromisoformat(since)
        except ValueError:
            raise UsageError(
                f"--since {since!r} is no day or moment; write 2026-11-10 or 2026-11-10T12:00"
            ) from None
        return (found if found.tzinfo else found.astimezone()).timestamp()
    try:
        ago = seconds(since)
    except ValueError:
        raise UsageError(f"--since {since!r} is no time; write 2026-11-10, 12h or 7d") from None
    return now - ago


def _show(time: float, noticed: Noticed, *, diff: bool, json: bool) -> None:
    if json:
        say_json({"time": time, **msgspec.to_builtins(noticed)})
        return
    to = f" -> {noticed.to}" if noticed.to else ""
    say(f"{_moment(time)}  {noticed.change:8}  {noticed.relevance:.3f}  {noticed.url}{to}  {noticed.title}")
    if diff:
        for line in noticed.diff:
            say(f"    {line}")


def _moment(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds).astimezone():%Y-%m-%d %H:%M}"
