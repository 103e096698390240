"""Topics spelled in two scripts: `python -m bench.two_scripts [PAGES [STRATEGY …]]`.

Crawls PAGES (1,000) pages of invented webs for two topics with English and Chinese spellings, offline and one at a
time, from five English seeds; scout also from others, and with ten English examples. Prints the mean number of truly
relevant pages and of those in Chinese: over the webs on which it was chosen how scripts are told apart, and over
others. For scout it prints too of how many pages the last judgement is right, of all and of Chinese ones.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from math import isnan
from statistics import fmean
from typing import NamedTuple

import numpy as np

from bench.traps import fetched
from topicrawl.judge.calibration import reconsidered
from topicrawl.judge.examples import ByExamples
from topicrawl.model import Page, Visit, by_terms
from topicrawl.page.read import read
from topicrawl.setup.inputs import open_topic
from topicrawl.topic.letters import RUNNING, kind
from topicrawl.web.invented import InventedWeb, invented_web

TOPICS = {"rainstorm disaster": "暴雨灾害", "tourism": "旅游"}
"""And the names by which webs know their Chinese pages."""
CHOSEN_ON, OTHERS = ("7", "11", "3", "13"), ("1", "2", "5", "17", "23", "42")
SCOUT = "scout"
ROWS = (
    (SCOUT, 5, 0, 0),
    (SCOUT, 5, 0, 10),
    (SCOUT, 5, 5, 0),
    (SCOUT, 1, 0, 0),
    (SCOUT, 0, 1, 0),
    ("ops", 5, 0, 0),
)
"""Strategies; English and Chinese seeds, and English examples."""


class Found(NamedTuple):
    """What a crawl found."""

    relevant: int
    chinese: int
    right: float = float("nan")
    """The share of pages of which the last judgement is right; and of Chinese pages."""
    right_chinese: float = float("nan")


def found(
    spec: str,
    topic_name: str,
    strategy: str,
    pages: int,
    english: int = 5,
    chinese: int = 0,
    examples: int = 0,
) -> Found:
    """Crawl a web from so many seeds; the English pages that follow these are examples."""
    web = invented_web(spec)
    first = web.seeds(topic_name, english + examples)
    seeds = first[:english] + web.seeds(TOPICS[topic_name], chinese)
    shown = [_read(web, url) for url in first[english:]]
    topic = replace(open_topic(web.topic_spec(topic_name)), examples=tuple(filter(None, shown)))
    judge = ByExamples(topic) if strategy == SCOUT else None
    visits = list(fetched(web, topic, seeds, strategy, pages, judge=judge))
    relevant = np.array([web.relevant(visit.url, topic_name) for visit in visits])
    in_chinese = np.array([_is_chinese(_read(web, visit.url)) for visit in visits])
    counts = int(relevant.sum()), int((relevant & in_chinese).sum())
    if judge is None:
        return Found(*counts)
    right = _called(judge, visits) == relevant
    return Found(
        *counts, float(right.mean()), float(right[in_chinese].mean()) if in_chinese.any() else float("nan")
    )


def _called(judge: ByExamples, visits: list[Visit]) -> np.ndarray:
    """Whether the last judgement calls each page relevant."""
    return reconsidered(judge, np.array([by_terms(visit) for visit in visits])) >= 0.5


def _is_chinese(page: Page | None) -> bool:
    return page is not None and kind(page.title[0]) == RUNNING


def _read(web: InventedWeb, url: str) -> Page | None:
    answer = web.exchange(url)
    return read(answer.url, answer.content, answer.header("Content-Type"))


def main(pages: str = "1000", *strategies: str) -> None:
    """Print the table."""
    columns = "relevant | Chinese | right at the end | of Chinese"
    print(f"| strategy | seeds | examples | {columns} | other webs: {columns} |\n|---|--:{'|--:' * 9}|")
    rows = ROWS if not strategies else tuple((strategy, 5, 0, 0) for strategy in strategies)
    for strategy, english, chinese, examples in rows:
        cells = list[str]()
        for webs in (CHOSEN_ON, OTHERS):
            crawls = [
                found(f"invented:{web}", topic, strategy, int(pages), english, chinese, examples)
                for web in webs
                for topic in TOPICS
            ]
            means = [fmean(column) for column in zip(*crawls, strict=True)]
            cells += [f"{mean:.0f}" for mean in means[:2]]
            cells += ["–" if isnan(mean) else f"{mean:.1%}" for mean in means[2:]]
        seeds = f"{english} + {chinese}" if chinese else str(english)
        print(f"| {strategy} | {seeds} | {examples} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
