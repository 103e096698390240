"""The value of a link: a weighted sum of four factors, common to three papers with different weights.

    E(l) = target · R(p_l) + parents · mean R(p_i) + anchor · R(a_l) + rank · PR(p_l)

Paper: FCWSEO Eq. (10), FCITS_OH Eq. (9), IELP Eq. (5).
Differs: a link on several pages takes the mean of their relevance in all three. Seeds are on no page; once fetched, a
seed's own page counts as one that contains it. All factors are updated for the links of a visited page; every
`refresh_every` fetches the anchors of all links are weighed again, and PageRank is computed if its graph has grown by
2 %; not so where neither counts (plain anchors, no PageRank, no threshold), because then no other value changes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import Floats, Frontier, Ids
from topicrawl.frontier.observation import Marked, Observation
from topicrawl.model import Topic
from topicrawl.value.anchor import AnchorRelevance
from topicrawl.value.pagerank import PageRank
from topicrawl.value.prediction import Prediction


@dataclass(frozen=True, slots=True)
class Weights:
    """The weight of each factor, and the paper's symbols of the factors and the sum."""

    parents: float
    anchor: float
    rank: float = 0.0
    target: float = 0.0
    threshold: float = -np.inf
    """A link is kept if it is worth more."""
    form: str = "tfidf"
    """How terms in anchors are weighed: plain, tfidf or bm25."""
    k: float = 2.0
    b: float = 0.75
    """Saturation and length normalisation of bm25."""
    symbols: tuple[str, str, str, str, str] = ("", "", "", "", "")
    """The symbols of target, parents, anchor, rank and the sum."""


