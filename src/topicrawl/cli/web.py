"""`topicrawl web`: serve or describe an invented or recorded web, record one."""

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

[bold]topicrawl web serve hostile[/]  a web of attacks and faults, for testing crawlers

Crawl the first from another terminal with [bold]--resolve '*.invented.test=127.0.0.1:8000' --allow-net 127.0.0.0/8[/]
"""
INFO = "[bold]topicrawl web info some.warc.gz[/]"
RECORD = """\
[bold]topicrawl web record https://example.org/ --pages 500 --same-site --out example.warc.gz[/]

Then: [bold]topicrawl crawl --web example.warc.gz …[/]
"""
SHOWN = 10
"""How many hosts, statuses and types are listed, the most frequent first."""
K = TypeVar("K", bound=Hashable)
app = typer.Typer(name="web", help="Serve, describe or record a web.", no_args_is_help=True)


@app.command(epilog=EXAMPLES)
def serve(
    web: Annotated[
        str, typer.Argument(metavar="WEB", help="invented:SEED, a WARC file or folder, or hostile.")
    ],
    port: Annotated[
        int, typer.Option("--port", metavar="N", help="The port; 0 picks a free one.", min=0, max=65535)
    ] = 8000,
    slow: Annotated[
        float, typer.Option("--slow", metavar="SECONDS", help="Delay before a slow page answers.", min=0)
    ] = 2.0,
    log: Annotated[
        Path | None, typer.Option("--log", metavar="FILE", help="Log each request as a line of JSON.")
    ] = None,
) -> None:
    """Serve a web on 127.0.0.1 until Ctrl-C; the Host header selects one of its hosts."""
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
    web: Annotated[
        str, typer.Argument(metavar="WEB", help="A WARC file, or a folder of them, or invented:SEED.")
    ],
) -> None:
    """Describe a recorded web: pages, hosts, statuses, types; of an invented one pages and hosts."""
    from topicrawl.web.open import web_info

    found = web_info(web)
    size = f", {found.bytes / 1e6:,.1f} MB of bodies" if found.statuses else ""
    say(f"{web}: {found.pages:,} pages on {len(found.hosts):,} hosts{size}")
    say(f"hosts:    {_most(found.hosts)}")
    if found.statuses:
        say(f"statuses: {_most(found.statuses)}")
        say(f"types:    {_most(found.media_types)}")
    for warning in found.warnings:
        say(f"note: {warning}")


@app.command(epilog=RECORD)
def record(
    urls: Annotated[list[str], typer.Argument(metavar="URL...", help="Pages to start from.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The WARC to write, NAME.warc.gz.")],
    pages: Annotated[
        int | None,
        typer.Option(
            "--pages", metavar="N", help="Follow links, up to N pages. Default: only the URLs.", min=1
        ),
    ] = None,
    same_site: Annotated[bool, typer.Option("--same-site", help="Stay on the sites of the URLs.")] = False,
    delay: Annotated[
        str | None, typer.Option("--delay", metavar="SECONDS", help="Pause between two requests to one host.")
    ] = None,
    resolve: Annotated[
        list[str] | None,
        typer.Option("--resolve", metavar="NAME=ADDRESS", help="Use this address for a host name."),
    ] = None,
    allow_net: Annotated[
        list[str] | None,
        typer.Option("--allow-net", metavar="CIDR", help="A private network to allow."),
    ] = None,
) -> None:
    """Record pages into one WARC file, breadth first, with the politeness of a crawl."""
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
        except NothingFetchedError as error:  # answers that are no pages, such as a 404, are recorded too
            nothing = error
        with Run.open(run, writable=False) as opened:
            if nothing and not any(opened.captures()):
                raise nothing
            count = export(opened, "warc", out, threshold=0.0)
    say(f"{count:,} answers in {out}")


class _Recording(Output):
    """Prints neither the topic, which is a placeholder, nor the report, which is deleted with its folder."""

    def topic(self, topic: Topic) -> None:
        """Print nothing."""

    def ended(self, summary: Mapping[str, Any], report: Path) -> None:
        """Print nothing."""


def _most(counts: Counter[K]) -> str:
    listed = ", ".join(f"{key} {count:,}" for key, count in counts.most_common(SHOWN))
    return listed + (f", … ({len(counts):,} in all)" if len(counts) > SHOWN else "")
