"""Products of sparse rows (sparse_rows.py) in Python. Native code has the same functions, with equal results.

Row i has values[j] at columns[j] for j from ends[i] to ends[i + 1]. The products are added in the order of j; `sums`
are 0 before.
"""

from __future__ import annotations

import numpy as np

from topicrawl.floats import Floats
from topicrawl.frontier import Ids
from topicrawl.model import Ints


def add_by_row(values: Floats, columns: Ints, ends: Ids, factors: Floats, sums: Floats) -> None:
    """sums[row] += Σ value · factors[column]."""
    sums += np.bincount(_rows(ends), values * factors[columns], len(sums))


def add_by_column(values: Floats, columns: Ints, ends: Ids, factors: Floats, sums: Floats) -> None:
    """sums[column] += Σ value · factors[row]."""
    sums += np.bincount(columns, values * factors[_rows(ends)], len(sums))


def add_both(values: Floats, columns: Ints, ends: Ids, factors: Floats, sums: Floats) -> None:
    """sums[column] += Σ value · product, where the product of a row is Σ value · factors[column]."""
    products = np.zeros(len(ends) - 1)
    add_by_row(values, columns, ends, factors, products)
    add_by_column(values, columns, ends, products, sums)


def add_back(
    values: Floats, columns: Ints, ends: Ids, factors: Floats, combined: Floats, sums: Floats
) -> None:
    """`add_by_column` to `combined`, then `add_by_row` with it as factors."""
    add_by_column(values, columns, ends, factors, combined)
    add_by_row(values, columns, ends, combined, sums)


def add_pairs(
    values: Floats,
    columns: Ints,
    ends: Ids,
    other_values: Floats,
    other_columns: Ints,
    other_ends: Ids,
    sums: Floats,
) -> None:
    """sums[i, k] += Σ value of row i · value of column k in the other row that has the number of the value's column."""
    for row in range(len(sums)):
        some = slice(ends[row], ends[row + 1])
        starts = other_ends[columns[some]]
        counts = other_ends[columns[some] + 1] - starts
        places = np.repeat(starts - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())
        sums[row] += np.bincount(
            other_columns[places], np.repeat(values[some], counts) * other_values[places], sums.shape[1]
        )


def transpose(
    values: Floats, columns: Ints, ends: Ids, by_column: Floats, rows: Ints, column_ends: Ids
) -> None:
    """Set the values in order of their columns, those of a column in order of rows; their rows; the columns' ends."""
    order = np.argsort(columns, kind="stable")
    by_column[:], rows[:] = values[order], _rows(ends)[order]
    column_ends[0] = 0
    column_ends[1:] = np.cumsum(np.bincount(columns, minlength=len(column_ends) - 1))


def _rows(ends: Ids) -> Ids:
    """The row of each value."""
    return np.repeat(np.arange(len(ends) - 1), np.diff(ends))
