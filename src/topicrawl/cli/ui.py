"""`topicrawl ui`: the dashboard of a run, or of a folder of runs."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from topicrawl.cli import completion
from topicrawl.errors import ConfigError
from topicrawl.terminal import note, say

EXAMPLES = """\
[bold]topicrawl ui run/[/]  shows one run, also while it is crawled

[bold]topicrawl ui runs/[/]  shows all runs in a folder

[bold]topicrawl ui run/ --listen 0.0.0.0 --token-file token[/]  lets other machines in that have the token
"""
SAID = "dashboard: "
LINGER = 600
"""Seconds that a dashboard beside a crawl goes on after the last look at it."""
NEEDED = ("jinja2", "starlette", "uvicorn")


def ui(
    path: Annotated[
        Path,
        typer.Argument(
            metavar="[RUN|FOLDER]", help="A run, or a folder with runs.", autocompletion=completion.runs
        ),
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
    from topicrawl.dashboard.server import serve
    from topicrawl.serving.ending import until_ended
    from topicrawl.serving.names import is_loopback

    if not is_loopback(listen) and token_file is not None:
        note(
            f"note: whoever reaches {listen} and has the token can read these runs and steer their crawls; the "
            "connection is not encrypted: use it in a network that you trust, or through a tunnel (ssh -L)"
        )

    def ready(address: str) -> None:
        say(SAID + address)
        sys.stdout.flush()
        if not no_browser:
            open_browser(address)

    with until_ended():
        serve(path, address=listen, port=port, token_file=token_file, ready=ready, linger=linger)


def require_packages() -> None:
    """`ConfigError` with the remedy if the packages of the dashboard are not installed."""
    if missing := [name for name in NEEDED if find_spec(name) is None]:
        raise ConfigError(f"the dashboard needs {', '.join(missing)}; run: pip install 'topicrawl[ui]'")


def open_browser(address: str) -> None:
    """Open a browser, where a person sits at a terminal with a display."""
    has_display = (
        sys.platform in ("darwin", "win32") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )
    if sys.stdout.isatty() and has_display:
        import webbrowser

        webbrowser.open(address)


def start_beside(run: Path) -> str:
    """Start the dashboard of a run in a process of its own, which outlives this one; returns its address."""
    require_packages()
    command = [sys.executable, "-m", "topicrawl.cli", "ui", str(run), "--no-browser", "--linger", str(LINGER)]
    server = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,  # Ctrl-C is for the crawl
    )
    assert server.stdout is not None
    with server.stdout as said:
        line = said.readline().strip()
    if not line.startswith(SAID):
        raise ConfigError(
            f"the dashboard could not be started: {line or 'it ended'}; try: topicrawl ui {run}"
        )
    server.returncode = 0  # it goes on by itself: nobody waits for it
    return line.removeprefix(SAID)
