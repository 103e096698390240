"""Finds spellings in texts by Aho–Corasick, where there is no native code.

Defines the results of native/terms.c; matcher.py says which matches count.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt
from ahocorasick_rs import AhoCorasick

from topicrawl.model import GROUPS, ints
from topicrawl.topic.letters import OTHER, kinds, tokens

_NOTHING = bytes((OTHER,))
"""The kind before the first and after the last character of a text."""


class Terms:
    """Folded `spellings` and the term of each; `heads` and `tails` are kinds that must not precede and follow it."""

    def __init__(
        self,
        spellings: list[str],
        terms: list[int],
        heads: bytes,
        tails: bytes,
        fold: Callable[[str], str],
        kind_block: Callable[[int], bytes],
    ) -> None:
        self._automaton = AhoCorasick(spellings, store_patterns=False)
        self._terms, self._heads, self._tails = terms, heads, tails
        self._fold = fold

    def find(self, text: str) -> list[tuple[int, int]]:
        """(start, term) of every match that counts, from left to right."""
        return self._matches(text, kinds(text))

    def count(
        self, text: str, segment_starts: bytes, segment_groups: bytes, anchors: list[str]
    ) -> tuple[bytes, bytes, bytes, bytes, bytes, int]:
        """The fields of `TermCounts`."""
        sorts = kinds(text)
        found = _by_group(self._matches(text, sorts), segment_starts, segment_groups)
        return (*found, *self._in_anchors(anchors), tokens(sorts))

    def _in_anchors(self, anchors: Sequence[str]) -> tuple[bytes, bytes, bytes]:
        """Counts in each anchor separately: no match spans two anchors."""
        cells = Counter((row, term) for row, anchor in enumerate(anchors) for _, term in self.find(anchor))
        places = sorted(cells)
        return (
            _packed(row for row, _ in places),
            _packed(term for _, term in places),
            _packed(cells[place] for place in places),
        )

    def _matches(self, text: str, sorts: npt.NDArray[np.uint8]) -> list[tuple[int, int]]:
        candidates = self._automaton.find_matches_as_indexes(self._fold(text), overlapping=True)
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


def _by_group(
    found: list[tuple[int, int]], segment_starts: bytes, segment_groups: bytes
) -> tuple[bytes, bytes]:
    """The terms present, in order, and their counts in each tag group."""
    starts, groups = ints(segment_starts).tolist(), ints(segment_groups).tolist()
    counts: dict[int, list[int]] = {}
    for at, term in found:
        if term not in counts:
            counts[term] = [0] * GROUPS
        counts[term][groups[bisect_right(starts, at) - 1]] += 1
    terms = sorted(counts)
    return _packed(terms), _packed(chain.from_iterable(counts[term] for term in terms))


def _packed(numbers: Iterable[int]) -> bytes:
    """As `pack_ints`, for few numbers and without the overhead of NumPy."""
    numbers = tuple(numbers)
    return struct.pack(f"<{len(numbers)}i", *numbers)
