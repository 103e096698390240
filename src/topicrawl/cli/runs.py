"""Commands that read a run: status, report, why, export."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from topicrawl.cli import completion
from topicrawl.errors import RunError, UsageError
from topicrawl.terminal import note, say

STATUS = "It may be asked while a crawl is writing: [bold]topicrawl status run/[/]"
REPORT = "[bold]topicrawl report run/[/]  writes run/report.html"
WHY = """\
[bold]topicrawl why run/ https://example.org/page[/]

[bold]topicrawl why run/ https://example.org/page --history[/]  with each change of its priority
"""
EXPORT = "[bold]topicrawl export run/ --format csv --relevant-only --out rain.csv[/]"

Folder = Annotated[
    Path,
    typer.Argument(
        metavar="RUN", help="The folder of a run.", show_default=False, autocompletion=completion.runs
    ),
]


def status(run: Folder) -> None:
    """Say how far a run is. Locks nothing."""
    from topicrawl.cli.tables import show_run
    from topicrawl.crawling.lifecycle import summary_of
    from topicrawl.setup.run_config import config_of
    from topicrawl.store.run import Run

    with Run.open(run, writable=False) as opened:
        show_run(opened, summary_of(opened, config_of(opened)))


def report(
    run: Folder,
    against: Annotated[
        Path | None,
        typer.Option(
            metavar="RUN",
            help="Another crawl by example, drawn beside this one round by round.",
            show_default=False,
            autocompletion=completion.runs,
        ),
    ] = None,
) -> None:
    """Rebuild report.html from the log."""
    from topicrawl.crawling.lifecycle import summary_of
    from topicrawl.crawling.reporting import report as write_report
    from topicrawl.setup.run_config import config_of
    from topicrawl.store.run import Run

    with Run.open(run, writable=False) as opened:
        config = config_of(opened)
        summary = summary_of(opened, config)
        if against:
            summary = {**summary, "against": _rounds_of(against)}
        say(write_report(opened, config, summary))


def _rounds_of(run: Path) -> dict[str, Any]:
    """The strategy and the rounds of a finished crawl by example."""
    from topicrawl.setup.run_config import config_of
    from topicrawl.store.run import Run

    with Run.open(run, writable=False) as other:
        rounds = (other.summary or {}).get("learning", {}).get("rounds")
        if not rounds:
            raise RunError(f"--against {run}: has no rounds; give a finished run of semxdm or best_n_first")
        return {"name": config_of(other).strategy, "rounds": rounds}


def why(
    run: Folder,
    url: Annotated[str, typer.Argument(metavar="URL", help="A link of that run.", show_default=False)],
    history: Annotated[
        bool,
        typer.Option(
            "--history",
            help="Also how its priority came about and when it was chosen: replays the whole log.",
        ),
    ] = False,
) -> None:
    """Explain a link: where it was found, what its priority is made of, whether it was chosen or why not."""
    from topicrawl.cli.tables import show_why
    from topicrawl.crawling import explain
    from topicrawl.crawling.make import crawl_of, present_of
    from topicrawl.crawling.snapshots import Restored
    from topicrawl.store.run import Run
    from topicrawl.store.shard_files import owner_of
    from topicrawl.urls import canonical

    link = canonical(url)
    if link is None:
        raise RunError(f"{url!r} is no http or https URL; give one as visits.jsonl spells it")
    with Run.open(owner_of(run, link), writable=False) as opened:
        begin = Restored(crawl_of(opened)) if history else present_of(opened)
        story = explain.why(begin.crawl, opened.replay(begin.seq), link, opened.visit_of(link))
        show_why(story)
        if begin.seq and story.state != "unknown":
            note("add --history to see how its priority came about")


def export(
    run: Folder,
    format: Annotated[  # noqa: A002 - the name of the flag
        str,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="jsonl, csv, parquet, text, markdown, marks, warc, wacz or commoncrawl.",
        ),
    ] = "jsonl",
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="PATH", help="Where to; - for standard output.", show_default="pages.FORMAT"
        ),
    ] = None,
    relevant_only: Annotated[
        bool, typer.Option("--relevant-only", help="Only pages above the threshold.")
    ] = False,
    text: Annotated[
        str,
        typer.Option(
            "--text",
            metavar="TEXT",
            help="main: without navigation, advertising and the like; all: everything that a page says.",
        ),
    ] = "main",
    force: Annotated[bool, typer.Option("--force", help="Replace an earlier export.")] = False,
) -> None:
    """Write the pages of a run in a format that other programs read."""
    from topicrawl.crawling.judged import query_urls, relevance_now
    from topicrawl.setup.run_config import config_of
    from topicrawl.store import exports
    from topicrawl.store.run import Run

    usual = exports.FORMATS[format].name if format in exports.FORMATS else ""
    if out == Path("-") and sys.stdout.isatty():
        raise UsageError(
            "--out - would write what pages say to the terminal, as it is; pipe it, or name a file"
        )
    target = sys.stdout.buffer if out == Path("-") else out or Path(usual)
    with Run.open(run, writable=False) as opened:
        config = config_of(opened)
        count = exports.export(
            opened,
            format,
            target,
            threshold=config.threshold,
            relevant_only=relevant_only,
            now=relevance_now(opened),
            query=query_urls(config),
            text=text,
            force=force,
            say=_remark,
        )
    note(f"{count:,} pages in {out or usual}")


def _remark(sentence: str) -> None:
    """Print a warning about an export on standard error."""
    note(f"note: {sentence}")
