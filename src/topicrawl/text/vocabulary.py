"""Words by number, and their document frequencies in the pages of the topic and those visited so far.

Paper: the TF*IDF of SVSM-MCOA §3.1.2, whose form it leaves open.
Differs: idf = ln(1 + D / df), D counting the topic's pages and those retrieved; tf is the count, because the usual
division by the largest count cancels in every similarity. Stop words are left out. Idf is constant between two
refreshes, where a new word counts as on one page.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from topicrawl.floats import log
from topicrawl.frontier import Floats, Ids
from topicrawl.frontier.columns import Allocator, Columns, in_memory
from topicrawl.frontier.texts import Texts
from topicrawl.text.new_words import NO_WORD
from topicrawl.text.url_words import LEFT_OUT, url_words
from topicrawl.topic.letters import fold, kind_block
from topicrawl.topic.words import Places, stop_words

try:
    from topicrawl._native import Words, number_words
except ImportError:  # the same in Python, several times slower
    from topicrawl.text.new_words import number_words
    from topicrawl.text.word_numbers import Words  # type: ignore[assignment]

NO_FORM = -1
"""Stands for the form of a number that is no word's."""
MOST_WORDS = 1 << 21
"""Numbers given, at most: the models that use them take some 150 bytes for each. Words that are new after that count as
no words. 4,500 pages of an encyclopedia need a tenth of it, 100,000 would need half."""


RECENT = 8192
"""New words buffered in a dictionary, then added to the columns together. They are all over the hash table, which may
be in a mapped file, so that adding few touches as much of it."""


class _Numbers:
    """Word -> number; all words with the same base form share its number, given at first use.

    Words are in columns, because a dictionary would take 150 bytes for each. Only the latest are in one.
    """

    not_stored: ClassVar = ("_base",)

    def __init__(self, base: Callable[[str], str], allocator: Allocator) -> None:
        self._base = base
        self._forms = Texts(allocator)
        self._number_of = Columns(allocator, number=(np.int32, NO_WORD))
        self._form_of = Columns(allocator, form=(np.int32, NO_FORM))
        self._form_of.grow(1)  # of no word
        self._recent: dict[str, int] = {}
        self.size = 1
        """Numbers given so far, that of no word included."""

    def all(self, words: list[str]) -> list[int]:
        """The number of each word."""
        numbers, self.size = number_words(
            *(words, self._recent, self.size, MOST_WORDS, self._base, stop_words()),
            *(*self._forms.table, self._number_of["number"].data),
        )
        return numbers

    def words(self, numbers: list[int]) -> list[str]:
        """The words with these numbers."""
        self._flush()
        forms = self._form_of["form"].data
        return [self._forms[forms[number]] if forms[number] != NO_FORM else "" for number in numbers]

    def reserve(self, count: int) -> int:
        """Give the next `count` numbers to no word of a text; returns the first."""
        self._flush()
        first = self._form_of.grow(count)
        self.size += count
        return first

    def flush_if_full(self) -> None:
        """Move the buffered words into the columns, once there are enough of them."""
        if len(self._recent) >= RECENT:
            self._flush()

    def _flush(self) -> None:
        if not self._recent:
            return
        numbers = np.fromiter(self._recent.values(), np.int64, len(self._recent))
        first = self._number_of.grow(len(numbers))
        self._number_of["number"][first:] = numbers
        # the first word with a number is its base form: new numbers are given in the order of these words
        known = self._form_of.size
        before = np.maximum.accumulate(np.append(known - 1, numbers[:-1]))
        self._form_of.grow(self.size - known)
        self._form_of["form"][known:] = first + np.flatnonzero(numbers > before)
        self._forms.extend(list(self._recent))
        self._recent.clear()


