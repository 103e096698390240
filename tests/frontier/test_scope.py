"""The limits set by the user."""

from __future__ import annotations

from typing import Any

import pytest

from topicrawl.errors import ConfigError
from topicrawl.frontier.scope import Scope, hosts_of

SEEDS = hosts_of(["http://www.example.co.uk/start"])


@pytest.mark.parametrize(
    ("scope", "url", "admitted"),
    [
        (Scope(), "http://anywhere.test/", True),
        (Scope(allow_domain=("example.org",)), "http://example.org/", True),
        (Scope(allow_domain=("example.org",)), "http://deep.below.example.org/", True),
        (Scope(allow_domain=("example.org",)), "http://notexample.org/", False),
        (Scope(allow_domain=("Example.ORG.",)), "http://example.org:8080/", True),
        (Scope(same_site=True), "http://other.example.co.uk/", True),
        (Scope(same_site=True), "http://another.co.uk/", False),
        (Scope(include=(r"/news/", r"\.html$")), "http://a.test/news/1", True),
        (Scope(include=(r"/news/", r"\.html$")), "http://a.test/shop/1", False),
        (Scope(exclude=(r"\?print=",)), "http://a.test/x?print=1", False),
        (Scope(include=("a",), exclude=("b",)), "http://a.test/b", False),
        (Scope(), "http://a.test/" + "x/" * 30, False),
    ],
)
def test_a_link_is_admitted_by_the_rules(scope: Scope, url: str, admitted: bool) -> None:
    assert (scope.refusal(url, 1, SEEDS) is None) == admitted


def test_depth_is_counted_in_clicks() -> None:
    assert Scope(max_depth=2).refusal("http://a.test/", 2, SEEDS) is None
    assert "max_depth" in str(Scope(max_depth=2).refusal("http://a.test/", 3, SEEDS))


def test_an_invalid_pattern_is_an_error_that_names_it() -> None:
    with pytest.raises(ConfigError, match=r"exclude: '\('"):
        Scope(exclude=("(",)).check()


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [
        ({"allow_domain": ("a.test",)}, {}),
        ({"allow_domain": ("a.test",)}, {"allow_domain": ("A.test", "b.test")}),
        ({"same_site": True}, {}),
        ({"include": ("x",)}, {}),
        ({"include": ("x",)}, {"include": ("x", "y")}),
        ({"exclude": ("x", "y")}, {"exclude": ("x",)}),
        ({"max_depth": 2}, {"max_depth": 3}),
        ({"max_depth": 2}, {}),
        ({"max_per_host": 2}, {"max_per_host": 3}),
        ({"max_per_host": 2}, {}),
        ({}, {"follow_nofollow": True}),
    ],
)
def test_a_scope_is_within_itself_and_within_a_wider_one(
    narrow: dict[str, Any], wide: dict[str, Any]
) -> None:
    small, large = Scope(**narrow), Scope(**wide)
    assert small.is_within(large)
    assert not large.is_within(small)
    assert small.is_within(small)
    assert large.is_within(large)


def test_a_scope_without_rules_about_urls_is_open() -> None:
    assert Scope(max_depth=1, max_per_host=2, follow_nofollow=True).is_open
    for rule in ({"allow_domain": ("a",)}, {"same_site": True}, {"include": ("a",)}, {"exclude": ("a",)}):
        assert not Scope(**rule).is_open  # type: ignore[arg-type]


@pytest.mark.parametrize("rule", [{}, {"max_depth": 2}, {"max_depth": 3}, {"exclude": ("b",)}])
def test_the_links_admitted_together_are_those_that_nothing_refuses(rule: dict[str, Any]) -> None:
    scope = Scope(**rule)
    urls = ["http://a.test/", "http://b.test/x/y/z", "http://a.test/x/x/x/x/x", f"http://a.test{'/y' * 30}"]
    admitted = scope.admitted(urls, 3, SEEDS)
    assert admitted == [url for url in urls if scope.refusal(url, 3, SEEDS) is None]
    assert len(admitted) < len(urls)
