"""Pages of the crawl that stand in for examples.

Seeds that contain a term of the topic complete the examples, because somebody chose them; where these are still few,
other pages that contain a term do, by relevance by terms. In another script than that of most examples more pages do,
but not those with more terms than nearly all pages in the known one (script_groups.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import islice
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import Floats

FEWEST = 5
"""Examples that a direction needs."""
COMPLETED = 10
"""Examples up to which seeds count as examples, and pages in another script; as many as `FEWEST`, others do."""
NEARLY_ALL = 0.95
"""Pages with more terms than so many of those with more than average come last."""

Some = npt.NDArray[np.bool_]
"""Which of the pages."""


class Pages(NamedTuple):
    """Pages that may stand in: some of those of the crawl, by number."""

    terms: Floats
    """Relevance by terms of all pages."""
    is_chosen: Some
    """Whether somebody chose a page: a seed."""
    is_free: Callable[[int], bool]
    """Whether nobody marked a page."""

    def best(self, among: Some, order: Floats) -> list[int]:
        """The pages `among` all, chosen ones first, else the lowest in `order` first."""
        numbers = np.flatnonzero(among)
        found: list[int] = numbers[np.lexsort((order[numbers], ~self.is_chosen[numbers]))].tolist()
        return found


def stand_ins(pages: Pages, among: Some, shown: int, *, has_marks: bool) -> list[int]:
    """Pages among these that count as examples, where `shown` examples are known.

    Where a person marked pages, seeds do so to `FEWEST` alone: what was said counts for more than that somebody began
    with a page.
    """
    found = list[int]()
    by_seeds = FEWEST if has_marks else COMPLETED
    if shown >= by_seeds:
        return found
    for page in pages.best(among & (pages.terms > 0), -pages.terms):
        if shown + len(found) >= (by_seeds if pages.is_chosen[page] else FEWEST):
            break
        if pages.is_free(page):
            found.append(page)
    return found


def stand_ins_like(known: Some, pages: Pages, among: Some, shown: int) -> list[int]:
    """Pages among these that complete `shown` examples to `COMPLETED`: seeds, then those with most terms.

    A page with fewer terms than the `known` pages that have any on average is left out. Those with more than nearly all
    of these come last: they are often lists of words, or traps.
    """
    terms, alike = pages.terms, np.sort(pages.terms[known & (pages.terms > 0)])
    least = min(float(alike.mean()), float(alike[-1])) if len(alike) else 0.0  # a mean is rounded
    upper = alike[alike >= least]
    most = float(upper[math.ceil((len(upper) - 1) * NEARLY_ALL)]) if len(upper) else 1.0
    enough = (terms > 0) & ((terms >= least) | pages.is_chosen)
    best = pages.best(among & enough, np.where(terms > most, terms, -terms))
    return list(islice(filter(pages.is_free, best), max(COMPLETED - shown, 0)))
