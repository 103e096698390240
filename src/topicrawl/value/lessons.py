"""What is learned of a page: what the judge says, and what was expected of it.

A judge that is wrong about one page of a list would else lower the whole list. What led to a page is evidence too: what
the words of the link have led to (feature `token`), and the pages below the same heading (`group`). Both are added to
the log odds of the page's strength, so they decide where the judge is in doubt, and hardly matter where it is sure.
"""

from __future__ import annotations

import numpy as np

from topicrawl.floats import log
from topicrawl.frontier import Floats
from topicrawl.value.rocchio import logistic

TRUST, TOKEN, GROUP = 1.0, 4.0, 8.0
"""Weights of the log odds of a page's strength, of relevance above the mean by its link's words, and by its siblings.
Fitted to labels (docs/evidence/judge.md)."""
SURE = 1e-3
"""Distance of a strength from 0 and 1, at least, so that its log odds are finite."""


def expectation(token: float, group: float) -> float:
    """The log odds that links add to a page's, from these features of its own link at the visit."""
    return TOKEN * token + GROUP * group


def lessons(strengths: Floats, expected: Floats) -> Floats:
    """How much pages count, by their strengths and by what was expected of them."""
    sure = np.clip(strengths, SURE, 1 - SURE)
    return logistic(TRUST * log(sure / (1 - sure)) + expected)
