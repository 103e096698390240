"""`topicrawl ui`: the dashboard of a run, or of a folder of runs."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from topicrawl.errors import ConfigError
from topicrawl.terminal import note, say

EXAMPLES = """\
[bold]topicrawl ui run/[/]  shows one run, also while it is crawled

[bold]topicrawl ui runs/[/]  shows all runs in a folder

[bold]topicrawl ui run/ --listen 0.0.0.0 --token-file token[/]  lets other machines in that have the token
"""
NEEDED = ("jinja2", "starlette", "uvicorn")


def ui(
    path: Annotated[
        Path, typer.Argument(metavar="[RUN|FOLDER]", help="A run, or a folder with runs.")
    ] = Path(),
    port: Annotated[
        int, typer.Option("--port", metavar="N", help="The port; 0 picks a free one.", min=0, max=65535)
    ] = 0,
    listen: Annotated[
        str,
        typer.Option(
            "--listen",
            metavar="ADDRESS",
            help="The address to listen on; other than this machine needs --token-file.",
        ),
    ] = "127.0.0.1",
    token_file: Annotated[
        Path | None,
        typer.Option(
            "--token-file", metavar="FILE", help="A file with the secret of the address, of one line."
        ),
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Open no browser.")] = False,
    linger: Annotated[
        float | None,
        typer.Option("--linger", metavar="SECONDS", help="End when nobody has looked for so long.", min=1),
    ] = None,
) -> None:
    """Show runs in the browser: watch a crawl, read its pages, say what is relevant. Ends with Ctrl-C."""
    require_packages()
    from topicrawl.dashboard.guard import is_loopback
    from topicrawl.dashboard.server import serve

    if not is_loopback(listen) and token_file is not None:
        note(
            f"note: whoever reaches {listen} and has the token can read these runs and steer their crawls; the "
            "connection is not encrypted: use it in a network that you trust, or behind a proxy with TLS"
        )

    def ready(address: str) -> None:
        say(f"dashboard: {address}")
        sys.stdout.flush()
        if not no_browser and sys.stdout.isatty() and has_display():
            import webbrowser

            webbrowser.open(address)

    try:
        serve(path, address=listen, port=port, token_file=token_file, ready=ready, linger=linger)
    except KeyboardInterrupt:
        return


def require_packages() -> None:
    """`ConfigError` with the remedy if the packages of the dashboard are not installed."""
    if missing := [name for name in NEEDED if find_spec(name) is None]:
        raise ConfigError(f"the dashboard needs {', '.join(missing)}; run: pip install 'topicrawl[ui]'")


def has_display() -> bool:
    """Whether a browser can be opened."""
    return sys.platform in ("darwin", "win32") or bool(
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )
