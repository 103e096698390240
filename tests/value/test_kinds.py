"""What kinds of thing anchors name."""

from __future__ import annotations

import pytest

from topicrawl.topic.wordnet import WordNet
from topicrawl.value.kinds import Kinds
from topicrawl.value.tokens import Tokens


def kinds(text: str) -> list[str]:
    tokens = Tokens()
    wordnet = WordNet.load()
    if wordnet is None:
        pytest.skip("this package was built without WordNet")
    return tokens.vocabulary.words(Kinds(tokens, wordnet).of(text))


def test_a_name_is_of_its_kinds_the_most_special_first() -> None:
    assert kinds("Vishnu")[:3] == ["⟨hindu deity⟩", "⟨deity⟩", "⟨spiritual being⟩"]


def test_the_longest_known_part_is_the_name() -> None:
    assert kinds("the Gulf of Mexico") == kinds("Gulf of Mexico")
    assert kinds("Gulf of Mexico")[0] == "⟨gulf⟩"


def test_what_is_no_noun_is_of_no_kind() -> None:
    assert kinds("") == kinds("xqzzt") == []


def test_nothing_is_merely_an_entity() -> None:
    assert "⟨entity⟩" not in kinds("storm")


def test_without_wordnet_nothing_is_of_any_kind() -> None:
    assert len(Kinds(Tokens(), None).of("storm")) == 0
