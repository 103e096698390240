"""Mean relevance of pages or links by a common key."""

from __future__ import annotations

import numpy as np
import pytest

from topicrawl.value.yields import surpluses


def test_surpluses_of_few_links_shrink_more_than_those_of_many() -> None:
    keys, relevances = np.array([0, 1, 1, 1, 1]), np.array([0.9, 0.9, 0.9, 0.9, 0.9])
    few, many, none = surpluses(keys, relevances, 3, mean=0.5, strength=2)
    assert few == pytest.approx(0.4 / 3)
    assert many == pytest.approx(1.6 / 6)
    assert none == 0
