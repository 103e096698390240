"""Answers of search engines: JSON, feeds and pages, and what is said of broken ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.finding.answers import Result, read_answer, read_json
from topicrawl.urls import canonical

HOME = "https://search.test/?q=rain"
RSS = b"""<rss version="2.0"><channel><title>rain</title><link>https://search.test/</link>
<item><title>Rain &amp; storm</title><link>https://rain.test/a</link><description>&lt;b&gt;Heavy&lt;/b&gt; rain
</description></item><item><title>No link</title></item></channel></rss>"""
PAGE = b"""<html><body><a href="/settings">Settings</a>
<div><h3><a href="/url?q=https%3A%2F%2Frain.test%2Fa&sa=t">Rain storm</a></h3><p>Heavy rain floods the town.</p></div>
<div><h3><a href="https://hail.test/">Hail</a></h3><p>Hail breaks windows.</p></div>
<a href="https://www.search.test/next">Next</a></body></html>"""


def test_results_of_searxng_are_those_of_its_list() -> None:
    content = (
        b'{"infoboxes":[{"url":"https://no.test/"}],"results":[{"url":"HTTPS://Rain.test/a#x","title":"Rain","content":'
        b'"<b>Heavy</b> rain &amp; wind"},{"url":"ftp://no.test/"},{"title":"none"},{"url":"https://rain.test/a"}]}'
    )
    assert read_json(content).results == (Result("https://rain.test/a", "Rain", "Heavy rain & wind"),)


def test_json_of_another_form_gives_every_object_with_a_link() -> None:
    content = b'{"web":{"items":[{"link":"https://a.test/","name":"A","snippet":"s"},{"deep":[{"href":"https://b.test/"}]}]}}'
    assert [result.url for result in read_json(content).results] == ["https://a.test/", "https://b.test/"]


@pytest.mark.parametrize("content", [b"", b"{", b"<html>", b'{"results": [}', b"\xff", b"[" * 100_000])
def test_what_is_no_json_is_said_to_be_none(content: bytes) -> None:
    found = read_json(content)
    assert not found.results
    assert found.damage.startswith("answers with what is no JSON (")


def test_engines_that_did_not_answer_are_named() -> None:
    found = read_json(b'{"results":[],"unresponsive_engines":[["one","timeout"],["two","CAPTCHA"]]}')
    assert found.damage == "has no result, and these engines of it did not answer: one: timeout, two: CAPTCHA"


def test_a_feed_gives_its_entries_with_their_texts() -> None:
    assert read_answer(RSS, HOME).results == (Result("https://rain.test/a", "Rain & storm", "Heavy rain"),)


def test_a_page_gives_its_links_to_other_sites_with_the_text_below_them() -> None:
    assert read_answer(PAGE, HOME, "text/html").results == (
        Result("https://rain.test/a", "Rain storm", "Heavy rain floods the town."),
        Result("https://hail.test/", "Hail", "Hail breaks windows. Next"),
    )


def test_of_a_broken_feed_what_is_before_the_damage_is_taken() -> None:
    whole = (
        "<item><title>Flood</title><link>http://one.test/flood</link><description>dike</description></item>"
    )
    found = read_answer(f"<rss><channel>{whole}<item><title>Half &".encode(), HOME)
    assert found.results == (("http://one.test/flood", "Flood", "dike"),)
    assert found.damage == "answers with a feed that is malformed XML; what is before the damage is taken"


def test_a_broken_feed_and_a_picture_give_nothing_and_say_why() -> None:
    assert read_answer(b"<rss><channel><item>", HOME).damage == "answers with a feed that is malformed XML"
    assert "neither HTML" in read_answer(b"\x89PNG\r\n\x1a\n\0\0", HOME).damage


@given(st.binary(max_size=300))
def test_any_bytes_give_canonical_urls(content: bytes) -> None:
    for begin in (b"", b"{", b"<rss>", b"<html>"):
        assert all(canonical(each.url) == each.url for each in read_answer(begin + content, HOME).results)
