"""The mean relevance of the most similar pages, compared with plain loops over dense rows."""

from __future__ import annotations

import numpy as np
import pytest

from text.sparse import sparse
from topicrawl.judge.calibration import AT_ONCE, DOUBT, SIMILAR, Nearest

PAGES = AT_ONCE + 9


@pytest.fixture(scope="module")
def dense() -> np.ndarray:
    rng = np.random.default_rng(1)
    rows = rng.random((PAGES + 5, 40)) * (rng.random((PAGES + 5, 40)) < 0.3)
    return rows / np.maximum(np.linalg.norm(rows, axis=1), 1e-12)[:, None]


def expected(row: np.ndarray, known: np.ndarray, beyond: np.ndarray) -> tuple[float, float]:
    similar = known @ row
    best = np.argsort(-similar)[:SIMILAR]
    return float(similar[best] @ beyond[best]), float(similar[best].sum())


def test_the_most_similar_pages_count_by_similarity_and_a_page_does_not_count_for_itself(
    dense: np.ndarray,
) -> None:
    known, others = dense[:PAGES], dense[PAGES:]
    relevance = np.random.default_rng(2).random(PAGES)
    nearest = Nearest(sparse(known), relevance, 0.4)
    own = [expected(known[n], np.delete(known, n, 0), np.delete(relevance - 0.4, n, 0)) for n in range(PAGES)]
    doubt = DOUBT * np.mean([similar for _, similar in own])
    assert nearest.own == pytest.approx([total / (similar + doubt) for total, similar in own])
    found = [expected(row, known, relevance - 0.4) for row in others]
    assert nearest.beyond(sparse(others)) == pytest.approx([t / (s + doubt) for t, s in found])


def test_a_page_like_no_other_is_of_mean_relevance() -> None:
    nearest = Nearest(sparse(np.eye(3)), np.array([1.0, 0.0, 1.0]), 0.5)
    assert nearest.own.tolist() == [0.0, 0.0, 0.0]
    assert nearest.beyond(sparse(np.zeros((1, 3)))).tolist() == [0.0]


def test_without_known_pages_nothing_is_known() -> None:
    nearest = Nearest(sparse(np.zeros((0, 3))), np.zeros(0), 0.0)
    assert nearest.own.tolist() == []
    assert nearest.beyond(sparse(np.eye(3))).tolist() == [0.0, 0.0, 0.0]


def test_words_that_no_known_page_has_do_not_count() -> None:
    nearest = Nearest(sparse(np.array([[1.0, 0.0], [1.0, 0.0]])), np.array([1.0, 0.0]), 0.0)
    wide = sparse(np.array([[0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 1.0, 0.0]]))
    assert nearest.beyond(wide).tolist() == [0.0, pytest.approx(1 / (2 + DOUBT))]