class Valuation:
    """The values of a frontier's links, in column `value`."""

    def __init__(
        self,
        topic: Topic,
        weights: Weights,
        rank: PageRank | None = None,
        *,
        rank_of_source: bool = False,
        guesses: bool = True,
        refresh_every: int = 200,
    ) -> None:
        """`guesses`: predict the relevance of pages not fetched yet; `rank_of_source`: PR of the containing pages."""
        self.weights = weights
        self._anchor = AnchorRelevance(topic, weights.form, weights.k, weights.b)
        self._rank = rank or PageRank()
        self._prediction = Prediction(topic, guesses=guesses)
        self._of_source = rank_of_source
        self._refresh_every = refresh_every
        self._fetches = 0
        self._own: dict[int, float] = {}
        """The relevance of the pages of seeds, which count as pages that contain these."""
        self._ages = weights.rank > 0 or weights.form != "plain" or weights.threshold > -np.inf

    def start(self, frontier: Frontier, seeds: Ids) -> None:
        """Prepare the columns, and value the seeds, which have no in-links yet."""
        frontier.columns.add("value", np.float64, 0.0)
        self._anchor.start(frontier)
        if self.weights.rank:
            self._rank.start(frontier)
            if self._of_source:
                frontier.columns.add("ranks_sum", np.float64, 0.0)
        if self.weights.target:
            self._prediction.start(frontier)
        self._value(frontier, seeds)

    def observe(self, seen: Observation, frontier: Frontier) -> Ids:
        """Process a visit; returns the links whose value may have changed, in a fixed order."""
        if self.weights.target:
            self._prediction.observe(seen, frontier)
        if not seen.visit.fetched:
            return seen.links
        if not seen.peek:
            self._add_page(seen, frontier)
        own = np.array([seen.link])
        changed = np.concatenate((seen.links, own)) if len(seen.links) else own
        if self._ages and not seen.peek and self._fetches % self._refresh_every == 0:
            self._refresh(frontier)
            changed = np.arange(len(frontier))
        self._value(frontier, changed)
        return changed

    def enter(self, links: Ids, frontier: Frontier, seen: Observation | None) -> None:
        """Value links that became known outside `observe`; `seen` is the page they are on, if it was observed.

        PageRank counts their edges from the next refresh on.
        """
        if seen is not None:
            found = seen.only(links)
            self._anchor.add_links(found, frontier)
            if self.weights.target:
                self._prediction.observe(found, frontier)
            if self.weights.rank and self._of_source:
                frontier.columns["ranks_sum"][links] += self._rank(frontier, np.array([seen.link]))[0]
        self._value(frontier, links)

    def mark(self, mark: Marked, frontier: Frontier) -> Ids:
        """Process another relevance of a visited page; returns the links whose value may have changed."""
        if self.weights.target:
            self._prediction.mark(mark, frontier)
        if frontier.columns["parent"][mark.link] < 0:  # its own page counts, see `_add_page`
            frontier.columns["parents_sum"][mark.link] += mark.relevance - mark.before
            self._own[mark.link] = mark.relevance
        changed = np.append(np.unique(frontier.graph.all_targets(mark.link)), mark.link).astype(np.int64)
        self._value(frontier, changed)
        return changed

    def keeps(self, frontier: Frontier, links: Ids) -> npt.NDArray[np.bool_]:
        """Which of `links` are worth more than the threshold."""
        kept: npt.NDArray[np.bool_] = frontier.columns["value"][links] > self.weights.threshold
        return kept

    def factors(self, frontier: Frontier, links: Ids) -> dict[str, Floats]:
        """Every factor of positive weight, by name."""
        weights, found = self.weights, dict[str, Floats]()
        if weights.target:
            found["target"] = self._prediction(frontier, links)
        found["parents"] = frontier.parents_mean(links)
        found["anchor"] = frontier.columns["anchor"][links].astype(np.float64)
        if weights.rank:
            found["rank"] = self._ranks(frontier, links)
        return found

    def own(self, link: int) -> float:
        """What the page of a seed adds to the relevance of pages that contain it."""
        return self._own.get(link, 0.0)

    def explain(self, frontier: Frontier, link: int) -> dict[str, float]:
        """The factors of one link under the paper's symbols, how many pages contain it, and their sum."""
        words = {
            "target": "relevance of its page",
            "parents": "mean relevance of containing pages",
            "anchor": "anchor relevance",
            "rank": "PageRank",
        }
        symbols = dict(zip(words, self.weights.symbols[:4], strict=True))
        factors = self.factors(frontier, np.array([link]))
        named = {f"{words[name]} {symbols[name]}".strip(): float(value[0]) for name, value in factors.items()}
        named["containing pages"] = float(frontier.columns["parents_count"][link])
        if self.weights.symbols[4]:
            named[self.weights.symbols[4]] = float(frontier.columns["value"][link])
        return named

    def _add_page(self, seen: Observation, frontier: Frontier) -> None:
        self._fetches += 1
        if frontier.columns["parent"][seen.link] < 0:
            frontier.contained(np.array([seen.link]), seen.visit.relevance)
            self._own[seen.link] = seen.visit.relevance
        on_page = self._anchor.observe(seen, frontier)
        if not self.weights.rank:
            return
        if on_page:
            values = np.array([on_page.get(link, 0.0) for link in seen.links.tolist()])
            frontier.graph.weigh(seen.link, values)
        self._rank.follow(frontier, seen.link)
        if self._of_source:
            frontier.columns["ranks_sum"][seen.links] += self._rank(frontier, np.array([seen.link]))[0]

    def _refresh(self, frontier: Frontier) -> None:
        self._anchor.refresh(frontier)
        if self.weights.rank and self._rank.is_due(frontier):
            self._rank.refresh(frontier)
            if self._of_source:
                sources, targets = frontier.graph.edges()
                ranks = self._rank(frontier, sources.astype(np.int64))
                frontier.columns["ranks_sum"][:] = np.bincount(targets, ranks, minlength=len(frontier))

    def _ranks(self, frontier: Frontier, links: Ids) -> Floats:
        if not self._of_source:
            return self._rank(frontier, links)
        count = np.maximum(frontier.columns["parents_count"][links], 1)
        mean: Floats = frontier.columns["ranks_sum"][links] / count
        return mean

    def _value(self, frontier: Frontier, links: Ids) -> None:
        total = np.zeros(len(links))
        for name, factor in self.factors(frontier, links).items():
            total += getattr(self.weights, name) * factor
        frontier.columns["value"][links] = total
