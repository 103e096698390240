"""`topicrawl mcp`: crawls and what they found, as tools for agents."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

import typer

from topicrawl.agents.limits import GIVEN_BY_AGENTS, Limits
from topicrawl.cli.flags import with_settings
from topicrawl.credentials import used_secret
from topicrawl.errors import ConfigError
from topicrawl.serving.ending import until_ended
from topicrawl.setup.config import SETTINGS, read_file, read_flags
from topicrawl.terminal import note

EXAMPLES = """\
[bold]topicrawl mcp runs/ --pages 300 --allow-domain example.org[/]  over standard input and output

[bold]topicrawl mcp runs/ --http 127.0.0.1:8765 --token env:TOPICRAWL_TOKEN[/]  over HTTP, with a token

[bold]topicrawl mcp runs/ --read-only[/]  search and read; no crawl is started, no page marked
"""


def mcp(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="The folder of the runs.", show_default=False)
    ],
    http: Annotated[
        str | None,
        typer.Option(metavar="HOST:PORT", help="Serve HTTP there; needs --token.", show_default=False),
    ] = None,
    token: Annotated[
        str | None,
        typer.Option(
            metavar="SECRET", help="The token of --http: env:NAME or file:PATH.", show_default=False
        ),
    ] = None,
    pages: Annotated[int, typer.Option(metavar="N", min=1, help="Most pages of one crawl.")] = 200,
    total_pages: Annotated[
        int, typer.Option(metavar="N", min=1, help="Most pages of all crawls of this server.")
    ] = 2000,
    crawls: Annotated[int, typer.Option(metavar="N", min=1, help="Most crawls at once.")] = 1,
    read_only: Annotated[bool, typer.Option("--read-only", help="Start no crawl, mark no page.")] = False,
    config: Annotated[
        Path | None,
        typer.Option("--config", "-c", metavar="FILE", help="Settings of every crawl.", show_default=False),
    ] = None,
    **flags: Any,
) -> None:
    """Serve crawls and what they found to agents (MCP), inside limits that only you set. Ends with Ctrl-C."""
    if find_spec("mcp") is None:
        raise ConfigError("tools for agents need mcp; run: pip install 'topicrawl[mcp]'")
    from topicrawl.agents.server import serve_http, serve_stdio

    if not folder.is_dir():
        raise ConfigError(f"{folder} is no folder; make it, or name one with runs")
    fixed = (read_file(config) if config else {}) | read_flags(flags)
    if given := [name for name in GIVEN_BY_AGENTS if name in fixed]:
        raise ConfigError(f"--config {config}: {given[0]} is given by the agent or by --pages; leave it out")
    limits = Limits(folder.resolve(), fixed, pages, total_pages, crawls, read_only)
    if http is None:
        serve_stdio(limits)
        return
    address, colon, port = http.rpartition(":")
    if not colon or not port.isdecimal() or int(port) > 65535:
        raise ConfigError(f"--http {http}: give an address and a port, such as 127.0.0.1:8765")
    if token is None:
        raise ConfigError("--http: who reaches it could start crawls; give a secret: --token env:NAME")
    secret = used_secret(token, "--token")
    with until_ended():
        serve_http(limits, address.strip("[]"), int(port), secret, lambda where: note(f"mcp: {where}"))


mcp = with_settings(mcp, [each for name, each in SETTINGS.items() if name not in GIVEN_BY_AGENTS])
