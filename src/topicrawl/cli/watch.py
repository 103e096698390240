"""`topicrawl watch`: a crawl that goes on; `topicrawl changes`: what it noticed."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import ExitStack
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
    from pathlib import Path

    from topicrawl.crawling.session import Session
    from topicrawl.model import Page, Visit
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
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say only errors and waits.")] = False,
    log_json: Annotated[bool, typer.Option("--log-json", help="Say each visit as a line of JSON.")] = False,
) -> None:
    """Go on with a crawl: fetch known pages anew when they may have changed, and new links, in turns."""
    from topicrawl.crawling.event_loop import give_all_to_the_crawl, run_loop
    from topicrawl.watching.telling import Listener
    from topicrawl.watching.watch import Watch

    output = Output(verbose=verbose, quiet=quiet, log_json=log_json)
    seconds = _seconds(every)
    listener = None if on_new is None else Listener(on_new, run.resolve())
    shown = _Shown(output)

    async def go() -> Watch:
        made = Watch(run, seconds, fetches, listener, sitemaps, output.remark, shown.turn, shown.begin)
        made.waiting = shown.waiting
        _tell_begin(output, run, f"{fetches:,} requests " + ("now" if once else f"every {every}"))
        give_all_to_the_crawl()
        try:
            await made.go(1 if once else turns, at_once=once)
        finally:
            shown.close()
        return made

    if run_loop(go).interrupted:
        output.say("interrupted", "interrupted and saved; the same command goes on")


class _Shown:
    """What is shown of turns: on a terminal a line of progress in each, then what it noticed and when the next is."""

    def __init__(self, output: Output) -> None:
        self._output, self._line, self._is_open = output, ExitStack(), False

    def begin(self, session: Session) -> None:
        """Have the visits of a session shown."""

        def visited(visit: Visit, page: Page | None) -> None:
            turn = session.crawl.revisits
            if turn is not None and not self._is_open and self._output.console.is_terminal:
                self._is_open = True
                self._line.enter_context(self._output.counting(0, turn.requests))
            self._output.visit(visit, session.crawl)

        session.on_visit, session.stands = visited, self._output.stands

    def turn(self, turned: Turned, summary: dict[str, Any]) -> None:
        """Show what a turn noticed."""
        self.close()
        _tell_turn(self._output, turned, summary)

    def waiting(self, due: float) -> None:
        """Show when the next turn is."""
        self._output.say("waiting", f"next turn at {_moment(due)}", due=due)

    def close(self) -> None:
        """End the line of progress."""
        self._line.close()
        self._is_open = False


def _tell_begin(output: Output, path: Path, plan: str) -> None:
    from topicrawl.crawling.lifecycle import summary_of
    from topicrawl.setup.run_config import config_of
    from topicrawl.store.run import Run

    with Run.open(path, writable=False) as run:
        summary, turns = summary_of(run, config_of(run)), run.turned_count
    pages = summary.get("watch", {}).get("pages", summary["fetches"])
    so_far = f", {turns:,} turns so far" if turns else ""
    output.say(
        "watching", f"watching {path}: {pages:,} pages known{so_far}; {plan}", pages=pages, turns=turns
    )


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
    kinds = ", ".join(f"{kind} {count:,}" for kind, count in turned.failed.items())
    failed = f"; {sum(turned.failed.values()):,} failed: {kinds}" if kinds else ""
    text = (
        f"{_moment(turned.time)}  {turned.visits:,} requests ({turned.again:,} known pages)  {listed}{failed}"
    )
    facts = {"requests": turned.visits, "again": turned.again, "failed": turned.failed}
    output.say("turn", text, time=turned.time, **facts, **counts)


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
