"""`topicrawl seeds`: a seed list from search engines, indexes of archives, saved pages, or lists of other programs."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from topicrawl.cli.flags import with_settings
from topicrawl.errors import ConfigError, SeedError
from topicrawl.setup.config import SETTINGS, Config, read_flags, settings_of
from topicrawl.setup.example_list import is_url
from topicrawl.setup.settings import PATTERNS
from topicrawl.terminal import say

EXAMPLES = """\
[bold]topicrawl seeds --topic "flood warning" --search-url https://searx.example/search > seeds.txt[/]

[bold]topicrawl seeds --search "flood warning" --search-url 'https://search.example/?q={query}' --distinct-hosts 30[/]

[bold]topicrawl seeds --cdx https://index.commoncrawl.org/CC-MAIN-2024-10-index --domain example.org --words flood[/]

[bold]topicrawl seeds results-1.html results-2.html --distinct-hosts 30 > seeds.txt[/]  saved result pages

[bold]topicrawl seeds sitemap.xml.gz news.rss feeds.opml bookmarks.html papers.bib papers.ris list.md > seeds.txt[/]

[bold]topicrawl seeds results.html --base https://search.example/ --exclude '/ads/'[/]

A list that is found by searching has a comment behind each URL: what the judge says of its title and snippet, and where
it was found. A crawl with --seeds seeds.txt reports what each of these sources has brought.
"""
FOUND = "Search engines and archives"
TOPIC = [SETTINGS[name] for name in ("topic", "query", "examples", "judge")]
USED = [*(SETTINGS[name] for name in ("search_url", "search", "queries")), *TOPIC, *settings_of("http")]


def seeds(
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SOURCE]...",
            help="Files, or URLs of them: HTML pages, lists of URLs, sitemaps (also .gz, and an index with its "
            "sitemaps in the same folder), RSS or Atom feeds, OPML, bookmarks, BibTeX, RIS, Markdown; "
            "- is standard input.",
        ),
    ] = None,
    cdx: Annotated[
        list[str] | None,
        typer.Option(
            "--cdx",
            metavar="URL",
            help="The index of an archive (CDX server API), such as Common Crawl's or the Internet Archive's.",
            rich_help_panel=FOUND,
        ),
    ] = None,
    domain: Annotated[
        str | None,
        typer.Option(
            "--domain",
            metavar="D",
            help="With --cdx: pages of this domain and its hosts.",
            rich_help_panel=FOUND,
        ),
    ] = None,
    prefix: Annotated[
        str | None,
        typer.Option(
            "--prefix", metavar="P", help="With --cdx: pages whose address begins so.", rich_help_panel=FOUND
        ),
    ] = None,
    words: Annotated[
        list[str] | None,
        typer.Option(
            "--words",
            metavar="W",
            help="With --cdx: pages with one of these words in their address; alone: pages of hosts named by them.",
            rich_help_panel=FOUND,
        ),
    ] = None,
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
    **flags: Any,
) -> None:
    """Make a seed list by searching, or from saved pages and lists: one URL per line, without duplicates."""
    from topicrawl.cli.output import Output

    config = Config(**read_flags(flags))
    asked = Asked(
        files=[source for source in sources or () if not is_url(source)],
        places=[source for source in sources or () if is_url(source)],
        cdx=cdx or [],
        parts=(domain, prefix, words or []),
        home=_home(base),
        unwanted=[re.compile(pattern) for pattern in _patterns(exclude)],
        distinct_hosts=distinct_hosts,
    )
    if (domain or prefix or words) and not cdx:
        raise ConfigError("--domain, --prefix and --words choose from an index; name it: --cdx URL")
    if not (sources or cdx or config.search_url or config.search):
        raise ConfigError(
            "nothing to take seeds from; give files, a search engine (--search-url), or the index of an archive (--cdx)"
        )
    if any(
        (asked.places, cdx, config.search_url, config.search, config.topic, config.query, config.examples)
    ):
        from topicrawl.cli.found_seeds import find

        find(asked, config, Output())
    else:
        say("\n".join(_saved(asked, Output().remark)))


with_settings(seeds, USED)


@dataclass(frozen=True)
class Asked:
    """What the command was asked for, besides settings of searches and of HTTP."""

    files: list[str]
    places: list[str]
    """URLs of lists."""
    cdx: list[str]
    parts: tuple[str | None, str | None, list[str]]
    """Domain, prefix and words of indexes."""
    home: str
    unwanted: list[re.Pattern[str]]
    distinct_hosts: int | None

    def wants(self, url: str) -> bool:
        """Whether --exclude leaves `url` in."""
        return not any(pattern.search(url) for pattern in self.unwanted)


def _saved(asked: Asked, remark: Callable[[str], None]) -> list[str]:
    """The links in files, in their order."""
    from topicrawl.setup.inputs import read_results
    from topicrawl.setup.seeds import distinct_hosts

    found = read_results(asked.files, asked.home, remark)
    kept = [url for url in found if asked.wants(url)]
    if not kept:
        raise SeedError(
            f"--exclude drops all {len(found):,} links of {', '.join(asked.files)}; give a narrower pattern"
        )
    return distinct_hosts(kept, asked.distinct_hosts) if asked.distinct_hosts else kept


def _home(base: str) -> str:
    from topicrawl.setup.seeds import NOWHERE
    from topicrawl.urls import canonical

    home = canonical(base or NOWHERE)
    if home is None:
        raise ConfigError(
            f"--base {base!r} is no http or https URL; give the address the pages were saved from"
        )
    return home


def _patterns(exclude: list[str] | None) -> tuple[str, ...]:
    try:
        patterns: tuple[str, ...] = PATTERNS.read(exclude or [])
    except ConfigError as why:
        raise ConfigError(f"--exclude: {why}") from None
    return patterns
