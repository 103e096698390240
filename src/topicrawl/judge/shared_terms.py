"""Whether nearly all pages of a crawl contain the terms of its topic, and what this adds to the log odds of each.

A classifier that compares the pages of a crawl with each other takes some of them as not relevant, also where all are
relevant: nothing else is there to compare with. The topic's terms do not depend on the other pages. Where even the
pages with fewest contain them, and the mean relevance by terms is higher than the share of pages that is called
relevant, that share is too low.
"""

from __future__ import annotations

import numpy as np

from topicrawl.floats import nth_largest
from topicrawl.frontier import Floats

FEWEST = 50
"""Pages that are needed."""
TENTH = 0.1
"""Share of the pages with most terms whose relevance counts as full; as many with fewest are left out."""
EQUAL = 1e-6
"""Relevances by terms that differ by less say only that a term occurs, as those of a topic of one term do."""
WEIGHT = 8.0


def shared_terms(by_terms: Floats, said: Floats) -> Floats:
    """What is added to the log odds of each page; `said` is the probability that each is relevant, without this.

    In proportion to its relevance by terms, relative to full; to the square of that of the tenth of the pages with
    fewest; and to how far the mean of all is above the mean of what was said.
    """
    number = len(by_terms)
    if number < FEWEST:
        return np.zeros(number)
    tenth = int(TENTH * number)
    full, fewest = nth_largest(by_terms, tenth + 1), nth_largest(by_terms, number - tenth)
    if full - fewest < EQUAL:
        return np.zeros(number)
    relative = np.minimum(by_terms / full, 1.0)
    missing = max(float(relative.mean() - said.mean()), 0.0)
    added: Floats = WEIGHT * (fewest / full) ** 2 * missing * relative
    return added
