from __future__ import annotations

import json

import pytest

from topicrawl.store.cdxj import cdxj, surt
from topicrawl.store.log import Place

ID = "0123456789abcdef0123456789abcdef"


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("http://example.com/", "com,example)/"),
        ("https://www.Example.com:443/A/B/", "com,example)/a/b"),
        ("http://www2.example.co.uk:8000/x", "uk,co,example:8000)/x"),
        ("http://user:word@example.com./x#part", "com,example)/x"),
        ("http://127.0.0.1:8000/x/?b&a", "1,0,0,127:8000)/x?a&b"),
        ("http://[::1]:8080/x", "::1:8080)/x"),
        ("http://example.com/a//b/?", "com,example)/a/b"),
        ("http://example.com/%7Euser/%C3%A9%20%2525", "com,example)/~user/%c3%a9%20%25"),
        ("http://example.com/goo?a=2&b&a=1", "com,example)/goo?a=1&a=2&b"),
        (f"http://example.com/x?sid={ID}&y=1", "com,example)/x?y=1"),
        (f"http://example.com/x?y=1&PHPSESSID={ID}", "com,example)/x?&y=1"),
        ("http://example.com/x?cfid=1&cftoken=2", "com,example)/x"),
        ("http://example.com/(s(4hqa0555fwsecu455xqckv45))/m.aspx", "com,example)/m.aspx"),
        ("http://xn--bcher-kva.example/x", "example,xn--bcher-kva)/x"),
    ],
)
def test_a_url_is_looked_up_under_the_key_that_replay_tools_compute(url: str, key: str) -> None:
    """The expected keys are what the surt package (0.3.1) answers."""
    assert surt(url) == key


def place(url: str, started: float, offset: int = 0) -> Place:
    return Place(url, started, "text/html", 200, "sha1:ABC", 10, offset, 3)


def test_lines_are_in_byte_order_of_key_and_time() -> None:
    places = [place("http://b.example/", 5), place("http://a.example/x", 9), place("http://a.example/x", 1.9)]
    lines = cdxj(places).decode().splitlines()
    assert [line.split(" ")[:2] for line in lines] == [
        ["example,a)/x", "19700101000001"],
        ["example,a)/x", "19700101000009"],
        ["example,b)/", "19700101000005"],
    ]


def test_a_line_has_the_place_of_the_capture() -> None:
    line = cdxj([place("http://a.example/暴", 1_700_000_000, 77)]).decode()
    assert line.startswith("example,a)/%e6%9a%b4 20231114221320 {")
    assert json.loads(line.split(" ", 2)[2]) == {
        "url": "http://a.example/暴",
        "mime": "text/html",
        "status": "200",
        "digest": "sha1:ABC",
        "length": "10",
        "offset": "77",
        "filename": "00003.warc.gz",
    }
