"""Similarities of words to terms."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.topic.wordnet import WordNet
from topicrawl.value.word_similarity import Equality, LinSimilarity

TERMS = ("storm", "flood", "bank", "run", "quickly", "xylograph", "zzz")
WORDS = ("storms", "hurricane", "floods", "river", "bank", "ran", "zzz", "qqq", "dog", "xylograph", "red")


@pytest.fixture(scope="module")
def wordnet() -> WordNet:
    found = WordNet.load()
    if found is None:
        pytest.skip("built without WordNet: make setup")
    return found


def test_similarities_equal_those_of_wordnet(wordnet: WordNet) -> None:
    expected = wordnet.similarities(TERMS, WORDS).T
    np.testing.assert_allclose(LinSimilarity(TERMS, wordnet)(WORDS), expected, atol=1e-6)


@given(st.data())
def test_similarities_of_any_words_equal_those_of_wordnet(wordnet: WordNet, data: st.DataObject) -> None:
    vocabulary = wordnet.tables.vocabulary
    numbers = st.integers(0, len(vocabulary) - 1)
    endings = st.sampled_from(("", "s", "es", "ed", "ing", "er"))
    known = st.builds(lambda number, ending: vocabulary.word(number) + ending, numbers, endings)
    words = st.lists(known | st.sampled_from(WORDS), max_size=6, unique=True)
    terms, asked = data.draw(words), data.draw(words)
    expected = wordnet.similarities(terms, asked).T
    np.testing.assert_allclose(LinSimilarity(terms, wordnet)(asked), expected, atol=1e-6)


def test_an_unknown_word_is_similar_to_itself_only(wordnet: WordNet) -> None:
    alike = LinSimilarity(TERMS, wordnet)(["zzz", "qqq"])
    assert alike[0].tolist() == [0, 0, 0, 0, 0, 0, 1]
    assert not alike[1].any()


def test_similarities_below_the_least_count_as_0(wordnet: WordNet) -> None:
    all_of_it, much = LinSimilarity(TERMS, wordnet)(WORDS), LinSimilarity(TERMS, wordnet, least=0.8)(WORDS)
    assert ((much == 0) | (much >= 0.8)).all()
    np.testing.assert_array_equal(much, np.where(all_of_it >= 0.8, all_of_it, 0))
    assert 0 < np.count_nonzero(much) < np.count_nonzero(all_of_it)


def test_no_words_and_unknown_terms_give_zeros(wordnet: WordNet) -> None:
    assert LinSimilarity(TERMS, wordnet)([]).shape == (0, len(TERMS))
    assert not LinSimilarity(("zzz",), wordnet)(["dog"]).any()


def test_without_wordnet_only_equal_words_are_similar() -> None:
    assert Equality(("storm", "flood"))(["flood", "storms"]).tolist() == [[0, 1], [0, 0]]
