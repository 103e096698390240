"""Finds the terms of a topic in pages: one Aho–Corasick pass over the folded text, then a look at both ends.

A term stands for exactly its words: no stemming, no plurals. Where it begins or ends with a letter of a
script that parts its words, no such letter may go before or follow (and no digit where it ends with a
digit): "rain" is found in "rain-storm" and "Rain's", not in "training". In running scripts it is found
anywhere. The words of a longer term are parted by one space; a newline parts blocks and ends a phrase.
Matches do not overlap: the leftmost counts, and of those that start together the longest.

Differs: the papers cut a page into words first and count the topic's words among them. For single words of spaced
scripts the outcome is the same; a longer term would also match across punctuation there, here it does not. For
Chinese it is forward longest-match segmentation with the topic as dictionary.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate

import numpy as np
import numpy.typing as npt
from ahocorasick_rs import AhoCorasick

from topicrawl.model import GROUPS, Page, TermCounts, ints, pack_ints
from topicrawl.topic.letters import DIGIT, LETTER, OTHER, fold, kinds, tokens

Found = npt.NDArray[np.int64]
_FREE = 255
"""Kind of an end that may touch anything; no character is of this kind."""


class Matcher:
    """Counts `terms`; a term is known by its place in the sequence."""

    def __init__(self, terms: Sequence[str]) -> None:
        folded = [fold(term) for term in terms]
        self._automaton = AhoCorasick(folded, store_patterns=False)
        self._heads = _bounds("".join(term[0] for term in folded))
        self._tails = _bounds("".join(term[-1] for term in folded))

    def count(self, page: Page) -> TermCounts:
        """Counts per tag group (that of the segment where a match starts) and per anchor text.

        The title attribute of a link is not part of its anchor.
        """
        sorts = kinds(page.text)
        found = np.array(self._matches(page.text, sorts), dtype=np.int64).reshape(-1, 2)
        terms, groups = _by_group(found, page)
        rows, anchor_terms, anchor_counts = self._in_anchors(page.links.anchors)
        return TermCounts(
            pack_ints(terms), pack_ints(groups), rows, anchor_terms, anchor_counts, length=tokens(sorts)
        )

    def count_text(self, text: str) -> dict[int, int]:
        """How often each term stands in `text`; absent terms are left out."""
        return dict(Counter(term for _, term in self._matches(text, kinds(text))))

    def _in_anchors(self, anchors: list[str]) -> tuple[bytes, bytes, bytes]:
        text = "\n".join(anchors)
        found = self._matches(text, kinds(text))
        if not found:
            return b"", b"", b""
        starts = np.fromiter(accumulate((len(anchor) + 1 for anchor in anchors), initial=0), dtype=np.int64)
        at, terms = np.array(found, dtype=np.int64).T
        rows = np.searchsorted(starts, at, side="right") - 1
        width = len(self._heads)
        cells, counts = np.unique(rows * width + terms, return_counts=True)
        return pack_ints(cells // width), pack_ints(cells % width), pack_ints(counts)

    def _matches(self, text: str, sorts: npt.NDArray[np.uint8]) -> list[tuple[int, int]]:
        """(start, term) of every match that counts, from left to right."""
        candidates = self._automaton.find_matches_as_indexes(fold(text), overlapping=True)
        if not candidates:
            return []
        around = bytes((OTHER,)) + sorts.tobytes() + bytes((OTHER,))
        heads, tails = self._heads, self._tails
        whole = [
            (start, -end, term)
            for term, start, end in candidates
            if heads[term] != around[start] and tails[term] != around[end + 1]
        ]
        return list(_leftmost_longest(whole))


def _leftmost_longest(matches: list[tuple[int, int, int]]) -> Iterator[tuple[int, int]]:
    matches.sort()
    free = 0
    for start, negative_end, term in matches:
        if start >= free:
            free = -negative_end
            yield start, term


def _by_group(found: Found, page: Page) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The terms present, in order, and their counts in each tag group."""
    segments = np.searchsorted(ints(page.segment_starts), found[:, 0], side="right") - 1
    terms, places = np.unique(found[:, 1], return_inverse=True)
    cells = places * GROUPS + ints(page.segment_groups)[segments]
    return terms, np.bincount(cells, minlength=len(terms) * GROUPS)


def _bounds(ends: str) -> bytes:
    """For each first or last character of a term, the kind that must not stand next to it."""
    sorts = kinds(ends)
    return np.where((sorts == LETTER) | (sorts == DIGIT), sorts, _FREE).astype(np.uint8).tobytes()
