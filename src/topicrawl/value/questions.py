"""Which pages are worth asking a person about: those whose answer changes most of what a crawl does next.

Pages come by doubt, the entropy of their probability; among those in equal doubt, to a tenth of a bit, by the
waiting links that hang on them. A waiting link hangs on all pages that contain it, in equal parts. The best two pages
of each host come first, then the next two: there are more than two of a host only where there are no others. Of pages
that look alike one is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from topicrawl.floats import log, log_counts
from topicrawl.frontier import PEEKED, Floats, Frontier, Ids
from topicrawl.model import Page
from topicrawl.text.sparse_rows import SparseRows
from topicrawl.text.tokens import Tokens

OF_HOST = 2
"""Pages of a host that come before the other hosts' are used up."""
ALIKE = 0.6
"""Cosine of two pages that look alike."""
COMPARED, LEAST_COMPARED = 5, 60
"""Pages that are read and compared: so many for each that is wanted, and so many at least."""
EQUAL = 1
"""Decimals of doubt in bits; what differs less is in equal doubt."""
SURE = 1e-9
"""Distance of a probability from 0 and 1, at least, so that its logarithm is finite."""


class Hanging(NamedTuple):
    """What hangs on the pages of a crawl, by link number."""

    links: Ids
    """Links of the page that wait."""
    shares: Floats
    """The same, each divided by the number of pages that contain it."""


def worth_asking(
    frontier: Frontier,
    links: Ids,
    probabilities: Floats,
    read: Callable[[int], Page | None],
    count: int,
    *,
    threshold: float = 0.5,
) -> list[int]:
    """The places, at most `count`, of the visited pages `links` that are worth asking about, the best first.

    `probabilities` says how likely each is relevant; it is above `threshold` for those that count as relevant. `read`
    gives the page at a place; those without text are not asked about.
    """
    worth = np.round(doubt(probabilities, threshold), EQUAL)
    order = _by_host(worth, hanging(frontier).shares[links], frontier.columns["host"][links])
    order = order[worth[order] > 0][: max(LEAST_COMPARED, COMPARED * count)]
    pages = [(place, page) for place in order.tolist() if (page := read(place)) is not None and page.text]
    similar = similarities([page for _, page in pages])
    taken: list[int] = []
    for number in range(len(pages)):
        if len(taken) < count and not np.any(similar[number, taken] > ALIKE):
            taken.append(number)
    return [pages[number][0] for number in taken]


def doubt(probabilities: Floats, threshold: float = 0.5) -> Floats:
    """The entropy of probabilities in bits; stretched so that it is 1 at the threshold."""
    stretched = np.where(
        probabilities < threshold,
        probabilities / (2 * max(threshold, SURE)),
        1 - (1 - probabilities) / (2 * max(1 - threshold, SURE)),
    )
    likely = np.clip(stretched, SURE, 1 - SURE)
    bits: Floats = -(likely * log(likely) + (1 - likely) * log(1 - likely)) / log(2.0)
    return bits


def hanging(frontier: Frontier) -> Hanging:
    """How many waiting links hang on each page of a crawl."""
    waits = frontier.columns["state"] <= PEEKED
    shares = waits / np.maximum(frontier.columns["parents_count"], 1)
    found = Hanging(np.zeros(len(frontier), np.int64), np.zeros(len(frontier)))
    for _, sources, targets in frontier.graph.pieces():
        np.add.at(found.links, sources, waits[targets])
        np.add.at(found.shares, sources, shares[targets])
    return found


def similarities(pages: Sequence[Page]) -> Floats:
    """The cosine of each page with each by their words; a word that many of them have counts little."""
    tokens = Tokens()
    counted = [np.unique(tokens.text(page.text), return_counts=True) for page in pages]
    for words, _ in counted:
        tokens.vocabulary.add(words)
    tokens.vocabulary.refresh()
    rows = [(1 + log_counts(times)) * tokens.vocabulary.rarity(words) for words, times in counted]
    rows = [row / max(np.sqrt(np.add.reduce(row * row)), SURE) for row in rows]
    matrix = SparseRows(
        np.concatenate([np.zeros(0), *rows]),
        np.concatenate([np.zeros(0, np.int32), *(words.astype(np.int32) for words, _ in counted)]),
        np.cumsum([0, *map(len, rows)]),
        len(tokens),
    )
    return matrix.products(matrix.transposed())


def _by_host(worth: Floats, then: Floats, hosts: Ids) -> Ids:
    """The places by worth, then by `then`, the highest first; after each host's best `OF_HOST`, those of the next."""
    order = np.lexsort((-then, -worth, hosts))
    firsts = np.flatnonzero(np.diff(hosts[order], prepend=-1))
    rank = np.arange(len(order)) - np.repeat(firsts, np.diff(firsts, append=len(order)))
    ranked: Ids = order[np.lexsort((order, -then[order], -worth[order], rank // OF_HOST))]
    return ranked
