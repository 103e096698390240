"""Seed lists and saved result pages: which links are taken, and the warnings about the rest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.setup.seeds import SeedList, distinct_hosts, parse_seeds, seeds_from_results
from topicrawl.urls import canonical, host


def urls(content: bytes) -> list[str]:
    return list(parse_seeds(content, "list").urls)


def remarks(content: bytes) -> list[str]:
    return list(parse_seeds(content, "list").remarks)


def test_a_list_may_have_a_byte_order_mark_windows_lines_comments_and_blanks() -> None:
    content = (
        b"\xef\xbb\xbf# my seeds\r\n\r\n  http://a.test/x \r\nhttps://b.test # good\r\n\t#http://c.test/\r\n"
    )
    assert parse_seeds(content, "list") == SeedList(("http://a.test/x", "https://b.test/"))


def test_a_list_saved_as_utf_16_is_read() -> None:
    assert urls("http://a.test/é\n".encode("utf-16")) == ["http://a.test/%C3%A9"]


def test_urls_with_the_same_canonical_form_are_one_seed() -> None:
    assert urls(
        b"HTTP://A.test:80\nhttp://a.test/#top\nhttp://a.test/b/../\nhttp://a.test/%c3%a9\nhttp://a.test/%C3%A9"
    ) == [
        "http://a.test/",
        "http://a.test/%C3%A9",
    ]


def test_hosts_in_any_script_are_converted_to_punycode() -> None:
    assert urls("http://bücher.example/\nhttp://例え.テスト/雨".encode()) == [
        "http://xn--bcher-kva.example/",
        "http://xn--r8jz45g.xn--zckzah/%E9%9B%A8",
    ]


@pytest.mark.parametrize(
    ("line", "url"),
    [
        ("example.org", "https://example.org/"),
        ("example.org/x?y=1", "https://example.org/x?y=1"),
        ("example.org:8080/x", "https://example.org:8080/x"),
        ("localhost:8000", "https://localhost:8000/"),
        ("bücher.example", "https://xn--bcher-kva.example/"),
    ],
)
def test_a_missing_scheme_means_https_with_a_warning(line: str, url: str) -> None:
    assert urls(line.encode()) == [url]
    assert remarks(b"\n" + line.encode()) == [f"list, line 2: {line!r} has no scheme; taken as https"]


@pytest.mark.parametrize(
    "line",
    ["ftp://a.test/", "mailto:me@a.test", "javascript:alert(1)", "rain", "http://", "me@a.test", "<html>"],
)
def test_a_line_that_is_no_http_url_is_reported_with_its_number(line: str) -> None:
    content = b"http://a.test/\r\n" + line.encode()
    assert urls(content) == ["http://a.test/"]
    assert remarks(content) == [f"list, line 2: {line!r} is no http or https URL; skipped"]


def test_lines_with_white_space_or_invalid_utf_8_are_skipped() -> None:
    assert parse_seeds(b"http://a.test/\ttitle\nhttp://a.test/caf\xe9\n", "list") == SeedList(
        (),
        (
            "list, line 1: 'http://a.test/\\ttitle' has white space inside; skipped",
            "list, line 2: 'http://a.test/caf\ufffd' is not UTF-8; skipped",
        ),
    )


@given(st.binary(max_size=200))
def test_any_bytes_give_canonical_urls_and_warnings(content: bytes) -> None:
    seeds = parse_seeds(content, "list")
    assert all(canonical(url) == url for url in seeds.urls)
    assert len(set(seeds.urls)) == len(seeds.urls)


RESULTS = b"""<html><body>
<a href="/settings">Settings</a> <a href="https://www.search.test/help">Help</a>
<a href="https://rain.test/storm#top">Storm</a>
<a href="/url?sa=t&amp;q=https%3A%2F%2Fhail.test%2Fa%3Fb%3D1&amp;ved=x">Hail</a>
<a href="https://rain.test/storm">Storm again</a> <a href="https://rain.test/other">Other</a>
<a href="mailto:me@rain.test">Mail</a>
</body></html>"""


def test_result_pages_give_the_links_to_other_sites() -> None:
    found = ["https://rain.test/storm", "https://hail.test/a?b=1", "https://rain.test/other"]
    assert seeds_from_results(RESULTS, "https://search.test/?q=rain") == found
    assert seeds_from_results(RESULTS) == ["https://www.search.test/help", *found]


def test_a_list_of_results_gives_its_urls() -> None:
    assert seeds_from_results(b"# results\nhttp://a.test/\nnothing\nb.test\n") == [
        "http://a.test/",
        "https://b.test/",
    ]


def test_the_first_link_of_each_host_is_kept_up_to_a_number() -> None:
    found = ["http://a.test/1", "http://b.test/", "http://a.test/2", "http://c.test/"]
    assert distinct_hosts(found, 9) == ["http://a.test/1", "http://b.test/", "http://c.test/"]
    assert distinct_hosts(found, 2) == ["http://a.test/1", "http://b.test/"]
    assert len({host(url) for url in distinct_hosts(found, 9)}) == 3
