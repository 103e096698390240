"""`topicrawl tell`: change what a crawl does, while it runs or for its next session."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from topicrawl.cli.mark import report
from topicrawl.cli.runs import Folder
from topicrawl.errors import UsageError
from topicrawl.terminal import say

if TYPE_CHECKING:
    from topicrawl.store.wishes import Body

EXAMPLES = """\
[bold]topicrawl tell run/ --pause[/]   [bold]topicrawl tell run/ --continue[/]   [bold]topicrawl tell run/ --stop[/]

[bold]topicrawl tell run/ pages=5000 delay=2s --exclude '/forum/'[/]  more pages, slower, and without a section

[bold]topicrawl tell run/ --history[/]   [bold]topicrawl tell run/ --undo 1200[/]  what was asked, and take it back
"""
Texts = list[str] | None


def tell(
    run: Folder,
    settings: Annotated[
        Texts,
        typer.Argument(
            metavar="NAME=VALUE…", help="Settings of crawl.toml, such as pages=5000.", show_default=False
        ),
    ] = None,
    pause: Annotated[bool, typer.Option("--pause", help="Fetch nothing until told to continue.")] = False,
    continue_: Annotated[bool, typer.Option("--continue", help="End a pause.")] = False,
    stop: Annotated[bool, typer.Option("--stop", help="End the session; the run can be resumed.")] = False,
    exclude: Annotated[
        Texts, typer.Option(metavar="REGEX", help="Follow no URL that matches, either.", show_default=False)
    ] = None,
    include: Annotated[
        Texts, typer.Option(metavar="REGEX", help="Also follow URLs that match.", show_default=False)
    ] = None,
    seed: Annotated[Texts, typer.Option(metavar="URL", help="A further seed.", show_default=False)] = None,
    example: Annotated[
        Texts, typer.Option(metavar="URL", help="A further example of the topic.", show_default=False)
    ] = None,
    undo: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER", help="Take back what --history lists by this number.", show_default=False
        ),
    ] = None,
    history: Annotated[bool, typer.Option("--history", help="List what was asked so far.")] = False,
) -> None:
    """Change what a crawl does. A running one follows within a second; any other when it is resumed."""
    from topicrawl.crawling.wishing import wish
    from topicrawl.store.run import Run
    from topicrawl.store.wishes import Change, Example, GoOn, Pause, Seeds, Stop, Undo

    added = {name: values for name, values in (("exclude", exclude), ("include", include)) if values}
    given: list[Body] = []
    if settings or added:
        given.append(Change(_values(settings or []), {name: list(values) for name, values in added.items()}))
    given += [Seeds(list(seed))] if seed else []
    given += [Example(url) for url in example or ()]
    given += [Undo(seq=undo)] if undo is not None else []
    given += [body for body, wanted in ((Pause(), pause), (GoOn(), continue_), (Stop(), stop)) if wanted]
    if bool(given) == history:
        raise UsageError(
            "say one thing: settings, --pause, --continue, --stop, --exclude, --seed …, or --history"
        )
    with Run.open(run, writable=False):
        pass  # an error if it is none
    if history:
        _show_history(run)
        return
    for said in wish(run, *given):
        report(run, said, "done")


def _values(pairs: list[str]) -> dict[str, str]:
    """Settings as written; what they are is checked by the crawl that gets them."""
    values = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise UsageError(f"{pair!r} is not NAME=VALUE, such as pages=5000")
        values[name.strip().replace("-", "_")] = value
    return values


def _show_history(run: Path) -> None:
    from topicrawl.crawling.wishes import history, wish_in_words
    from topicrawl.store.run import Run
    from topicrawl.store.shard_files import runs_in
    from topicrawl.store.wishes import REFUSED, WAITING, wishes

    with Run.open(run, writable=False) as opened:
        for entry in history(opened):
            when = f"{datetime.fromtimestamp(entry.time).astimezone():%Y-%m-%d %H:%M}" if entry.time else ""
            undo = "" if entry.undo else "  (cannot be taken back)"
            say(f"{entry.seq:7}  after visit {entry.visits:,}  {when}  {'; '.join(entry.what)}{undo}")
    for wish in wishes(runs_in(run)[0]):
        if wish.state in (REFUSED, WAITING):
            say(f"{wish.state}: {wish_in_words(wish)}{': ' + wish.answer if wish.answer else ''}")
