"""What a site repeats, and lists of links, say nothing about one of its pages."""

from __future__ import annotations

import numpy as np
import pytest

from topicrawl.judge import Seen
from topicrawl.judge.calibration import reconsidered
from topicrawl.judge.examples import ByExamples
from topicrawl.judge.furniture import ENOUGH, FEW, SLOTS, Furniture
from topicrawl.model import Page, Topic
from topicrawl.page.read import read
from topicrawl.page.relevance import PageRelevance
from topicrawl.text.tokens import Tokens
from topicrawl.topic.matcher import Matcher

TOPIC = Topic("floods", ("flood", "river"), (1.0, 1.0))
SAYS = "noodle sauce " * ENOUGH
"""Text that is not repeated: each page says it with its name."""


def page(number: int, beside: str, host: str = "a.test", says: str = SAYS) -> Page:
    name = "".join("bcdfghjklm"[int(digit)] for digit in f"{number:03}")
    text = f"<title>page {number}</title>{beside}<p>{name} {says}</p>"
    return read(f"http://{host}/{number}", text.encode(), "text/html; charset=utf-8")


def left_out(furniture: Furniture, tokens: Tokens, of: Page) -> list[str]:
    """The lines of a page that are left out; the page is learned."""
    lines = furniture.lines(of, tokens.words(of.text))
    furniture.learn(lines.keys)
    texts = of.text.split("\n")
    return [text for text, is_out in zip(texts, lines.are_furniture.tolist(), strict=False) if is_out]


def test_a_line_that_three_pages_of_a_host_have_is_left_out_from_the_third_on() -> None:
    furniture, tokens = Furniture(), Tokens()
    menu = "<nav>Flood warnings, river levels</nav>"
    found = [left_out(furniture, tokens, page(number, menu)) for number in range(FEW + 2)]
    assert found == [[]] * (FEW - 1) + [["Flood warnings, river levels"]] * 3
    assert left_out(furniture, tokens, page(9, menu, host="b.test")) == [], "another host"


def test_a_line_of_few_of_the_pages_is_kept() -> None:
    furniture, tokens = Furniture(), Tokens()
    found = [
        left_out(furniture, tokens, page(number, "<p>Seldom said</p>" if number % 5 == 0 else ""))
        for number in range(40)
    ]
    assert not any(found)


def test_lists_of_links_are_left_out_where_a_page_says_something_besides() -> None:
    links = "<ul>" + "".join(f"<li><a href=/{name}>river {name}</a>" for name in "xyz") + "</ul>"
    furniture, tokens = Furniture(), Tokens()
    assert left_out(furniture, tokens, page(1, links)) == ["river x", "river y", "river z"]
    assert left_out(furniture, tokens, page(2, links, says="")) == [], "a page that is a list is judged by it"
    mixed = "<p>The <a href=/x>river x</a> is the longest of all.</p>"
    assert left_out(furniture, tokens, page(3, mixed)) == []


def test_the_table_keeps_what_is_frequent_and_never_grows() -> None:
    furniture, rng = Furniture(), np.random.default_rng(1)
    frequent = rng.integers(0, 1 << 63, 20, np.uint64)
    for _ in range(60):
        furniture.learn(np.concatenate((frequent, rng.integers(0, 1 << 63, SLOTS // 20, np.uint64))))
    assert (furniture._known(frequent) > 40).sum() >= 18
    assert len(furniture._counts) == SLOTS


@pytest.mark.parametrize(
    "beside", ["<nav>Flood warnings, river levels</nav>", "<ul><li><a href=/1>flood</a></ul>"]
)
def test_terms_in_furniture_are_none_of_a_page(beside: str) -> None:
    judge, count, relevance = ByExamples(TOPIC), Matcher(TOPIC.terms).count, PageRelevance(TOPIC)
    logged = []
    for number in range(12):
        each = page(number, beside)
        logged.append(relevance(count(each)))
        judge.learn(Seen(each, logged[-1]), None)
    assert min(logged) > 0.5
    assert judge.own_terms(np.array(logged))[FEW:].max() == pytest.approx(0.0, abs=1e-9)


def test_a_page_is_judged_alike_at_its_visit_and_when_the_log_is_replayed() -> None:
    """A replay does not ask the judge, which learns all the same."""
    asked, replayed = ByExamples(TOPIC), ByExamples(TOPIC)
    for number in range(20):
        seen = Seen(page(number, "<nav>Flood warnings, river levels</nav>"), 0.7)
        asked.judge([seen])
        for judge in (asked, replayed):
            judge.learn(seen, None)
    last = Seen(page(99, "<nav>Flood warnings, river levels</nav>"), 0.7)
    assert asked.judge([last]) == replayed.judge([last])
    assert asked.own_terms(np.zeros(20)).tolist() == replayed.own_terms(np.zeros(20)).tolist()


def test_a_judge_that_learns_from_the_log_says_what_that_of_the_crawl_said() -> None:
    """The log has rounded numbers: pages with equal terms must not change places by that."""
    menu = "<nav>Flood warnings, river levels</nav>"
    seen = [Seen(page(number, menu if number % 2 else ""), 0.7 + (number % 3) / 30) for number in range(24)]
    logged = [Seen(each.page, round(each.term_relevance, 9)) for each in seen]
    judges = ByExamples(TOPIC), ByExamples(TOPIC)
    for judge, pages in zip(judges, (seen, logged), strict=True):
        for each in pages:
            judge.note(each)
    terms = np.array([each.term_relevance for each in logged])
    crawl, log = (reconsidered(judge, terms).tolist() for judge in judges)
    assert crawl == log
