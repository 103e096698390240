"""From text to terms: forms, synonyms, stop words, misspellings, and Chinese."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.knowledge.spelling import Neighbours, corrected
from topicrawl.knowledge.terms import count_terms, forms, page_terms, running_terms
from topicrawl.knowledge.words import terms_of
from topicrawl.model import Page
from topicrawl.topic.wordnet import WordNet

needs_wordnet = pytest.mark.skipif(WordNet.load() is None, reason="this checkout was built without WordNet")


def test_forms_of_a_word_are_one_term_with_a_readable_name() -> None:
    assert count_terms("Floods flooded the flooding flood.", "en") == {"flood": 4}
    assert set(count_terms("policies policy economies", "en")) == {"policy", "economy"}


@needs_wordnet
def test_synonyms_are_counted_as_the_more_frequent_word() -> None:
    assert count_terms("automobile cars", "en") == {"car": 2}
    assert count_terms("physicians and doctors", "en") == {"doctor": 2}


def test_stop_words_short_words_and_addresses_are_no_terms() -> None:
    assert count_terms("The of an is to http://flood.example/levee www.flood.example it", "en") == {}


def test_a_misspelling_counts_as_a_frequent_word_of_the_same_text() -> None:
    assert count_terms("library library library libary", "en") == {"library": 4}
    assert count_terms("libary", "en") == {"libary": 1}


def test_names_are_not_corrected_to_words_outside_the_text() -> None:
    assert corrected({"qantas": 1, "flight": 5}) == {"qantas": 1, "flight": 5}


def test_chinese_is_segmented_and_may_contain_english_words() -> None:
    found = count_terms("北京发生洪水灾害，洪水淹没城市 insurance。", "zh")
    assert found["洪水"] == 2
    assert found["insurance"] == 1
    page = Page("http://x.test/", text="洪水灾害造成损失，保险公司赔偿。" * 10)
    assert page_terms(page)["洪水"] == 10
    assert running_terms(page).count("洪水") == 10


def test_forms_are_the_written_words_of_a_term() -> None:
    assert forms("Flooded valleys; a flood", "en")["flood"] == ["flooded", "flood"]


@given(st.text(alphabet="abcdefg", min_size=5, max_size=9), st.integers(0, 8), st.sampled_from("xyz"))
def test_neighbours_are_one_edit_apart(word: str, place: int, letter: str) -> None:
    place = 1 + place % (len(word) - 1)
    for other in (
        word[:place] + word[place + 1 :],
        word[:place] + letter + word[place + 1 :],
        word[:place] + letter + word[place:],
    ):
        assert word in Neighbours([word])(other) or other == word or other + "s" == word
    swapped = word[:place] + word[place : place + 2][::-1] + word[place + 2 :]
    assert swapped == word or word in Neighbours([word])(swapped)
    assert Neighbours([word])(word + "xx") == set()


@given(st.text(max_size=200))
def test_terms_of_any_text_are_named_and_counted(text: str) -> None:
    for language in ("en", "zh", "de", ""):
        assert all(count > 0 and term for term, count in count_terms(text, language).items())


def test_a_word_has_the_same_term_alone_and_among_others() -> None:
    words = ["Floods", "banking", "automobile", "x", "the", "qwrtz"]
    one_by_one = [terms_of("en").term(word.lower()) for word in words]
    assert one_by_one == terms_of("en").terms([word.lower() for word in words])
