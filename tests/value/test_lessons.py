"""What is learned of a page."""

from __future__ import annotations

import numpy as np
import pytest

from topicrawl.value.lessons import expectation, lessons


def lesson(strength: float, token: float = 0.0, group: float = 0.0) -> float:
    return float(lessons(np.array([strength]), np.array([expectation(token, group)]))[0])


def test_where_nothing_was_expected_the_judge_decides() -> None:
    assert [lesson(strength) for strength in (0.1, 0.5, 0.9)] == pytest.approx([0.1, 0.5, 0.9])


def test_links_decide_where_the_judge_is_in_doubt() -> None:
    assert lesson(0.4, token=0.2, group=0.1) > 0.7
    assert lesson(0.6, token=-0.2, group=-0.1) < 0.4


def test_a_judge_that_is_sure_is_believed() -> None:
    assert lesson(0.01, token=0.2, group=0.1) < 0.1
    assert lesson(0.99, token=-0.2, group=-0.1) > 0.9


def test_lessons_stay_between_0_and_1() -> None:
    assert 0 <= lesson(0.0, -1, -1) < lesson(1.0, 1, 1) <= 1
