"""What follows where nearly all pages of a crawl contain the terms of its topic."""

from __future__ import annotations

import numpy as np
import pytest

from topicrawl.judge.calibration import FEWEST, shared_terms

RNG = np.random.default_rng(4)
HALF = np.full(100, 0.5)


def test_pages_with_the_terms_that_all_others_have_too_are_raised() -> None:
    terms = np.append(RNG.uniform(0.55, 0.75, 98), [0.1, 0.0])
    raised = shared_terms(terms, HALF)
    assert raised[:98].min() > 0.7
    assert raised[98:].max() < 0.3
    assert raised[99] == 0


def test_the_fewer_were_called_relevant_the_more_they_are_raised() -> None:
    terms = RNG.uniform(0.55, 0.75, 100)
    raised = [float(shared_terms(terms, np.full(100, said)).max()) for said in (0.3, 0.6, 0.8, 0.95)]
    assert raised == sorted(raised, reverse=True)
    assert raised[0] > raised[2] > raised[3] == 0


@pytest.mark.parametrize(
    "terms",
    [
        np.append(RNG.uniform(0.55, 0.75, 88), np.zeros(12)),
        np.ones(100),
        np.append(np.ones(95), np.zeros(5)),
        np.zeros(100),
    ],
    ids=["an eighth has none", "a topic of one term", "one term, not on all pages", "no term at all"],
)
def test_other_pages_keep_their_log_odds(terms: np.ndarray) -> None:
    assert not shared_terms(terms, HALF).any()


def test_few_pages_say_nothing() -> None:
    terms = RNG.uniform(0.55, 0.75, FEWEST)
    assert shared_terms(terms, HALF[:FEWEST]).all()
    assert not shared_terms(terms[1:], HALF[1:FEWEST]).any()
    assert shared_terms(np.zeros(0), np.zeros(0)).tolist() == []
