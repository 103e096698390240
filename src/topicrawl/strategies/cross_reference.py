"""Base class of strategies that search for items similar to given ones: a link is worth as much as the page it is on.

The crawl goes in rounds. A round is the best `per_round` links of the frontier as it was ranked when the round began;
when all of them are answered, or no link is left, the learner processes the round and the frontier is ranked again.
The walker of a `Choice` is the number of its round, so that the log distinguishes rounds.
With `continuous` there are no rounds: links of a page are ranked at once, and everything again every few pages.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from topicrawl.frontier import PEEKED, Frontier, Ids
from topicrawl.knowledge.drift import broader_names, drift, label_sizes, warnings
from topicrawl.knowledge.idf import ORDINARY
from topicrawl.knowledge.learner import NO_LINK, Learner
from topicrawl.knowledge.query import example_items
from topicrawl.knowledge.settings import Settings
from topicrawl.knowledge.terms import read_terms
from topicrawl.model import Page, Topic
from topicrawl.strategies import Choice, Marked, Observation, Strategy
from topicrawl.strategies.parameters import parameter

SEED = 1.0
ROUNDS_OUTWEIGHED = 5
"""Ordinary texts, in rounds, for inverse document frequencies."""


@dataclass
class CrossReference(Strategy):
    """A strategy that ranks links by the scores of a learner; subclasses choose the learner and its settings."""

    behaviour: ClassVar[int] = 2
    topic_model: ClassVar[str] = "pages"
    by_example: ClassVar[bool] = True
    learner_class: ClassVar[type[Learner]] = Learner
    unranked: ClassVar[str] = "not ranked yet"
    """Links found in the current round have no priority before it ends."""

    per_round: int = parameter(
        2000, "links fetched before the frontier is ranked again", symbol="N", low=1, scales=True
    )
    query: str = parameter(
        "all", "which examples to cross-reference; the others are only for training", choices=("all", "first")
    )
    item_terms: int = parameter(30, "terms that describe an item, at most", low=1)
    ordinary: int = parameter(
        0,
        "ordinary texts added to the items for inverse document frequencies; 0: 1,000, or five times a round",
        low=0,
    )
    continuous: bool = parameter(False, "no rounds: rank after every page, learn every few pages")
    learn_every: int = parameter(
        50, "with continuous: pages between two rounds of learning and ranking", low=1
    )

    @property
    def settings(self) -> Settings:
        """The settings of the learner."""
        raise NotImplementedError

    @property
    def ordinary_texts(self) -> int:
        """The number of ordinary texts: several rounds, so that a round about one subject does not make it common."""
        return self.ordinary or max(ORDINARY, ROUNDS_OUTWEIGHED * self.per_round)

    def queries(self, topic: Topic) -> tuple[Page, ...]:
        return topic.examples if self.query == "all" else topic.examples[:1]

    @property
    def done(self) -> bool:
        """Whether the requested number of rounds is complete."""
        return self.rounds is not None and self._round > self.rounds

    def new_learner(self, topic: Topic) -> tuple[Learner, list[str]]:
        """A learner with the examples of `topic`, and the URLs of those to cross-reference."""
        items = example_items(topic)
        asked = items if self.query == "all" else items[:1]
        learner = self.learner_class(
            [(NO_LINK, counts) for _, counts in asked],
            [counts for _, counts in items[len(asked) :]],
            settings=self.settings,
            training=self.training,
        )
        return learner, [url for url, _ in asked]

    def start(self, topic: Topic, frontier: Frontier, seeds: Ids, rng: random.Random) -> None:
        self.learner, self._query_urls = self.new_learner(topic)
        self._round, self._asked = 1, 0
        self._in_flight: set[int] = set()
        self._chosen: int | None = None
        """The link that the last `choose` returned."""
        self._entered: dict[int, list[int]] = {}
        """Links found on a page after it was observed."""
        frontier.prioritise(seeds, np.full(len(seeds), SEED))

    def choose(self, frontier: Frontier, rng: random.Random) -> Choice | None:
        self._chosen = None
        if not self.continuous and (self._asked >= self.per_round or self.done):
            return None
        link = frontier.best()
        if link is None and self._is_stuck(frontier):
            self._close(frontier)
            link = frontier.best()
        if link is None:
            return None
        self._chosen = link
        self._count(link)
        return Choice(link, walker=self._round)

    def chose(self, choice: Choice, frontier: Frontier) -> None:
        if self._chosen is not None:
            self._asked -= 1
            self._in_flight.discard(self._chosen)
            self._chosen = None
        self._count(choice.link)

    def observe(self, seen: Observation, frontier: Frontier, rng: random.Random) -> None:
        asked = frontier.number(seen.visit.asked)
        if asked is not None:
            self._in_flight.discard(asked)
        if seen.peek:
            self.keep_peeked(seen, frontier)
        else:
            self._learn(seen, asked, frontier)
        if self.continuous or self._in_flight:
            return
        if self._asked >= self.per_round or frontier.best() is None:
            self._close(frontier)

    def enter(
        self, links: Ids, frontier: Frontier, rng: random.Random, seen: Observation | None = None
    ) -> None:
        if seen is None:
            super().enter(links, frontier, rng)
            return
        self._entered.setdefault(seen.link, []).extend(links.tolist())
        worths = np.maximum(frontier.columns["priority"][links], self._worth_on(seen.link))
        frontier.prioritise(links, worths)

    @property
    def uses_marks(self) -> bool:
        return True

    def mark(self, marks: Sequence[Marked], frontier: Frontier, rng: random.Random) -> None:
        """Relevant pages join layer 0, irrelevant ones leave it; links on items of earlier rounds are ranked anew."""
        for mark in marks:
            self.learner.mark(mark.link, mark.relevant)
        self.learner.rescore()
        self._rank(frontier)

    def learned(self) -> dict[str, Any]:
        """Data for the report: the rounds so far, warnings, and the labels with their items and broader labels."""
        sizes, broader = label_sizes(self.learner), broader_names(self.learner)
        labels = [
            {"label": name, "items": size, "broader": broader.get(name, [])} for name, size in sizes.items()
        ]
        return {"rounds": drift(self.learner), "warnings": warnings(self.learner), "labels": labels}

    def explain(self, frontier: Frontier, link: int) -> dict[str, float]:
        pages = [
            item for page in frontier.graph.sources(link) if (item := self.learner.item_of(page)) is not None
        ]
        known = [item for item in pages if item < len(self.learner.score)]
        if not known:
            return {"items learned that contain it": 0.0}
        worths = self.learner.worth(self.learner.score[known], self.learner.layer[known])
        return self.learner.factors(known[int(worths.argmax())])

    def _count(self, link: int) -> None:
        self._asked += 1
        self._in_flight.add(link)

    def _is_stuck(self, frontier: Frontier) -> bool:
        """Whether links found in this round wait for its end, though none is in flight and none can be asked.

        Normally the last page of a round ends it; but the rest of a round may be excluded while none is in flight.
        """
        if self._in_flight or not self.learner.fresh:
            return False
        columns = frontier.columns
        links = np.flatnonzero((columns["state"] <= PEEKED) & (columns["priority"] == -np.inf))
        return not frontier.hosts.held[columns["host"][links]].all()

    def _learn(self, seen: Observation, asked: int | None, frontier: Frontier) -> None:
        self._know_queries(frontier)
        if asked is not None and asked != seen.link:
            self.learner.same(asked, seen.link)
        if seen.outcome.page is None:
            return
        read = read_terms(seen.outcome.page)
        added = self.learner.take(seen.link, read.counts, seen.links, read.forms)
        if self.continuous:
            self._follow(seen, frontier, added=added)

    def _worth_on(self, page: int) -> float:
        """The worth of links on this page; −inf until a round has scored it."""
        item = self.learner.item_of(page)
        if item is None or item >= len(self.learner.score):
            return -np.inf
        return float(self.learner.worth(self.learner.score[[item]], self.learner.layer[[item]])[0])

    def _follow(self, seen: Observation, frontier: Frontier, *, added: bool) -> None:
        """Continuous: rank the links of the new page by its own score until all are ranked again."""
        if self.learner.fresh >= self.learn_every:
            self._close(frontier)
        else:
            worth = self.learner.glance()[-1] if added else self._worth_on(seen.link)
            frontier.prioritise(seen.links, np.maximum(frontier.columns["priority"][seen.links], worth))

    def _know_queries(self, frontier: Frontier) -> None:
        """Tell the learner which links lead to the query's own pages."""
        for item, url in enumerate(self._query_urls):
            if (link := frontier.number(url)) is not None:
                self.learner.known(link, item)

    def _close(self, frontier: Frontier) -> None:
        """End the round: learn from it and rank every link found on a page."""
        self._know_queries(frontier)
        self.learner.close()
        self._rank(frontier)
        self._round, self._asked = self._round + 1, 0

    def _rank(self, frontier: Frontier) -> None:
        """Rank every link found on an item that was scored."""
        worths = self.learner.link_worths(len(frontier))
        for page, links in self._entered.items():
            worths[links] = np.maximum(worths[links], self._worth_on(page))
        ranked = np.flatnonzero(worths > -np.inf)
        frontier.prioritise(ranked, worths[ranked])
