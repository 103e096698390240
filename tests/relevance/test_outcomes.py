"""What came of links that have something in common."""

from __future__ import annotations

import numpy as np
import pytest

from topicrawl.relevance.outcomes import averages, surpluses


def test_few_links_say_less_than_many() -> None:
    keys, relevances = np.array([0, 1, 1, 1, 1]), np.array([0.9, 0.9, 0.9, 0.9, 0.9])
    few, many, none = surpluses(keys, relevances, 3, mean=0.5, strength=2)
    assert few == pytest.approx(0.4 / 3)
    assert many == pytest.approx(1.6 / 6)
    assert none == 0


def test_a_link_on_no_page_has_no_average() -> None:
    assert averages(np.array([0, 0, 2]), np.array([1.0, 3.0, 5.0]), 3).tolist() == [2.0, 0.0, 5.0]
