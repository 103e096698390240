"""Texts as numbers of words; the caller assigns the numbers.

Native code (`topicrawl._native.Words`) does the same, several times faster.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import Ids
from topicrawl.topic.words import Places, marks, paired, spans

UNKNOWN = -1
RECENT, RECENT_SHARE = 1024, 16
"""Marks in the small table, at most: so many, or this part of all."""

Marks = npt.NDArray[np.uint64]
Marked = tuple[Marks, Ids]
"""Sorted marks (64-bit hashes of words), and the numbers of their words."""
_SENTINEL: Marked = (np.array([np.iinfo(np.uint64).max], dtype=np.uint64), np.zeros(1, dtype=np.int64))
"""The sentinel at the end, so that every search ends inside the array."""


class Words:
    """Calls `number_all` for the new words of a text, in the order of the text, each once.

    With `pairs`, a single character directly before another one, as in scripts without spaces, is read with it.
    """

    def __init__(
        self,
        number_all: Callable[[list[str]], list[int]],
        fold: Callable[[str], str],
        kind_block: Callable[[int], bytes],
        pairs: bool,
    ) -> None:
        self._number_all, self._fold, self._pairs = number_all, fold, pairs
        self._marks = _Marks()

    def read(self, text: str) -> tuple[Ids, Places]:
        """The numbers of the words of `text`, and where each begins."""
        starts, ends = spans(text)
        if self._pairs and not text.isascii():
            ends = paired(starts, ends)
        return self._numbers(self._fold(text), starts, ends), starts

    def read_urls(
        self, urls: list[str], left_out: tuple[str, ...], spell: Callable[[str], list[str]]
    ) -> tuple[Ids, Ids]:
        """For each word of the URLs the place of its URL, and its number. `spell` gives the words of a URL.

        Native code spells most URLs itself, and leaves out the words `left_out`, as `spell` does.
        """
        by_url = [spell(url) for url in urls]
        places = np.repeat(np.arange(len(urls)), [len(found) for found in by_url])
        found = [word for words in by_url for word in words]
        ends = np.cumsum([len(word) + 1 for word in found], dtype=np.int64) - 1
        starts = np.append(0, ends + 1)[: len(found)]
        return places, self._numbers(" ".join(found), starts, ends)

    def _numbers(self, folded: str, starts: Places, ends: Places) -> Ids:
        """The numbers of the words between `starts` and `ends`."""
        seen, first, place = np.unique(marks(folded, starts, ends), return_index=True, return_inverse=True)
        numbers = self._marks.find(seen)
        new = np.flatnonzero(numbers == UNKNOWN)
        if len(new):
            in_order = new[np.argsort(first[new], kind="stable")]
            numbers[in_order] = self._number_all(
                [folded[starts[at] : ends[at]] for at in first[in_order].tolist()]
            )
            self._marks.add(seen[new], numbers[new])
        return numbers[place]


class _Marks:
    """Numbers of words by their marks. The latest are in a small table, so that insertions do not move all of them."""

    def __init__(self) -> None:
        self._old, self._recent = _SENTINEL, _SENTINEL

    def find(self, marks: Marks) -> Ids:
        """The number of each mark; `UNKNOWN` where it has none yet."""
        found = np.full(len(marks), UNKNOWN, dtype=np.int64)
        for known, numbers in (self._old, self._recent):
            at = np.searchsorted(known, marks)
            np.copyto(found, numbers[at], where=known[at] == marks)
        return found

    def add(self, marks: Marks, numbers: Ids) -> None:
        """Add new marks, sorted, with these numbers."""
        self._recent = _merged(self._recent, (marks, numbers))
        if len(self._recent[0]) > max(RECENT, len(self._old[0]) // RECENT_SHARE):
            marks, numbers = self._recent
            self._old, self._recent = _merged(self._old, (marks[:-1], numbers[:-1])), _SENTINEL


def _merged(one: Marked, other: Marked) -> Marked:
    at = np.searchsorted(one[0], other[0])
    return np.insert(one[0], at, other[0]), np.insert(one[1], at, other[1])
