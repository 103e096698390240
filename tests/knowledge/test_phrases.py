"""Phrases as terms: which there are, what they count for, and which of them are labels."""

from __future__ import annotations

import numpy as np
import pytest

from topicrawl.knowledge.item_similarity import ItemSimilarity
from topicrawl.knowledge.items import Items
from topicrawl.knowledge.learner import NO_LINK, Learner
from topicrawl.knowledge.phrases import phrase_key, phrases_of
from topicrawl.knowledge.settings import Settings
from topicrawl.knowledge.terms import read_text, words_of

NO_LINKS = np.empty(0, np.int64)


def test_a_phrase_is_two_words_that_stand_together_three_times() -> None:
    text = "A tectonic plate moves. Tectonic plates collide; the tectonic plate sinks. A slow plate, a slow plate."
    assert phrases_of(text, "en") == ({"tectonic plate": 3}, {})


@pytest.mark.parametrize(
    "text",
    [
        "tectonic, plate\ntectonic. plate\ntectonic\nplate",  # interrupted
        "of plate of plate of plate",  # begins with a stop word
        "plate the plate the plate the",  # ends with one
        "plate plates plate plates",  # one word twice
        "widely spread widely spread widely spread",  # an adverb is no beginning, says topic/terms
    ],
)
def test_other_words_are_no_phrase(text: str) -> None:
    assert phrases_of(text, "en") == ({}, {})


def test_three_words_are_a_phrase_and_their_parts_are_counted_outside_it_only() -> None:
    text = "A natural gas field. " * 3 + "Natural gas is sold. " * 4
    assert phrases_of(text, "en")[0] == {"natural gas field": 3, "natural gas": 4}


@pytest.mark.parametrize("name", ["New Zealand", "United States", "World War", "World Trade Organization"])
def test_in_a_name_any_word_may_stand(name: str) -> None:
    counts, forms = phrases_of(f"They live in {name} now. {name} is far. Over {name} rain falls.", "en")
    key = phrase_key(*words_of(name), code="en")
    assert counts == {key: 3}
    assert forms.get(key, key) == name.lower()


def test_capitals_that_begin_a_sentence_make_no_name() -> None:
    assert phrases_of("The Earth turns. The Earth is round. The Earth is old. See the Earth.", "en") == (
        {},
        {},
    )
    assert phrases_of("The Earth turns. The Earth is round. The Earth is old.", "en") == ({}, {})


def test_a_phrase_is_called_as_it_is_written() -> None:
    items, read = Items(phrases=10), read_text("Lesser Antilles. Lesser Antilles. Lesser Antilles.", "en")
    items.add([read.counts], [read.forms])
    assert "lesser antilles" in items.names()


def test_phrases_describe_an_item_beside_its_words_and_do_not_change_its_vector() -> None:
    words, phrase = {"tectonic": 3, "plate": 4}, {"tectonic plate": 3}
    plain, rich = Items(), Items(phrases=10)
    plain.add([words | phrase])
    rich.add([words | phrase])
    described = [{items.terms[term] for term in items.rows.terms(0).tolist()} for items in (plain, rich)]
    assert described == [set(words), set(words) | set(phrase)]
    assert rich.vectors().toarray()[0, :2].tolist() == plain.vectors().toarray()[0].tolist()
    assert ItemSimilarity(words).of_terms(words | phrase) == pytest.approx(1)


def learned(*texts: dict[str, int]) -> Learner:
    """A learner of twenty items of each of these texts, with a word of its own each."""
    learner = Learner([(NO_LINK, {"query": 1})], settings=Settings(phrases=10))
    for number in range(20 * len(texts)):
        learner.take(number, texts[number % len(texts)] | {f"own{number}": 1}, NO_LINKS)
    learner.close()
    return learner


def labels(learner: Learner) -> set[str]:
    return {learner.items.terms[label] for label in learner.model.labels}


def test_a_word_that_stands_in_phrases_only_is_no_label() -> None:
    states, kingdom = {"united": 6, "united states": 5}, {"united": 3, "kingdom": 3, "united kingdom": 3}
    assert labels(learned(states, kingdom, {"tea": 3}, {"rice": 2})) == {
        "united states",
        "united kingdom",
        "tea",
        "rice",
    }


def test_a_phrase_too_rare_to_be_a_label_by_itself_takes_the_place_of_its_word() -> None:
    learner = Learner([(NO_LINK, {"query": 1})], settings=Settings(phrases=10))
    for number in range(100):
        zealand = {"zealand": 30, "new zealand": 30} if number < 4 else {"zealand": 1} if number < 8 else {}
        learner.take(number, zealand | {"tea": 1 + number % 3, f"own{number}": 2}, NO_LINKS)
    learner.close()
    assert learner.model.labels == (learner.items.number("new zealand"),)


def test_a_phrase_is_a_label_and_a_word_that_stands_nowhere_else_is_none() -> None:
    lanka = {"sri": 3, "lanka": 3, "sri lanka": 3}
    assert labels(learned(lanka, {"tea": 3}, {"rice": 2})) == {"sri lanka", "tea", "rice"}


def test_a_word_that_stands_in_other_items_too_is_a_label_above_the_phrase() -> None:
    learner = learned({"tectonic": 3, "plate": 3, "tectonic plate": 3}, {"plate": 3}, {"rice": 2}, {"tea": 1})
    assert labels(learner) == {"tectonic plate", "plate", "rice", "tea"}
    number = learner.items.number
    assert learner.model.broader == {(number("plate"), number("tectonic plate"))}


def test_a_word_that_names_nothing_by_itself_is_no_label() -> None:
    assert labels(learned({"rate": 3, "tax": 3}, {"rate": 2, "rice": 2}, {"tea": 1})) == {
        "tax",
        "rice",
        "tea",
    }


@pytest.mark.parametrize("word", ["united", "mol", "member", "probably"])
def test_a_word_that_names_nothing_is_no_label(word: str) -> None:
    learner = Learner([(NO_LINK, {"query": 1})], settings=Settings())
    for number in range(60):
        read = read_text(
            ("metal alloy", f"metal {word}", "tea", "rice", "bank")[number % 5] + f" own{number}"
        )
        learner.take(number, read.counts, NO_LINKS, read.forms)
    learner.close()
    names = learner.items.names()
    found = {names[label] for label in learner.model.labels}
    assert {"metal", "alloy", "tea"} <= found
    assert word not in found


def test_a_mole_is_no_abbreviation() -> None:
    items = Items()
    items.add([{"mole": 3}, {"mole": 1}], [{"mole": "moles"}, {}])
    assert items.label_rarities()[0] > 0
    items.add([{"mole": 3}, {"mole": 1}], [{"mole": "mol"}, {"mole": "mol"}])
    assert items.label_rarities()[0] == 0


def test_a_phrase_has_one_key_however_it_is_written() -> None:
    assert phrase_key(*words_of("Tectonic Plates"), code="en") == "tectonic plate"
