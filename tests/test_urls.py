"""Canonical URLs: the WHATWG suite, the public suffix suite, and properties for any text."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from topicrawl import urls

HREFS = st.one_of(
    st.text(),
    st.text(alphabet="abA%2fF/.:?#@[]\\ 09é中&;=-_", max_size=60),
    st.text(alphabet="ab/.%aF?#:@", max_size=40).map("http://h.test/".__add__),
)


@pytest.mark.parametrize(
    ("given_url", "expected"),
    [
        ("HTTP://Example.COM", "http://example.com/"),
        ("http://example.com:80/a/../b/./c#top", "http://example.com/b/c"),
        ("https://example.com:443/?q=A%2f%e4#", "https://example.com/?q=A%2F%E4"),
        ("https://example.com:8443/", "https://example.com:8443/"),
        ("http://user:secret@example.com/x", "http://example.com/x"),
        ("http://bücher.example/ü", "http://xn--bcher-kva.example/%C3%BC"),
        ("http://例え.テスト/", "http://xn--r8jz45g.xn--zckzah/"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
        ("http://example.com/a?b#c?d", "http://example.com/a?b"),
        ("  http://example.com/a\tb\n ", "http://example.com/ab"),
        ("http://example.com/\ud800", "http://example.com/%EF%BF%BD"),
    ],
)
def test_a_url_has_one_canonical_form(given_url: str, expected: str) -> None:
    assert urls.canonical(given_url) == expected


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.com",
        "ftp://example.com/",
        "mailto:a@example.com",
        "javascript:void(0)",
        "http://",
        "http://[::1",
        "http://h:65536/",
    ],
)
def test_what_is_no_web_address_has_no_canonical_form(url: str) -> None:
    assert urls.canonical(url) is None


def test_the_query_string_is_kept_as_it_is() -> None:
    assert urls.canonical("http://h.test/?b=2&a=1&a=&&x") == "http://h.test/?b=2&a=1&a=&&x"


def test_a_url_of_2083_bytes_is_kept_and_a_longer_one_is_not() -> None:
    longest = "http://h.test/" + "a" * (2083 - len("http://h.test/"))
    assert urls.canonical(longest) == longest
    assert urls.canonical(longest + "a") is None
    assert urls.join("http://h.test/", "é" * 400) is None


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("c.html", "http://h.test/a/c.html"),
        ("../c", "http://h.test/c"),
        ("/c?x", "http://h.test/c?x"),
        ("?x", "http://h.test/a/b?x"),
        ("", "http://h.test/a/b"),
        ("//other.test", "http://other.test/"),
        ("\\\\other.test\\x", "http://other.test/x"),
        ("https://other.test/#f", "https://other.test/"),
        ("http:c", "http://h.test/a/c"),
        ("data:text/html,x", None),
        ("//[", None),
    ],
)
def test_a_link_is_resolved_against_its_page(href: str, expected: str | None) -> None:
    assert urls.join("http://h.test/a/b", href) == expected


def test_joining_with_an_invalid_base_gives_none() -> None:
    assert urls.join("nowhere", "x") is None


@given(HREFS)
@example("http://h.test/%%41%4%aF")
def test_canonical_is_idempotent_and_ascii(text: str) -> None:
    spelled = urls.canonical(text)
    if spelled is not None:
        assert urls.canonical(spelled) == spelled
        assert spelled.isascii()
        assert "#" not in spelled
        assert spelled.startswith(("http://", "https://"))


@given(HREFS)
def test_a_joined_link_is_canonical(href: str) -> None:
    joined = urls.join("https://h.test:8080/a/b?c", href)
    assert joined is None or urls.canonical(joined) == joined


@given(HREFS)
def test_slicing_finds_the_host_that_parsing_finds(text: str) -> None:
    spelled = urls.canonical("http://h.test:81/" + text)
    assert spelled is None or (urls.host(spelled), urls.hostname(spelled)) == ("h.test:81", "h.test")


def test_host_includes_a_port_that_is_not_the_default_and_hostname_never_does() -> None:
    assert urls.host("http://[2001:db8::1]:8080/x") == "[2001:db8::1]:8080"
    assert urls.hostname("http://[2001:db8::1]:8080/x") == "[2001:db8::1]"
    assert urls.hostname("http://[2001:db8::1]/x") == "[2001:db8::1]"
    assert urls.host("http://h.test/x:y") == "h.test"


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("www.ics.uci.edu", "uci.edu"),
        ("a.b.example.co.uk", "example.co.uk"),
        ("someone.github.io", "someone.github.io"),
        ("github.io", "github.io"),
        ("localhost:8000", "localhost"),
        ("192.168.0.1:80", "192.168.0.1"),
        ("[::1]:8080", "[::1]"),
        ("news.invented.test:8000", "invented.test"),
        ("www.example.com.", "example.com"),
    ],
)
def test_the_site_of_a_host_is_its_registrable_domain(host: str, expected: str) -> None:
    assert urls.site(host) == expected


@pytest.mark.parametrize(
    ("path", "endless"),
    [
        ("", False),
        ("a/b/c/d", False),
        ("a/b/a/c", False),
        ("a/b/a/c/a", True),
        ("a/a/a", True),
        ("a/a/b/b", False),
        ("a//b//c//d//e", False),
        ("a/b?/x/x/x/x", False),
        ("/".join(map(str, range(20))), False),
        ("/".join(map(str, range(21))), True),
    ],
)
def test_paths_that_repeat_or_are_too_deep_look_endless(path: str, endless: bool) -> None:
    assert urls.looks_endless("http://h.test/" + path) is endless


NOT_PUNYCODE = {"a.b.c.xn--pokxncvks", "10.0.0.xn--pokxncvks", "xn--"}
"""The standard accepts these although they are no valid punycode; we do not (see the module's docstring)."""


def _expected(case: dict[str, str]) -> str:
    href = case["href"].partition("#")[0]
    user = case["username"] + (":" + case["password"] if case["password"] else "")
    href = href.replace(f"//{user}@", "//", 1) if user else href
    return re.sub("%[0-9a-fA-F]{2}", lambda escape: escape[0].upper(), href)


def test_the_web_platform_suite_of_urls_passes(testsuites: Path) -> None:
    cases = json.loads((testsuites / "wpt/url/resources/urltestdata.json").read_text(encoding="utf-8"))
    checked = 0
    for case in cases:
        if isinstance(case, str):
            continue
        base = case.get("base")
        if base is not None and not base.startswith("http"):
            continue
        got = urls.canonical(case["input"]) if base is None else urls.join(base, case["input"])
        if case.get("failure") or case["hostname"] in NOT_PUNYCODE:
            assert got is None, case
        elif case["protocol"] in ("http:", "https:"):
            assert got == _expected(case), case
        else:
            assert got is None, case
        checked += 1
    assert checked > 500


def test_the_public_suffix_suite_passes(testsuites: Path) -> None:
    lines = (testsuites / "publicsuffix/tests/tests.txt").read_text(encoding="utf-8").splitlines()
    for line in lines:
        if line and not line.startswith("//"):
            host, expected = line.split()
            if host.isascii() and host.islower() and not host.startswith("."):
                assert urls.site(host) == (host if expected == "null" else expected), line
