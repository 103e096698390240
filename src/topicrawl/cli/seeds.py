"""`topicrawl seeds`: a seed list from saved result pages of a search engine, sitemaps, feeds, or other lists."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from topicrawl.errors import ConfigError, SeedError
from topicrawl.setup.settings import PATTERNS
from topicrawl.terminal import say

EXAMPLES = """\
[bold]topicrawl seeds results-1.html results-2.html --distinct-hosts 30 > seeds.txt[/]

[bold]topicrawl seeds results.html --base https://search.example/ --exclude '/ads/'[/]

[bold]topicrawl seeds sitemap.xml.gz news.rss --exclude '/tag/' > seeds.txt[/]
"""


def seeds(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="SOURCE...",
            help="Saved HTML pages, lists of URLs, sitemaps (also .gz, and an index with its sitemaps in the same "
            "folder), RSS or Atom feeds, or - for standard input.",
        ),
    ],
    distinct_hosts: Annotated[
        int | None, typer.Option("--distinct-hosts", metavar="N", help="One link per host, N at most.", min=1)
    ] = None,
    base: Annotated[
        str,
        typer.Option(
            "--base",
            metavar="URL",
            help="Where the files were saved from. Links of pages to that site are dropped; those of sitemaps and "
            "feeds are kept.",
        ),
    ] = "",
    exclude: Annotated[
        list[str] | None, typer.Option("--exclude", metavar="REGEX", help="Drop URLs that match.")
    ] = None,
) -> None:
    """Make a seed list from saved result pages, sitemaps or feeds: one URL per line, without duplicates."""
    from topicrawl.cli.output import Output
    from topicrawl.setup import seeds as library
    from topicrawl.setup.inputs import read_results
    from topicrawl.urls import canonical

    home = canonical(base or library.NOWHERE)
    if home is None:
        raise ConfigError(
            f"--base {base!r} is no http or https URL; give the address the pages were saved from"
        )
    unwanted = [re.compile(pattern) for pattern in _patterns(exclude)]
    found = read_results(sources, home, Output().remark)
    kept = [url for url in found if not any(pattern.search(url) for pattern in unwanted)]
    if distinct_hosts:
        kept = library.distinct_hosts(kept, distinct_hosts)
    if not kept:
        raise SeedError(
            f"--exclude drops all {len(found):,} links of {', '.join(sources)}; give a narrower pattern"
        )
    say("\n".join(kept))


def _patterns(exclude: list[str] | None) -> tuple[str, ...]:
    try:
        patterns: tuple[str, ...] = PATTERNS.read(exclude or [])
    except ValueError as why:
        raise ConfigError(f"--exclude is not {PATTERNS.expected} ({why})") from None
    return patterns
