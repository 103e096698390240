"""The relevance of the pages of a crawl that are most similar to a new page, while the crawl is under way.

Only the latest pages are compared, because this is done for every page; at the end nearest.py compares with more.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from topicrawl.floats import dot
from topicrawl.frontier import Floats
from topicrawl.judge.nearest import NUMBER
from topicrawl.judge.page_documents import Document
from topicrawl.model import Ints

try:
    from topicrawl._native import Postings, keep_largest
except ImportError:  # the same in Python, many times slower
    from topicrawl.judge.postings import Postings, keep_largest  # type: ignore[assignment]

LATEST = 300
"""Pages compared."""
OFTEN = 32
"""Pages after which the latest are taken anew, if the judge was not fitted before."""


class Period(NamedTuple):
    """The pages between which the same neighbours are used: the number of the judge's fit, and pages of the crawl."""

    fit: int
    pages: int


class Weights(NamedTuple):
    """Weights of tokens (page_vectors.py): amounts by count, idf by token."""

    amounts: Floats
    idf: Floats


class Neighbours:
    """Pages of a crawl, and pages shown to it, to be compared with one page at a time.

    Pages that it has are kept when later ones are taken.
    """

    def __init__(self) -> None:
        self.period: Period | None = None
        """When `relevance` was last set."""
        self._pages, self._shown = Postings(), Postings()
        self.most = 0
        """The largest count of a page that it had."""
        self._numbers = range(0)
        """The pages of the crawl that it has."""
        self._columns: deque[Ints] = deque()
        """The columns of each, copied: the judge may have forgotten a page before it is dropped here."""
        self._scales = self._shown_scales = np.zeros((0, 4))
        self._beyond: Floats = np.zeros(0)

    def take(self, numbers: range, document: Callable[[int], Document], scales: Floats) -> None:
        """Have the pages with these numbers; `document` gives one, `scales` those of each by the latest fit."""
        had = self._numbers
        if not had.start <= numbers.start <= had.stop <= numbers.stop:
            self._pages, had = Postings(), range(numbers.start, numbers.start)
            self._columns.clear()
        for _ in range(had.start, numbers.start):
            self._pages.drop(self._columns.popleft())
        for number in range(had.stop, numbers.stop):
            page = document(number)
            self._append(self._pages, page)
            self._columns.append(page.columns.copy())
        self._numbers, self._scales = numbers, scales

    def take_shown(self, shown: Sequence[Document], scales: Floats) -> None:
        """Have these pages that are not of the crawl: examples, marked pages."""
        self._shown, self._shown_scales = Postings(), scales
        for document in shown:
            self._append(self._shown, document)

    def _append(self, pages: Postings, document: Document) -> None:
        pages.append(*document)
        self.most = max(self.most, int(np.maximum.reduce(document.counts, initial=0)))

    def judge(self, period: Period, relevance: Floats, mean: float) -> None:
        """Set the relevance of the pages, of those of the crawl first; `mean` is that of an unknown page."""
        self.period, self._beyond = period, relevance - mean

    def beyond(self, page: Document, scales: Floats, weights: Weights) -> float:
        """Relevance above the mean of the pages most similar to one page, weighted by similarity."""
        similar = np.zeros(len(self._beyond))
        crawled = len(self._numbers)
        self._pages.add_products(*page, scales, *weights, self._scales, similar[:crawled])
        if crawled < len(similar):
            self._shown.add_products(*page, scales, *weights, self._shown_scales, similar[crawled:])
        if len(similar) > NUMBER:
            keep_largest(similar, NUMBER)
        return float(dot(similar, self._beyond)) / max(float(np.add.reduce(similar)), 1e-12)
