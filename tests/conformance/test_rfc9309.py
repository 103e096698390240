"""What RFC 9309 says of robots.txt, section by section, with files of our own."""

from __future__ import annotations

import pytest

from topicrawl.web.http.robots_file import Rules, read_rules

SEVERAL = b"""\
User-Agent: *
Disallow: *.gif$
Disallow: /example/
Allow: /publications/

User-Agent: foobot
Disallow:/
Allow:/example/page.html
Allow:/example/allowed.gif

User-Agent: barbot
User-Agent: bazbot
Disallow: /example/page.html

User-Agent: quxbot
"""


def allows(path: str, text: str | bytes, agent: str = "topicrawl") -> bool:
    content = text.encode() if isinstance(text, str) else text
    return read_rules(content, agent).allows(f"http://a.test{path}")


def forbids(path: str, *rules: str) -> bool:
    """Whether these rules for everybody forbid a path."""
    return not allows(path, "\n".join(["User-agent: *", *rules]))


@pytest.mark.parametrize(
    ("agent", "allowed", "forbidden"),
    [
        ("topicrawl", "/ /publications/ /publications/a /x.gif/y", "/x.gif /example/ /example/page.html"),
        ("foobot", "/example/page.html /example/allowed.gif", "/ /publications/ /example/other.gif"),
        ("barbot", "/ /example/ /x.gif", "/example/page.html"),
        ("bazbot", "/ /example/ /x.gif", "/example/page.html"),
        ("quxbot", "/ /example/page.html /x.gif", ""),
    ],
)
def test_section_2_1_each_agent_has_the_rules_of_its_own_group_and_no_others(
    agent: str, allowed: str, forbidden: str
) -> None:
    assert all(allows(path, SEVERAL, agent) for path in allowed.split())
    assert not any(allows(path, SEVERAL, agent) for path in forbidden.split())


@pytest.mark.parametrize("name", ["TopiCrawl", "topicrawl", "topicrawl/1.0", "topicrawl 2 beta"])
def test_section_2_2_1_the_product_token_is_compared_without_case_and_version(name: str) -> None:
    assert not allows("/", f"User-agent: {name}\nDisallow: /\nUser-agent: *\nAllow: /")


@pytest.mark.parametrize("name", ["t", "topic", "topicrawler", "topicrawl-news", "x topicrawl", ""])
def test_section_2_2_1_a_group_of_another_agent_does_not_concern_us(name: str) -> None:
    assert allows("/", f"User-agent: {name}\nDisallow: /")


def test_section_2_2_1_groups_of_one_agent_are_combined() -> None:
    text = "User-agent: topicrawl\nDisallow: /a\n\nUser-agent: *\nDisallow: /b\n\nUser-agent: topicrawl\nDisallow: /c"
    assert [allows(path, text) for path in ("/a", "/b", "/c")] == [False, True, False]


def test_section_2_2_1_groups_for_everybody_are_combined_too() -> None:
    text = "User-agent: *\nDisallow: /a\nUser-agent: other\nDisallow: /b\nUser-agent: * \nDisallow: /c"
    assert [allows(path, text) for path in ("/a", "/b", "/c")] == [False, True, False]


def test_section_2_2_1_without_a_group_of_ours_or_for_everybody_no_rule_holds() -> None:
    assert allows("/", "User-agent: other\nDisallow: /")
    assert allows("/", "Disallow: /"), "a rule before the first user-agent line"
    assert allows("/", b"")


def test_section_2_2_1_a_star_is_everybody_and_a_name_that_begins_with_one_is_not() -> None:
    assert not allows("/", "User-agent: *\nDisallow: /")
    assert not allows("/", "User-agent: * all others\nDisallow: /")
    assert allows("/", "User-agent: *bot\nDisallow: /")


def test_section_2_2_2_rules_are_compared_with_the_beginning_of_the_path_and_by_case() -> None:
    assert forbids("/private", "Disallow: /priv")
    assert not forbids("/a/priv", "Disallow: /priv")
    assert not forbids("/Private", "Disallow: /priv")


def test_section_2_2_2_the_query_is_part_of_what_is_compared_and_the_fragment_is_not() -> None:
    assert forbids("/a?b=c", "Disallow: /a?b")
    assert not forbids("/a#?b", "Disallow: /a?b")
    assert forbids("/a#x", "Disallow: /a$")


def test_section_2_2_2_a_url_without_a_path_has_the_path_of_the_root() -> None:
    rules = read_rules(b"User-agent: *\nDisallow: /$", "topicrawl")
    assert not rules.allows("http://a.test")
    assert not rules.allows("https://a.test")
    assert not rules.allows("http://a/")
    assert rules.allows("http://a/x")


def test_section_2_2_2_the_most_specific_rule_wins_whatever_the_order() -> None:
    rules = ["Allow: /example/page/", "Disallow: /example/page/disallowed.gif"]
    for order in (rules, rules[::-1]):
        assert forbids("/example/page/disallowed.gif", *order)
        assert not forbids("/example/page/allowed.gif", *order)


@pytest.mark.parametrize(
    ("rules", "path"),
    [
        (["Allow: /page", "Disallow: /page"], "/page"),
        (["Allow: /pag*", "Disallow: /page"], "/page"),
        (["Disallow: /pag*", "Allow: /page"], "/page"),
        (["Disallow: /*a", "Allow: /*b"], "/ab"),
        (["Allow: /*b", "Disallow: /*a"], "/ab"),
    ],
)
def test_section_2_2_2_of_equally_specific_rules_the_one_that_allows_wins(
    rules: list[str], path: str
) -> None:
    assert not forbids(path, *rules)


