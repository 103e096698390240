"""Three judges of one log: people's labels, the crawler's own relevance, and similarity to the example pages.

The papers judge a crawler by the relevance that also steers it. Labels do not depend on the crawler, and the similarity
is the same measure for all crawlers. The report shows where the three disagree.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from topicrawl.model import Visit
from topicrawl.report.metrics import Floats, average_relevance, harvest_curve, standard_deviation

OWN_THRESHOLD = 0.62
"""Relevance above which the crawler itself calls a page relevant (α and r1 of the rainstorm experiments)."""
SIMILARITY_THRESHOLD = 0.05
"""Least similarity of a relevant page by the similarity judge. The paper does not give it; this one is chosen by labels
of recorded webs (docs/papers-texts.md, M7)."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A judge's value and decision for each page fetched, in the order of fetching."""

    values: Floats
    relevant: npt.NDArray[np.bool_]

    def part(self, since: int) -> Verdict:
        """The verdict on the pages after the first `since`."""
        return Verdict(self.values[since:], self.relevant[since:])

    @property
    def found(self) -> int:
        """M: how many pages are relevant."""
        return int(self.relevant.sum())

    @property
    def harvest(self) -> Floats:
        """HR after one page, two pages, … all pages."""
        return harvest_curve(self.relevant, 0.5)

    @property
    def harvest_rate(self) -> float:
        return self.found / len(self.relevant) if len(self.relevant) else 0.0

    @property
    def area(self) -> float:
        """Mean of the harvest curve (its area, with the number of fetches as 1): early finds weigh more."""
        return float(self.harvest.mean()) if len(self.relevant) else 0.0

    @property
    def average(self) -> float:
        """AR: mean value of all pages."""
        return average_relevance(self.values)

    @property
    def deviation(self) -> float:
        """SD of the values."""
        return standard_deviation(self.values)

    @property
    def average_of_relevant(self) -> float:
        """AS: mean value of the relevant pages only."""
        return float(self.values[self.relevant].mean()) if self.found else 0.0


def by_labels(visits: Sequence[Visit], targets: Collection[str]) -> Verdict:
    """A page is relevant when it is one of the `targets` (see `labels.targets`)."""
    hits = np.array([visit.url in targets for visit in visits if visit.fetched], dtype=bool)
    return Verdict(hits.astype(np.float64), hits)


def by_own_relevance(visits: Sequence[Visit], threshold: float = OWN_THRESHOLD) -> Verdict:
    """The papers' way: the relevance that steered the crawl, above the threshold."""
    values = np.array([visit.relevance for visit in visits if visit.fetched], dtype=np.float64)
    return Verdict(values, values > threshold)


def by_similarity(similarities: npt.ArrayLike, threshold: float = SIMILARITY_THRESHOLD) -> Verdict:
    """SVSM-MCOA's way: similarity to the nearest example page (see `ExampleSimilarity`), from the threshold on."""
    values = np.asarray(similarities, dtype=np.float64)
    return Verdict(values, values >= threshold)
