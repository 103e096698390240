"""Inverse document frequency over all items so far, smoothed by a background corpus.

A few items, all about one subject, give misleading document frequencies, so those of a virtual corpus of ordinary texts
are added: the background frequencies of the language.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from topicrawl.floats import exp, log
from topicrawl.topic.terms.background import RAREST, background

ORDINARY = 1000
"""Texts of the virtual corpus. With too few, the subject of the crawl itself soon counts as common."""
MEASURE_ORDINARY = 100
"""The same for the measure of crawls (item_similarity.py), independent of their settings."""
LENGTH = 400
"""Words of an ordinary text."""
_FIRST_HAN = "㐀"

Floats = npt.NDArray[np.float64]


def usual_shares(terms: Sequence[str]) -> Floats:
    """The share of ordinary texts that contain each of the terms."""
    rates = [background("zh" if term[:1] >= _FIRST_HAN else "en").get(term, RAREST) for term in terms]
    return 1.0 - exp(-LENGTH * np.array(rates))


def rarity(holders: npt.ArrayLike, items: int, usual: npt.ArrayLike, ordinary: int = ORDINARY) -> Floats:
    """The idf of terms that occur in `holders` of `items` items and in a share `usual` of `ordinary` texts."""
    held = np.asarray(holders) + ordinary * np.asarray(usual)
    return np.maximum(log((items + ordinary + 1) / (held + 1)), 0.0)
