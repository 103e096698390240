"""`topicrawl demo`: invent a web, serve it over HTTP on loopback, crawl it by topic, end with a report."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from topicrawl.errors import WebError
from topicrawl.terminal import say

EXAMPLES = "Then open the report it names, or run: [bold]topicrawl search demo/ 'flood warning'[/]"
NEXT = (
    ("topicrawl search {out} 'flood warning'", "search what was found"),
    ("topicrawl export {out} --format markdown", "the pages as files"),
    ("topicrawl crawl --topic … --seeds … --out run", "a crawl of your own; see README.md"),
)
"""Commands to run next, and their use."""
WEB = "invented:7"
TOPIC = "rainstorm disaster"
SEEDS, DELAY = 12, 0.05
"""Number of seeds, and the pause in seconds between two requests to one host: short, since the hosts are our own."""
THRESHOLD = 0.5
"""Below the default: the topic has 71 concepts, and few pages name most of them."""


def demo(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where to keep the run.")] = Path("demo"),
    pages: Annotated[int, typer.Option("--pages", metavar="N", help="Pages to fetch.", min=1)] = 600,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only errors.")] = False,
) -> None:
    """Try topicrawl in a minute: serve an invented web on this machine, and crawl it for a topic."""
    from topicrawl.cli.crawl import crawl
    from topicrawl.web.invented import invented_web

    invented = invented_web(WEB)
    with served(WEB) as port:
        if not quiet:
            say(f"{WEB} is served on 127.0.0.1:{port} by a separate process")
        crawl(
            topic=invented.topic_spec(TOPIC),
            seeds=invented.seeds(TOPIC, SEEDS),
            pages=str(pages),
            threshold=str(THRESHOLD),
            out=str(out),
            delay=str(DELAY),
            resolve=[f"*.invented.test=127.0.0.1:{port}"],
            allow_net=["127.0.0.0/8"],
            quiet=quiet,
        )
    if not quiet:
        say("next:")
        for command, what in NEXT:
            say(f"  {command.format(out=out):<46}  {what}")


@contextmanager
def served(web: str, *flags: str) -> Iterator[int]:
    """Serve `web` in a child process on a free port, which is yielded; the child ends with the block."""
    command = [sys.executable, "-m", "topicrawl.cli", "web", "serve", web, "--port", "0", *flags]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            line = server.stdout.readline()
            found = re.search(r"http://[\d.]+:(\d+)", line)
            if not found:
                raise WebError(
                    f"{web} could not be served: {line.strip() or 'the server ended'}; try: {' '.join(command[3:])}"
                )
            yield int(found[1])
        finally:
            server.terminate()
