"""`topicrawl crawl`: begin a run, or go on with one. Everything given is checked before anything is written."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from topicrawl.cli.flags import with_settings
from topicrawl.cli.output import Output
from topicrawl.cli.runs import begun_config, config_of, said_missing, summary_of
from topicrawl.errors import ConfigError, NothingFetchedError
from topicrawl.report.summary import why_stopped
from topicrawl.setup.config import Config, read_file, read_flags

if TYPE_CHECKING:
    from topicrawl.store.run import Run

EXAMPLES = """\
[bold]topicrawl crawl --topic "rainstorm 0.8, disaster 0.5" --seeds seeds.txt --pages 500 --out run/[/]

[bold]topicrawl crawl --out run/[/]  goes on where it stopped, also after kill -9

[bold]topicrawl crawl --out run/ --refetch-missing[/]  gets back what its archive has lost

[bold]topicrawl crawl -c crawl.toml --pages 2000 --out run/[/]  flags win over the file

[bold]topicrawl crawl --topic tourism --seeds https://example.org/ --dry-run[/]  fetches no page

Exit codes: 0 done, or interrupted and saved; 2 something given cannot work; 3 storage failed; 4 damaged run;
5 no page was fetched.
"""
OUTPUT = "Output"
CHANGES_FILE = "changes.jsonl"


@with_settings
def crawl(
    config: Annotated[
        Path | None,
        typer.Option("--config", "-c", metavar="FILE", help="Settings in a file; flags win over it."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what robots.txt and scope say to the seeds, and stop.")
    ] = False,
    refetch_missing: Annotated[
        bool,
        typer.Option("--refetch-missing", help="Fetch again what the archive of the run has lost, and stop."),
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Say a line for each visit.", rich_help_panel=OUTPUT)
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Say only errors.", rich_help_panel=OUTPUT)
    ] = False,
    log_json: Annotated[
        bool, typer.Option("--log-json", help="Say each visit as a line of JSON.", rich_help_panel=OUTPUT)
    ] = False,
    **flags: Any,
) -> None:
    """Crawl the web for a topic. An existing run in --out is resumed."""
    from topicrawl.setup.resolve import resolve

    voice = Output(verbose=verbose, quiet=quiet, log_json=log_json)
    given = (read_file(config) if config else {}) | read_flags(flags)
    out = given.pop("out", None)
    if dry_run:
        from topicrawl.cli.dry_run import show_first_choices

        show_first_choices(resolve(base(given), voice.remark))
        return
    if refetch_missing:
        from topicrawl.cli.refetch import refetch_missing as refetch

        refetch(out, given, voice)
        return
    if not out:
        raise ConfigError("no folder for the run; say where to keep it: --out run/")
    if (Path(out) / "crawl.toml").exists():
        resume_run(Path(out), given, voice)
    else:
        begin(Path(out), given, voice)


def begin(out: Path, given: Mapping[str, Any], voice: Output) -> None:
    """Start a run in the empty or new folder `out`."""
    from topicrawl.setup.resolve import check_web, resolve, with_sitemaps
    from topicrawl.store.run import Run

    config = resolve(base(given), voice.remark)
    for warning in check_web(config):
        voice.remark(warning)
    if config.sitemaps:
        config = asyncio.run(with_sitemaps(config))
    with Run.create(out, config.to_toml(), warc=config.warc, segment_bytes=config.segment_size) as run:
        sit(run, keep_training(run, config), voice)


def keep_training(run: Run, config: Config) -> Config:
    """Copy the training set into the run, so that it can be resumed without the original."""
    if not config.train:
        return config
    from topicrawl.setup.examples import TRAINING, read_training, write_training

    write_training(read_training(Path(config.train)), run.path / TRAINING)
    return replace(config, train=str(run.path / TRAINING))


def base(given: Mapping[str, Any]) -> Config:
    """What is given, and for a recrawl the rest as the earlier run had it."""
    from topicrawl.store.run import Run

    if not given.get("recrawl"):
        return Config(**given)
    with Run.open(Path(given["recrawl"]), writable=False) as earlier:
        return replace(config_of(earlier), **given)


def resume_run(out: Path, given: Mapping[str, Any], voice: Output) -> None:
    """Resume the run in `out`, if there is anything left to do."""
    from topicrawl.setup.resolve import check_resume, check_web, resume
    from topicrawl.store.run import Run

    with Run.open(out, writable=False) as run:
        check_resume(begun_config(run), config_of(run))
        config = resume(config_of(run), given)
        summary, closed = summary_of(run, config), run.summary is not None
        if run.missing_count:
            voice.remark(said_missing(run))
    if closed and (
        reason := finished(summary, config)
    ):  # one that died after its last commit is closed first
        voice.say("finished", f"{out} is finished: {reason}", reason=reason, run=str(out))
        voice.ended(summary, out / "report.html")
        refuse_nothing(summary)
        return
    for warning in check_web(config):
        voice.remark(warning)
    with Run.open(out) as run:
        for sentence in run.repairs:
            voice.remark(sentence)
        run.update_config(config.to_toml())
        sit(run, config, voice)


def sit(run: Run, config: Config, voice: Output) -> None:
    """Crawl until something stops it; the run is left with its summary and report."""
    from topicrawl.crawl.session import REPORT, Session, run_loop
    from topicrawl.store.heap import share_heap

    share_heap()
    session = Session(config, run)
    gc.freeze()  # what is loaded by now stays
    voice.topic(session.topic)
    voice.hosts(run.visits())
    session.say = voice.remark
    session.on_visit = lambda visit: voice.visit(visit, session.crawl)
    try:
        with voice.counting(config.pages):
            summary = run_loop(session.sit())
    except KeyboardInterrupt:  # while replaying, or while writing the report: the log is whole
        voice.say("interrupted", f"interrupted; go on with: topicrawl crawl --out {run.path}")
        return
    voice.ended(summary, run.path / REPORT)
    if config.recrawl:
        tell_changes(run, config, Path(config.recrawl), voice)
    refuse_nothing(summary)


def refuse_nothing(summary: Mapping[str, Any]) -> None:
    """`NothingFetchedError` for a crawl that ended by itself without a page, and why; one interrupted may go on."""
    if summary["fetches"] or summary["stop_reason"] == "interrupted":
        return
    failures = ", ".join(f"{kind} {count:,}" for kind, count in summary["failures"].items())
    raise NothingFetchedError(
        f"no page was fetched: {why_stopped(summary)}{f' ({failures})' if failures else ''}; the documentation "
        "explains these words under 'Errors'; mend the cause and begin again with another --out"
    )


def tell_changes(run: Run, config: Config, earlier: Path, voice: Output) -> None:
    """Say what became of the pages of the earlier run, and how many are new; each page is a line of changes.jsonl."""
    from topicrawl.crawl.recrawl import CHANGES, changes
    from topicrawl.store.disk import write_atomically
    from topicrawl.store.run import Run

    with Run.open(earlier, writable=False) as before:
        found = list(changes(before, run, config.seeds))
    write_atomically(run.path / CHANGES_FILE, b"".join(msgspec.json.encode(each) + b"\n" for each in found))
    counts = {kind: sum(each.change == kind for each in found) for kind in CHANGES}
    told = ", ".join(f"{count:,} {kind}" for kind, count in counts.items())
    voice.say("changes", f"since {earlier}: {told}; see {run.path / CHANGES_FILE}", **counts)


def finished(summary: Mapping[str, Any], config: Config) -> str | None:
    """Why nothing is left to do, with the remedy; None when there is."""
    if summary["stop_reason"] == "frontier empty":
        return "there is no link left to follow"
    if summary["stop_reason"] == "rounds" and (config.rounds or 0) <= summary["rounds"]:
        return f"it has the rounds that --rounds {config.rounds} asks for; raise it to go on"
    for done, limit, what in (
        (summary["fetches"], config.pages, "pages"),
        (summary["relevant"], config.relevant, "relevant"),
        (summary["bytes"], config.max_bytes, "max-bytes"),
    ):
        if limit is not None and done >= limit:
            return f"it has what --{what} {limit} asks for; raise it to go on"
    return None
