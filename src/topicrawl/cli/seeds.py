"""`topicrawl seeds`: a seed list from saved result pages of a search engine, or from other lists."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Annotated

import typer

from topicrawl.errors import ConfigError, SeedError
from topicrawl.settings import PATTERNS

EXAMPLES = """\
[bold]topicrawl seeds results-1.html results-2.html --distinct-hosts 30 > seeds.txt[/]

[bold]topicrawl seeds results.html --base https://search.example/ --exclude '/ads/'[/]
"""


def seeds(
    sources: Annotated[
        list[str],
        typer.Argument(metavar="SOURCE...", help="Saved HTML pages, lists of URLs, or - for standard input."),
    ],
    distinct_hosts: Annotated[
        int | None, typer.Option("--distinct-hosts", metavar="N", help="One link per host, N at most.", min=1)
    ] = None,
    base: Annotated[
        str,
        typer.Option(
            "--base", metavar="URL", help="Where the pages were saved from; links there are dropped."
        ),
    ] = "",
    exclude: Annotated[
        list[str] | None, typer.Option("--exclude", metavar="REGEX", help="Drop URLs in which this is found.")
    ] = None,
) -> None:
    """Make a seed list: one URL a line, each once, in the order found."""
    from topicrawl import seeds as library
    from topicrawl.urls import canonical

    home = canonical(base or library.NOWHERE)
    if home is None:
        raise ConfigError(
            f"--base {base!r} is no http or https URL; give the address the pages were saved from"
        )
    unwanted = [re.compile(pattern) for pattern in _patterns(exclude)]
    found = dict.fromkeys(
        url for source in sources for url in library.seeds_from_results(_content(source), home)
    )
    kept = [url for url in found if not any(pattern.search(url) for pattern in unwanted)]
    if distinct_hosts:
        kept = library.distinct_hosts(kept, distinct_hosts)
    if not kept:
        raise SeedError(
            f"no usable link in {', '.join(sources)}; give saved HTML pages or lists of http URLs"
        )
    print("\n".join(kept))


def _patterns(exclude: list[str] | None) -> tuple[str, ...]:
    try:
        patterns: tuple[str, ...] = PATTERNS.read(exclude or [])
    except ValueError as why:
        raise ConfigError(f"--exclude is not {PATTERNS.expected} ({why})") from None
    return patterns


def _content(source: str) -> bytes:
    if source == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(source).read_bytes()
    except OSError as why:
        raise SeedError(
            f"{source!r} cannot be read ({why.strerror}); give a saved page or a list of URLs"
        ) from None
