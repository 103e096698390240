"""Sparse rows made from dense ones, and the way back."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from topicrawl.frontier import Floats
from topicrawl.text.sparse_rows import SparseRows


def sparse(dense: Floats) -> SparseRows:
    rows = csr_array(dense)
    return SparseRows(rows.data, rows.indices, rows.indptr.astype(np.int64), rows.shape[1])


def as_scipy(rows: SparseRows) -> csr_array:
    return csr_array((rows.values, rows.columns, rows.ends), shape=(len(rows), rows.width))


def dense(rows: SparseRows) -> Floats:
    return as_scipy(rows).toarray()
