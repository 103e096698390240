"""The context graph: scores as done by hand, layers from links."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from topicrawl.knowledge.items import unit_rows
from topicrawl.knowledge.layers import belonging, centres, grow_layers

TERM_LAYERS = np.array([[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]], dtype=float)
LABEL_LAYERS = np.array([[1, 0], [1, 1], [0, 1]], dtype=float)


def unit(values: list[list[float]]) -> sparse.csr_matrix:
    return unit_rows(sparse.csr_matrix(np.array(values, dtype=float)))


def scored(labels: list[float]) -> object:
    layers = [np.array([0]), np.array([1]), np.array([2])]
    return belonging(
        centres(sparse.csr_matrix(TERM_LAYERS), layers),
        unit([[1, 2, 0, 0]]),
        centres(sparse.csr_matrix(LABEL_LAYERS), layers),
        unit([labels]),
    )


def test_relevance_of_an_item_to_three_layers() -> None:
    found = scored([0, 1])
    assert found.terms[:, 0] == pytest.approx([0.948683, 0.632456, 0], abs=1e-6)  # type: ignore[attr-defined]
    assert found.labels[:, 0] == pytest.approx([0, 0.707107, 1], abs=1e-6)  # type: ignore[attr-defined]
    assert found.degree[:, 0] == pytest.approx([0.474342, 0.669781, 0.5], abs=1e-6)  # type: ignore[attr-defined]
    assert found.relevance[:, 0] == pytest.approx([0.948683, 0.669781, 0.5], abs=1e-6)  # type: ignore[attr-defined]


def test_an_item_without_labels_is_scored_by_its_terms() -> None:
    relevance = scored([0, 0]).relevance[:, 0]  # type: ignore[attr-defined]
    assert relevance == pytest.approx([0.948683, 0.632456, 0], abs=1e-6)


def test_layers_follow_links_backwards_and_an_item_stays_in_the_lowest() -> None:
    """0 ← 1 ← 2 ← 3, and 2 → 0 as well: 2 is in layer 1 like 1; 3 is in layer 2; 4 links nowhere."""
    relevant = np.array([True, False, False, False, False])
    owners, targets = np.array([1, 2, 3, 2]), np.array([0, 1, 2, 0])
    assert [layer.tolist() for layer in grow_layers(relevant, owners, targets, 3)] == [[0], [1, 2], [3]]


def test_an_empty_layer_has_similarity_0() -> None:
    vectors = unit([[1, 0]])
    middle = centres(vectors, [np.array([0]), np.empty(0, np.int64)])
    found = belonging(middle, vectors, np.zeros((2, 0)), sparse.csr_matrix((1, 0)))
    assert found.relevance[:, 0].tolist() == [1, 0]
