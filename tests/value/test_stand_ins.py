"""Pages that stand in for examples: which they are, and what each counts."""

from __future__ import annotations

import numpy as np
import pytest

from topicrawl.frontier import Ids
from topicrawl.value.stand_ins import ALONE, ExampleGroups, in_order, of_other_scripts
from topicrawl.value.tokens import Tokens, once
from topicrawl.value.topic_scripts import TopicScripts

LATIN, CHINESE = 1, 2


def read(tokens: Tokens, text: str) -> Ids:
    return once(tokens.words(text).tokens)


def test_chosen_pages_with_terms_stand_in_first_then_those_with_most_terms() -> None:
    terms, chosen = [0.1, 0.0, 0.9, 0.5, 0.2], [True, True, False, False, False]
    assert in_order(terms, chosen) == [0, 2, 3, 4]


def test_pages_in_other_scripts_stand_in_if_they_have_as_many_terms_as_pages_in_known_ones() -> None:
    scripts = [LATIN, LATIN, CHINESE, CHINESE, CHINESE, LATIN | CHINESE, 0]
    terms = [0.6, 0.4, 0.7, 0.49, 0.5, 0.5, 1.0]
    assert of_other_scripts(5, LATIN, scripts, terms) == [[2, 4]]
    assert of_other_scripts(1, LATIN, scripts, terms) == [[2]]
    assert of_other_scripts(5, LATIN | CHINESE, scripts, terms) == []


def test_one_group_gives_means() -> None:
    rows = np.random.default_rng(1).random((4, 6))
    groups = ExampleGroups([4], 5)
    centre = groups.mean(groups.weights @ rows)
    assert centre == pytest.approx(rows.mean(axis=0))
    others = [row @ np.delete(rows, number, axis=0).mean(axis=0) for number, row in enumerate(rows)]
    assert groups.to_others(rows @ centre, (rows**2).sum(axis=1)) == pytest.approx(others)
    lone = ExampleGroups([1], 5)
    assert lone.to_others(np.array([4.0]), np.array([4.0])) == pytest.approx([4 * ALONE])


def test_groups_without_common_words_count_alike_whatever_their_sizes() -> None:
    rows = np.zeros((14, 8))
    rows[:4, :4], rows[4:, 4:] = (
        np.random.default_rng(2).random((4, 4)),
        np.random.default_rng(3).random((10, 4)),
    )
    groups = ExampleGroups([4, 10], 5)
    centre = groups.mean(groups.weights @ rows)
    assert centre == pytest.approx((rows[:4].mean(axis=0) + rows[4:].mean(axis=0)) / 2)
    others = [
        row @ np.delete(rows[:4], number, axis=0).mean(axis=0) / 2 for number, row in enumerate(rows[:4])
    ]
    assert groups.to_others(rows @ centre, (rows**2).sum(axis=1))[:4] == pytest.approx(others)


def test_a_small_group_counts_in_proportion() -> None:
    groups = ExampleGroups([5, 1], 5)
    assert groups.weights[-1] / groups.weights.sum() == pytest.approx(0.2 / 1.2)
    assert groups.mean_of(np.array([1.0] * 5 + [7.0])) == pytest.approx((1 + 0.2 * 7) / 1.2)


@pytest.mark.parametrize(
    ("text", "scripts"),
    [
        ("flood and storm warnings", LATIN),
        ("暴雨预警和洪水灾害的记录", CHINESE),
        ("ひどい雨", CHINESE),
        ("flood storm warning coast wind hail thunder fog river near mountain village road 北", LATIN),
        ("flood storm 洪水", LATIN | CHINESE),
        ("наводнение", 0),
        ("1234 56", 0),
        ("", 0),
    ],
)
def test_a_page_is_written_in_the_scripts_of_a_tenth_of_its_words(text: str, scripts: int) -> None:
    tokens = Tokens()
    found = TopicScripts(tokens.vocabulary, once(tokens.text("flood 2024 洪水")))
    assert found.are_several
    assert found.of(read(tokens, text)) == scripts
    assert found.of(read(tokens, text)) == scripts


def test_the_scripts_of_examples_are_those_of_half_of_them() -> None:
    tokens = Tokens()
    found = TopicScripts(tokens.vocabulary, once(tokens.text("flood 洪水")))
    assert found.of_most([LATIN, LATIN, CHINESE]) == LATIN
    assert found.of_most([LATIN, CHINESE]) == LATIN | CHINESE
    assert found.of_most([LATIN | CHINESE, CHINESE, 0]) == CHINESE
    assert not TopicScripts(tokens.vocabulary, once(tokens.text("flood storm 12"))).are_several
