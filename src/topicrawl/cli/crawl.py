"""`topicrawl crawl`: begin a run, or resume one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import typer

from topicrawl.cli.flags import with_settings
from topicrawl.cli.output import Output
from topicrawl.errors import ConfigError, NothingFetchedError
from topicrawl.report.summary import why_stopped
from topicrawl.setup.config import read_file, read_flags

if TYPE_CHECKING:
    from topicrawl.crawling.lifecycle import Finished
    from topicrawl.crawling.metrics import Endpoint
    from topicrawl.crawling.session import Session
    from topicrawl.setup.config import Config
    from topicrawl.store.run import Run

EXAMPLES = """\
[bold]topicrawl crawl --topic "rainstorm 0.8, disaster 0.5" --seeds seeds.txt --pages 500 --out run/[/]

[bold]topicrawl crawl --out run/[/]  resumes where it stopped, also after kill -9

[bold]topicrawl crawl --topic "flood warning" --search-url https://searx.example/search --out run/[/]  finds its seeds

[bold]topicrawl crawl --out run/ --refetch-missing[/]  gets back what its archive has lost

[bold]topicrawl crawl -c crawl.toml --pages 2000 --out run/[/]  flags win over the file

[bold]topicrawl crawl --topic tourism --seeds https://example.org/ --dry-run[/]  fetches no page

[bold]topicrawl crawl -c crawl.toml --out run/ --local 4[/]  in four shards, on four cores

[bold]topicrawl crawl -c crawl.toml --out run/ --ui[/]  shows it in the browser; see [bold]topicrawl ui[/]

Exit codes: 0 done, or interrupted and saved; 2 something given cannot work; 3 storage or judge failed; 4 damaged run;
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
    local: Annotated[
        int | None,
        typer.Option(
            "--local",
            metavar="N",
            min=1,
            max=256,
            help="Divide the crawl into N shards, each a process of this machine: one for a core.",
            show_default=False,
        ),
    ] = None,
    split: Annotated[
        list[str] | None,
        typer.Option(
            "--split",
            metavar="SITE",
            help="With --local: divide the hosts of this site, too large for one shard; may be repeated.",
            show_default=False,
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what robots.txt and scope say to the seeds, and stop.")
    ] = False,
    refetch_missing: Annotated[
        bool,
        typer.Option("--refetch-missing", help="Fetch again what the archive of the run has lost, and stop."),
    ] = False,
    ui: Annotated[
        bool,
        typer.Option("--ui", help="Show the crawl in the browser while it goes on.", rich_help_panel=OUTPUT),
    ] = False,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="With --ui: open no browser.", rich_help_panel=OUTPUT)
    ] = False,
    metrics: Annotated[
        str | None,
        typer.Option(
            "--metrics",
            metavar="ADDRESS",
            help="Answer Prometheus at http://ADDRESS/metrics; a port alone is one of this machine only.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Say a line for each visit.", rich_help_panel=OUTPUT)
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Say only errors and waits.", rich_help_panel=OUTPUT)
    ] = False,
    log_json: Annotated[
        bool, typer.Option("--log-json", help="Say each visit as a line of JSON.", rich_help_panel=OUTPUT)
    ] = False,
    **flags: Any,
) -> None:
    """Crawl the web for a topic. An existing run in --out is resumed."""
    from topicrawl.crawling.lifecycle import Finished, given_config, start
    from topicrawl.store.shard_files import read_route

    output = Output(verbose=verbose, quiet=quiet, log_json=log_json)
    given = (read_file(config) if config else {}) | read_flags(flags)
    out = given.pop("out", None)
    if dry_run:
        from topicrawl.cli.dry_run import show_first_choices
        from topicrawl.finding.begin import with_found_seeds
        from topicrawl.setup.resolve import resolve

        begin = with_found_seeds(given_config(given), output.remark, output.remark)
        show_first_choices(resolve(begin.config, output.remark))
        return
    if refetch_missing:
        from topicrawl.cli.refetch import refetch_missing as refetch

        refetch(out, given, output)
        return
    if not out:
        raise ConfigError("no folder for the run; say where to keep it: --out run/")

    def show() -> None:
        if ui:
            from topicrawl.cli.ui import open_browser, start_beside

            address = start_beside(Path(out))
            output.say("dashboard", f"dashboard: {address}", address=address)
            if not no_browser:
                open_browser(address)

    if local is not None or read_route(Path(out)) is not None:
        from topicrawl.cli.local import crawl_in_shards

        with bound_endpoint(metrics) as endpoint:
            crawl_in_shards(given, Path(out), local, split or [], output, show, endpoint)
        return
    with bound_endpoint(metrics) as endpoint:  # first: an address that is taken harms nothing
        session = start(given, Path(out), output.remark)
        show()
        if endpoint is not None and not isinstance(session, Finished):
            from topicrawl.crawling.metrics import Metrics

            session.beside = lambda live: [Metrics(endpoint).serve(live)]
            output.say("metrics", f"metrics: {endpoint.address}", address=endpoint.address)
        run_session(session, output)


