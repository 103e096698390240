"""Scout: learns during the crawl which words of links lead to relevant pages, and which to pages with relevant links.

Ours. A Rocchio classifier made from example pages scores the relevance of a page; ridge regressions over the tokens of
links (anchor, URL, heading, context, kinds of thing named, parts of names) predict the relevance of the page behind a
link and the yield of that page's own links; a link's priority is a weighted sum of these and of simpler features, less
what is lost where links like it fail.

Paper: none; see docs/scout.md.
Differs: weights are set by hand, the same for every topic and web. Weights fitted to logged decisions are no better on
webs that were left out (`python -m bench.folds`, docs/evidence/weights.md).
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import msgspec
import numpy as np

from topicrawl.frontier import PEEKED, Floats, Frontier, Ids
from topicrawl.model import Topic
from topicrawl.scout.failures import Failures
from topicrawl.scout.features import FEATURES, Features
from topicrawl.scout.lessons import Model
from topicrawl.scout.link_features import in_a_row
from topicrawl.strategies import Choice, Marked, Observation, Strategy
from topicrawl.strategies.parameters import parameter, parameters
from topicrawl.topic.wordnet import WordNet

try:
    from topicrawl._native import prioritise_links
except ImportError:  # the same in Python, several times slower
    from topicrawl.scout.link_priorities import prioritise_links

DIGITS = 6
"""Decimals of what other shards are told a page is worth."""
SEED = 100.0
"""Priority of seeds, above any sum of features."""
STEP = 5
"""Pages between two rescorings, at least."""
GROWTH, BEST_GROWTH = 10, 50
"""All links are rescored when the crawl has grown by 1 / GROWTH, because the cost grows with the crawl; the best ones
when it has grown by 1 / BEST_GROWTH."""
BEST = 4_000
"""Links that are rescored then: many more than are chosen until the next time. With 500, fewer relevant pages were
found where pages have hundreds of links."""
FEW_AT_ONCE, PAGES_FOR_EACH = 8, 4
"""Fetches in flight at the start of a crawl, and pages for each further one. What is chosen before anything is learned
is chosen by the topic's words alone: with 64 in flight that was a third of a crawl for 200 pages."""


