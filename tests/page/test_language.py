"""The language of a text, and of a page."""

from __future__ import annotations

import pytest

from languages import TEXTS
from topicrawl.page.language import SURE_LENGTH, language, spoken
from topicrawl.page.read import read


@pytest.mark.parametrize("code", TEXTS)
def test_a_text_is_in_the_language_it_is_written_in_whatever_is_declared(code: str) -> None:
    texts = TEXTS[code]
    for text in (*texts.pages, *filter(None, [texts.other])):
        assert (spoken("en", text), language("", text)) == (code, code)


@pytest.mark.parametrize(("declared", "code"), [("?", "de"), ("nl-BE", "nl"), ("zh-Hant", "zh")])
def test_a_page_is_in_the_language_it_declares_if_that_is_one(declared: str, code: str) -> None:
    html = f"<html lang='{declared}'><meta charset=utf-8><p>{TEXTS['de'].pages[0]}"
    page = read("http://a.test/", html.encode(), "text/html")
    assert page is not None
    assert page.language == code


def test_few_characters_of_a_script_decide_nothing() -> None:
    assert spoken("", "暴雨预警信号 rainstorm warning 山洪地质灾害 flash flood") == "zh"
    assert spoken("en", "The character 雨 means rain") == "en"


def test_a_japanese_title_without_kana_is_japanese_where_that_is_declared() -> None:
    assert (spoken("ja", "山岳鉄道"), spoken("en", "山岳鉄道")) == ("ja", "zh")


def test_a_short_text_in_latin_letters_is_in_the_language_it_declares() -> None:
    assert (spoken("", "Rain"), spoken("fr", "Rain")) == ("", "fr")
    assert spoken("fr", "Flood warnings for all rivers. " * (1 + SURE_LENGTH // 30)) == "en"


def test_numbers_have_no_language() -> None:
    assert language("", "1 2 3") == ""
