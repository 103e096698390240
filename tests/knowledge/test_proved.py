"""Labels that count in scores: those whose items proved similar."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from topicrawl.knowledge.classify import proved

LABELS = sparse.csr_matrix([[1, 1, 0], [1, 0, 0], [1, 1, 0], [0, 1, 1]])
SIMILAR = np.array([True, True, False, False])


@pytest.mark.parametrize(
    ("share", "expected"),
    [
        (0.0, [True, True, True]),
        (0.2, [True, True, False]),  # 2 of 3, 1 of 3, 0 of 1, with one more item each
        (0.5, [True, False, False]),
        (0.6, [False, False, False]),
    ],
)
def test_a_label_is_proved_by_the_share_of_its_items_that_are_similar(
    share: float, expected: list[bool]
) -> None:
    assert proved(LABELS, SIMILAR, share).tolist() == expected


def test_without_labels_or_items_nothing_is_proved() -> None:
    assert proved(sparse.csr_matrix((4, 0)), SIMILAR, 0.5).tolist() == []
    assert proved(sparse.csr_matrix((0, 2)), np.zeros(0, dtype=bool), 0.5).tolist() == [False, False]
