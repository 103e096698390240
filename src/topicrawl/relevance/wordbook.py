"""Words by number, and how rare each is among the pages of the topic and those retrieved so far.

Paper: the TF*IDF of SVSM-MCOA §3.1, whose form it leaves open.
Differs: idf = ln(1 + D / df), D counting the topic's pages and those retrieved; tf is the count, because the usual
division by the largest count cancels in every similarity. Stop words are left out. Rarity stands still between two
refreshes, in which a new word counts as on one page.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import Floats, Ids
from topicrawl.topic.letters import fold
from topicrawl.topic.words import Places, marks, says_something, spans

NO_WORD = 0
"""The number of everything that is no word: stop words and single letters."""
UNKNOWN = -1
YOUNG, YOUNG_SHARE = 1024, 16
"""Marks that may stand apart: so many, or this part of all."""

Marks = npt.NDArray[np.uint64]
Marked = tuple[Marks, Ids]
"""Marks in order, and the numbers of their words."""
_NOBODY: Marked = (np.array([np.iinfo(np.uint64).max], dtype=np.uint64), np.zeros(1, dtype=np.int64))
"""What stands last, so that every mark has a place."""


class _Numbers(dict[str, int]):
    """Word -> number, given at first sight to the form that stands for it."""

    def __init__(self, base: Callable[[str], str]) -> None:
        self.words = [""]
        self._base = base

    def __missing__(self, word: str) -> int:
        if not says_something(word):
            self[word] = NO_WORD
            return NO_WORD
        if (base := self._base(word)) != word:
            number = self[word] = self[base]
            return number
        number = self[word] = len(self.words)
        self.words.append(word)
        return number


class _Marks:
    """Numbers of words by their marks. The latest stand apart, so that a few more do not move all of them."""

    def __init__(self) -> None:
        self._old, self._young = _NOBODY, _NOBODY

    def find(self, marks: Marks) -> Ids:
        """The number of each mark; `UNKNOWN` where it has none yet."""
        found = np.full(len(marks), UNKNOWN, dtype=np.int64)
        for known, numbers in (self._old, self._young):
            at = np.searchsorted(known, marks)
            np.copyto(found, numbers[at], where=known[at] == marks)
        return found

    def add(self, marks: Marks, numbers: Ids) -> None:
        """Give new marks, in their order, these numbers."""
        self._young = _merged(self._young, (marks, numbers))
        if len(self._young[0]) > max(YOUNG, len(self._old[0]) // YOUNG_SHARE):
            marks, numbers = self._young
            self._old, self._young = _merged(self._old, (marks[:-1], numbers[:-1])), _NOBODY


def _merged(one: Marked, other: Marked) -> Marked:
    at = np.searchsorted(one[0], other[0])
    return np.insert(one[0], at, other[0]), np.insert(one[1], at, other[1])


class Wordbook:
    """Numbers from 1 on; all arrays are by number. `base` says which word stands for a word."""

    def __init__(self, base: Callable[[str], str] = str) -> None:
        self._numbers = _Numbers(base)
        self._marks = _Marks()
        self._frequency = np.zeros(1024, dtype=np.int32)
        self.pages = 0
        self._idf: Floats = np.ones(1)
        self._rarest = 1.0

    def __len__(self) -> int:
        """Numbers given so far, that of no word included."""
        return len(self._numbers.words)

    def numbers(self, words: Sequence[str]) -> Ids:
        """The number of each word, `NO_WORD` where it is none."""
        return np.fromiter(map(self._numbers.__getitem__, words), np.int64, len(words))

    def read(self, text: str) -> tuple[Ids, Places]:
        """The numbers of the words of `text`, and where each begins; for long texts."""
        starts, ends = spans(text)
        folded = fold(text)
        seen, first, place = np.unique(marks(folded, starts, ends), return_index=True, return_inverse=True)
        numbers = self._marks.find(seen)
        new = np.flatnonzero(numbers == UNKNOWN)
        if len(new):
            in_text = np.argsort(first[new])  # the order in which numbers are given
            spelled = [folded[starts[word] : ends[word]] for word in first[new][in_text].tolist()]
            numbers[new[in_text]] = self.numbers(spelled)
            self._marks.add(seen[new], numbers[new])
        return numbers[place], starts

    def words(self, numbers: Ids) -> list[str]:
        """The words with these numbers."""
        known = self._numbers.words
        return [known[number] for number in numbers.tolist()]

    def add(self, numbers: Ids) -> None:
        """Another page, with these (different) words."""
        self.pages += 1
        if len(self) > len(self._frequency):
            self._frequency = np.concatenate((self._frequency, np.zeros(len(self), dtype=np.int32)))
        self._frequency[numbers] += 1

    def refresh(self) -> None:
        """Take the rarity of all words anew."""
        among = np.maximum(self._frequency[: len(self)], 1)
        self._idf, self._rarest = np.log(1 + self.pages / among), float(np.log(1 + self.pages))

    def rarity(self, numbers: Ids) -> Floats:
        """idf as of the last refresh; words that came later are as rare as can be."""
        known = np.minimum(numbers, len(self._idf) - 1)
        return np.where(numbers < len(self._idf), self._idf[known], self._rarest)
