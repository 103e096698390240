"""The topic made of example pages, in any language."""

from __future__ import annotations

import pytest

from languages import TEXTS
from topicrawl.model import Page, Topic
from topicrawl.setup.config import Config
from topicrawl.setup.examples import query_topic
from topicrawl.topic.letters import OR
from topicrawl.topic.terms.stop import stop_list


def spellings(topic: Topic) -> list[str]:
    return [spelling for term in topic.terms for spelling in term.split(OR)]


@pytest.mark.parametrize("code", TEXTS)
def test_pages_in_any_language_that_declare_english_make_a_topic_of_words_that_say_something(
    code: str,
) -> None:
    pages = [
        Page(f"http://{code}{n}.test/", language="en", text=text) for n, text in enumerate(TEXTS[code].pages)
    ]
    topic = query_topic(pages)
    assert TEXTS[code].subject in spellings(topic)
    assert not stop_list(code).words.intersection(spellings(topic))
    assert Config.from_toml(Config(topic=topic).to_toml()).topic == topic


def test_only_english_words_have_english_plurals_and_each_spelling_is_of_one_term() -> None:
    english = query_topic(
        [Page("", text="The train climbs the mountain slowly, and two trains wait in the valley below.")]
    )
    assert "mountain|mountains" in english.terms
    french = query_topic([Page("", text="\n".join(TEXTS["fr"].pages))])
    assert {"train", "trains"} <= set(french.terms)


def test_what_the_examples_of_a_site_share_is_no_topic() -> None:
    menu = "Startseite Angebote Warenkorb Anmeldung Newsletter Gutscheine Versandkosten Rückgabe"
    pages = [
        Page(f"http://shop.test/{n}", text=f"{menu}\n{text}") for n, text in enumerate(TEXTS["de"].pages)
    ]
    assert not {"warenkorb", "versandkosten"}.intersection(spellings(query_topic(pages)))
    assert "warenkorb" in spellings(query_topic([Page("http://shop.test/", text=menu)] * 2))
