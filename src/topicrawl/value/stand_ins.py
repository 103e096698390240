"""Pages of the crawl that stand in for examples.

Seeds that contain a term of the topic complete the examples, because somebody chose them; where these are still few,
other pages that contain a term do, by relevance by terms. A topic may be spelled in several scripts, with seeds and
examples in one: in each other script, pages with as many terms as relevant ones have in that stand in too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice

import numpy as np

from topicrawl.floats import median
from topicrawl.frontier import Ids

FEWEST = 5
"""Examples that a direction needs."""
COMPLETED = 10
"""Examples up to which seeds count as examples, and pages in another script; as many as `FEWEST`, others do."""


def stand_ins(
    terms: Sequence[float],
    is_chosen: Sequence[bool],
    shown: int,
    is_free: Callable[[int], bool],
    *,
    has_marks: bool,
) -> list[int]:
    """Pages that count as examples, by number, where `shown` examples are known.

    Where a person marked pages, seeds do so to `FEWEST` alone, and only pages that are `is_free`, not marked, do: what
    was said counts for more than that somebody began with a page.
    """
    found = list[int]()
    by_seeds = FEWEST if has_marks else COMPLETED
    if shown >= by_seeds:
        return found
    relevance = np.array(terms)
    about = np.flatnonzero(relevance > 0)
    chosen = np.array(is_chosen, np.bool_)[about]
    for page in about[np.lexsort((-relevance[about], ~chosen))].tolist():
        if shown + len(found) >= (by_seeds if is_chosen[page] else FEWEST):
            break
        if is_free(page):
            found.append(page)
    return found


def in_other_scripts(
    known: int, of_shown: Ids, of_pages: Ids, terms: Sequence[float], is_free: Callable[[int], bool]
) -> dict[int, list[int]]:
    """For other scripts than `known` ones: the pages that complete the examples in these alone to `COMPLETED`.

    Those with terms as relevant pages have them: about the median of pages in known scripts that have more of them than
    these have on average, and no less than that. Those with most are often lists of words, or traps.
    """
    relevance, found = np.array(terms), dict[int, list[int]]()
    alike = relevance[(of_pages & known > 0) & (relevance > 0)]
    least = min(float(alike.mean()), float(alike.max())) if len(alike) else 0.0  # a mean is rounded
    usual = median(alike[alike >= least]) if len(alike) else 1.0
    for script in np.unique(np.append(of_shown, of_pages)).tolist():
        if script and not script & known:
            shown = int(np.count_nonzero(of_shown == script))
            about = np.flatnonzero((of_pages == script) & (relevance > 0) & (relevance >= least))
            best = about[np.argsort(np.abs(relevance[about] - usual), kind="stable")].tolist()
            pages = list(islice(filter(is_free, best), max(COMPLETED - shown, 0)))
            if shown or pages:
                found[script] = pages
    return found
