"""Words by number, and how rare each is among the pages of the topic and those retrieved so far.

Paper: the TF*IDF of SVSM-MCOA §3.1, whose form it leaves open.
Differs: idf = ln(1 + D / df), D counting the topic's pages and those retrieved; tf is the count, because the usual
division by the largest count cancels in every similarity. Stop words are left out. Rarity stands still between two
refreshes, in which a new word counts as on one page.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from topicrawl.frontier import Floats, Ids
from topicrawl.topic.letters import fold, kind_block
from topicrawl.topic.words import Places, says_something

try:
    from topicrawl._native import Words
except ImportError:  # the same in Python, several times slower
    from topicrawl.relevance.words_read import Words  # type: ignore[assignment]

NO_WORD = 0
"""The number of everything that is no word: stop words and single letters."""


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


class Wordbook:
    """Numbers from 1 on; all arrays are by number. `base` says which word stands for a word."""

    def __init__(self, base: Callable[[str], str] = str) -> None:
        self._numbers = _Numbers(base)
        self._words = Words(self._numbers.__getitem__, fold, kind_block)
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
        """The numbers of the words of `text`, and where each begins."""
        numbers, starts = self._words.read(text)
        return np.frombuffer(numbers, dtype=np.int64), np.frombuffer(starts, dtype=np.int64)

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
