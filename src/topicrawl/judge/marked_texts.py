"""What a person said of pages, for pages like them: one with the same text is judged as marked, a similar one is moved.

A marked page weighs similarity² / (1 − similarity + `NEAR`), by the cosine of its text with that of a page: 20 for the
same text, a tenth for one that shares some words. The sum of the weights, minus those of pages marked not relevant, is
added to the log odds of the page; it is at most `MOST`. Title and URL do not count, so that copies of a page at several
addresses are judged alike.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from topicrawl.floats import Floats, dot
from topicrawl.text.sparse_rows import SparseRows

NEAR = 0.05
"""Distance that is added to that of two texts: the same text weighs 1 / NEAR."""
MOST = 10.0
"""Log odds that any number of marks adds, at most."""


class MarkedTexts:
    """The texts of marked pages, and whether each is relevant."""

    def __init__(self, texts: SparseRows, are_relevant: Sequence[bool]) -> None:
        """`texts` are rows of length 1."""
        self._columns, self._width = texts.transposed(), texts.width
        self._signs = np.where(are_relevant, 1.0, -1.0)

    def __bool__(self) -> bool:
        return len(self._signs) > 0

    def log_odds(self, texts: SparseRows) -> Floats:
        """Log odds that the marks add to pages with these texts, rows of length 1."""
        similar = np.minimum(texts.narrowed(self._width).products(self._columns), 1.0)
        weights = similar * similar / (1 - similar + NEAR)
        added: Floats = dot(weights, self._signs) / (1 + np.add.reduce(weights, axis=1) / MOST)
        return added
