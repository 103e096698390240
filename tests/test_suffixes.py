"""Registrable domains are those of the library that reads the Public Suffix List."""

from __future__ import annotations

from pathlib import Path

import publicsuffixlist
import pytest

from topicrawl.urls import registrable, site

EVERY = 15
"""Of all rules, the first and each that is this much further."""


def test_the_domain_is_that_of_the_library_for_each_kind_of_rule() -> None:
    suffixes = publicsuffixlist.PublicSuffixList()
    lines = Path(publicsuffixlist.PSLFILE).read_text("utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("//")]
    chosen = {*rules[::EVERY], *(rule for rule in rules if rule[0] in "!*")}
    for rule in chosen:
        suffix = rule.lstrip("!").replace("*", "w").encode("idna").decode()
        for name in (suffix, f"a.{suffix}", f"b.a.{suffix}", suffix.partition(".")[2] or suffix):
            assert registrable(name) == suffixes.privatesuffix(name), name


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("localhost", "localhost"),
        ("co.uk", "co.uk"),
        ("a.b.co.uk:80", "b.co.uk"),
        ("a.b.unknown", "b.unknown"),
        ("x.city.kobe.jp", "city.kobe.jp"),
        ("a.b.x.kobe.jp", "b.x.kobe.jp"),
        ("a..b", "a..b"),
        ("a.xn--p1ai", "a.xn--p1ai"),
    ],
)
def test_the_site_of_a_host(host: str, expected: str) -> None:
    assert site(host) == expected
