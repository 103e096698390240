"""The matcher: whole words in scripts with spaces, anywhere in others, counted by group and by anchor."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.model import Links, Page, TermCounts, ints, pack_ints
from topicrawl.page.read import read
from topicrawl.topic.matcher import Matcher


def found(terms: list[str], text: str) -> dict[str, int]:
    return {terms[term]: count for term, count in Matcher(terms).count_text(text).items()}


def page(*segments: tuple[str, int], anchors: tuple[str, ...] = ()) -> Page:
    starts, text = [], ""
    for words, _ in segments:
        starts.append(len(text))
        text += words
    return Page(
        url="http://a.test/",
        text=text,
        segment_starts=pack_ints(starts),
        segment_groups=pack_ints([group for _, group in segments]),
        links=Links(urls=["http://b.test/"] * len(anchors), anchors=list(anchors)),
    )


def table(counts: TermCounts) -> dict[int, list[int]]:
    rows = ints(counts.groups).reshape(-1, 5).tolist()
    return dict(zip(ints(counts.terms).tolist(), rows, strict=True))


def anchors(counts: TermCounts) -> list[tuple[int, int, int]]:
    columns = (counts.anchor_rows, counts.anchor_terms, counts.anchor_counts)
    return list(zip(*(ints(column).tolist() for column in columns), strict=True))


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("Rain, rain and RAIN.", 3),
        ("rain-storm", 1),
        ("the rain's end", 1),
        ("heavy_rain", 1),
        ("rain2024", 1),
        ("(rain)", 1),
        ("下rain雨", 1),
        ("training", 0),
        ("rains", 0),
        ("rainé", 0),
        ("rain\u0948", 0),
        ("", 0),
    ],
)
def test_a_word_counts_only_where_no_letter_continues_it(text: str, times: int) -> None:
    assert found(["rain"], text).get("rain", 0) == times


def test_chinese_japanese_and_thai_terms_are_found_inside_running_text() -> None:
    assert found(["暴雨"], "昨日特大暴雨灾害,暴雨不停") == {"暴雨": 2}
    assert found(["豪雨"], "集中豪雨による") == {"豪雨": 1}
    assert found(["ฝน"], "วันนี้ฝนตกหนัก") == {"ฝน": 1}


def test_korean_words_are_whole_words() -> None:
    assert found(["폭우"], "폭우 폭우가") == {"폭우": 1}


def test_each_end_of_a_term_follows_its_own_script() -> None:
    terms = ["cpu使用率"]
    assert found(terms, "高CPU使用率高") == {"cpu使用率": 1}
    assert found(terms, "xcpu使用率") == {}


def test_a_term_that_ends_with_a_digit_is_not_continued_by_one() -> None:
    assert found(["covid-19"], "COVID-19, covid-199, covid-19s") == {"covid-19": 2}


def test_a_phrase_matches_across_a_space_but_not_across_blocks() -> None:
    terms = ["heavy rain"]
    assert found(terms, "Heavy rain") == {"heavy rain": 1}
    assert found(terms, "heavy\nrain") == {}
    assert found(terms, "heavy rainfall") == {}


def test_the_longest_of_the_terms_that_start_together_counts_alone() -> None:
    terms = ["rain", "rain storm", "storm"]
    assert found(terms, "rain storm") == {"rain storm": 1}
    assert found(["暴雨", "暴雨灾害", "灾害"], "暴雨灾害与灾害") == {"暴雨灾害": 1, "灾害": 1}


def test_a_longer_term_that_is_no_whole_word_does_not_hide_a_shorter_one() -> None:
    assert found(["rain", "rain forest"], "rain forestry") == {"rain": 1}


def test_of_overlapping_terms_the_leftmost_counts() -> None:
    assert found(["heavy rain", "rain storm warning"], "heavy rain storm warning") == {"heavy rain": 1}


def test_characters_whose_lower_case_is_longer_do_not_shift_groups() -> None:
    counts = Matcher(["rain"]).count(page(("İİİİ ", 0), ("rain ", 2), ("sun", 4)))
    assert table(counts) == {0: [0, 0, 1, 0, 0]}


def test_terms_are_found_whatever_the_case_of_their_letters() -> None:
    assert found(["ÉTÉ", "οδος", "İzmir"], "été ΟΔΟΣ izmir İZMİR") == {"ÉTÉ": 1, "οδος": 1, "İzmir": 2}


def test_a_match_counts_in_the_group_where_it_starts() -> None:
    counts = Matcher(["sun", "heavy rain", "rain"]).count(
        page(("Rain\n", 0), ("so heavy ", 3), ("rain", 2), (" and rain", 3), (" rain", 3))
    )
    assert table(counts) == {1: [0, 0, 0, 1, 0], 2: [1, 0, 0, 2, 0]}
    assert counts.length == 7


def test_a_page_as_it_is_read_is_counted_by_its_tags() -> None:
    html = "<title>ＲＡＩＮ</title><h2>Rain</h2><p>İ rain <b>rain</b>fall <a href=/x>rain</a></p><div>rain"
    counts = Matcher(["rain"]).count(read("http://a.test/", html.encode()) or Page(""))
    assert table(counts) == {0: [1, 1, 0, 2, 1]}
    assert anchors(counts) == [(0, 0, 1)]


def test_anchors_are_counted_by_link_and_on_their_own() -> None:
    matcher = Matcher(["rain", "storm", "rain storm"])
    counts = matcher.count(
        page(("rain storm", 3), anchors=("rain", "", "storm rain storm rain", "sun", "rain rain"))
    )
    assert anchors(counts) == [(0, 0, 1), (2, 0, 1), (2, 1, 1), (2, 2, 1), (4, 0, 2)]
    assert table(counts) == {2: [0, 0, 0, 1, 0]}


def test_no_match_spans_two_anchors() -> None:
    assert anchors(Matcher(["heavy rain"]).count(page(("x", 4), anchors=("heavy", "rain")))) == []


def test_a_page_without_text_has_no_counts() -> None:
    assert Matcher(["rain"]).count(Page(url="http://a.test/")) == TermCounts()


def test_a_matcher_of_no_terms_still_measures_the_page() -> None:
    assert Matcher([]).count(page(("two words", 3), anchors=("words",))) == TermCounts(length=2)


@given(st.text(alphabet="ab -\n", max_size=40))
def test_words_are_found_as_by_a_regular_expression(text: str) -> None:
    terms = ["a", "ab", "a b", "b a b"]
    plain = re.findall(r"(?<![ab])(?:b a b|a b|ab|a)(?![ab])", text)
    assert found(terms, text) == {term: plain.count(term) for term in set(plain)}


@given(st.lists(st.tuples(st.text(alphabet="ab \n", min_size=1, max_size=8), st.integers(0, 4)), max_size=8))
def test_the_counts_of_groups_add_up_to_those_of_the_text(segments: list[tuple[str, int]]) -> None:
    matcher = Matcher(["a", "ab", "a b"])
    sample = page(*segments)
    sums = {term: sum(row) for term, row in table(matcher.count(sample)).items()}
    assert sums == matcher.count_text(sample.text)


def test_the_spellings_of_a_term_are_counted_as_one() -> None:
    matcher = Matcher(["flood|floods|洪水", "flash flood"])
    assert matcher.count_text("Floods and a flood: flash flood, 洪水") == {0: 3, 1: 1}


def test_no_match_spans_two_texts() -> None:
    matcher = Matcher(["heavy\nrain", "rain\n", "rain"])
    texts = ["heavy", "rain", "flood"]
    assert matcher.count_each(texts) == {(1, 2): 1}
    assert anchors(matcher.count(page(("", 4), anchors=tuple(texts)))) == [(1, 2, 1)]
