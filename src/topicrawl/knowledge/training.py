"""A training set: written by `topicrawl kb train`, the first items of a crawl's learner."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice, pairwise

import msgspec
import numpy as np

from topicrawl.knowledge.idf import ORDINARY
from topicrawl.knowledge.items import Items
from topicrawl.knowledge.names import Votes
from topicrawl.knowledge.phrases import PHRASES
from topicrawl.knowledge.terms import Read
from topicrawl.model import ints, pack_ints

BATCH = 2000
"""Items described together, after their terms are counted: a round of the paper."""


class Training(msgspec.Struct, frozen=True, array_like=True):
    """Terms, the number of items that contain each, and for each item the terms that describe it (int32 columns)."""

    terms: list[str]
    holders: bytes
    described: bytes
    times: bytes
    ends: bytes
    item_terms: int = 30
    forms: dict[str, int] = {}
    """How the items write their terms: see `Votes`."""

    def __len__(self) -> int:
        return len(ints(self.ends))

    def items(self, most_terms: int, ordinary: int = ORDINARY, phrases: int = 0) -> Items:
        """The items; more can be added, which are described by so many words and phrases at most."""
        items = Items(most_terms, ordinary, phrases)
        items.begin(self.terms, ints(self.holders))
        items.forms = Votes(self.forms)
        bounds = np.concatenate(([0], ints(self.ends))).tolist()
        terms, times = ints(self.described), ints(self.times)
        for begin, end in pairwise(bounds):
            items.rows.append(terms[begin:end], times[begin:end])
        return items


def trained(texts: Iterable[Read], item_terms: int = 30) -> Training:
    """The training set of these texts, described in batches."""
    items, left = Items(item_terms, phrases=PHRASES), iter(texts)
    while batch := list(islice(left, BATCH)):
        items.add([each.counts for each in batch], [each.forms for each in batch])
    return of_items(items, item_terms)


def of_items(items: Items, item_terms: int) -> Training:
    """The training set of these items."""
    terms, times, bounds = items.rows.flat()
    return Training(
        items.terms,
        pack_ints(items.holders),
        pack_ints(terms),
        pack_ints(times),
        pack_ints(bounds[1:]),
        item_terms,
        items.forms.votes,
    )
