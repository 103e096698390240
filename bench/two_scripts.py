"""Topics spelled in two scripts, seeds in one: `python -m bench.two_scripts [PAGES [STRATEGY …]]`.

Crawls PAGES pages of invented webs, for two topics with English and Chinese spellings, from five English seeds, offline
and one at a time. Prints for each strategy the mean number of truly relevant pages and of those in Chinese: over the
webs on which a judge that tells scripts apart was tried first, and over others.
"""

from __future__ import annotations

import sys
from statistics import fmean

from bench.traps import fetched
from topicrawl.page.read import read
from topicrawl.topic.letters import RUNNING, kind
from topicrawl.web.invented import InventedWeb, invented_web

TOPICS = ("rainstorm disaster", "tourism")
CHOSEN_ON, OTHERS = ("7", "11", "3", "13"), ("1", "2")
STRATEGIES = ("scout", "ops")


def found(spec: str, topic: str, strategy: str, pages: int) -> tuple[int, int]:
    """The relevant pages of a crawl, and those of them that are Chinese."""
    web = invented_web(spec)
    relevant = [url for url in fetched(web, topic, strategy, pages) if web.relevant(url, topic)]
    return len(relevant), sum(_is_chinese(web, url) for url in relevant)


def _is_chinese(web: InventedWeb, url: str) -> bool:
    answer = web.exchange(url)
    page = read(answer.url, answer.content, answer.header("Content-Type"))
    return page is not None and kind(page.title[0]) == RUNNING


def main(pages: str = "1000", *strategies: str) -> None:
    """Print the table."""
    print("| strategy | relevant | Chinese | relevant, other webs | Chinese |\n|---|--:|--:|--:|--:|")
    for strategy in strategies or STRATEGIES:
        figures = list[float]()
        for webs in (CHOSEN_ON, OTHERS):
            crawls = [
                found(f"invented:{web}", topic, strategy, int(pages)) for web in webs for topic in TOPICS
            ]
            figures += [fmean(column) for column in zip(*crawls, strict=True)]
        print(f"| {strategy} | {' | '.join(f'{figure:.0f}' for figure in figures)} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
