"""`topicrawl crawl --dry-run`: which seeds would be fetched, in which order. Fetches robots.txt files and no page."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from topicrawl.cli.tables import show_columns
from topicrawl.crawling.make import make_crawl
from topicrawl.errors import FetchError
from topicrawl.web.http import HttpWeb
from topicrawl.web.open import open_web

if TYPE_CHECKING:
    from topicrawl.setup.config import Config


def show_first_choices(config: Config) -> None:
    """Print the seeds in the order the strategy would choose them, with the verdict of robots.txt on each."""
    order = first_choices(config)
    verdicts = asyncio.run(robots_verdicts(config, order))
    rows = [[str(place), verdicts[url], url] for place, url in enumerate(order, 1)]
    show_columns([["", "robots.txt", "seed"], *rows], right=[0])


def first_choices(config: Config) -> list[str]:
    """The seeds in the order the strategy would choose them before the first page is fetched."""
    crawl, seeds = make_crawl(config), set(config.seeds)
    chosen = [ask.url for ask in iter(crawl.ask, None) if ask.url in seeds]
    return list(dict.fromkeys((*chosen, *config.seeds)))


async def robots_verdicts(config: Config, urls: list[str]) -> dict[str, str]:
    """The verdict of robots.txt on each URL; webs other than HTTP have no robots.txt."""
    web = open_web(config.web, bodies=False, http=config.http)
    try:
        if not isinstance(web, HttpWeb):
            return dict.fromkeys(urls, "not asked")
        verdicts = await asyncio.gather(*(_verdict(web, url) for url in urls))
        return dict(zip(urls, verdicts, strict=True))
    finally:
        await web.close()


async def _verdict(web: HttpWeb, url: str) -> str:
    try:
        await web.robots.permit(url)
    except FetchError as refusal:
        return str(refusal)
    return "allows"
