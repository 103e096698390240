"""WordNet queried by words."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.topic.wordnet import WordNet

WORDS = [
    "dog",
    "Cats",
    "running",
    "beautiful",
    "rainstorm",
    "zxqv",
    "entity",
    "zxqv",
    "暴雨",
    "flash_floods",
    "",
]


def test_synonyms_share_a_synset(wordnet: WordNet) -> None:
    assert {"automobile", "auto", "motorcar"} <= wordnet.synonyms("car")
    assert "car" not in wordnet.synonyms("car")
    assert wordnet.are_synonyms("car", "automobile")
    assert wordnet.are_synonyms("big", "large")
    assert not wordnet.are_synonyms("car", "dog")


def test_hypernyms_are_one_step_more_general(wordnet: WordNet) -> None:
    assert {"rain", "rainfall", "storm"} <= wordnet.hypernyms("rainstorm")
    assert "precipitation" not in wordnet.hypernyms("rainstorm")


def test_is_a_holds_over_any_number_of_steps_but_not_between_synonyms(wordnet: WordNet) -> None:
    assert wordnet.is_a("flash flood", "flood")
    assert wordnet.is_a("rainstorm", "precipitation")
    assert wordnet.is_a("amazon", "river")  # an instance
    assert not wordnet.is_a("flood", "flash flood")
    assert not wordnet.is_a("rain", "rainfall")


@pytest.mark.parametrize(
    ("form", "base"),
    [
        ("dogs", "dog"),
        ("Flash_Floods", "flash flood"),
        ("geese", "goose"),
        ("churches", "church"),
        ("ran", "run"),
        ("raining", "rain"),
        ("wettest", "wet"),
        ("firemen", "fireman"),
    ],
)
def test_a_form_has_the_senses_of_its_base(wordnet: WordNet, form: str, base: str) -> None:
    assert set(wordnet.synsets(base)) & set(wordnet.synsets(form))


@pytest.mark.parametrize(("word", "other"), [("boss", "bos"), ("number", "numb"), ("as", "a")])
def test_a_word_that_only_looks_like_a_form_is_not_reduced(wordnet: WordNet, word: str, other: str) -> None:
    assert wordnet.synsets(other)
    assert not set(wordnet.synsets(other)) & set(wordnet.synsets(word))


def test_senses_are_separated_by_part_of_speech(wordnet: WordNet) -> None:
    nouns, verbs = wordnet.synsets("run", "n"), wordnet.synsets("run", "v")
    assert nouns
    assert verbs
    assert wordnet.synsets("run") == nouns + verbs
    assert {wordnet.pos(synset) for synset in verbs} == {"v"}


def test_a_synset_has_the_identifier_of_wordnet(wordnet: WordNet) -> None:
    (dog, *_) = wordnet.synsets("dog", "n")
    assert wordnet.identifier(dog) == "02084071-n"
    assert wordnet.members(dog) == ("dog", "domestic dog", "canis familiaris")


def test_similarity_is_that_of_the_closest_senses(wordnet: WordNet) -> None:
    first = wordnet.lin(wordnet.synsets("bank", "n")[0], wordnet.synsets("slope", "n")[0])
    assert 0 < first <= wordnet.similarity("bank", "slope") <= 1
    assert wordnet.similarity("dog", "cat") > wordnet.similarity("dog", "car")


def test_equal_words_have_similarity_1_and_unknown_words_0_to_all_others(wordnet: WordNet) -> None:
    assert wordnet.similarity("zxqv", "ZXQV") == 1
    assert wordnet.similarity("zxqv", "dog") == 0
    assert wordnet.similarity("entity", "entity") == 1
    assert wordnet.similarity("beautiful", "dog") == 0


def test_the_matrix_agrees_with_single_pairs(wordnet: WordNet) -> None:
    expected = [[wordnet.similarity(a, b) for b in WORDS] for a in WORDS]
    assert np.allclose(wordnet.similarities(WORDS, WORDS), expected, atol=1e-6)
    assert np.allclose(
        wordnet.similarities(WORDS[:2], WORDS[3:]), [row[3:] for row in expected[:2]], atol=1e-6
    )


def test_no_words_make_an_empty_matrix(wordnet: WordNet) -> None:
    assert wordnet.similarities([], ["dog"]).shape == (0, 1)
    assert wordnet.similarities(["dog"], []).shape == (1, 0)
    assert wordnet.similarities(["zxqv"], ["zxqw"]).tolist() == [[0]]


def test_similarity_is_symmetric(wordnet: WordNet) -> None:
    for a, b in product(WORDS, WORDS):
        assert wordnet.similarity(a, b) == wordnet.similarity(b, a)


@given(st.text())
def test_any_text_may_be_looked_up(text: str) -> None:
    wordnet = WordNet.load()
    if wordnet is not None:
        assert all(wordnet.members(synset) for synset in wordnet.synsets(text))


def test_every_word_of_every_synset_leads_back_to_it(wordnet: WordNet) -> None:
    for synset in range(0, len(wordnet.tables.offsets), 29):
        assert all(synset in wordnet.synsets(word, wordnet.pos(synset)) for word in wordnet.members(synset))


def test_wordnet_is_loaded_once() -> None:
    assert WordNet.load() is WordNet.load()


def test_senses_of_many_words_are_those_of_each(wordnet: WordNet) -> None:
    words = [*WORDS, "leaves", "better", "axes", "men", "worse", "saw"]
    found = wordnet.senses(words)
    assert [set(found[row].tolist()) for row in range(len(words))] == [
        set(wordnet.synsets(word)) for word in words
    ]
    assert wordnet.senses([]).starts.tolist() == [0]
    assert wordnet.senses(["zxqv"]).starts.tolist() == [0, 0]


def test_the_first_noun_is_the_first_of_the_noun_senses(wordnet: WordNet) -> None:
    words = [*WORDS, *list(wordnet.tables.exceptions)[::40], "leaves", "storms", "quickly", "zxqv", ""]
    nouns = [wordnet.synsets(word, "n") for word in words]
    assert [wordnet.first_noun(word) for word in words] == [found[0] if found else None for found in nouns]
    assert None in map(wordnet.first_noun, words)
