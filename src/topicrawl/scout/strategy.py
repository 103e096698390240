"""Scout: learns during the crawl what the words of a link, the pages it is on and its host lead to.

Ours. A Rocchio classifier made from example pages says what a page is worth. A link's priority answers three questions:
what do its words lead to (a ridge regression, similarity with relevant pages, pages with the words of its name), what
do the pages lead to that it is on (their worth, that of their other links, of links at the same place of a template),
and what is its host worth (a fair share for the host of every seed, what its pages were and led to). What is lost
where links like it fail is taken away.

Paper: none; see docs/scout.md.
Differs: weights are set by hand, the same for every topic and web. Weights fitted to logged decisions are no better on
webs that were left out (docs/evidence/tried.md).
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
from topicrawl.scout.features import HOSTS, PAGES, WORDS, Features
from topicrawl.scout.lessons import Model
from topicrawl.scout.link_features import in_a_row
from topicrawl.strategies import Choice, Marked, Observation, Strategy
from topicrawl.strategies.parameters import parameter
from topicrawl.topic.wordnet import WordNet

try:
    from topicrawl._native import prioritise_links
except ImportError:  # the same in Python, several times slower
    from topicrawl.scout.link_priorities import prioritise_links

QUESTIONS = {"words": WORDS, "pages": PAGES, "hosts": HOSTS}
WEIGHTS = {
    **{"token": 1.0, "text": 0.5, "company": 0.5},
    **{"parents": 0.5, "page": 0.5, "path": 0.5},
    **{"share": 0.6, "host_worth": 1.0},
}
"""Weight of each feature: half of what the regression says, a little more for the share. By hand; see the docstring."""
MEANINGS = {
    "words": "what the words of the link lead to",
    "pages": "what the pages lead to that the link is on",
    "hosts": "what the host of the link is worth",
    "failure": "what is lost as links like it fail",
}
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

    behaviour: ClassVar[int] = 13

    gone: ClassVar[frozenset[str]] = frozenset(
        (
            *("parents_weight", "text_weight", "token_weight", "group_weight", "path_weight", "page_weight"),
            *("company_weight", "host_yield_weight", "host_ratio_weight", "outward_weight", "hub_weight"),
            *("near_weight", "home_weight", "front_weight", "share_weight", "word_weight", "around_weight"),
            *("kinds", "ngrams"),
        )
    )

    judged_by: ClassVar[str] = "examples"

    words: float = parameter(1.0, "weight of what the words of a link lead to")
    pages: float = parameter(1.0, "weight of what the pages lead to that a link is on")
    hosts: float = parameter(1.0, "weight of what the host of a link is worth")
    failures: int = parameter(
        64,
        "failures in a row to be expected of links like it, for a link to lose its worth; 1 where requests are "
        "limited, 0 to ignore failures",
        low=0,
    )
    from_examples: bool = parameter(
        True, "start with the links of the examples too, which are not fetched again"
    )
    few_at_first: bool = parameter(
        True, "have few fetches in flight at first, and more as the crawl learns; no: as many as allowed"
    )

    def start(self, topic: Topic, frontier: Frontier, seeds: Ids, rng: random.Random) -> None:
        self.features = Features(topic, frontier, WordNet.load(), self.judge)
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
            *[columns[name] for name in WEIGHTS],
        )

    def explain(self, frontier: Frontier, link: int) -> dict[str, float]:
        """The answers to the three questions, and what the chance of failure takes away."""
        worth = dict(zip(WEIGHTS, self._weight_column.tolist(), strict=True))
        told = {
            question: sum(float(frontier.columns[name][link]) * worth[name] for name in features)
            for question, features in QUESTIONS.items()
        }
        if self._failures is None or frontier.columns["depth"][link] == 0:
            return told
        lost = float(in_a_row(self._failures.chance(frontier, np.array([link])), self.failures)[0])
        return {**told, "failure": 0.0 - lost * max(sum(told.values()), 0.0)}

    def meanings(self) -> dict[str, str]:
        return MEANINGS

    def link_words(self) -> list[tuple[str, float]]:
        return self.features.link_words()

    @cached_property
    def _weight_column(self) -> Floats:
        of = {"words": self.words, "pages": self.pages, "hosts": self.hosts}
        return np.array(
            [of[question] * WEIGHTS[name] for question, names in QUESTIONS.items() for name in names]
        )
