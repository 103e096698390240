"""Base class of strategies that value links by the similarity of texts on the containing page: best-first.

    P(link) = λ1·Sim(full text) + λ2·Sim(anchor) + λ3·Sim(title) + λ4·Sim(context)

Paper: SVSM-MCOA §3.3, Eq. (7), and its comparison crawlers of §4.1.1.
Differs: a link on several pages has the largest value that any of them gives it, and is valued again only when a
further page contains it. No link is discarded: the paper mentions a threshold without its value. Seeds come first.
The paper skips pages of more than 100 kB: `page_bytes=100000`; links of larger pages are not followed.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from topicrawl.floats import dot
from topicrawl.frontier import Floats, Frontier, Ids
from topicrawl.model import Topic
from topicrawl.strategies import Choice, Observation, Strategy
from topicrawl.strategies.parameters import parameter
from topicrawl.value.page_texts import REFRESH, PageTexts, Similar

FOUR = ("full", "anchor", "title", "context")
"""The texts of a link, and the columns that hold their similarities."""


@dataclass
class TextLinks(Strategy):
    """Best link first; a subclass sets the similarity measure and the weights of the four texts."""

    topic_model: ClassVar[str] = "pages"

    page_bytes: int = parameter(
        0, "links of pages with more bytes are not followed; 0: no such limit; published: 100000", low=0
    )
    refresh_every: int = parameter(
        REFRESH, "fetches between two updates of inverse document frequencies", low=1
    )

    @property
    def lambdas(self) -> Floats:
        """λ1 to λ4 as they are now."""
        raise NotImplementedError

    def start(self, topic: Topic, frontier: Frontier, seeds: Ids, rng: random.Random) -> None:
        self.texts = self.compared_with(topic)
        for name in FOUR:
            frontier.columns.add(name, np.float32, 0.0)
        self._largest = float(self.lambdas.sum())
        frontier.prioritise(seeds, np.full(len(seeds), self._largest))

    def compared_with(self, topic: Topic) -> PageTexts:
        """The similarity measure of texts."""
        return PageTexts(topic, "vsm", refresh_every=self.refresh_every)

    def choose(self, frontier: Frontier, rng: random.Random) -> Choice | None:
        link = frontier.best()
        return None if link is None else Choice(link)

    def observe(self, seen: Observation, frontier: Frontier, rng: random.Random) -> None:
        page = seen.outcome.page
        if page is None:
            return
        if seen.peek:
            self.keep_peeked(seen, frontier)
            return
        followed = _followed(seen)
        similar = self.texts.observe(page, followed)
        self.learn(seen, similar, frontier, rng)
        self._follow(seen, followed, similar, frontier)

    def enter(
        self, links: Ids, frontier: Frontier, rng: random.Random, seen: Observation | None = None
    ) -> None:
        if seen is None or seen.outcome.page is None:
            self.prioritise_unknown(frontier, links, self._largest, 0.0)
            return
        found = seen.only(links)
        followed = _followed(found)
        self._follow(found, followed, self.texts.compare(seen.outcome.page, followed), frontier)

    def learn(self, seen: Observation, similar: Similar, frontier: Frontier, rng: random.Random) -> None:
        """Learn from a fetched page: its similarity, which was predicted before, is now known."""

    def explain(self, frontier: Frontier, link: int) -> dict[str, float]:
        columns = frontier.columns
        factors = {
            f"similarity of {name} λ={weight:.3g}": float(columns[name][link])
            for name, weight in zip(FOUR, self.lambdas, strict=True)
            if weight
        }
        worth = float(columns["priority"][link])
        return factors | {"P(k)": worth if np.isfinite(worth) else 0.0}

    def _follow(self, seen: Observation, followed: list[int], similar: Similar, frontier: Frontier) -> None:
        """Value the links in these rows of a page, unless it is too large."""
        if followed and not 0 < self.page_bytes < seen.outcome.size:
            self._raise(frontier, np.asarray(seen.rows)[followed], similar)

    def _raise(self, frontier: Frontier, links: Ids, similar: Similar) -> None:
        """Set the values of links by this page, where they are higher than before."""
        count = len(links)
        table = np.column_stack(
            (np.full(count, similar.full), similar.anchors, np.full(count, similar.title), similar.contexts)
        )
        values = dot(table, self.lambdas)  # Eq. (7)
        order = np.lexsort((-values, links))  # of several places on a page, the best counts
        first = order[np.flatnonzero(np.diff(links[order], prepend=-1))]
        higher = first[values[first] > frontier.columns["priority"][links[first]]]
        for name, column in zip(FOUR, table.T, strict=True):
            frontier.columns[name][links[higher]] = column[higher]
        frontier.prioritise(links[higher], values[higher])


def _followed(seen: Observation) -> list[int]:
    """The rows of a page's links that lead to other pages."""
    return [row for row, link in enumerate(seen.rows) if link >= 0 and link != seen.link]


@dataclass
class TwoTexts(TextLinks):
    """Full text and anchor, half each."""

    full_weight: float = parameter(0.5, "weight of the containing page's text", symbol="λ1", low=0.0)
    anchor_weight: float = parameter(0.5, "weight of the anchor", symbol="λ2", low=0.0)

    @property
    def lambdas(self) -> Floats:
        return np.array([self.full_weight, self.anchor_weight, 0.0, 0.0])
