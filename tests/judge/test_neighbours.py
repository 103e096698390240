"""The relevance of the latest pages most similar to a new one."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from topicrawl.judge import Seen
from topicrawl.judge.examples import ByExamples
from topicrawl.judge.nearest import NUMBER
from topicrawl.judge.neighbours import LATEST, OFTEN, Neighbours, Period, Weights
from topicrawl.judge.odds import Parts
from topicrawl.judge.page_documents import Document
from topicrawl.judge.page_vectors import FIELDS
from topicrawl.model import Page, Topic

TOPIC = Topic("storms", ("storm",), (1.0,), examples=(Page("http://a.test/e", text="storm rain flood wind"),))


def page(number: int) -> Page:
    """About storms or trains, with a word that is on no other page."""
    words = ("storm rain flood", "train rail track")[number % 2]
    new = "".join(chr(ord("k") + int(digit)) for digit in str(number))
    return Page(f"http://a.test/{number}", text=f"{words} word{number % 7} {new}")


def document(counts: npt.NDArray[np.int64]) -> Document:
    """A page with these counts of its tokens, in the first field."""
    tokens = np.flatnonzero(counts)
    return Document((tokens * FIELDS).astype(np.int32), counts[tokens].astype(np.int32))


def test_the_most_similar_pages_are_averaged_by_similarity() -> None:
    rng = np.random.default_rng(1)
    weights, ones = Weights(np.array([0.0, 1.0, 1.7, 2.1]), rng.random(15)), np.ones(FIELDS)
    counts, relevance = rng.integers(0, 4, (100, 12)) * (rng.random((100, 12)) < 0.4), rng.random(70)
    pages = [document(each) for each in counts]
    neighbours, scales = Neighbours(), rng.random((100, FIELDS))
    neighbours.take_shown(pages[90:], scales[90:])
    for numbers in (range(60), range(20, 80), range(30, 90), range(10, 70)):  # onwards, and back
        neighbours.take(numbers, pages.__getitem__, scales[numbers])
        neighbours.judge(Period(1, numbers.stop), relevance, 0.4)
        had = [*numbers, *range(90, 100)]
        rows = weights.amounts[counts[had]] * weights.idf[:12] * scales[had, :1]
        for new in rng.integers(0, 4, (3, 15)):  # three later words
            similar = rows @ (weights.amounts[new] * weights.idf)[:12]
            best = np.argsort(-similar)[:NUMBER]
            expected = similar[best] @ (relevance - 0.4)[best] / similar[best].sum()
            assert neighbours.beyond(document(new), ones, weights) == pytest.approx(expected)


def test_a_page_like_no_other_is_of_mean_relevance() -> None:
    neighbours, ones = Neighbours(), np.ones((2, FIELDS))
    neighbours.take(range(2), [document(each) for each in np.eye(2, dtype=np.int64)].__getitem__, ones)
    neighbours.judge(Period(1, 2), np.ones(2), 0.4)
    weights = Weights(np.ones(2), np.ones(3))
    assert neighbours.beyond(document(np.array([0, 0, 1])), ones[0], weights) == 0.0


def test_a_page_is_compared_with_one_that_repeats_a_word_thousands_of_times() -> None:
    judge = ByExamples(TOPIC)
    for number in range(LATEST // 10):
        judge.learn(Seen(page(number)), None)
    judge.learn(Seen(Page("http://a.test/many", text="storm " * 5000)), None)
    for number in range(OFTEN):
        judge.learn(Seen(page(number)), None)
    assert judge.like(page(0)) != 0.0


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
