"""Similarities of texts to a topic, against the paper's worked example and against each other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from topicrawl.frontier import Floats
from topicrawl.value.measures import Measure, Ssrm, Svsm, Texts, Vsm, WholeSvsm

FIG_2 = [[0.99, 0.72, 0.72], [0.80, 0.61, 0.61]]
TEXT, TOPIC = [1.493, 1.182], [0.119, 0.106, 0.196]


def similarity(kind: type[Measure], alike: object, text: object, topic: object, own: object = None) -> float:
    """Similarity of a text whose word i has similarity `alike[i][j]` to term j, and is term `own[i]`."""
    likeness, weights = np.array(alike, dtype=np.float64), np.array(text, dtype=np.float64)
    terms = np.full(len(weights), -1, dtype=np.int32) if own is None else np.array(own, dtype=np.int32)
    measure = kind(np.array(topic, dtype=np.float64)[:, None])
    packed = Texts(
        np.array([0, len(weights)], dtype=np.int32), np.arange(len(weights), dtype=np.int32), weights
    )
    return float(measure.similarities(packed, measure.shares(likeness, terms))[0, 0])


def equal_words(kind: type[Measure], text: object, topic: object) -> float:
    """Similarity of a text over the topic's terms, each similar to itself only."""
    size = len(np.array(topic))
    return similarity(kind, np.zeros((size, size)), text, topic, own=range(size))


def test_the_worked_example_of_the_paper() -> None:
    assert similarity(Svsm, FIG_2, TEXT, TOPIC) == pytest.approx(0.959830, abs=1e-6)
    assert similarity(Svsm, FIG_2, TEXT, [0.119, 0.106, 0.096]) == pytest.approx(0.990154, abs=1e-6)


def test_the_worked_example_by_the_other_measures() -> None:
    assert similarity(Ssrm, FIG_2, TEXT, TOPIC) == pytest.approx(0.737721, abs=1e-6)
    assert similarity(Ssrm, FIG_2, TEXT, [0.119, 0.106, 0.096]) == pytest.approx(0.758383, abs=1e-6)
    assert similarity(Vsm, FIG_2, TEXT, TOPIC) == 0  # no common term


def test_the_measures_of_texts_with_equal_words_only() -> None:
    assert equal_words(Svsm, [1, 2], [2, 1]) == pytest.approx(0.8)
    assert equal_words(Vsm, [1, 2], [2, 1]) == pytest.approx(0.8)
    assert equal_words(Ssrm, [1, 2], [2, 1]) == pytest.approx(0.444444, abs=1e-6)


def test_synonyms_give_ssrm_1_and_svsm_below_1() -> None:
    assert similarity(Svsm, np.ones((2, 2)), [1, 3], [1, 1]) == pytest.approx(0.894427, abs=1e-6)
    assert similarity(Ssrm, np.ones((2, 2)), [1, 3], [1, 1]) == pytest.approx(1)


def test_as_published_a_word_of_small_similarity_to_one_term_gives_svsm_1() -> None:
    assert similarity(Svsm, [[0.1, 0.0]], [1], [1, 5]) == pytest.approx(1)
    assert similarity(WholeSvsm, [[0.1, 0.0]], [1], [1, 5]) < 0.01


def test_a_text_similar_to_no_term_has_similarity_0() -> None:
    for kind in (Vsm, Ssrm, Svsm, WholeSvsm):
        assert similarity(kind, np.zeros((1, 2)), [1], [1, 1]) == 0
        assert similarity(kind, np.zeros((0, 2)), [], [1, 1]) == 0


def weights(size: int, least: float = 0.1) -> st.SearchStrategy[Floats]:
    return arrays(np.float64, size, elements=st.floats(least, 9))


@given(st.integers(1, 6).flatmap(lambda size: st.tuples(weights(size), weights(size))))
def test_svsm_of_equal_words_only_is_vsm(vectors: tuple[Floats, Floats]) -> None:
    text, topic = vectors
    assert equal_words(Svsm, text, topic) == pytest.approx(equal_words(Vsm, text, topic))


@given(st.data())
def test_whole_svsm_of_equal_words_only_is_vsm(data: st.DataObject) -> None:
    topic = data.draw(weights(4))
    own = data.draw(st.lists(st.integers(-1, 3), min_size=1, max_size=6))
    own = [term for place, term in enumerate(own) if term == -1 or term not in own[:place]]
    text = data.draw(weights(len(own)))
    alike = np.zeros((len(own), 4))
    whole, plain = (similarity(kind, alike, text, topic, own) for kind in (WholeSvsm, Vsm))
    assert whole == pytest.approx(plain)


@given(st.data())
def test_every_measure_stays_between_0_and_1(data: st.DataObject) -> None:
    words, terms = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 5))
    alike = data.draw(arrays(np.float64, (words, terms), elements=st.floats(0, 1)))
    text, topic = data.draw(weights(words, 0.0)), data.draw(weights(terms, 0.0))
    for kind in (Vsm, Ssrm, Svsm, WholeSvsm):
        assert 0 <= similarity(kind, alike, text, topic) <= 1


@given(st.floats(0.01, 100))
def test_scaling_a_text_changes_nothing(factor: float) -> None:
    for kind in (Ssrm, Svsm, WholeSvsm):
        scaled = similarity(kind, FIG_2, [factor * weight for weight in TEXT], TOPIC)
        assert scaled == pytest.approx(similarity(kind, FIG_2, TEXT, TOPIC))
