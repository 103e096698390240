"""Copies of marked pages: a page with nearly the same text is judged as the marked one.

A marked page weighs `SAME` for a page with the same text, nothing for one whose cosine with it is below `COPY`, and in
proportion between. The sum of the weights, minus those of pages marked not relevant, is added to the log odds of the
page; it is at most `MOST`. Title and URL do not count, so that copies of a page at several addresses are judged alike.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from topicrawl.floats import Floats, dot
from topicrawl.value.sparse_rows import SparseRows

COPY = 0.8
SAME = 20.0
MOST = 10.0
"""What any number of marks adds to log odds, at most."""


class MarkedTexts:
    """The texts of marked pages, and whether each is relevant."""

    def __init__(self, texts: SparseRows, are_relevant: npt.ArrayLike) -> None:
        """`texts` are rows of length 1."""
        self._columns, self._width = texts.transposed(), texts.width
        self._signs = np.where(are_relevant, 1.0, -1.0)

    def __bool__(self) -> bool:
        return len(self._signs) > 0

    def log_odds(self, texts: SparseRows) -> Floats:
        """What the marks add to the log odds of pages with these texts, rows of length 1."""
        similar = np.minimum(texts.narrowed(self._width).products(self._columns), 1.0)
        weights = SAME / (1 - COPY) * np.maximum(similar - COPY, 0.0)
        added: Floats = dot(weights, self._signs) / (1 + np.add.reduce(weights, axis=1) / MOST)
        return added
