"""From bytes to pages: HTML, XHTML and plain text, and nothing that raises."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.model import Page, ints
from topicrawl.page.read import read

URL = "http://h.test/"
TYPES = ["", "text/html", "text/plain", "application/xhtml+xml", "text/html; charset=gbk", "text/xml", "\x00"]


def page(content: bytes, content_type: str = "text/html", **headers: str) -> Page:
    found = read(URL, content, content_type, **headers)
    assert found is not None
    return found


def test_a_page_has_its_url_charset_and_media_type() -> None:
    found = page("<html lang=ZH-cn><title>暴雨</title><p>灾害".encode("gb18030"), "text/html; charset=GB2312")
    assert (found.url, found.title, found.text) == (URL, "暴雨", "暴雨\n灾害")
    assert (found.language, found.charset, found.media_type) == ("zh", "gbk", "text/html")
    assert not found.truncated


def test_a_cut_body_makes_a_truncated_page() -> None:
    found = read(URL, b"<p>half a pa", "text/html", truncated=True)
    assert found is not None
    assert found.truncated
    assert found.text == "half a pa"


@pytest.mark.parametrize("content_type", ["image/png", "application/pdf", "video/mp4"])
def test_types_other_than_text_are_not_read(content_type: str) -> None:
    assert read(URL, b"<p>x", content_type) is None


@pytest.mark.parametrize(
    ("header", "noindex", "nofollow"),
    [("", False, False), ("noindex", True, False), ("all, NOFOLLOW", False, True), ("none", True, True)],
)
def test_the_robots_header_is_applied(header: str, noindex: bool, nofollow: bool) -> None:
    found = page(b"<p>x", x_robots_tag=header)
    assert (found.noindex, found.nofollow) == (noindex, nofollow)


def test_the_rules_of_header_and_page_are_combined() -> None:
    found = page(b"<meta name=robots content=nofollow>", x_robots_tag="noindex")
    assert (found.noindex, found.nofollow) == (True, True)


def test_plain_text_is_a_paragraph_titled_by_its_first_line() -> None:
    found = page(b"\n\n  RAIN  report \n\nHeavy rain,\n  and more. <a href=x>no link</a>", "text/plain")
    assert found.title == "RAIN report"
    assert found.text == "RAIN report\nHeavy rain,\nand more. <a href=x>no link</a>"
    assert ints(found.segment_starts).tolist() == [0]
    assert ints(found.segment_groups).tolist() == [3]
    assert found.links.urls == []


def test_empty_pages_have_no_segments() -> None:
    for content_type in ("text/html", "text/plain"):
        found = page(b"", content_type)
        assert (found.text, found.segment_starts, found.language) == ("", b"", "")


@given(st.binary(max_size=400), st.sampled_from(TYPES), st.text(max_size=20))
def test_no_bytes_make_reading_fail(content: bytes, content_type: str, robots: str) -> None:
    found = read(URL, content, content_type, robots)
    if found is not None:
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(found), type=Page) == found


@given(st.text(max_size=200), st.sampled_from(["utf-8", "utf-16", "gb18030", "utf-32", "utf-7"]))
def test_no_text_makes_reading_fail(text: str, encoding: str) -> None:
    for content_type in TYPES:
        read(URL, b"<p><a href='" + text.encode(encoding, "replace") + b"'>", content_type)


@given(st.text(max_size=30))
def test_no_url_makes_reading_fail(url: str) -> None:
    assert read(url, b"<base href=//x><a href=y>z</a>", "text/html") is not None
