"""Pages as sparse vectors: what native code does with their tokens, in Python.

The column of a token in a field is token × 4 + field.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import Floats, Ids
from topicrawl.model import Ints
from topicrawl.text.new_words import NO_WORD

FIELDS = 4
"""Fields of a page: all of it, its beginning, title, URL."""


def count_fields(beginning: int, text: Ids, title: Ids, url: Ids) -> tuple[bytearray, bytearray]:
    """How often each token occurs in each field: columns, ascending within a field, and counts, of 32 bits.

    The first `beginning` tokens of the text that are words are its beginning.
    """
    body, title, url = (tokens[tokens != NO_WORD] for tokens in (text, title, url))
    columns, counts = [], []
    for field, found in enumerate((body, body[:beginning], title, url)):
        different, times = np.unique(found, return_counts=True)
        columns.append(different * FIELDS + field)
        counts.append(times)
    packed = [bytearray(np.concatenate(each).astype(np.int32).tobytes()) for each in (columns, counts)]
    return packed[0], packed[1]


def count_tokens(columns: Ints, frequency: Ints) -> None:
    """Add 1 to the frequency of each token of the whole text of a document."""
    frequency[columns[columns % FIELDS == 0] // FIELDS] += 1


def weigh_fields(
    columns: Ints,
    counts: Ints,
    ends: Ids,
    amounts: Floats,
    idf: Floats,
    fields: Floats,
    values: npt.NDArray[np.float64],
) -> None:
    """Set `values`, the weight of each token of documents that end at `ends`: amounts[count] · idf[token].

    Those of a field have the length 1, times the weight of the field. The last idf is for all later tokens.
    """
    scales = np.zeros((len(ends) - 1, FIELDS))
    _scale(columns, counts, ends, amounts, idf, fields, scales, values)


def weigh_compact(
    columns: Ints,
    counts: Ints,
    ends: Ids,
    amounts: Floats,
    idf: Floats,
    fields: Floats,
    values: npt.NDArray[np.float64],
    numbers: Ints,
    known: Ids,
    renumbered: Ints,
    used: Ints,
) -> None:
    """`weigh_fields`, and set `renumbered`: a number for the column of each token, in order of first use.

    `numbers` has that of each column plus known[0], and anything else for a column without one. `used` has the columns
    by number; there are known[1].
    """
    weigh_fields(columns, counts, ends, amounts, idf, fields, values)
    base, count = known.tolist()
    is_new = (numbers[columns] < base) | (numbers[columns] >= base + count)
    different, first = np.unique(columns[is_new], return_index=True)
    fresh = different[np.argsort(first, kind="stable")]
    known[1] += len(fresh)
    used[count : known[1]] = fresh
    numbers[fresh] = np.arange(base + count, base + known[1])
    renumbered[:] = numbers[columns] - base


def place_fields(
    columns: Ints,
    counts: Ints,
    ends: Ids,
    amounts: Floats,
    idf: Floats,
    fields: Floats,
    direction: Floats,
    scales: Floats,
    sums: Floats,
) -> None:
    """Set `sums`: the projection of each document, weighed as by `weigh_fields`, on a direction.

    And `scales`: what the weights of each field of a document are multiplied by, so that they have its length.
    """
    values = np.zeros(len(columns))
    _scale(columns, counts, ends, amounts, idf, fields, scales, values)
    project(columns, values, ends, direction, sums)


def _scale(
    columns: Ints,
    counts: Ints,
    ends: Ids,
    amounts: Floats,
    idf: Floats,
    fields: Floats,
    scales: Floats,
    values: Floats,
) -> None:
    """Set the scales of documents, and the weights of their tokens."""
    values[:] = amounts[counts] * idf.take(columns // FIELDS, mode="clip")
    cell = np.repeat(np.arange(len(scales)) * FIELDS, np.diff(ends)) + columns % FIELDS
    lengths = np.sqrt(np.bincount(cell, values * values, scales.size))
    scales[:] = fields / np.maximum(lengths.reshape(-1, FIELDS), 1e-12)
    values *= scales.ravel()[cell]


def project(columns: Ints, values: Floats, ends: Ids, direction: Floats, sums: Floats) -> None:
    """Set `sums`: Σ value · direction[column] over each document; columns beyond the direction are left out."""
    known = columns < len(direction)
    rows = np.repeat(np.arange(len(sums)), np.diff(ends))
    sums[:] = np.bincount(rows[known], values[known] * direction[columns[known]], len(sums))


def add_by_token(columns: Ints, ends: Ids, factors: Floats, sums: Floats, counts: Floats) -> None:
    """For each token of the whole text of a document: add the document's factor to its sum, and 1 to its count."""
    whole = columns % FIELDS == 0
    tokens = columns[whole] // FIELDS
    np.add.at(sums, tokens, np.repeat(factors, np.diff(ends))[whole])
    np.add.at(counts, tokens, 1.0)
