"""The relevance of the latest pages most similar to a new one."""

from __future__ import annotations

import numpy as np
import pytest

from topicrawl.model import Page, Topic
from topicrawl.value.judges import Seen
from topicrawl.value.judges.examples import ByExamples
from topicrawl.value.judges.odds import Parts
from topicrawl.value.nearest import NUMBER
from topicrawl.value.neighbours import LATEST, OFTEN, Neighbours, Period
from value.sparse import sparse

TOPIC = Topic("storms", ("storm",), (1.0,), examples=(Page("http://a.test/e", text="storm rain flood wind"),))


def page(number: int) -> Page:
    """About storms or trains, with a word that is on no other page."""
    words = ("storm rain flood", "train rail track")[number % 2]
    new = "".join(chr(ord("k") + int(digit)) for digit in str(number))
    return Page(f"http://a.test/{number}", text=f"{words} word{number % 7} {new}")


def test_the_most_similar_pages_are_averaged_by_similarity() -> None:
    rng = np.random.default_rng(1)
    known, relevance = rng.random((60, 12)) * (rng.random((60, 12)) < 0.4), rng.random(60)
    neighbours = Neighbours(Period(1, 60), sparse(known), relevance, 0.4)
    for new in rng.random((5, 15)):  # three later words
        similar = known @ new[:12]
        best = np.argsort(-similar)[:NUMBER]
        expected = similar[best] @ (relevance - 0.4)[best] / similar[best].sum()
        assert neighbours.beyond(sparse(new[None])) == pytest.approx(expected)


def test_a_page_like_no_other_is_of_mean_relevance() -> None:
    neighbours = Neighbours(Period(1, 2), sparse(np.eye(3)[:2]), np.ones(2), 0.4)
    assert neighbours.beyond(sparse(np.array([[0.0, 0.0, 1.0]]))) == 0.0


def test_it_depends_on_what_was_learned_and_not_on_when_it_was_asked() -> None:
    """As after a resume: neighbours are no state, they are found anew from the pages that the judge keeps."""
    asked, silent = ByExamples(TOPIC), ByExamples(TOPIC)
    for number in range(LATEST + 3 * OFTEN):
        asked.judge([Seen(page(number))])
        for judge in (asked, silent):
            judge.learn(Seen(page(number)), None)
        if number % 37 == 36:
            probe = page(number + 1)
            assert asked.like(probe) == silent.like(probe) != 0.0


def test_similar_pages_count_unless_that_part_is_switched_off() -> None:
    with_, without = ByExamples(TOPIC), ByExamples(TOPIC, parts=Parts(like=False))
    for number in range(40):
        for judge in (with_, without):
            judge.learn(Seen(page(number)), None)
    assert without.like(page(2)) == 0.0 < with_.like(page(2))
    assert with_.judge([Seen(page(2))])[0] > without.judge([Seen(page(2))])[0]
