"""Rules of a robots.txt: which is the longest that matches, and in which normal form rules and URLs are compared."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.urls import canonical
from topicrawl.web.http.robots_file import normal, read_rules


def allows(path: str, *rules: str | bytes) -> bool:
    """Whether these rules for all agents allow the page at `path`."""
    lines = [rule.encode() if isinstance(rule, str) else rule for rule in rules]
    url = canonical(f"http://a.test{path}")
    assert url is not None
    return read_rules(b"\n".join([b"User-agent: *", *lines]), "topicrawl").allows(url)


def test_a_longer_rule_about_other_pages_does_not_lengthen_a_match() -> None:
    assert not allows("/page", "Allow: /page", "Disallow: /page*", "Disallow: /a-longer-rule")
    assert allows("/", "Disallow: /", "Allow: /$", "Disallow: /private")


@pytest.mark.parametrize(
    ("rule", "path"),
    [
        ("/{secret}/", "/{secret}/x"),
        ("/a b/", "/a b/x"),
        ("/a b/", "/a%20b/x"),
        ('/<"`>', '/<"`>'),
        ("/s?q={x}", "/s?q={x}"),
        ("/s?q=a|b^c", "/s?q=a|b^c"),
        ("/s?q='x'", "/s?q='x'"),
        ("/caf\u00e9", "/caf\u00e9"),
        ("/caf\u00e9", "/caf%c3%a9"),
        ("/\u96e8/*.html$", "/\u96e8/x.html"),
        ("/~joe/", "/%7Ejoe/"),
        ("/%7ejoe/", "/~joe/"),
        ("/b%61r/", "/bar/"),
        ("/bar/", "/b%61r/"),
        ("/a%3Ab", "/a:b"),
        ("/a%2fb", "/a%2Fb"),
        ("/100%", "/100%"),
        ("/100%", "/100%25"),
        ("/foo-%24", "/foo-$"),
        ("/foo-%24", "/foo-%24x"),
        ("/file-%2A.html", "/file-*.html"),
        ("/file-%2a.html", "/file-%2A.html"),
        ("/a$b", "/a$b"),
        ("/a$b*c", "/a$bxc"),
    ],
)
def test_a_rule_matches_a_url_with_other_escapes(rule: str, path: str) -> None:
    assert not allows(path, f"Disallow: {rule}")


@pytest.mark.parametrize(
    ("rule", "path"),
    [
        ("/a/b", "/a%2Fb"),
        ("/what?", "/what%3F"),
        ("/s?a=1&b", "/s?a=1%26b"),
        ("/foo-%24", "/foo-"),
        ("/file-%2A.html", "/file-x.html"),
        ("/foo$", "/foo$"),
        ("/a%25", "/a%41"),
    ],
)
def test_a_delimiter_and_its_escape_do_not_match(rule: str, path: str) -> None:
    assert allows(path, f"Disallow: {rule}")


@pytest.mark.parametrize("letter", ["\u00e0", "\u00c5", "\u0405", "\u0160", "\u00a0"])
def test_no_byte_of_a_letter_is_taken_for_white_space(letter: str) -> None:
    assert letter.encode()[-1] in (0x85, 0xA0)
    assert not allows(f"/{letter}", f"Disallow: /{letter} \t")
    neighbour = letter.encode()[:-1] + b"\x81"
    assert allows(f"/{neighbour.decode()}", f"Disallow: /{letter}")


def test_a_file_that_is_not_utf_8_is_matched_by_bytes() -> None:
    assert not allows("/caf%E9", b"Disallow: /caf\xe9")
    assert not allows("/%A0x", b"Disallow: /\xa0")


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b""])
def test_a_file_may_begin_with_a_byte_order_mark(mark: bytes) -> None:
    rules = read_rules(mark + "User-agent: *\nDisallow: /\u00e0".encode(), "topicrawl")
    assert not rules.allows("http://a.test/%C3%A0")


def test_of_two_forms_of_one_rule_allow_wins() -> None:
    assert allows("/~a/x", "Disallow: /%7Ea/", "Allow: /~a/", "Disallow: /%7ea/")


def test_a_sitemap_may_have_letters_of_any_script() -> None:
    rules = read_rules("Sitemap: http://a.test/\u00e0\n".encode(), "topicrawl")
    assert rules.sitemaps == ("http://a.test/\u00e0",)


LETTERS = "abz019-._~:@!',()[]/?&=+; {}<>\"|^`\u00e9\u00e0\u96e8"
ESCAPES = st.integers(0x20, 0xFF).map(lambda octet: f"%{octet:02X}")
PARTS = st.lists(st.sampled_from(LETTERS) | ESCAPES | st.sampled_from(["%", "%4", "%zz"]), max_size=12)
PATHS = PARTS.map(lambda parts: canonical("http://a.test/" + "".join(parts).replace("#", "")))


def path_of(url: str | None) -> str:
    assert url is not None
    return url[len("http://a.test") :]


@given(PATHS)
def test_a_rule_that_is_the_path_matches_with_the_paths_length(url: str | None) -> None:
    path = path_of(url)
    length = len(normal(path.encode()))
    shorter, equal = "/" + "*" * (length - 2), "/" + "*" * (length - 1)
    assert not allows(path, f"Disallow: {path}")
    if length > 1:
        assert not allows(path, f"Disallow: {path}", f"Allow: {shorter}")
    assert allows(path, f"Disallow: {path}", f"Allow: {equal}")
    assert not allows(path, f"Allow: {path}", f"Disallow: {equal}*")


KEYS = st.sampled_from(["Allow", "Disallow"])
RULES = st.tuples(
    KEYS, st.lists(st.sampled_from(["a", "%61", "*", ":"]), max_size=4), st.sampled_from(["", "$"])
).map(lambda rule: f"{rule[0]}: /{''.join(rule[1])}{rule[2]}")


@given(st.sampled_from(["/", "/a", "/a:", "/%61a"]), st.integers(1, 12), st.data())
def test_a_longer_rule_that_does_not_match_changes_nothing(
    path: str, longer: int, data: st.DataObject
) -> None:
    about_it = st.tuples(KEYS, st.sampled_from([path, f"{path}*", f"{path}$"])).map(": ".join)
    rules = data.draw(st.lists(about_it | RULES, max_size=5))
    place = data.draw(st.integers(0, len(rules)))
    unmatched = data.draw(KEYS) + ": /" + "x" * longer
    assert allows(path, *rules) == allows(path, *rules[:place], unmatched, *rules[place:])


UNRESERVED = re.compile(r"%[0-9A-Fa-f]{2}|[A-Za-z0-9._~-]")


@given(PATHS, st.lists(RULES, max_size=4), st.integers(1, 40), st.data())
def test_case_of_escapes_and_escapes_of_unreserved_characters_change_nothing(
    url: str | None, rules: list[str], cut: int, data: st.DataObject
) -> None:
    path = path_of(url)

    def respelled(text: str) -> str:
        def spell(found: re.Match[str]) -> str:
            other = found[0].lower() if found[0][0] == "%" else f"%{ord(found[0]):02x}"
            return other if data.draw(st.booleans()) else found[0]

        return UNRESERVED.sub(spell, text)

    beginning = "".join(re.findall(r"%[0-9A-F]{2}|.", path)[:cut])
    about_it = [f"Disallow: {beginning}", f"Allow: {path[:2]}*$", *rules]
    keys = [rule.partition(": ") for rule in about_it]
    same = [f"{key}: {respelled(text)}" for key, _, text in keys]
    assert normal(respelled(path).encode()) == normal(path.encode())
    verdict = read_rules("\n".join(["User-agent: *", *same]).encode(), "topicrawl").allows(
        f"http://a.test{respelled(path)}"
    )
    assert verdict == allows(path, *about_it)


@given(st.binary(max_size=60))
def test_any_bytes_have_a_normal_form_of_ascii_letters(octets: bytes) -> None:
    assert normal(octets).isascii()
    assert not re.search(r"[ {}<>\"`|^\\]", normal(octets))
