"""What kinds of thing anchors name."""

from __future__ import annotations

import numpy as np
import pytest

from topicrawl.scout.kinds import Kinds
from topicrawl.text.tokens import Tokens
from topicrawl.topic.wordnet import WordNet
from topicrawl.topic.wordnet.vocabulary import MANY_LOOKUPS


def kinds(text: str) -> list[str]:
    wordnet = WordNet.load()
    if wordnet is None:
        pytest.skip("this package was built without WordNet")
    return kinds_of(wordnet, text)


def kinds_of(wordnet: WordNet, text: str) -> list[str]:
    tokens = Tokens()
    return tokens.vocabulary.words(np.array(Kinds(tokens, wordnet).of(text), np.int64))


def test_the_kinds_of_a_name_are_its_hypernyms_the_most_specific_first() -> None:
    assert kinds("Vishnu")[:3] == ["⟨hindu deity⟩", "⟨deity⟩", "⟨spiritual being⟩"]


def test_the_longest_known_part_is_the_name() -> None:
    assert kinds("the Gulf of Mexico") == kinds("Gulf of Mexico")
    assert kinds("Gulf of Mexico")[0] == "⟨gulf⟩"


def test_a_word_that_is_no_noun_has_no_kind() -> None:
    assert kinds("") == kinds("xqzzt") == []


def test_kinds_of_little_information_are_left_out() -> None:
    assert "⟨entity⟩" not in kinds("storm")


def test_without_wordnet_there_are_no_kinds() -> None:
    assert len(Kinds(Tokens(), None).of("storm")) == 0


def test_phrases_are_found_however_many_were_looked_up_before() -> None:
    texts = (
        "attorneys general",
        "men of letters",
        "the Gulf of Mexico",
        "old dam failures",
        "acid rain here",
    )
    wordnet = WordNet.load()
    if wordnet is None:
        pytest.skip("this package was built without WordNet")
    fresh = WordNet(wordnet.tables)  # its lookups count anew
    vars(fresh.tables.vocabulary)["_lookups"] = 0
    early = [kinds_of(fresh, text) for text in texts]
    for number in range(2 * MANY_LOOKUPS):
        fresh.tables.vocabulary.number(f"x{number}")
    assert [kinds_of(WordNet(wordnet.tables), text) for text in texts] == early
    assert not fresh.begins_phrase("xqzzt")
    assert all(early)
