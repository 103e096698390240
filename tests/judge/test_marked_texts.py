"""What marks add to the log odds of pages with similar texts."""

from __future__ import annotations

import numpy as np
import pytest

from text.sparse import sparse
from topicrawl.floats import Floats
from topicrawl.judge.marked_texts import MOST, NEAR, MarkedTexts


def unit(*rows: list[float]) -> Floats:
    found = np.array(rows)
    return found / np.linalg.norm(found, axis=1)[:, None]


def test_the_same_text_counts_most_and_one_without_common_words_nothing() -> None:
    marked = MarkedTexts(sparse(unit([1.0, 1, 0, 0])), [False])
    same, similar, other = marked.log_odds(sparse(unit([1.0, 1, 0, 0], [1, 0, 1, 0], [0, 0, 1, 1])))
    assert same == pytest.approx(-1 / NEAR / (1 + 1 / NEAR / MOST))
    assert similar == pytest.approx(-0.25 / 0.55 / (1 + 0.25 / 0.55 / MOST))
    assert other == 0.0


def test_marks_of_both_kinds_oppose_each_other_and_their_sum_is_bounded() -> None:
    texts = sparse(unit([1.0, 1, 0, 0], [1, 1, 0, 0]))
    assert MarkedTexts(texts, [True, False]).log_odds(texts).tolist() == [0.0, 0.0]
    many = MarkedTexts(sparse(unit(*[[1.0, 1, 0, 0]] * 50)), [True] * 50).log_odds(texts)
    assert (many < MOST).all()
    assert (many > 0.9 * MOST).all()


def test_later_words_are_on_no_marked_page() -> None:
    marked = MarkedTexts(sparse(unit([1.0, 1])), [True])
    assert marked.log_odds(sparse(np.array([[0.0, 0.0, 1.0]]))).tolist() == [0.0]
