"""The factors of a link's value as separate objectives: one row a link, one column an objective.

Paper: FCWSEO Eq. (11)–(14): F1 = R(p_l), F2 = mean R of the containing pages, F3 = R(a_l), F4 = PR(p_l).
Differs: a seed is on no page at first, so its F2 is that of pages found to contain it later, or 0: unlike in its value,
its own page does not count.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from topicrawl.frontier import VISITED, Floats, Frontier, Ids
from topicrawl.value.valuation import Valuation

NAMES = ("target", "parents", "anchor", "rank")


def objectives(valuation: Valuation, frontier: Frontier, links: Ids, names: Sequence[str] = NAMES) -> Floats:
    """The objectives of links, in the order of `names`; one that the valuation gives no weight is left out."""
    factors = valuation.factors(frontier, links)
    factors["parents"] = _containing(valuation, frontier, links)  # Eq. (12)
    return np.column_stack([factors[name] for name in names if name in factors])


def _containing(valuation: Valuation, frontier: Frontier, links: Ids) -> Floats:
    """Mean relevance of the pages that contain a link, other than itself."""
    columns = frontier.columns
    own = (columns["parent"][links] < 0) & (columns["state"][links] == VISITED)
    count = columns["parents_count"][links] - own
    relevance = np.zeros(len(links))
    relevance[own] = [valuation.own(link) for link in links[own].tolist()]
    mean: Floats = np.where(count > 0, columns["parents_sum"][links] - relevance, 0.0) / np.maximum(count, 1)
    return mean
