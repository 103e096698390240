"""`topicrawl sink`: write the tables of a run to its sinks, or to others, as far as they are not there yet."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Annotated

import typer

from topicrawl.cli.runs import Folder
from topicrawl.errors import UsageError
from topicrawl.terminal import messages, note

EXAMPLES = """\
[bold]topicrawl sink run/[/]  completes the sinks that the crawl was given, where a place did not answer

[bold]topicrawl sink run/ --to parquet:s3://bucket/storms --tables visits,pages,links[/]  writes a new one

A crawl writes its sinks itself: [bold]topicrawl crawl --out run/ --sink parquet:tables/[/]
"""


def sink(
    run: Folder,
    to: Annotated[
        list[str] | None,
        typer.Option(
            "--to",
            metavar="FORMAT:PLACE",
            help="parquet:PLACE or jsonl:PLACE, a folder or an fsspec URL; may be repeated.",
            show_default="those of the crawl",
        ),
    ] = None,
    tables: Annotated[
        str | None,
        typer.Option(
            "--tables", metavar="NAMES", help="visits, pages, links, index.", show_default="visits,pages"
        ),
    ] = None,
) -> None:
    """Write the tables of a run to a folder or an object store, in parts. What is there already stays."""
    from topicrawl.cli.progress_bar import Countdown
    from topicrawl.crawling.sinking import LOCK, sinks_of
    from topicrawl.setup.config import SETTINGS
    from topicrawl.setup.run_config import config_of
    from topicrawl.store.lock import Lock
    from topicrawl.store.run import Run
    from topicrawl.store.shard_files import runs_in

    with Run.open(run, writable=False) as opened:
        config = config_of(opened)
    if to:
        config = replace(config, sink=SETTINGS["sink"].read(to, "--to"))
    if tables:
        config = replace(config, sink_tables=SETTINGS["sink_tables"].read(tables, "--tables"))
    if not config.sink:
        raise UsageError(f"{run} was crawled without --sink; say where to write: --to parquet:tables/")
    for folder in runs_in(run):
        with Run.open(folder, writable=False) as opened:
            last = opened.last_n
        lock = Lock(folder / LOCK)
        try:
            for each in sinks_of(folder, config):
                added = 0
                with Countdown(messages(), what="parts") as progress:
                    while new := each.step():
                        added += new
                        left = max(last - each.upto, 0)
                        progress.cell(str(each.spec), new, False, math.ceil(left / each.rows), left)
                note(f"{each.spec}: {added:,} visits written, {each.upto:,} in all")
        finally:
            lock.release()
