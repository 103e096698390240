"""The scripts of a topic, and those that pages are written in."""

from __future__ import annotations

import pytest

from topicrawl.judge.page_documents import Document, concatenated
from topicrawl.judge.rocchio import document
from topicrawl.judge.topic_scripts import TopicScripts
from topicrawl.model import Page
from topicrawl.text.tokens import Tokens, once

CHINESE, LATIN = 1, 2
"""In the order of their names in Unicode: CJK, LATIN."""
TEXTS = {
    "flood and storm warnings": LATIN,
    "暴雨预警和洪水灾害的记录": CHINESE,
    "ひどい雨": CHINESE,
    "flood storm warning coast wind hail thunder fog river near mountain village road 北": LATIN,
    "flood storm 洪水": LATIN | CHINESE,
    "flood storm warning coast wind hail thunder 雨": LATIN | CHINESE,
    "наводнение": 0,
    "Сильный дождь и наводнение на берегу реки вчера ночью, все дороги закрыты, "
    "сообщает газета; мосты залиты, школы пусты, поезда стоят, ждут помощи 北京": 0,
    "サーバー々": CHINESE,
    "カタカナ": CHINESE,
    "1234 56": 0,
    "": 0,
}


def read(tokens: Tokens, text: str) -> Document:
    return document(tokens, Page("http://a.test/latin-name", text=text), tokens.words(text).tokens)


def topic_scripts(tokens: Tokens, words: str) -> TopicScripts:
    return TopicScripts(tokens.vocabulary, once(tokens.text(words)))


@pytest.mark.parametrize("text", TEXTS)
def test_a_page_is_written_in_the_scripts_of_a_tenth_of_its_words(text: str) -> None:
    tokens = Tokens()
    scripts = topic_scripts(tokens, "flood 2024 洪水")
    assert scripts.are_several
    for _ in range(2):
        assert scripts.of(*concatenated([read(tokens, text)])).tolist() == [TEXTS[text]]


def test_many_pages_are_told_apart_at_once() -> None:
    tokens = Tokens()
    scripts = topic_scripts(tokens, "flood 洪水")
    found = scripts.of(*concatenated([read(tokens, text) for text in TEXTS]))
    assert found.tolist() == list(TEXTS.values())
    assert scripts.of(*concatenated([])).tolist() == []


def test_scripts_have_the_same_numbers_in_whatever_order_a_topic_names_them() -> None:
    for words in ("flood 洪水 наводнение", "наводнение 洪水 flood"):
        tokens = Tokens()
        pages = [read(tokens, text) for text in ("洪水", "наводнение", "storm")]
        assert topic_scripts(tokens, words).of(*concatenated(pages)).tolist() == [1, 2, 4]


@pytest.mark.parametrize(
    "words", ["flood storm 12", "洪水 暴雨", "洪水 あらし カタカナ サーバー 佐々木", "ʻōlelo storm", ""]
)
def test_words_in_one_script_are_told(words: str) -> None:
    assert not topic_scripts(Tokens(), words).are_several
