"""Terms are called by words that the items write."""

from __future__ import annotations

import msgspec
import pytest

from topicrawl.knowledge.items import Items
from topicrawl.knowledge.names import Votes
from topicrawl.knowledge.terms import count_terms, read_text
from topicrawl.knowledge.training import Training, of_items, trained


def named(*texts: str) -> set[str]:
    """The names of the terms that describe items with these texts."""
    items, read = Items(), [read_text(text, "en") for text in texts]
    items.add([each.counts for each in read], [each.forms for each in read])
    names = items.names()
    return {names[term] for item in range(len(items)) for term in items.rows.terms(item).tolist()}


@pytest.mark.parametrize("word", ["igneous", "sri", "bengal", "physics", "hydrangea", "kudzu"])
def test_a_term_is_called_by_the_word_that_is_written(word: str) -> None:
    assert named(f"{word} {word}") == {word}


def test_the_form_that_most_items_write_is_the_name_and_its_singular_where_there_is_one() -> None:
    assert named("physics", "physics laboratory", "physical") == {"physics", "laboratory"}
    assert named("volcanoes", "volcanoes", "volcano") == {"volcano"}
    assert named("compounds", "compounds") == {"compound"}


def test_an_s_that_belongs_to_an_unknown_word_stays() -> None:
    assert set(count_terms("igneous", "en")) == {"igneous"}
    assert count_terms("hydrangeas hydrangea", "en") == {"hydrangea": 2}


def test_no_two_terms_have_one_name() -> None:
    votes = Votes()
    votes.add(0, "physics")
    votes.add(1, "physics")
    votes.add(2, "sri")
    assert votes.names(["physical", "physics", "sry", "river"]) == ["physical", "physics", "sri", "river"]


def test_a_training_set_keeps_the_names() -> None:
    training = trained([read_text("physics of igneous rocks", "en")])
    again = msgspec.msgpack.decode(msgspec.msgpack.encode(training), type=Training).items(30)
    assert {"physics", "igneous", "rock"} <= set(again.names())
    assert of_items(again, 30) == training
