"""How much a term tells items apart: inverse document frequency over all items so far.

Few items say little about rarity, and those of a crawl for one subject mislead about it, so their counts are joined by
those of an imagined corpus of ordinary texts: the background frequencies of the language.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from topicrawl.topic.terms.background import RAREST, background

ORDINARY = 1000
"""Items of the imagined corpus. With too few, what a crawl is full of, its very subject, soon counts as common."""
YARDSTICK = 100
"""The same where crawls are measured (likeness.py), whatever they count by themselves."""
LENGTH = 400
"""Words of each of them."""
_FIRST_HAN = "㐀"

Floats = npt.NDArray[np.float64]


def usual_share(term: str) -> float:
    """The share of ordinary texts that hold `term`."""
    table = background("zh" if term[:1] >= _FIRST_HAN else "en")
    return 1.0 - math.exp(-LENGTH * table.get(term, RAREST))


def rarity(holders: npt.ArrayLike, items: int, usual: npt.ArrayLike, ordinary: int = ORDINARY) -> Floats:
    """The idf of terms that stand in `holders` of `items` items and in a share `usual` of `ordinary` texts."""
    held = np.asarray(holders) + ordinary * np.asarray(usual)
    inverse: Floats = np.log((items + ordinary + 1) / (held + 1))
    return np.maximum(inverse, 0.0)
