"""Sparse rows of documents without the columns that none of them has.

A crawl knows far more columns than its latest pages have. Without the others a sum over columns stays in the
processor's cache. The columns are numbered in the order of first use, so that frequent ones are near each other. Memory
is used again at the next fit: to get as much from the system each time takes longer than what is computed in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import Floats, Ids
from topicrawl.judge.page_documents import Document, Weights
from topicrawl.model import Ints
from topicrawl.text.sparse_rows import SparseRows

try:
    from topicrawl._native import weigh_compact
except ImportError:  # the same in Python, several times slower
    from topicrawl.judge.page_vectors import weigh_compact

LARGEST = np.iinfo(np.int32).max
SPARE = 4
"""A part of an array, one by this, that is added to it, so that it need not be made anew each time."""


class CompactRows:
    """Numbers columns. What it returns is valid until it is asked again."""

    def __init__(self) -> None:
        self._held: dict[str, npt.NDArray[Any]] = {}
        self._numbers = np.zeros(0, np.int32)
        """By column: its number plus the first of `_known`, less if it has none."""
        self._known: Ids = np.array([1, 0])
        """The number that is added to all, and how many columns are numbered."""

    def array(self, name: str, kind: npt.DTypeLike, size: int) -> npt.NDArray[Any]:
        """An array of this size whose contents are anything; the next one of the name takes its place."""
        held = self._held.get(name)
        if held is None or len(held) < size:
            held = self._held[name] = np.empty(size + size // SPARE, kind)
        return held[:size]

    def rows(
        self, parts: Sequence[tuple[Document, Ids, Weights]], fields: Floats, width: int
    ) -> tuple[list[SparseRows], Ints]:
        """Concatenated documents with their ends as rows, weighed as by `weigh_fields`; and the columns by number.

        All columns are below `width`.
        """
        cells = sum(len(joined.columns) for joined, _, _ in parts)
        room = min(cells, width)
        self._forget(width, room)
        used, values = self.array("used", np.int32, room), self.array("values", np.float64, cells)
        compact = self.array("columns", np.int32, cells)
        filled, found = 0, []
        for joined, ends, weights in parts:
            some = slice(filled, filled + len(joined.columns))
            mine = values[some], compact[some]
            weigh_compact(*joined, ends, *weights, fields, mine[0], self._numbers, self._known, mine[1], used)
            found.append((*mine, ends))
            filled = some.stop
        count = int(self._known[1])
        return [SparseRows(*each, count) for each in found], used[:count]

    def _forget(self, width: int, room: int) -> None:
        """Have no column be numbered."""
        first = int(self._known.sum())
        if len(self._numbers) < width or first > LARGEST - room:
            self._numbers, first = np.zeros(width + width // SPARE, np.int32), 1
        self._known[:] = first, 0
