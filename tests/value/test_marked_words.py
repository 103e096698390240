"""What the words of marked pages add to log odds."""

from __future__ import annotations

import numpy as np
import pytest

from topicrawl.floats import Floats
from topicrawl.value.marked_words import CONSTANT, WORDS, marked_words
from value.sparse import sparse


def added(marked: Floats, relevant: list[float], odds: list[float], pages: Floats) -> Floats:
    """What is added to `pages`, all pages of a crawl."""
    found = marked_words(sparse(marked), np.array(relevant), np.array(odds), pages.mean(axis=0))
    return found.added(sparse(pages).times(found.weights))


def unit(rows: Floats) -> Floats:
    return rows / np.linalg.norm(rows, axis=1)[:, None]


def test_it_is_the_logistic_regression_of_what_was_wrong() -> None:
    """Against Newton's method to its end, in the space of words."""
    rng = np.random.default_rng(1)
    pages = unit(rng.random((40, 6)))
    marked, odds = pages[:12], rng.normal(size=12)
    relevant = (marked[:, 0] > marked[:, 1]).astype(float)
    rows = np.column_stack([np.ones(12) * np.sqrt(CONSTANT), np.sqrt(WORDS) * (marked - pages.mean(axis=0))])
    weights = np.zeros(7)
    for _ in range(50):
        said = 1 / (1 + np.exp(-(rows @ weights + odds)))
        curve = (rows * (said * (1 - said))[:, None]).T @ rows + np.eye(7)
        weights -= np.linalg.solve(curve, rows.T @ (said - relevant) + weights)
    exact = np.sqrt(CONSTANT) * weights[0] + np.sqrt(WORDS) * (pages - pages.mean(axis=0)) @ weights[1:]
    found = added(marked, relevant.tolist(), odds.tolist(), pages)
    assert np.corrcoef(found, exact)[0, 1] > 0.99
    assert found == pytest.approx(exact, abs=0.35)


def test_marks_that_the_judge_expected_change_little_whatever_their_ratio() -> None:
    """Thirty pages not relevant, of which the judge was sure."""
    pages = unit(np.random.default_rng(2).random((60, 8)))
    assert np.abs(added(pages[:30], [0.0] * 30, [-5.0] * 30, pages)).max() < 0.2
    assert added(pages[:30], [0.0] * 30, [2.0] * 30, pages).max() < -1


def test_words_that_all_pages_have_change_nothing() -> None:
    """Two words tell pages apart; a third, much heavier, is on all of them."""
    apart = np.repeat(np.eye(2), 10, axis=0)
    both = [np.column_stack([apart, np.full(20, menu)]) for menu in (0.0, 5.0)]
    few, many = (added(pages[[0, 10, 11]], [1.0, 0.0, 0.0], [0.0] * 3, pages) for pages in both)
    assert few == pytest.approx(many, abs=1e-3)
    assert few[5] > 0.5
    assert few[15] < -0.5
