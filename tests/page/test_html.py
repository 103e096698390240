"""HTML to pages: text by tag group, links with anchors and positions, metadata; also on hostile markup."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from page import html_selectolax
from topicrawl.model import IMAGE, NOFOLLOW, Page, ints
from topicrawl.page.collect import MAX_LINKS
from topicrawl.page.html import read_html
from topicrawl.page.main.extract import main_text
from topicrawl.page.normalize import FIELD_LIMIT, TEXT_LIMIT
from topicrawl.page.tag_paths import MOST_PATHS, NO_PATH

HERE = "http://h.test/dir/page.html"


def read(markup: str) -> Page:
    return read_html(HERE, markup)


def segments(page: Page) -> list[tuple[int, str]]:
    starts = ints(page.segment_starts).tolist()
    pieces = [page.text[start:end].strip() for start, end in zip(starts, [*starts[1:], None], strict=True)]
    return list(zip(ints(page.segment_groups).tolist(), pieces, strict=True))


def spans(page: Page) -> list[str]:
    places = zip(ints(page.links.starts).tolist(), ints(page.links.ends).tolist(), strict=True)
    return [page.text[start:end] for start, end in places]


def test_text_is_in_the_group_of_its_nearest_ancestor_that_has_one() -> None:
    page = read(
        "<title>Rain</title><meta name=keywords content='storm, flood'><meta name=Description content=about>"
        "<body>nav<h1>One</h1><h2>Two</h2><h3>Three</h3><h4>Four</h4><h5>Five</h5><h6>Six</h6>"
        "<p>text <strong>strong</strong> <b>bold</b> <i>plain</i></p><div>bare</div>"
        "<ul><li>item<div>inner</div></li></ul><table><tr><th>head<td>cell</table>"
        "<h1><span>deep <b>bolder</b></span></h1>"
    )
    assert segments(page) == [
        (0, "Rain\nstorm, flood\nabout"),
        (4, "nav"),
        (0, "One"),
        (1, "Two\nThree"),
        (2, "Four\nFive\nSix"),
        (3, "text"),
        (2, "strong bold"),
        (3, "plain"),
        (4, "bare"),
        (3, "item\ninner\nhead\ncell"),
        (0, "deep"),
        (2, "bolder"),
    ]


def test_blocks_are_separated_by_line_breaks_and_white_space_is_folded() -> None:
    page = read("<p> a \n\t b<i>c</i> <b> d</b></p>\n\n<p>e<br>f</p><div><div>g</div></div>h&nbsp;&nbsp;i")
    assert page.text == "a bc d\ne\nf\ng\nh i"


def test_text_is_in_compatibility_form_without_soft_hyphens() -> None:
    assert read("<p>ﬁre ＡＢＣ rain&shy;storm e&#x301;</p>").text == "fire ABC rainstorm é"


STORY = "The river rose by two metres within an hour. " * 5


@pytest.mark.parametrize(
    ("markup", "is_read"),
    [
        (f"<p>Forum</p><noscript><p>{STORY}<a href=x>next</a></noscript>", True),
        (
            f"<head><noscript><link rel=x></noscript></head><noscript><p>{STORY}<a href=x>next</a></noscript>",
            True,
        ),
        (f"<my-page><template shadowrootmode=open><p>{STORY}<a href=x>next</a></template></my-page>", True),
        (f'<div><TEMPLATE shadowrootmode="closed"><p>{STORY}<a href=x>next</a></TEMPLATE></div>', True),
        (f"<p>{'Words of the page. ' * 30}<noscript>{STORY}<a href=x>next</a></noscript>", False),
        (f"<p>Forum</p><noscript>Please enable JavaScript. {STORY}<a href=x>next</a></noscript>", False),
        (
            f"<template><template shadowrootmode=open><p>{STORY}<a href=x>next</a></template></template>",
            False,
        ),
    ],
)
def test_a_page_says_what_a_browser_without_scripts_shows(markup: str, is_read: bool) -> None:
    page = read(markup)
    assert (STORY.strip() in page.text, page.links.urls == ["http://h.test/dir/x"]) == (is_read, is_read)
    assert (STORY.strip() in main_text(HERE, markup).text) == is_read


@pytest.mark.parametrize(
    "tag", ["script", "style", "noscript", "template", "svg", "iframe", "noframes", "datalist"]
)
def test_hidden_text_is_not_read(tag: str) -> None:
    page = read(f"<p>a</p><{tag}>hidden <a href=x>link</a></{tag}><!-- comment --><p>b</p>")
    assert page.text == "a\nb"
    assert page.links.urls == []


def test_only_the_first_title_is_the_title() -> None:
    page = read("<svg><title>icon</title></svg><title> The \n page </title><title>again</title><p>x")
    assert page.title == "The page"
    assert page.text == "The page\nx"


def test_links_are_in_document_order_with_anchor_title_and_position() -> None:
    page = read(
        "<title>T</title><p>see <a href='../x' title=' the  x '>the <b>x</b> page</a> and "
        "<a href=y>\n y </a>or <a href='http://other.test'>z</a>."
    )
    assert page.links.urls == ["http://h.test/x", "http://h.test/dir/y", "http://other.test/"]
    assert page.links.anchors == ["the x page", "y", "z"]
    assert page.links.titles == ["the x", "", ""]
    assert spans(page) == page.links.anchors
    assert page.text == "T\nsee the x page and y or z."


def test_an_anchor_over_several_blocks_is_one_line() -> None:
    page = read("<a href=x><h2>Head</h2><p>text</p></a>")
    assert page.links.anchors == ["Head text"]
    assert spans(page) == ["Head\ntext"]


def test_the_anchor_of_an_image_link_is_its_alt_and_has_length_0_in_the_text() -> None:
    page = read("<p>a <a href=1><img alt='the  map'></a> b <a href=2><img alt=pic> words</a><a href=3></a>")
    assert page.links.anchors == ["the map", "words", ""]
    assert list(page.links.flags) == [IMAGE, 0, 0]
    assert spans(page) == ["", "words", ""]
    assert "map" not in page.text


def paths(page: Page) -> list[str]:
    return [page.links.tag_paths[number] for number in page.links.path_numbers]


def test_a_link_has_the_path_of_the_elements_that_contain_it() -> None:
    page = read(
        "<body class=home><div id=content><ul class='links wide'><li><a href=1>a</a><li id=item-7><a href=2>b</a>"
        "</ul><p>text <a href=3 class='Ext-9 42'>c</a></div><a href=4><b>d</b></a>"
    )
    assert paths(page) == [
        "div#content/ul.links.wide/li/a",
        "div#content/ul.links.wide/li#item-/a",
        "div#content/p/a.ext-",
        "a",
    ]


def test_links_at_the_same_place_of_a_template_share_a_path() -> None:
    page = read("<table>" + "<tr class=row-1><td><a href=x>a</a>" * 50 + "</table>")
    assert page.links.tag_paths == ["table/tbody/tr.row-/td/a"]
    assert page.links.path_numbers == bytes(50)


def test_tag_paths_are_bounded_in_depth_length_and_number() -> None:
    letters = [chr(ord("a") + number) for number in range(20)]
    many = "".join(f"<p id={one}{other}><a href=y>y</a></p>" for one in letters for other in letters)
    page = read("<div>" * 9 + f"<p class={'c' * 40}><a href=x>x</a></p>" + many)
    assert page.links.tag_paths[0] == "div/div/div/div/p." + "c" * 16 + "/a"
    assert len(page.links.tag_paths) == MOST_PATHS == NO_PATH
    assert list(page.links.path_numbers) == [*range(MOST_PATHS), *[NO_PATH] * (401 - MOST_PATHS)]


def test_maps_frames_and_refreshes_are_links() -> None:
    page = read(
        "<meta http-equiv=Refresh content='5; URL=\"next.html\"'><map><area href=a alt=region></map>"
        "<iframe src=f></iframe>"
    )
    assert page.links.urls == [f"http://h.test/dir/{name}" for name in ("next.html", "a", "f")]
    assert page.links.anchors == ["", "region", ""]
    assert list(page.links.flags) == [0, IMAGE, 0]
    assert read("<frameset><frame src=one><frame src=two></frameset>").links.urls == [
        "http://h.test/dir/one",
        "http://h.test/dir/two",
    ]


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0;url=x", "http://h.test/dir/x"),
        ("0, x", "http://h.test/dir/x"),
        ("1.5 ; Url = 'x' ", "http://h.test/dir/x"),
        ("30", None),
        ("", None),
        ("0;url=javascript:go()", None),
    ],
)
def test_a_refresh_is_read_as_browsers_read_it(content: str, target: str | None) -> None:
    found = read(f'<meta http-equiv=refresh content="{content}">').links.urls
    assert found == ([target] if target else [])


def test_fragments_scripts_and_mail_addresses_are_no_links() -> None:
    page = read(
        "<a href='#top'>a</a><a href=' javascript:x()'>b</a><a href=mailto:x@y.test>c</a><a name=d>d</a>"
        "<a href='ftp://h.test/'>e</a><a href='http://['>f</a><a href>g</a><a href=''>h</a>"
    )
    assert page.links.urls == []
    assert page.text == "abcdefgh"


def test_the_first_base_counts_wherever_it_is() -> None:
    assert read("<a href=x>x</a><base href=/b/><base href=/c/>").links.urls == ["http://h.test/b/x"]
    assert read("<base href='data:,'><a href=x>x</a>").links.urls == ["http://h.test/dir/x"]


def test_links_and_pages_may_ask_not_to_be_followed() -> None:
    page = read("<meta name=ROBOTS content='NoIndex , nofollow'><a rel='external NoFollow' href=x>x</a>")
    assert list(page.links.flags) == [NOFOLLOW]
    assert (page.noindex, page.nofollow) == (True, True)
    assert read("<meta name=robots content=none>").noindex
    assert not read("<meta name=robots content='index, follow'>").noindex


def test_the_declared_language_is_kept() -> None:
    assert read("<html lang=zh-CN>").language == "zh-CN"
    assert read("<html xml:lang=de>").language == "de"


@pytest.mark.parametrize(
    ("markup", "needs"),
    [
        ("<title>App</title><div id=root></div><script src=app.js></script>", True),
        ("<p>Loading…</p><noscript>You need to enable JavaScript.</noscript><script>go()</script>", True),
        ("<p>short</p><a href=x>but a link</a><script>x</script>", False),
        ("<p>" + "words " * 100 + "<noscript>JavaScript please</noscript><script>x</script>", False),
        ("<p>tiny</p>", False),
        ("", False),
    ],
)
def test_pages_without_text_that_need_scripts_are_recognised(markup: str, needs: bool) -> None:
    assert read(markup).needs_script is needs


def test_xhtml_may_have_self_closing_elements() -> None:
    markup = "<html><head><title/><script src='x' /></head><body><a name='top'/><p>text</p></body></html>"
    assert read_html(HERE, markup, xml=True).text == "text"


@pytest.mark.parametrize(
    "markup",
    [
        "<div>" * 100_000 + "x",
        "<b><p>" * 50_000 + "x",
        "<table><tr><td><a href=x>" * 50_000 + "x",
        "<a href=x><b>" * 50_000 + "x",
        "<a " + " ".join(f"a{n}=1" for n in range(100_000)) + " href=x>x</a>",
        "<ul><li><a href=x>x" * 50_000,
        "<meta name=keywords content='" + "x" * 2_000_000 + "'>",
        "<title>" * 100_000,
        "<a href=x>" + "<img alt=x>" * 100_000,
        "<" * 500_000,
        "x" * 3_000_000,
        " " * 3_000_000,
        "a" + "\u0301\u0323" * 500_000,
        "\ufdfa" * 200_000,
    ],
    ids=lambda markup: markup[:16],
)
def test_hostile_markup_is_read_within_bounds(markup: str) -> None:
    page = read(markup)
    assert len(page.text) <= TEXT_LIMIT + 3 * FIELD_LIMIT + 3
    assert len(page.links.urls) <= MAX_LINKS
    assert all(len(anchor) <= FIELD_LIMIT for anchor in page.links.anchors)


def test_at_most_2000_links_and_a_million_characters_of_a_page_are_read() -> None:
    page = read(
        "".join(f"<a href={n}>{n}</a> " for n in range(100_000)) + "<p>" + "word " * 300_000 + "<p>end"
    )
    assert len(page.links.urls) == MAX_LINKS
    assert page.links.urls[-1] == f"http://h.test/dir/{MAX_LINKS - 1}"
    assert TEXT_LIMIT - 4 <= len(page.text) <= TEXT_LIMIT + 1
    assert not page.text.endswith("end")


SOUP = st.lists(
    st.sampled_from(
        [
            *(
                "<a href=x>",
                "<a href=y title=t>",
                "</a>",
                "<p>",
                "</p>",
                "<b>",
                "</b>",
                "<table>",
                "<td>",
                "<li>",
            ),
            *("<h1>", "</h1>", "<br>", "text", " ", "ﬁ", "暴雨", "&nbsp;", "<img alt=i>", "<svg>", "</svg>"),
            *("<title>", "</title>", "<script>", "</script>", "<noscript>", "</noscript>", "<template>"),
            *("</template>", "<base href=/q/>", "<iframe src=z>", "</iframe>", "<textarea>", "</textarea>"),
            *("<object>", "<!--", "-->"),
        ]
    ),
    max_size=40,
).map("".join)


@given(SOUP)
def test_the_columns_of_every_page_are_consistent(markup: str) -> None:
    page = read(markup)
    starts, ends = ints(page.links.starts), ints(page.links.ends)
    segment_starts, groups = ints(page.segment_starts), ints(page.segment_groups)
    columns = (page.links.anchors, page.links.titles, starts, ends, page.links.flags, page.links.path_numbers)
    assert {len(column) for column in columns} == {len(page.links.urls)}
    assert all(0 <= start <= end <= len(page.text) for start, end in zip(starts, ends, strict=True))
    assert all(number < len(page.links.tag_paths) for number in page.links.path_numbers)
    assert len(segment_starts) == len(groups)
    assert (len(segment_starts) > 0) == bool(page.text)
    assert not page.text or segment_starts[0] == 0
    assert list(segment_starts) == sorted(set(segment_starts))
    assert all(0 <= group <= 4 for group in groups)
    assert "  " not in page.text
    assert page.text == page.text.strip()


@given(SOUP)
def test_a_second_parser_agrees(markup: str) -> None:
    theirs = read_html(HERE, markup, parser=html_selectolax.parse)
    ours = read(markup)
    assert ours.text.split() == theirs.text.split()
    assert ours.links.urls == theirs.links.urls


def test_a_page_that_was_stored_before_there_were_tag_paths_has_none() -> None:
    page = read("<ul><li><a href=x>a</a></ul>")
    columns = msgspec.structs.astuple(page.links)[:6]
    stored = msgspec.msgpack.encode([page.url, "", "", page.text, b"", b"", columns])
    old = msgspec.msgpack.decode(stored, type=Page)
    assert old.links.urls == page.links.urls
    assert (old.links.tag_paths, old.links.path_numbers) == ([], b"")
