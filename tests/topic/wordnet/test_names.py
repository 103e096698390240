"""What names mean as nouns: Python and native code say the same."""

from __future__ import annotations

from itertools import pairwise

import pytest

from topicrawl.topic.wordnet import WordNet
from topicrawl.topic.wordnet.names import noun_named

native = pytest.importorskip("topicrawl._native")

ENDINGS = ("", "s", "es", "men", "ies", "ed", "ves", "ss")


def by_native_code(wordnet: WordNet, words: list[str]) -> int | None:
    tables = wordnet.tables
    found: int | None = native.noun_named(
        words, *tables.vocabulary.table, wordnet._first_nouns, tables.exceptions
    )
    return found


def by_python(wordnet: WordNet, words: list[str]) -> int:
    sense = noun_named(words, wordnet.first_noun, wordnet.begins_phrase)
    return -1 if sense is None else sense


def names(wordnet: WordNet) -> list[list[str]]:
    vocabulary, exceptions = wordnet.tables.vocabulary, [*wordnet.tables.exceptions]
    known = [vocabulary.word(number) for number in range(0, len(vocabulary), 41)]
    said = [word + ENDINGS[at % len(ENDINGS)] for at, word in enumerate(known)]
    said += exceptions[::7] + [word for word in exceptions if " " in word]
    said += [f"the {one} of {other}" for one, other in pairwise(said)]
    plain = [text.split(" ") for text in said]
    return [words for words in plain if all(word.isascii() and word.isalpha() for word in words)]


def test_native_code_finds_the_same_nouns(wordnet: WordNet) -> None:
    some = [[], ["s"], ["men", "of", "letters"], ["zxqv"], ["a" * 200], *names(wordnet)]
    some = [[word.lower() for word in words] for words in some]
    found = [by_native_code(wordnet, words) for words in some]
    assert found == [by_python(wordnet, words) for words in some]
    assert len(some) > 5_000
    assert len({*found}) > 1_000
    assert -1 in found


def test_other_names_are_left_to_python(wordnet: WordNet) -> None:
    for words in (["café"], ["暴雨"], ["Storm"], ["storm", ""], ["a-b"], ["a" * 300], ["storm"] * 60):
        assert by_native_code(wordnet, words) is None
    assert wordnet.named(["café"]) == wordnet.first_noun("café")
    assert wordnet.named(["storm"]) == wordnet.first_noun("storm")
    assert wordnet.named(["zxqv"]) is None


def test_tables_that_do_not_fit_are_refused(wordnet: WordNet) -> None:
    text, bounds = wordnet.tables.vocabulary.table
    nouns, exceptions = wordnet._first_nouns, wordnet.tables.exceptions
    for given in ((text[:-9], bounds, nouns), (text, bounds[:-1], nouns), (text, bounds, nouns[1:])):
        with pytest.raises(ValueError, match="do not fit"):
            native.noun_named(["storm"], *given, exceptions)
    with pytest.raises(TypeError):
        native.noun_named([1], text, bounds, nouns, exceptions)
    with pytest.raises(TypeError):
        native.noun_named(["zxqvmen"], text, bounds, nouns, {"zxqvmen": {"n": "man"}})
