"""All words of WordNet in one byte string, found by bisection: a dictionary would take ten times the memory.

After a thousand lookups the dictionary is made all the same: it is thirty times as fast.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property

import numpy as np

_BEGIN_OF_PHRASE = re.compile(rb"^([^ \n]*) ", re.MULTILINE)
MANY_LOOKUPS = 1_000
"""Lookups after which the dictionary is made: about 15 MB."""


class Vocabulary:
    """Words numbered in the order of their bytes; `text` has them in this order, separated by newlines."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._lookups = 0
        ends = np.flatnonzero(np.frombuffer(text, np.uint8) == ord("\n"))
        bounds = np.concatenate(([-1], ends, [len(text)])).astype(np.int32)
        self._bounds = memoryview(bounds)  # type: ignore[arg-type]  # an item costs a third of numpy's

    def __len__(self) -> int:
        return len(self._bounds) - 1

    def prepare(self) -> None:
        """Make the dictionary, for processes that are forked afterwards."""
        self._lookups = MANY_LOOKUPS + 1
        assert self._numbers

    def number(self, word: str) -> int | None:
        """The number of a word spelled exactly like this."""
        wanted = word.encode("utf-8", "surrogatepass")
        if self._lookups > MANY_LOOKUPS:
            return self._numbers.get(wanted)
        self._lookups += 1
        number = bisect_left(range(len(self)), wanted, key=self._bytes)
        return number if number < len(self) and self._bytes(number) == wanted else None

    @property
    def table(self) -> tuple[bytes, memoryview[int]]:
        """The text, and in it the place before each word, then its end."""
        return self._text, self._bounds

    @property
    def has_many_lookups(self) -> bool:
        """Whether there were so many lookups that it was worth making the dictionary."""
        return self._lookups > MANY_LOOKUPS

    def word(self, number: int) -> str:
        """The word with this number."""
        return self._bytes(number).decode()

    @cached_property
    def _numbers(self) -> dict[bytes, int]:
        return dict(zip(self._text.split(b"\n"), range(len(self)), strict=True))

    def phrase_begins(self) -> set[str]:
        """The words with which words of several words begin."""
        return {word.decode() for word in set(_BEGIN_OF_PHRASE.findall(self._text))}

    def _bytes(self, number: int) -> bytes:
        return self._text[self._bounds[number] + 1 : self._bounds[number + 1]]
