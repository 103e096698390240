"""A matrix of sparse rows, added up in an order that is the same everywhere.

The few operations that judges and regressions need: scipy has more, but importing it takes longer than all else that a
crawl imports.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from topicrawl.floats import Floats
from topicrawl.frontier import Ids
from topicrawl.model import Ints

try:
    from topicrawl._native import add_back, add_both, add_by_column, add_by_row, add_pairs, transpose
except ImportError:  # the same in Python, several times slower
    from topicrawl.text.sparse_products import (
        add_back,
        add_both,
        add_by_column,
        add_by_row,
        add_pairs,
        transpose,
    )


@dataclass(frozen=True, slots=True)
class SparseRows:
    """Row i has values[j] at columns[j] for j from ends[i] to ends[i + 1]; all columns are below `width`."""

    values: Floats
    columns: Ints
    """32 bits each; a column occurs once in a row, in any order."""
    ends: Ids
    width: int

    def __len__(self) -> int:
        return len(self.ends) - 1

    def times(self, vector: Floats) -> Floats:
        """For each row: its dot product with a vector."""
        sums = np.zeros(len(self))
        add_by_row(self.values, self.columns, self.ends, vector, sums)
        return sums

    def combined(self, factors: Floats) -> Floats:
        """The sum of the rows, each times its factor."""
        sums = np.zeros(self.width)
        add_by_column(self.values, self.columns, self.ends, factors, sums)
        return sums

    def combined_times(self, vector: Floats) -> Floats:
        """`combined` of the rows' dot products with a vector: the rows are read once."""
        sums = np.zeros(self.width)
        add_both(self.values, self.columns, self.ends, vector, sums)
        return sums

    def combined_and_times(self, factors: Floats, combined: Floats) -> Floats:
        """Set `combined`, whose length is the width, and return the rows' dot products with it."""
        combined.fill(0.0)
        sums = np.zeros(len(self))
        add_back(self.values, self.columns, self.ends, factors, combined, sums)
        return sums

    def sum(self) -> Floats:
        """The sum of the rows."""
        return self.combined(np.ones(len(self)))

    def squares(self) -> Floats:
        """For each row: the sum of its squares, from its end to its begin as numpy adds (in pairs)."""
        sums = np.zeros(len(self))
        filled = np.flatnonzero(np.diff(self.ends))[::-1]
        if len(filled):
            sums[filled] = np.add.reduceat(
                np.square(self.values[::-1]), self.ends[-1] - self.ends[filled + 1]
            )
        return sums

    def some(self, first: int, end: int) -> SparseRows:
        """The rows from `first` to `end`, which may lie beyond the last; not copied."""
        ends = self.ends[first : end + 1]
        cells = slice(ends[0], ends[-1])
        return SparseRows(self.values[cells], self.columns[cells], ends - ends[0], self.width)

    def followed_by(self, others: SparseRows) -> SparseRows:
        """These rows, then others of the same width."""
        return SparseRows(
            np.concatenate((self.values, others.values)),
            np.concatenate((self.columns, others.columns)),
            np.concatenate((self.ends, others.ends[1:] + self.ends[-1])),
            self.width,
        )

    def narrowed(self, width: int) -> SparseRows:
        """The same rows without columns from `width` on."""
        kept = self.columns < width
        ends = np.append(0, np.cumsum(kept))[self.ends]
        return SparseRows(self.values[kept], self.columns[kept], ends, width)

    def compact(self) -> tuple[SparseRows, Ids]:
        """The same rows with only the columns that occur, renumbered in their order; and the number each had."""
        occurs = np.zeros(self.width, np.bool_)
        occurs[self.columns] = True
        used = np.flatnonzero(occurs)
        number = np.zeros(self.width, np.int32)
        number[used] = np.arange(len(used))
        return SparseRows(self.values, number[self.columns], self.ends, len(used)), used

    def transposed(self) -> SparseRows:
        """The columns as rows."""
        values, rows = np.empty_like(self.values), np.empty(len(self.values), np.int32)
        ends = np.empty(self.width + 1, np.int64)
        transpose(self.values, self.columns, self.ends, values, rows, ends)
        return SparseRows(values, rows, ends, len(self))

    def products(self, columns: SparseRows) -> Floats:
        """The dot product of each row with each of other rows, which are given `transposed`; as a dense matrix."""
        sums = np.zeros((len(self), columns.width))
        add_pairs(
            *(self.values, self.columns, self.ends), *(columns.values, columns.columns, columns.ends), sums
        )
        return sums
