"""Many short texts, by number, and their numbers by text: the URLs of all known links, the words of pages.

A crawl of an hour knows half a million URLs. As Python strings in a list and a dictionary each would cost some 200
bytes; here they are columns: all texts in one byte array, the end of each text in it, and a hash table
(hash_table.py), at most half full, 8 bytes a slot. Python's `hash` affects only the slot of a text, never its number.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate
from typing import ClassVar, overload

import numpy as np
import numpy.typing as npt

from topicrawl.frontier.columns import Allocator, Columns, in_memory, pieces
from topicrawl.frontier.hash_table import SHIFT, text_of

try:
    from topicrawl._native import insert, insert_all, lookup, texts_of
except ImportError:  # the same in Python, several times slower
    from topicrawl.frontier.hash_table import insert, insert_all, lookup, texts_of

FIRST_SLOTS = 1 << 11


class Texts(Sequence[str]):
    """Texts, numbered in the order they were added."""

    not_stored: ClassVar = ("_allocator",)

    def __init__(self, allocator: Allocator = in_memory) -> None:
        self._allocator = allocator
        self._texts = Columns(allocator, byte=(np.uint8, 0))
        self._ends = Columns(allocator, end=(np.int64, 0))
        self._ends.grow(1)  # 0, where the first text begins

    def __len__(self) -> int:
        return self._ends.size - 1

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> list[str]: ...
    def __getitem__(self, at: int | slice) -> str | list[str]:
        if isinstance(at, slice):
            wanted = range(len(self))[at]
            if wanted.step == 1:
                return texts_of(wanted.start, max(wanted.start, wanted.stop), self._stops, self._bytes)
            return [text_of(number, self._stops, self._bytes) for number in wanted]
        return text_of(range(len(self))[at], self._stops, self._bytes)

    def numbers(self, texts: list[str]) -> list[int | None]:
        """The number of each text, None where it is unknown."""
        if len(texts) == 1 and "_table" not in vars(self):  # making the table takes longer than one search
            return [self._search(texts[0])]
        return lookup(texts, self._slots, self._stops, self._bytes)

    @property
    def table(self) -> tuple[memoryview, memoryview, memoryview]:
        """What `lookup` looks in: slots, ends and bytes of the texts; valid until texts are added."""
        return self._slots, self._stops, self._bytes

    def extend(self, texts: list[str]) -> None:
        """Add texts, all unknown so far and all different."""
        joined = "".join(texts)
        encoded = joined.encode(errors="surrogatepass")
        lengths = list(map(len, texts))
        if len(encoded) > len(joined):  # a character takes several bytes
            lengths = [len(text if text.isascii() else text.encode(errors="surrogatepass")) for text in texts]
        first, table = len(self), self._table  # one that is made later would have these texts already
        begin = self._texts.grow(len(encoded))
        self._texts["byte"][begin:] = np.frombuffer(encoded, np.uint8)
        self._ends.grow(len(texts))
        self._ends["end"][first:] = list(accumulate(lengths, initial=begin))
        self._bytes, self._stops = self._texts["byte"].data, self._ends["end"].data
        while 2 * len(self) > table.size:
            table = self._table = self._doubled()
            self._slots = table["entry"].data
        insert(texts, self._slots, first)

    @property
    def nbytes(self) -> int:
        """Bytes held besides the texts."""
        return self._ends.nbytes + self._table.nbytes

    def _search(self, text: str) -> int | None:
        """The number of a text, by comparing it with all texts of its length."""
        wanted = text.encode(errors="surrogatepass")
        starts, letters = self._ends["end"], self._texts["byte"]
        found = np.flatnonzero(np.diff(starts) == len(wanted))
        for place in reversed(range(len(wanted))):  # URLs differ most at their end
            found = found[letters[starts[found] + place] == wanted[place]]
            if not len(found):
                return None
        return int(found[0]) if len(found) else None

    @cached_property
    def _bytes(self) -> memoryview:
        """The column as a memory view, which reads single numbers faster than NumPy; so `_stops` and `_slots`."""
        return self._texts["byte"].data

    @cached_property
    def _stops(self) -> memoryview:
        return self._ends["end"].data

    @cached_property
    def _slots(self) -> memoryview:
        return self._table["entry"].data

    @cached_property
    def _table(self) -> Columns:
        """The hash table. It is made when it is first used: texts that were stored come without one."""
        slots = FIRST_SLOTS
        while 2 * len(self) > slots:
            slots *= 2
        table = self._empty_table(slots)
        insert_all(table["entry"].data, self._stops, self._bytes)
        return table

    def _empty_table(self, slots: int) -> Columns:
        table = Columns(self._allocator, entry=(np.int64, 0))
        table.grow(slots)
        return table

    def _doubled(self) -> Columns:
        old = self._table["entry"]
        table = self._empty_table(2 * len(old))
        for some in pieces(self._allocator, len(old)):
            part = old[some]
            _insert_entries(part[part != 0], table["entry"])
        return table


def _insert_entries(entries: npt.NDArray[np.int64], table: npt.NDArray[np.int64]) -> None:
    """Insert many entries at once: those whose slot is taken, also by one another, probe the next."""
    mask = len(table) - 1
    slots = entries >> SHIFT & mask
    while len(entries):
        free = table[slots] == 0
        table[slots[free]] = entries[free]
        inserted = table[slots] == entries
        entries, slots = entries[~inserted], (slots[~inserted] + 1) & mask
