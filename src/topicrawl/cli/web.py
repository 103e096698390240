"""`topicrawl web serve`: any web but the real one, over HTTP on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

EXAMPLES = """\
[bold]topicrawl web serve invented:7 --port 8000[/]

Crawl it from another terminal with [bold]--resolve '*.invented.test=127.0.0.1:8000' --allow-net 127.0.0.0/8[/]
"""
app = typer.Typer(name="web", help="Serve a recorded or invented web over HTTP.", no_args_is_help=True)


@app.callback()
def web() -> None:
    """Serve a recorded or invented web over HTTP."""


@app.command(epilog=EXAMPLES)
def serve(
    web: Annotated[str, typer.Argument(metavar="WEB", help="invented:SEED, or a WARC file or folder.")],
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

    run_server(
        web,
        port=port,
        slow=slow,
        log=log,
        ready=lambda host, bound: print(f"{web} on http://{host}:{bound}/", flush=True),
    )
