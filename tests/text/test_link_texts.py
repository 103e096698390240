"""The texts of links on a page."""

from __future__ import annotations

import numpy as np

from topicrawl.model import Page
from topicrawl.page.read import read
from topicrawl.text.link_texts import LinkTokens, link_texts
from topicrawl.text.tokens import Tokens

HTML = b"""<title>Weather</title><h1>Storms</h1>
<p>A typhoon hit <a href="/a">Manila Bay</a> yesterday.</p>
<h2>Rivers</h2><ul><li><a href="/b">Rhine</a></li><li><a href="/c"><img alt="Danube map" src="m"></a></li></ul>
<h2><a href="/d">Lakes</a></h2><p>None.</p>"""


def texts() -> tuple[Tokens, dict[str, list[set[str]]], list[int]]:
    tokens, page = Tokens(), read("http://a.test/", HTML, "text/html")
    assert isinstance(page, Page)
    rows = np.arange(len(page.links.urls))
    found = link_texts(page, rows, tokens.words(page.text), tokens)
    parts = {"anchor": found.anchor, "around": found.around, "heading": found.heading}
    return (
        tokens,
        {name: words(tokens, said, len(rows)) for name, said in parts.items()},
        found.below.tolist(),
    )


def words(tokens: Tokens, said: LinkTokens, links: int) -> list[set[str]]:
    return [set(tokens.vocabulary.words(said.tokens[said.places == link])) for link in range(links)]


def test_the_anchor_is_its_text_or_the_description_of_its_image() -> None:
    _, found, _ = texts()
    assert found["anchor"] == [{"manila", "bay"}, {"rhine"}, {"danube", "map"}, {"lake"}]


def test_words_on_either_side_are_around_a_link_and_its_own_are_not() -> None:
    _, found, _ = texts()
    assert {"typhoon", "river"} <= found["around"][0]
    assert "manila" not in found["around"][0]


def test_a_link_stands_below_the_last_heading_and_one_in_a_heading_below_the_one_before() -> None:
    _, found, below = texts()
    assert "storm" in found["heading"][0]
    assert found["heading"][1:] == [{"river"}, {"river"}, {"river"}]
    assert below[0] < below[1] == below[2] == below[3]


def test_a_page_without_links_gives_no_texts() -> None:
    tokens = Tokens()
    page = Page("http://a.test/", text="storm")
    found = link_texts(page, np.zeros(0, dtype=np.int64), tokens.words("storm"), tokens)
    assert len(found.anchor.tokens) == len(found.around.tokens) == len(found.below) == 0


def test_no_pair_of_characters_goes_beyond_the_end_of_an_anchor() -> None:
    html = '<p>古代的<a href="/a">巫女</a>是神社的<a href="/b">神官</a>。</p>'.encode()
    tokens, page = Tokens(), read("http://a.test/", html, "text/html; charset=utf-8")
    assert isinstance(page, Page)
    found = link_texts(page, np.arange(2), tokens.words(page.text), tokens)
    assert words(tokens, found.anchor, 2) == [{"巫女", "女"}, {"神官", "官"}]