@dataclass
class Scout(Strategy):
    """Best link first, by the weighted sum of `Features`."""

    behaviour: ClassVar[int] = 12

    judged_by: ClassVar[str] = "examples"

    parents_weight: float = parameter(0.5, "weight of the relevance of the pages that contain a link")
    text_weight: float = parameter(0.5, "weight of the similarity of a link's words with relevant pages")
    token_weight: float = parameter(1.0, "weight of the relevance that a link's words have led to")
    group_weight: float = parameter(0.5, "weight of the relevance of links below the same heading")
    path_weight: float = parameter(0.5, "weight of the relevance of links at the same place of a template")
    page_weight: float = parameter(0.5, "weight of the relevance of links on the same page")
    company_weight: float = parameter(
        0.5, "weight of the relevance of pages with the words of anchor and URL"
    )
    host_yield_weight: float = parameter(0.3, "weight of the relevance of the pages of the same host")
    host_ratio_weight: float = parameter(
        1.0, "weight of how far that falls short of the hosts of relevant pages"
    )
    outward_weight: float = parameter(1.0, "weight of the other hosts that pages of the same host led to")
    hub_weight: float = parameter(0.5, "weight of the yield that a link's words have led to")
    near_weight: float = parameter(0.3, "weight of 1 / (1 + clicks from a seed)")
    home_weight: float = parameter(0.4, "weight of a short path in the URL")
    front_weight: float = parameter(0.3, "weight of being found on the front page of a host")
    share_weight: float = parameter(0.6, "weight of a fair share for the host of every seed")
    word_weight: float = parameter(0.15, "weight of the topic's words in anchor, and in URL")
    around_weight: float = parameter(
        0.1, "weight of the topic's words in the heading above, and in the title"
    )
    kinds: bool = parameter(True, "look up in WordNet what kind of thing an anchor names")
    failures: int = parameter(
        64,
        "failures in a row to be expected of links like it, for a link to lose its worth; 1 where requests are "
        "limited, 0 to ignore failures",
        low=0,
    )
    ngrams: bool = parameter(True, "use parts of names, so that names without a common word share something")
    from_examples: bool = parameter(
        True, "start with the links of the examples too, which are not fetched again"
    )
    few_at_first: bool = parameter(
        True, "have few fetches in flight at first, and more as the crawl learns; no: as many as allowed"
    )

    def start(self, topic: Topic, frontier: Frontier, seeds: Ids, rng: random.Random) -> None:
        wordnet = WordNet.load() if self.kinds else None
        self.features = Features(topic, frontier, wordnet, self.judge, grams=self.ngrams)
        self._rescored_all = self._rescored_best = 0
        self._failures = Failures(frontier) if self.failures else None
        frontier.prioritise(seeds, np.full(len(seeds), SEED))

    def show(self, seen: Observation, frontier: Frontier) -> None:
        assert seen.outcome.page is not None
        self.features.add_example(seen, seen.outcome.page, frontier)
        self.features.rescore(frontier, seen.links)
        self._prioritise(frontier, seen.links)

    def choose(self, frontier: Frontier, rng: random.Random) -> Choice | None:
        link = frontier.best()
        return None if link is None else Choice(link)

    def observe(self, seen: Observation, frontier: Frontier, rng: random.Random) -> None:
        for links in self._failures.learn(seen.visit, frontier) if self._failures else ():
            self._prioritise(frontier, links)
        if seen.outcome.page is None:
            return
        if seen.peek:
            self.keep_peeked(seen, frontier)
            return
        self.features.add_page(seen, seen.outcome.page, frontier)
        pages = self.features.pages
        if pages - self._rescored_all >= max(STEP, pages // GROWTH):
            self._rescored_all = self._rescored_best = pages
            if self._failures:
                self._failures.measure()
            for links in self.features.rescore_all(frontier):
                self._prioritise(frontier, links)
            return
        waiting = seen.links[frontier.columns["state"][seen.links] <= PEEKED]
        self.features.rescore(frontier, waiting)
        self._prioritise(frontier, waiting)
        if pages - self._rescored_best >= max(STEP, pages // BEST_GROWTH):
            self._rescored_best = pages
            if self._failures:
                self._failures.measure()
            self._prioritise(frontier, self.features.rescore_best(frontier, BEST))
        self._prioritise(frontier, self.features.rescore_host(frontier, seen.link))

    def at_once(self, pages: int) -> int | None:
        return max(FEW_AT_ONCE, pages // PAGES_FOR_EACH) if self.few_at_first else None

    @property
    def in_shards(self) -> bool:
        return True

    def worth(self, seen: Observation, frontier: Frontier) -> float:
        return round(float(frontier.columns["judged"][seen.link]), DIGITS)

    def lessons(self, after: int, frontier: Frontier) -> tuple[bytes, int]:
        lessons = self.features.lessons(after, frontier)
        return (b"", after) if lessons is None else (msgspec.msgpack.encode(lessons), lessons.last)

    def take_model(self, data: bytes, frontier: Frontier) -> None:
        self.features.take_model(msgspec.msgpack.decode(data, type=Model), frontier)
        self._rescore_all(frontier)

    def _rescore_all(self, frontier: Frontier) -> None:
        self._rescored_all = self._rescored_best = self.features.pages
        for links in self.features.rescore_all(frontier):
            self._prioritise(frontier, links)

    @property
    def uses_marks(self) -> bool:
        return True

    def mark(self, marks: Sequence[Marked], frontier: Frontier, rng: random.Random) -> None:
        """Correct the lessons of these pages, fit the regressions anew, and rescore all links."""
        self.features.mark(marks, frontier)
        self._rescore_all(frontier)

    def enter(
        self, links: Ids, frontier: Frontier, rng: random.Random, seen: Observation | None = None
    ) -> None:
        self.features.enter(links, frontier, seen)
        seeds = links[frontier.seeds(links)]
        frontier.prioritise(seeds, np.full(len(seeds), SEED))
        self.features.rescore(frontier, links)
        self._prioritise(frontier, links)

    def enter_pages(self, pages: Iterable[Observation], frontier: Frontier, rng: random.Random) -> None:
        if entered := list(pages):
            links = self.features.enter_pages(entered, frontier)
            self.features.rescore(frontier, links)
            self._prioritise(frontier, links)

    def _prioritise(self, frontier: Frontier, links: Ids) -> None:
        """Give links the sum of their features, less the part that is lost to failures; seeds keep their priority."""
        if not len(links):
            return
        columns, known = frontier.columns, self._failures
        group, chances = known.groups(frontier) if known else (columns["host"], np.zeros(0))
        prioritise_links(
            np.ascontiguousarray(links, np.int64),
            self._weight_column,
            np.array([self.failures]),
            group,
            chances,
            columns["depth"],
            *frontier.queue,
            *[columns[name] for name in self._weights],
        )

    def explain(self, frontier: Frontier, link: int) -> dict[str, float]:
        """What each feature adds to the priority, and what the chance of failure takes away."""
        told = {
            f"{name} × {weight:g}": float(frontier.columns[name][link]) * weight
            for name, weight in self._weights.items()
        }
        if self._failures is None or frontier.columns["depth"][link] == 0:
            return told
        lost = float(in_a_row(self._failures.chance(frontier, np.array([link])), self.failures)[0])
        return {**told, "failure": 0.0 - lost * max(sum(told.values()), 0.0)}

    def meanings(self) -> dict[str, str]:
        helps = {each.name: each.help.removeprefix("weight of ") for each in parameters(type(self))}
        topic = {"in_anchor": "anchor", "in_url": "URL", "in_heading": "heading above", "in_title": "title"}
        told = {
            f"{name} × {weight:g}": helps.get(f"{name}_weight") or f"a word of the topic in the {topic[name]}"
            for name, weight in self._weights.items()
        }
        return {**told, "failure": "what is lost as links like it fail"}

    def link_words(self) -> list[tuple[str, float]]:
        return self.features.link_words()

    @cached_property
    def _weights(self) -> dict[str, float]:
        own = {name: getattr(self, f"{name}_weight") for name in FEATURES if hasattr(self, f"{name}_weight")}
        words = dict.fromkeys(("in_anchor", "in_url"), self.word_weight)
        return own | words | dict.fromkeys(("in_heading", "in_title"), self.around_weight)

    @cached_property
    def _weight_column(self) -> Floats:
        return np.array(list(self._weights.values()))