@contextmanager
def bound_endpoint(address: str | None) -> Iterator[Endpoint | None]:
    """What answers Prometheus at `address`; None where there is none."""
    if address is None:
        yield None
        return
    from topicrawl.crawling.metrics import Endpoint, listen

    with listen(address) as bound:
        yield Endpoint(bound)


def run_session(session: Session | Finished, output: Output) -> None:
    """Crawl until a stop rule or an interrupt; writes summary and report into the run."""
    from topicrawl.crawling.event_loop import give_all_to_the_crawl, run_loop
    from topicrawl.crawling.lifecycle import Finished
    from topicrawl.crawling.reporting import REPORT

    if isinstance(session, Finished):
        output.say(
            "finished",
            f"{session.path} is finished: {session.reason}",
            reason=session.reason,
            run=str(session.path),
        )
        output.ended(session.summary, session.path / REPORT)
        refuse_nothing(session.summary)
        return
    run, config = session.run, session.config
    assert run is not None
    with run:
        give_all_to_the_crawl()
        output.topic(session.topic)
        output.hosts(run.visits())
        session.say, session.stands = output.remark, output.stands
        session.shares_loop = True
        session.on_visit = lambda visit, page: output.visit(visit, session.crawl, session.config)
        try:
            with output.counting(config.pages, config.max_requests):
                summary = run_loop(session.complete)
        except KeyboardInterrupt:  # while replaying, or while writing the report: the log is complete
            output.say("interrupted", f"interrupted; go on with: topicrawl crawl --out {run.path}")
            return
        output.ended(summary, run.path / REPORT)
        if config.recrawl:
            tell_changes(run, config, Path(config.recrawl), output)
    refuse_nothing(summary)


def refuse_nothing(summary: Mapping[str, Any]) -> None:
    """`NothingFetchedError` with the reason if a crawl ended without a page and was not interrupted."""
    if summary["fetches"] or summary["stop_reason"] == "interrupted":
        return
    failures = ", ".join(f"{kind} {count:,}" for kind, count in summary["failures"].items())
    raise NothingFetchedError(
        f"no page was fetched: {why_stopped(summary)}{f' ({failures})' if failures else ''}; the documentation "
        "explains these words under 'Errors'; mend the cause and begin again with another --out"
    )


def tell_changes(run: Run, config: Config, earlier: Path, output: Output) -> None:
    """Print the counts of changes since the earlier run; writes one line per page to changes.jsonl."""
    from topicrawl.crawling.recrawl import CHANGES, changes
    from topicrawl.store.disk import write_atomically
    from topicrawl.store.run import Run

    with Run.open(earlier, writable=False) as before:
        found = list(changes(before, run, config.seeds))
    write_atomically(run.path / CHANGES_FILE, b"".join(msgspec.json.encode(each) + b"\n" for each in found))
    counts = {kind: sum(each.change == kind for each in found) for kind in CHANGES}
    listed = ", ".join(f"{count:,} {kind}" for kind, count in counts.items())
    output.say("changes", f"since {earlier}: {listed}; see {run.path / CHANGES_FILE}", **counts)