def test_section_2_2_2_a_rule_without_a_path_is_no_rule() -> None:
    assert not forbids("/", "Disallow:")
    assert forbids("/a", "Disallow: /", "Allow:")


@pytest.mark.parametrize("star", ["*", "/*", "**"])
def test_section_2_2_3_a_star_alone_matches_every_path(star: str) -> None:
    assert forbids("/", f"Disallow: {star}")
    assert forbids("/a/b?c", f"Disallow: {star}")


@pytest.mark.parametrize(
    ("rule", "matched", "others"),
    [
        ("*/private", "/private /a/private /private/x", "/privat"),
        ("/a*b", "/ab /axb /axxb/c", "/a /xab /ba"),
        ("/a*b*c", "/abc /axbxc /abcc", "/acb /ab /ac"),
        ("/a*a", "/aa /axa", "/a /ax"),
        ("/*.gif$", "/x.gif /a/b.gif /x.gif.gif", "/x.gif?a /x.gift /gif"),
        ("/a$", "/a", "/ab /a/ /"),
        ("/ab*b$", "/abb /abxb /abbb", "/ab /abbx"),
        ("/a*", "/a /ab", "/b"),
        ("/*/c", "/a/c /a/b/c", "/c /ac"),
    ],
)
def test_section_2_2_3_a_star_is_any_octets_and_a_dollar_the_end(
    rule: str, matched: str, others: str
) -> None:
    assert all(forbids(path, f"Disallow: {rule}") for path in matched.split())
    assert not any(forbids(path, f"Disallow: {rule}") for path in others.split())


def test_section_2_2_a_hash_begins_a_comment_and_other_lines_are_passed_over() -> None:
    text = "# none\nUser-agent: * # all\nSurprise: x\n\nDisallow: /a # not /b\n#Disallow: /b\nnonsense\n"
    assert [allows(path, text) for path in ("/a", "/b")] == [False, True]


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n", "\n\n"])
def test_section_2_2_lines_end_in_any_of_three_ways(end: str) -> None:
    assert not allows("/a", end.join(["User-agent: *", "Disallow: /a", "Allow: /b"]))


def test_section_2_2_4_other_records_end_no_group() -> None:
    text = "User-agent: topicrawl\nSitemap: http://a.test/s.xml\nUser-agent: other\nDisallow: /"
    rules = read_rules(text.encode(), "topicrawl")
    assert not rules.allows("http://a.test/")
    assert rules.sitemaps == ("http://a.test/s.xml",)


@pytest.mark.parametrize("line", ["dissallow: /", "Disalow: /", "DISALLOW:/", "disallow /", " Disallow : /"])
def test_section_2_2_keys_are_read_without_case_and_with_common_errors(line: str) -> None:
    assert forbids("/", line)


def test_a_line_with_more_words_and_no_colon_is_no_rule() -> None:
    assert not forbids("/", "disallow / please")


@pytest.mark.parametrize(
    ("written", "seconds"),
    [
        ("2", 2.0),
        ("0.5", 0.5),
        ("1", 1.0),
        ("0", 0.0),
        ("-3", 0.0),
        ("inf", 0.0),
        ("nan", 0.0),
        ("soon", 0.0),
    ],
)
def test_a_delay_is_a_positive_number_of_seconds(written: str, seconds: float) -> None:
    rules = read_rules(f"User-agent: *\nCrawl-delay: {written}\nDisallow: /x".encode(), "topicrawl")
    assert rules.delay == seconds
    assert not rules.allows("http://a.test/x")


def test_a_delay_is_that_of_our_own_group_and_the_longest_of_several() -> None:
    text = (
        b"User-agent: *\nCrawl-delay: 9\nUser-agent: topicrawl\nCrawl-delay: 2\nCrawl-delay: 1\nDisallow: /x"
    )
    assert read_rules(text, "topicrawl").delay == 2.0
    assert read_rules(text, "other").delay == 9.0
    assert Rules().delay == 0.0, "a site without a robots.txt asks for none"


def test_a_delay_between_two_agents_does_not_divide_their_group() -> None:
    text = b"User-agent: a\nCrawl-delay: 1\nUser-agent: topicrawl\nDisallow: /x\nUser-agent: b\nDisallow: /y"
    rules = read_rules(text, "topicrawl")
    assert not rules.allows("http://a.test/x")
    assert rules.allows("http://a.test/y")
    assert rules.delay == 0.0


def test_allowing_the_index_page_allows_its_folder() -> None:
    rules = ("Disallow: /a/", "Allow: /a/index.html")
    assert not forbids("/a/", *rules)
    assert forbids("/a/x", *rules)
    assert forbids("/a/", "Allow: /a/x.html", "Disallow: /a/")
    assert not forbids("/a/", "Disallow: /a/index.html")


def test_only_the_beginning_of_a_line_is_read() -> None:
    """16,664 octets, of which `Disallow: /` has 11."""
    assert forbids("/" + "a" * 16_653 + "c", "Disallow: /" + "a" * 16_653 + "b")
    assert not forbids("/" + "a" * 16_652 + "c", "Disallow: /" + "a" * 16_652 + "b")
