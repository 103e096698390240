"""`topicrawl web`: serve any web but the real one, look into a recorded one, record one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from topicrawl.cli.output import Output
from topicrawl.errors import ConfigError, NothingFetchedError
from topicrawl.model import Topic
from topicrawl.terminal import say

EXAMPLES = """\
[bold]topicrawl web serve invented:7 --port 8000[/]

[bold]topicrawl web serve hostile[/]  a web that means harm, for testing crawlers

Crawl the first from another terminal with [bold]--resolve '*.invented.test=127.0.0.1:8000' --allow-net 127.0.0.0/8[/]
"""
INFO = "[bold]topicrawl web info some.warc.gz[/]"
RECORD = """\
[bold]topicrawl web record https://example.org/ --pages 500 --same-site --out example.warc.gz[/]

Then: [bold]topicrawl crawl --web example.warc.gz …[/]
"""
SHOWN = 10
"""Hosts, statuses and types that are listed, the most frequent first."""
K = TypeVar("K", bound=Hashable)
app = typer.Typer(name="web", help="Serve, look into or record a web.", no_args_is_help=True)


@app.command(epilog=EXAMPLES)
def serve(
    web: Annotated[
        str, typer.Argument(metavar="WEB", help="invented:SEED, a WARC file or folder, or hostile.")
    ],
    port: Annotated[
        int, typer.Option("--port", metavar="N", help="0 takes a free one.", min=0, max=65535)
    ] = 8000,
    slow: Annotated[
        float, typer.Option("--slow", metavar="SECONDS", help="How long a slow page takes to begin.", min=0)
    ] = 2.0,
    log: Annotated[
        Path | None, typer.Option("--log", metavar="FILE", help="Keep a line of JSON for each request.")
    ] = None,
) -> None:
    """Serve a web on 127.0.0.1 until Ctrl-C; the Host header says which of its hosts is meant."""
    from topicrawl.web.serve import run_server

    if web == "hostile":
        import_module("topicrawl_lab.cli.hostile").serve(port, log)  # the laboratory is loaded by name only
        return
    run_server(
        web,
        port=port,
        slow=slow,
        log=log,
        ready=lambda host, bound: say(f"{web} on http://{host}:{bound}/"),
    )


@app.command(epilog=INFO)
def info(
    web: Annotated[Path, typer.Argument(metavar="WARC", help="A WARC file, or a folder of them.")],
) -> None:
    """Say what a recorded web holds: pages, hosts, statuses, types."""
    from topicrawl.web.open import web_info

    found = web_info(web)
    say(f"{web}: {found.pages:,} pages on {len(found.hosts):,} hosts, {found.bytes / 1e6:,.1f} MB of bodies")
    say(f"hosts:    {_most(found.hosts)}")
    say(f"statuses: {_most(found.statuses)}")
    say(f"types:    {_most(found.media_types)}")
    for warning in found.warnings:
        say(f"note: {warning}")


@app.command(epilog=RECORD)
def record(
    urls: Annotated[list[str], typer.Argument(metavar="URL...", help="Where to begin.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The WARC to write, NAME.warc.gz.")],
    pages: Annotated[
        int | None,
        typer.Option(
            "--pages", metavar="N", help="Follow links up to N pages. Default: only the URLs.", min=1
        ),
    ] = None,
    same_site: Annotated[bool, typer.Option("--same-site", help="Only sites of the URLs.")] = False,
    delay: Annotated[
        str | None, typer.Option("--delay", metavar="SECONDS", help="Rest between requests to a host.")
    ] = None,
    resolve: Annotated[
        list[str] | None,
        typer.Option("--resolve", metavar="NAME=ADDRESS", help="Names with addresses of your own."),
    ] = None,
    allow_net: Annotated[
        list[str] | None,
        typer.Option("--allow-net", metavar="CIDR", help="Networks fetched from although not public."),
    ] = None,
) -> None:
    """Record pages into one WARC, breadth first, as polite as any crawl."""
    from tempfile import TemporaryDirectory

    from topicrawl.cli.crawl import run_session
    from topicrawl.crawling.lifecycle import begin
    from topicrawl.setup.config import Config, read_flags
    from topicrawl.store.exports import export
    from topicrawl.store.run import Run

    if not out.name.endswith(".warc.gz"):
        raise ConfigError(f"--out {str(out)!r} must end in .warc.gz")
    with TemporaryDirectory(prefix="topicrawl-") as folder:
        run = Path(folder) / "run"
        flags = {
            "topic": "anything",
            "seeds": urls,
            "strategy": "bfs",
            "pages": str(pages or len(urls)),
            "max_depth": None if pages else "0",
            "same_site": same_site or None,
            "delay": delay,
            "resolve": resolve,
            "allow_net": allow_net,
        }
        nothing = None
        try:
            recording = _Recording()
            run_session(begin(Config(**read_flags(flags)), run, recording.remark), recording)
        except NothingFetchedError as error:  # what is no page may be an answer all the same: a 404, say
            nothing = error
        with Run.open(run, writable=False) as opened:
            if nothing and not any(opened.captures()):
                raise nothing
            count = export(opened, "warc", out, threshold=0.0)
    say(f"{count:,} answers in {out}")


class _Recording(Output):
    """Speaks of pages, not of a topic that nobody asked for or a report that will not stay."""

    def topic(self, topic: Topic) -> None:
        """Nothing."""

    def ended(self, summary: Mapping[str, Any], report: Path) -> None:
        """Nothing."""


def _most(counts: Counter[K]) -> str:
    listed = ", ".join(f"{key} {count:,}" for key, count in counts.most_common(SHOWN))
    return listed + (f", … ({len(counts):,} in all)" if len(counts) > SHOWN else "")
