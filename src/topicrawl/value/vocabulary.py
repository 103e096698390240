"""Words by number, and how rare each is among the pages of the topic and those retrieved so far.

Paper: the TF*IDF of SVSM-MCOA §3.1, whose form it leaves open.
Differs: idf = ln(1 + D / df), D counting the topic's pages and those retrieved; tf is the count, because the usual
division by the largest count cancels in every similarity. Stop words are left out. Rarity stands still between two
refreshes, in which a new word counts as on one page.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import Floats, Ids
from topicrawl.frontier.columns import Allocator, Columns, in_memory
from topicrawl.frontier.texts import Texts
from topicrawl.topic.letters import fold, kind_block
from topicrawl.topic.words import Places, says_something

try:
    from topicrawl._native import Words
except ImportError:  # the same in Python, several times slower
    from topicrawl.value.word_numbers import Words  # type: ignore[assignment]

NO_WORD = 0
"""The number of everything that is no word: stop words and single letters."""


YOUNG = 512
"""New words that stand apart until they are entered into the columns together, which takes no longer than one alone."""


class _Numbers:
    """Word -> number, given at first sight to the form that stands for it.

    Words lie in columns; a dictionary of strings would take 150 bytes for each. Only the latest stand in one.
    """

    def __init__(self, base: Callable[[str], str], allocator: Allocator) -> None:
        self._base = base
        self._forms = Texts(allocator)
        self._number_of = Columns(allocator, number=(np.int32, NO_WORD))
        self._form_of = Columns(allocator, form=(np.int32, 0))
        self._form_of.grow(1)  # of no word
        self._young: dict[str, int] = {}
        self.size = 1
        """Numbers given so far, that of no word included."""

    def __call__(self, word: str) -> int:
        young = self._young.get(word)
        return self.all([word])[0] if young is None else young

    def all(self, words: list[str]) -> list[int]:
        """The number of each word."""
        numbers = self._number_of["number"].data
        found = self._forms.numbers(words)
        return [
            self._new(word) if form is None else numbers[form]
            for word, form in zip(words, found, strict=True)
        ]

    def words(self, numbers: list[int]) -> list[str]:
        """The words with these numbers."""
        self._enter()
        forms = self._form_of["form"].data
        return [self._forms[forms[number]] if number != NO_WORD else "" for number in numbers]

    def _new(self, word: str) -> int:
        """The number of a word that does not stand in the columns."""
        number = self._young.get(word)
        if number is not None:
            return number
        if not says_something(word):
            number = NO_WORD
        elif (base := self._base(word)) != word:
            number = self(base)
        else:
            number, self.size = self.size, self.size + 1
        self._young[word] = number
        return number

    def settle(self) -> None:
        """Enter the young words into the columns, once there are enough of them."""
        if len(self._young) >= YOUNG:
            self._enter()

    def _enter(self) -> None:
        if not self._young:
            return
        numbers = np.fromiter(self._young.values(), np.int64, len(self._young))
        first = self._number_of.grow(len(numbers))
        self._number_of["number"][first:] = numbers
        # the first form that has a number is the one it was given to
        different, forms = np.unique(numbers, return_index=True)
        known = self._form_of.size
        self._form_of.grow(self.size - known)
        self._form_of["form"][known:] = first + forms[different >= known]
        self._forms.extend(list(self._young))
        self._young.clear()


class Vocabulary:
    """Numbers from 1 on; all arrays are by number. `base` says which word stands for a word; words lie in `room`."""

    def __init__(self, base: Callable[[str], str] = str, allocator: Allocator = in_memory) -> None:
        self._numbers = _Numbers(base, allocator)
        self._words = Words(self._numbers, fold, kind_block)
        self._frequency = np.zeros(1024, dtype=np.int32)
        self.pages = 0
        self._idf: Floats = np.ones(1)
        self._rarest = 1.0

    def __len__(self) -> int:
        """Numbers given so far, that of no word included."""
        return self._numbers.size

    def numbers(self, words: list[str]) -> Ids:
        """The number of each word, `NO_WORD` where it is none."""
        found = np.array(self._numbers.all(words), dtype=np.int64)
        self._numbers.settle()
        return found

    def read(self, text: str) -> tuple[Ids, Places]:
        """The numbers of the words of `text`, and where each begins."""
        numbers, starts = self._words.read(text)
        self._numbers.settle()
        return np.frombuffer(numbers, dtype=np.int64), np.frombuffer(starts, dtype=np.int64)

    def words(self, numbers: Ids) -> list[str]:
        """The words with these numbers."""
        return self._numbers.words(numbers.tolist())

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

    def rarity(self, numbers: npt.NDArray[np.integer[Any]]) -> Floats:
        """idf as of the last refresh; words that came later are as rare as can be."""
        known = np.minimum(numbers, len(self._idf) - 1)
        return np.where(numbers < len(self._idf), self._idf[known], self._rarest)
