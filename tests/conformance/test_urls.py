"""Further public vectors of URLs, names and suffixes; the main suites are in tests/test_urls.py."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from topicrawl import urls

NOT_REGISTRABLE = {
    *("xn--a", "xn--a.xn--zca", "xn--ls8h=", "xn--1ug.example", "xn--a-yoc", "xn--zn7c.com", "xn--0.com"),
    *("look\u180eout.net", "look\u206bout.net", "Ӏ.com", "\U0002f868.com", "Ↄ.com"),
}
"""Names that the newest table of the standard maps and the one of our library refuses, and invalid punycode."""
OTHER_SHARP_S = {"ẞ.com", "ẞ.foo.com"}
"""A capital sharp s becomes `ss` in the table of our library and `ß` in the newest."""


def vectors(path: Path) -> list[dict[str, Any]]:
    return [case for case in json.loads(path.read_text(encoding="utf-8")) if isinstance(case, dict)]


def test_the_extra_and_the_very_long_urls_of_ada_pass(testsuites: Path) -> None:
    folder = testsuites / "ada/tests/wpt"
    checked = 0
    for case in vectors(folder / "ada_extra_urltestdata.json") + vectors(
        folder / "ada_long_urltestdata.json"
    ):
        base = case.get("base") or "about:blank"
        if not base.startswith(("http", "about:")):
            continue
        got = urls.join(base, case["input"]) if base.startswith("http") else urls.canonical(case["input"])
        readable = not case.get("failure") and case["protocol"] in ("http:", "https:")
        expected = case["href"].partition("#")[0] if readable else None
        if readable and (case["username"] or len(case["href"]) > urls.MAX_LENGTH):
            continue
        assert got == expected, case
        checked += 1
    assert checked >= 4


def test_names_in_other_alphabets_become_the_ascii_they_are_registered_under(testsuites: Path) -> None:
    wrong = []
    for case in vectors(testsuites / "wpt/url/resources/toascii.json"):
        if not case["input"]:
            continue
        got = urls.canonical(f"https://{case['input']}/x")
        expected = case["output"] and f"https://{case['output']}/x"
        if got != expected:
            wrong.append((case["input"], expected, got))
    refused = {name for name, _, got in wrong if got is None}
    assert refused == NOT_REGISTRABLE
    assert {name for name, _, got in wrong if got} == OTHER_SHARP_S


def test_the_vectors_of_the_public_suffix_list_pass(testsuites: Path) -> None:
    text = (testsuites / "publicsuffix/tests/test_psl.txt").read_text(encoding="utf-8")
    cases = re.findall(r"^checkPublicSuffix\('([^']+)', (?:'([^']+)'|null)\);", text, re.MULTILINE)
    checked = 0
    for name, expected in cases:
        canonical = None if name.startswith(".") else urls.canonical(f"http://{name}/")
        if canonical is None:
            continue
        wanted = urls.canonical(f"http://{expected}/") if expected else canonical
        assert wanted is not None
        assert urls.site(urls.host(canonical)) == urls.host(wanted), name
        checked += 1
    assert checked > 60


def test_invalid_punycode_is_refused(testsuites: Path) -> None:
    folder = testsuites / "rust-url/idna/tests"
    good = vectors(folder / "punycode_tests.json")
    for case in good:
        decoded, encoded = case["decoded"], case["encoded"]
        if decoded.islower() and not decoded.isascii() and decoded.isalpha():
            assert urls.canonical(f"http://{decoded}.test/") in (f"http://xn--{encoded}.test/", None), case
    assert len(good) > 5
