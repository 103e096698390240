"""`topicrawl mark`: say of pages whether they are relevant."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from topicrawl.cli.runs import Folder
from topicrawl.errors import UsageError
from topicrawl.terminal import note, say

if TYPE_CHECKING:
    from topicrawl.store.run import Run
    from topicrawl.store.wishes import Wish

EXAMPLES = """\
[bold]topicrawl mark run/ https://example.org/page --irrelevant[/]

[bold]topicrawl mark run/ --from marks.csv[/]  a table with the columns url,relevant

[bold]topicrawl mark run/ --ask 20[/]  asks about the pages where your word helps most
"""
NEAR = 3
"""Similar URLs that an error names."""
MOST_JUDGED = 20_000
"""Visits of a run up to which all pages are judged before and after marks, to say what changed."""
MOVED = 5
"""Pages that are named of those that are judged otherwise."""


def mark(
    run: Folder,
    urls: Annotated[
        list[str] | None, typer.Argument(metavar="URL…", help="Pages of the run.", show_default=False)
    ] = None,
    relevant: Annotated[bool, typer.Option("--relevant", help="They are relevant.")] = False,
    irrelevant: Annotated[bool, typer.Option("--irrelevant", help="They are not.")] = False,
    forget: Annotated[bool, typer.Option("--forget", help="Take back what was said of them.")] = False,
    from_: Annotated[
        Path | None,
        typer.Option(
            "--from", metavar="FILE", help="A table with the columns url,relevant.", show_default=False
        ),
    ] = None,
    ask: Annotated[
        int | None,
        typer.Option(
            "--ask", metavar="N", min=1, help="Ask about N pages, those worth it.", show_default=False
        ),
    ] = None,
    unvisited: Annotated[
        bool,
        typer.Option(
            "--unvisited", help="Also URLs not visited yet: relevant ones are fetched next, others never."
        ),
    ] = False,
    list_: Annotated[bool, typer.Option("--list", help="List the marks of the run.")] = False,
) -> None:
    """Say of pages whether they are relevant: the crawl learns from it, and report and exports follow.

    A running crawl takes it up within a second. In a run that stands, links are weighed anew when it is resumed.
    """
    from topicrawl.store.run import Run

    flags = {True: relevant, False: irrelevant, None: forget}
    verdicts = [verdict for verdict, given in flags.items() if given]
    _check(bool(urls), len(verdicts), others=[from_ is not None, ask is not None, list_])
    marks = _read(from_) if from_ else dict.fromkeys(map(_canonical, urls or ()), *verdicts)
    with Run.open(run, writable=False) as opened:
        if list_:
            _list(opened)
        elif not unvisited:
            _refuse_unvisited(opened, marks)
    if ask is not None:
        _ask(run, ask)
    elif marks:
        _mark(run, marks)


def _check(has_urls: bool, verdicts: int, others: list[bool]) -> None:
    """`UsageError` unless there is one thing to do."""
    if verdicts > 1:
        raise UsageError("--relevant, --irrelevant and --forget: give one of them")
    if sum(others) + (has_urls or verdicts > 0) != 1:
        raise UsageError(
            "give URLs with --relevant, --irrelevant or --forget; or --from FILE, --ask N, or --list"
        )
    if has_urls and not verdicts:
        raise UsageError("what of these pages? add --relevant, --irrelevant or --forget")
    if verdicts and not has_urls:
        raise UsageError("no URL: name the pages, after the folder of the run")


def _canonical(url: str) -> str:
    from topicrawl.urls import canonical

    if (link := canonical(url)) is None:
        raise UsageError(f"{url!r} is no http or https URL; give one as visits.jsonl has it")
    return link


def _read(path: Path) -> dict[str, bool | None]:
    from topicrawl.setup.mark_list import parse_marks

    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"--from {path}: cannot be read: {error.strerror}") from error
    return parse_marks(content, str(path))


def _refuse_unvisited(run: Run, marks: Mapping[str, bool | None]) -> None:
    """`UsageError` for a URL that was not visited and is not marked: it names those that are similar."""
    from topicrawl.urls import host

    known = run.marks()
    for url in marks:
        if url in known or run.visit_of(url) is not None:
            continue
        same_host = {visit.url for visit in run.visits() if visit.host == host(url)}
        near = get_close_matches(url, same_host, NEAR)
        hint = (
            f"similar: {', '.join(near)}" if near else f"of {host(url)} {len(same_host):,} pages were visited"
        )
        raise UsageError(f"{url} was not visited ({hint}); --unvisited marks it all the same")


def _mark(run: Path, marks: Mapping[str, bool | None]) -> None:
    from topicrawl.crawling.wishing import wish
    from topicrawl.store.wishes import Marks

    count = f"{len(marks):,} {'page' if len(marks) == 1 else 'pages'} marked"
    before = _judged(run)
    report(run, wish(run, Marks(dict(marks)))[0], count)
    _say_changes(run, before)


def _judged(run: Path) -> dict[str, float]:
    """The relevance of each page of a run that stands, by all that was learned; empty where that takes long."""
    from topicrawl.crawling.judged import relevance_now
    from topicrawl.crawling.wishing import is_running
    from topicrawl.store.run import Run

    with Run.open(run, writable=False) as opened:
        if is_running(run) or opened.last_n > MOST_JUDGED:
            return {}
        now = relevance_now(opened)
        return {visit.url: float(now[visit.n]) for visit in opened.visits() if visit.fetched}


def _say_changes(run: Path, before: Mapping[str, float]) -> None:
    """Say which pages without a mark are judged otherwise than `before`."""
    from topicrawl.setup.run_config import config_of
    from topicrawl.store.run import Run

    after = _judged(run) if before else {}
    if not after:
        return
    with Run.open(run, writable=False) as opened:
        threshold, marked = config_of(opened).threshold, opened.marks()
    moved = [
        url
        for url, relevance in after.items()
        if url in before and url not in marked and (relevance > threshold) != (before[url] > threshold)
    ]
    toward = sum(after[url] > threshold for url in moved)
    found, was = (sum(each > threshold for each in said.values()) for said in (after, before))
    others = "1 other page is" if len(moved) == 1 else f"{len(moved):,} other pages are"
    turned = f": {toward:,} to relevant, {len(moved) - toward:,} to irrelevant" if moved else ""
    say(f"{others} judged otherwise{turned}; {found:,} of {len(after):,} relevant, before {was:,}")
    for url in sorted(moved, key=lambda url: -abs(after[url] - before[url]))[:MOVED]:
        say(f"  {before[url]:.2f} → {after[url]:.2f}  {url}")
    if len(moved) > MOVED:
        say(f"  … and {len(moved) - MOVED:,} more; to take a mark back: --forget")


def report(run: Path, wish: Wish, done: str) -> None:
    """Say what came of a wish; `done` is what to say if it was carried out."""
    from topicrawl.crawling.wishing import is_running
    from topicrawl.store.wishes import DONE, REFUSED

    if wish.state == REFUSED:
        raise UsageError(wish.answer)
    if wish.state == DONE:
        say(done if is_running(run) else f"{done}; links are weighed anew when the run is resumed")
    elif is_running(run):
        note("note: the crawl has not answered yet; it will be carried out as soon as it does")
    else:
        note("note: it will be carried out when the run is resumed")


def _list(run: Run) -> None:
    from topicrawl.store.shard_files import runs_in
    from topicrawl.store.wishes import Marks, waiting

    for url, marked in run.marks().items():
        say(f"{'relevant' if marked.relevant else 'irrelevant'}\t{url}")
    words = {True: "relevant", False: "irrelevant", None: "taken back"}
    for wish in waiting(runs_in(run.path)[0]):
        for url, said in wish.body.verdicts.items() if isinstance(wish.body, Marks) else ():
            say(f"{words[said]}\t{url}\tnot in the log yet")


def _ask(run: Path, count: int) -> None:
    from topicrawl.catalogue.questions import questions_of
    from topicrawl.cli.ask import ask
    from topicrawl.crawling.wishing import settle
    from topicrawl.store import wishes
    from topicrawl.store.run import Run
    from topicrawl.store.shard_files import runs_in

    with Run.open(run, writable=False) as opened:
        questions = questions_of(opened, count)

    def answer(url: str, relevant: bool | None) -> None:
        wishes.add_to(runs_in(run), wishes.Marks({url: relevant}))

    before = _judged(run)
    try:
        answered = ask(questions, answer)
    finally:
        settle(run)
    note(f"{answered:,} of {len(questions):,} pages marked")
    if answered:
        _say_changes(run, before)
