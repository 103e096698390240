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

import struct
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain

import numpy as np
import numpy.typing as npt
from ahocorasick_rs import AhoCorasick

from topicrawl.model import GROUPS, Page, TermCounts, ints
from topicrawl.topic.letters import DIGIT, LETTER, OR, OTHER, fold, kinds, tokens

_FREE = 255
"""Kind of an end that may touch anything; no character is of this kind."""
_NOTHING = bytes((OTHER,))
"""The kind of what precedes and follows a text."""


class Matcher:
    """Counts `terms`; a term is known by its place in the sequence, whichever of its spellings is found."""

    def __init__(self, terms: Sequence[str]) -> None:
        spelled = [(fold(part), place) for place, term in enumerate(terms) for part in term.split(OR) if part]
        self._automaton = AhoCorasick([spelling for spelling, _ in spelled], store_patterns=False)
        self._terms = [place for _, place in spelled]
        self._heads = _bounds("".join(spelling[0] for spelling, _ in spelled))
        self._tails = _bounds("".join(spelling[-1] for spelling, _ in spelled))

    def count(self, page: Page) -> TermCounts:
        """Counts per tag group (that of the segment where a match starts) and per anchor text.

        The title attribute of a link is not part of its anchor.
        """
        sorts = kinds(page.text)
        terms, groups = _by_group(self._matches(page.text, sorts), page)
        return TermCounts(terms, groups, *self._in_anchors(page.links.anchors), length=tokens(sorts))

    def count_text(self, text: str) -> dict[int, int]:
        """How often each term stands in `text`; absent terms are left out."""
        return dict(Counter(term for _, term in self._matches(text, kinds(text))))

    def find(self, text: str) -> list[tuple[int, int]]:
        """(start, term) of every match that counts, from left to right."""
        return self._matches(text, kinds(text))

    def count_each(self, texts: Sequence[str]) -> Counter[tuple[int, int]]:
        """How often each term stands in each text, by (place of the text, term); absent pairs are left out."""
        text = "\n".join(texts)
        found = self._matches(text, kinds(text))
        starts = list(accumulate((len(part) + 1 for part in texts), initial=0))
        return Counter((bisect_right(starts, at) - 1, term) for at, term in found)

    def _in_anchors(self, anchors: list[str]) -> tuple[bytes, bytes, bytes]:
        cells = self.count_each(anchors)
        places = sorted(cells)
        return (
            _packed(row for row, _ in places),
            _packed(term for _, term in places),
            _packed(cells[place] for place in places),
        )

    def _matches(self, text: str, sorts: npt.NDArray[np.uint8]) -> list[tuple[int, int]]:
        """(start, term) of every match that counts, from left to right."""
        candidates = self._automaton.find_matches_as_indexes(fold(text), overlapping=True)
        if not candidates:
            return []
        around = _NOTHING + sorts.tobytes() + _NOTHING
        terms, heads, tails = self._terms, self._heads, self._tails
        whole = [
            (start, -end, terms[spelling])
            for spelling, start, end in candidates
            if heads[spelling] != around[start] and tails[spelling] != around[end + 1]
        ]
        return list(_leftmost_longest(whole))


def _leftmost_longest(matches: list[tuple[int, int, int]]) -> Iterator[tuple[int, int]]:
    matches.sort()
    free = 0
    for start, negative_end, term in matches:
        if start >= free:
            free = -negative_end
            yield start, term


def _by_group(found: list[tuple[int, int]], page: Page) -> tuple[bytes, bytes]:
    """The terms present, in order, and their counts in each tag group."""
    starts, groups = ints(page.segment_starts).tolist(), ints(page.segment_groups).tolist()
    counts: dict[int, list[int]] = {}
    for at, term in found:
        if term not in counts:
            counts[term] = [0] * GROUPS
        counts[term][groups[bisect_right(starts, at) - 1]] += 1
    terms = sorted(counts)
    return _packed(terms), _packed(chain.from_iterable(counts[term] for term in terms))


def _packed(numbers: Iterable[int]) -> bytes:
    """As `pack_ints`, for a handful of numbers: numpy's start takes longer than their packing."""
    numbers = tuple(numbers)
    return struct.pack(f"<{len(numbers)}i", *numbers)


def _bounds(ends: str) -> bytes:
    """For each first or last character of a term, the kind that must not stand next to it."""
    sorts = kinds(ends)
    return np.where((sorts == LETTER) | (sorts == DIGIT), sorts, _FREE).astype(np.uint8).tobytes()
