"""Candidates and their scores, on texts small enough to count by hand."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.topic.terms.candidates import Text, candidates
from topicrawl.topic.terms.contrast import scores
from topicrawl.topic.terms.languages import language

ENGLISH = language("en")


def texts(*bodies: str, headlines: tuple[str, ...] = ()) -> list[Text]:
    titles = headlines + ("",) * len(bodies)
    return [
        Text(n, list(ENGLISH.runs(title)), list(ENGLISH.runs(body)))
        for n, (title, body) in enumerate(zip(titles, bodies, strict=False))
    ]


def test_words_and_phrases_without_stop_words_at_their_ends_are_candidates() -> None:
    found = candidates(texts("the flash flood of a river", "a flash flood"), ENGLISH, 1)
    assert set(found) == {("flash",), ("flood",), ("flash", "flood"), ("river",)}


def test_a_phrase_may_contain_of() -> None:
    found = candidates(texts("bureau of meteorology", "bureau of meteorology"), ENGLISH, 2)
    assert set(found) == {("bureau",), ("meteorology",), ("bureau", "of", "meteorology")}


def test_a_general_noun_may_end_a_phrase_but_not_begin_one_or_be_a_term() -> None:
    found = candidates(texts("atomic number", "number theory"), ENGLISH, 1)
    assert ("atomic", "number") in found
    assert ("number",) not in found
    assert ("number", "theory") not in found


def test_a_candidate_has_documents_headlines_frequency_and_forms() -> None:
    read = texts("floods and a flood", "rain", "floods", headlines=("Flood",))
    ENGLISH.learn({"flood", "floods", "rain"})
    found = candidates(read, ENGLISH, 2)[("flood",)]
    assert (found.documents, found.headlines, found.frequency) == ([0, 2], 1, 4)
    assert found.forms == {"floods"}


def test_words_of_broken_text_are_no_candidates() -> None:
    assert candidates(texts("x" * 41, "x" * 41), ENGLISH, 2) == {}
    assert candidates(texts("ab", "ab"), ENGLISH, 2) == {}


@given(st.lists(st.lists(st.sampled_from(["storm", "surge", "wind", "gust"]), max_size=8), max_size=5))
def test_pruned_counting_finds_the_same_phrases_as_counting_all(bodies: list[list[str]]) -> None:
    read = [Text(n, [], [body]) for n, body in enumerate(bodies)]
    everywhere = Counter(
        window
        for body in bodies
        for window in {tuple(body[a : a + size]) for size in range(1, 5) for a in range(len(body) - size + 1)}
    )
    expected = {w for w, count in everywhere.items() if count >= 2 and len(set(w)) == len(w)}
    assert set(candidates(read, ENGLISH, 2)) == expected


def test_a_rare_word_scores_higher_than_a_common_one_in_as_many_documents() -> None:
    read = texts(*["hurricane water"] * 3)
    scored = scores(candidates(read, ENGLISH, 2), [2] * 3, ENGLISH)
    assert ("hurricane", "water") in scored
    read = texts(*["hurricane. water."] * 3)
    scored = scores(candidates(read, ENGLISH, 2), [2] * 3, ENGLISH)
    assert scored[("hurricane",)] > scored[("water",)] > 0


def test_the_score_is_the_likelihood_ratio_of_documents_seen_and_expected() -> None:
    read = texts("hurricane", "hurricane", "rain")
    scored = scores(candidates(read, ENGLISH, 2), [1000, 1000, 1000], ENGLISH)
    rate = ENGLISH.rate("hurricane")
    expected = 3 * (1 - math.exp(-1000 * rate))
    assert scored[("hurricane",)] == pytest.approx(2 * math.log(2 / expected) - 2 + expected)


def test_a_common_word_in_long_documents_has_no_score() -> None:
    read = texts("water", "water")
    assert scores(candidates(read, ENGLISH, 2), [1_000_000] * 2, ENGLISH) == {}


def test_a_document_that_names_a_word_in_its_headline_counts_thrice() -> None:
    plain = texts("hurricane", "hurricane")
    named = texts("", "hurricane", headlines=("Hurricane",))
    once, twice = (
        scores(candidates(t, ENGLISH, 2), [100, 100], ENGLISH)[("hurricane",)] for t in (plain, named)
    )
    assert twice > once


def test_a_candidate_mostly_inside_a_longer_one_is_dropped() -> None:
    read = texts(*["storm surge. storm."] * 5)
    scored = scores(candidates(read, ENGLISH, 2), [3] * 5, ENGLISH)
    assert set(scored) == {("storm", "surge"), ("storm",)}