class Vocabulary:
    """Words numbered from 1 on; arrays are indexed by number. `base` gives the base form of a word."""

    not_stored: ClassVar = ("_words",)

    def __init__(
        self, base: Callable[[str], str] = str, allocator: Allocator = in_memory, *, pairs: bool = False
    ) -> None:
        """With `pairs`, characters of scripts without spaces are read in pairs."""
        self._numbers = _Numbers(base, allocator)
        self._words = Words(self._numbers.all, fold, kind_block, pairs)
        self._frequency = np.zeros(1024, dtype=np.int32)
        self.pages = 0
        self.idf: Floats = np.ones(2)
        """By number, as of the last refresh; the last, the largest, is for all later words."""

    def __len__(self) -> int:
        """Numbers given so far, that of no word included."""
        return self._numbers.size

    def copy(self) -> Vocabulary:
        """A copy with these numbers, and document frequencies of its own."""
        other = copy(self)
        other._frequency = self._frequency.copy()
        return other

    def numbers(self, words: list[str]) -> Ids:
        """The number of each word, `NO_WORD` where it is none."""
        different = list(dict.fromkeys(words))  # a lookup takes longer than this
        number = dict(zip(different, self._numbers.all(different), strict=True))
        found = np.array([number[word] for word in words], dtype=np.int64)
        self._numbers.flush_if_full()
        return found

    def number(self, word: str) -> int:
        """The number of one word: faster than a list of one."""
        (number,) = self._numbers.all([word])
        self._numbers.flush_if_full()
        return number

    def read(self, text: str) -> tuple[Ids, Places]:
        """The numbers of the words of `text`, and where each begins."""
        numbers, starts = self._words.read(text)
        self._numbers.flush_if_full()
        return np.frombuffer(numbers, dtype=np.int64), np.frombuffer(starts, dtype=np.int64)

    def read_urls(self, urls: list[str]) -> tuple[Ids, Ids]:
        """The words of URLs: for each the place of its URL, and its number."""
        places, numbers = self._words.read_urls(urls, LEFT_OUT, url_words)
        self._numbers.flush_if_full()
        return np.frombuffer(places, dtype=np.int64), np.frombuffer(numbers, dtype=np.int64)

    def reserve(self, count: int) -> int:
        """Give the next `count` numbers to no word, for tokens of another kind; returns the first."""
        return self._numbers.reserve(count)

    def words(self, numbers: Ids) -> list[str]:
        """The words with these numbers, "" for one that is no word's."""
        return self._numbers.words(numbers.tolist())

    def add(self, numbers: npt.NDArray[np.integer[Any]]) -> None:
        """Count a page with these (different) words."""
        self.counts()[numbers] += 1

    def counts(self) -> npt.NDArray[np.int32]:
        """Count a page; the caller adds 1 for each of its words to what this returns: pages by number of word."""
        self.pages += 1
        if len(self) > len(self._frequency):
            self._frequency = np.concatenate((self._frequency, np.zeros(len(self), dtype=np.int32)))
        return self._frequency

    def take(self, numbers: Ids, frequency: npt.NDArray[np.integer[Any]], pages: int) -> None:
        """Have these document frequencies instead: of words by number, 0 for all others."""
        self.pages = pages
        self._frequency = np.zeros(max(len(self), len(self._frequency)), dtype=np.int32)
        self._frequency[numbers] = frequency

    def frequency(self) -> npt.NDArray[np.int32]:
        """Pages that contain each word, by number."""
        found = np.zeros(len(self), dtype=np.int32)
        known = self._frequency[: len(self)]
        found[: len(known)] = known
        return found

    def refresh(self) -> None:
        """Recompute the idf of all words."""
        among = np.maximum(self._frequency[: len(self)], 1)
        by_frequency = log(1 + self.pages / np.arange(1, int(among.max()) + 1))  # most words share one
        self.idf = np.empty(len(among) + 1)
        by_frequency.take(among - 1, out=self.idf[:-1], mode="clip")
        self.idf[-1] = log(1 + self.pages)

    def rarity(self, numbers: npt.NDArray[np.integer[Any]]) -> Floats:
        """idf as of the last refresh; later words have the largest."""
        return self.idf.take(numbers, mode="clip")
