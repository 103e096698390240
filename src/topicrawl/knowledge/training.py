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
from topicrawl.knowledge.sparse_rows import Rows
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
    mentioned: bytes = b""
    mention_times: bytes = b""
    mention_ends: bytes = b""
    """Terms that items mention, as above; none in a training set."""

    def __len__(self) -> int:
        return len(ints(self.ends))

    def items(self, most_terms: int, ordinary: int = ORDINARY, phrases: int = 0, mentions: int = 0) -> Items:
        """The items; more can be added, with these settings of `Items`."""
        items = Items(most_terms, ordinary, phrases, mentions)
        items.begin(self.terms, ints(self.holders))
        items.forms = Votes(self.forms)
        _fill(items.rows, self.described, self.times, self.ends)
        _fill(items.mentioned, self.mentioned, self.mention_times, self.mention_ends)
        for _ in range(len(items.mentioned), len(items)):
            items.mentioned.append(())
        return items


def _fill(rows: Rows, terms: bytes, times: bytes, ends: bytes) -> None:
    for begin, end in pairwise(np.concatenate(([0], ints(ends))).tolist()):
        rows.append(ints(terms)[begin:end], ints(times)[begin:end])


def trained(texts: Iterable[Read], item_terms: int = 30) -> Training:
    """The training set of these texts, described in batches."""
    items, left = Items(item_terms, phrases=PHRASES), iter(texts)
    while batch := list(islice(left, BATCH)):
        items.add([each.counts for each in batch], [each.forms for each in batch])
    return of_items(items, item_terms)


def of_items(items: Items, item_terms: int) -> Training:
    """The training set of these items."""
    terms, times, bounds = items.rows.flat()
    mentioned, mention_times, mention_bounds = items.mentioned.flat()
    return Training(
        items.terms,
        pack_ints(items.holders),
        pack_ints(terms),
        pack_ints(times),
        pack_ints(bounds[1:]),
        item_terms,
        items.forms.votes,
        pack_ints(mentioned),
        pack_ints(mention_times),
        pack_ints(mention_bounds[1:] if len(mentioned) else mention_bounds[:0]),
    )
