"""What the words of marked pages add to the log odds of pages: a ridge regression on what the judge got wrong.

A mark is a label, and marked pages are no random sample of a crawl: most may be pages in doubt, or pages that are not
relevant. So the share of relevant pages among them says nothing. What counts is the difference between each mark and
the probability of its page by the judge without marks: words of pages that were called too relevant lower the log odds
of pages that contain them, and the other way round. Rows are taken relative to the mean of the crawl's pages: words
that all pages have, such as menus, change nothing.

It is a logistic regression with the judge's log odds as offset; log odds by words have a normal prior. `STEPS` steps of
Newton's method, with the largest slope of the logistic function for all (1/4), so that each step is a ridge regression
with the same matrix: weights of marks, (K + 4) a = f + 4 (mark − probability).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from topicrawl.floats import Floats, dot, exp
from topicrawl.value.sparse_rows import SparseRows

WORDS = 20.0
"""Prior variance of the log odds that words add to a page whose row has length 1.

Of 12 pairs, this and `CONSTANT` have the least loss on any four of five webs (docs/evidence/judge-marks.md).
"""
CONSTANT = 1.0
"""Prior variance of what is added to all pages."""
STEPS = 3
FLAT = 4.0
"""Of log odds for a probability, at least."""
CLOSE = 1e-6
"""Relative squared residual at which conjugate gradients stop."""
MOST_STEPS = 50


class MarkedWords(NamedTuple):
    """What is added to the log odds of pages."""

    weights: Floats
    """By column of a page's row."""
    centre: float
    """What these add to the mean page of the crawl; it is subtracted."""
    constant: float
    """What is added to all pages."""

    def added(self, projected: Floats) -> Floats:
        """What is added to the log odds of pages; `projected` are their rows times `weights`."""
        return projected - self.centre + self.constant


def marked_words(marked: SparseRows, are_relevant: Floats, log_odds: Floats, mean: Floats) -> MarkedWords:
    """Learn from marked pages with these log odds without marks; `mean` is the mean row of the crawl's pages."""
    to_mean = marked.times(mean)
    similar = (
        marked.products(marked.transposed()) - to_mean[:, None] - to_mean[None, :] + float(dot(mean, mean))
    )
    matrix = WORDS * similar + CONSTANT
    found, added = np.zeros(len(marked)), np.zeros(len(marked))
    for _ in range(STEPS):
        wrong = are_relevant - 1 / (1 + exp(-np.clip(log_odds + added, -30, 30)))
        found = _solved(matrix, added + FLAT * wrong, found)
        added = dot(matrix, found)
    weights = WORDS * (marked.combined(found) - float(found.sum()) * mean)
    return MarkedWords(weights, float(dot(weights, mean)), CONSTANT * float(found.sum()))


def _solved(matrix: Floats, aim: Floats, start: Floats) -> Floats:
    """The x for which (matrix + FLAT) x = aim, by conjugate gradients from `start`; the matrix is symmetric."""
    found = start.copy()
    residual = aim - dot(matrix, found) - FLAT * found
    direction, left = residual.copy(), float(dot(residual, residual))
    enough = CLOSE * float(dot(aim, aim))
    for _ in range(MOST_STEPS):
        if left <= enough:
            break
        pushed = dot(matrix, direction) + FLAT * direction
        length = left / float(dot(direction, pushed))
        found += length * direction
        residual -= length * pushed
        left, before = float(dot(residual, residual)), left
        direction = residual + left / before * direction
    return found
