"""Sparse rows: the same bits as scipy's, in native code and in Python."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from text.sparse import as_scipy, sparse
from topicrawl.frontier import Floats
from topicrawl.text import sparse_products, sparse_rows
from topicrawl.text.sparse_rows import SparseRows

FUNCTIONS = ("add_back", "add_both", "add_by_row", "add_by_column", "add_pairs", "transpose")
SHAPES = [(0, 5), (1, 1), (7, 40), (40, 7), (150, 300)]
RNG = np.random.default_rng


@pytest.fixture(params=["native", "python"], autouse=True)
def made_by(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both implementations in turn."""
    if request.param == "native":
        pytest.importorskip("topicrawl._native", reason="built without native code")
        return
    for name in FUNCTIONS:
        monkeypatch.setattr(sparse_rows, name, getattr(sparse_products, name))


def rows_of(shape: tuple[int, int], seed: int) -> SparseRows:
    """Rows whose columns are in no order; some are empty."""
    rng = RNG(seed)
    count, width = shape
    columns = [rng.permutation(width)[: rng.integers(0, width + 1)] for _ in range(count)]
    ends = np.cumsum([0, *map(len, columns)])
    joined = np.concatenate([np.zeros(0, np.int64), *columns]).astype(np.int32)
    return SparseRows(rng.random(len(joined)), joined, ends, width)


def same_bits(found: Floats, expected: Floats) -> bool:
    return found.shape == expected.shape and found.tobytes() == np.ascontiguousarray(expected).tobytes()


@pytest.mark.parametrize("shape", SHAPES)
def test_products_have_the_bits_of_scipy(shape: tuple[int, int]) -> None:
    rows, theirs = rows_of(shape, 1), as_scipy(rows_of(shape, 1))
    of_columns, of_rows = RNG(2).random(shape[1]), RNG(3).random(shape[0])
    assert same_bits(rows.times(of_columns), theirs @ of_columns)
    assert same_bits(rows.combined(of_rows), theirs.T @ of_rows)
    assert same_bits(rows.combined_times(of_columns), theirs.T @ (theirs @ of_columns))
    combined = np.ones(shape[1])
    assert same_bits(rows.combined_and_times(of_rows, combined), theirs @ (theirs.T @ of_rows))
    assert same_bits(combined, theirs.T @ of_rows)
    assert same_bits(rows.combined(np.round(of_rows)), theirs.T @ np.round(of_rows))  # some factors are 0
    assert same_bits(rows.sum(), np.asarray(theirs.sum(axis=0)).ravel())
    assert same_bits(rows.squares(), np.asarray(theirs.multiply(theirs).sum(axis=1)).ravel())
    others = rows_of((11, shape[1]), 4)
    assert same_bits(rows.products(others.transposed()), (theirs @ as_scipy(others).T.tocsr()).toarray())


def test_rows_are_taken_joined_and_cut() -> None:
    rows, others = rows_of((7, 40), 1), rows_of((3, 40), 2)
    whole = as_scipy(rows).toarray()
    assert np.array_equal(as_scipy(rows.some(2, 5)).toarray(), whole[2:5])
    assert np.array_equal(as_scipy(rows.some(5, 100)).toarray(), whole[5:])
    assert np.array_equal(as_scipy(rows.transposed()).toarray(), whole.T)
    assert np.array_equal(as_scipy(rows.narrowed(13)).toarray(), whole[:, :13])
    joined = as_scipy(rows.followed_by(others)).toarray()
    assert np.array_equal(joined, np.vstack((whole, as_scipy(others).toarray())))


@pytest.mark.parametrize(
    "broken",
    [
        lambda rows: rows.times(np.ones(2)),
        lambda rows: rows.combined(np.ones(3)),
        lambda rows: SparseRows(rows.values, rows.columns, rows.ends[::-1].copy(), 3).times(np.ones(3)),
        lambda rows: SparseRows(rows.values, -rows.columns - 1, rows.ends, 3).combined(np.ones(2)),
        lambda rows: rows.combined_times(np.ones(2)),
        lambda rows: rows.combined_and_times(np.ones(2), np.ones(2)),
        lambda rows: rows.combined_and_times(np.ones(3), np.ones(3)),
        lambda rows: rows.products(rows),
        lambda rows: SparseRows(rows.values, rows.columns + 3, rows.ends, 3).transposed(),
    ],
)
def test_native_code_refuses_rows_that_do_not_fit(
    broken: Callable[[SparseRows], object], request: pytest.FixtureRequest
) -> None:
    if "python" in request.node.name:
        pytest.skip("numpy checks indices itself")
    with pytest.raises(ValueError, match=r"do not fit|shape|width"):
        broken(sparse(np.array([[1.0, 0.0, 2.0], [0.0, 3.0, 4.0]])))
