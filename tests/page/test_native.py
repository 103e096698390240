"""Native code reads a page exactly as the full HTML5 parser does, or leaves the page to it."""

from __future__ import annotations

import asyncio
import random
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from page.broken_markup import broken
from page.recorded_pages import Source, articles, recorded
from topicrawl.page.decode import decode
from topicrawl.page.html import native_columns, read_html
from topicrawl.page.html_turbohtml import parse
from topicrawl.page.normalize import TEXT_LIMIT
from topicrawl.web.invented import invented_web

pytest.importorskip("topicrawl._native", reason="built without native code")

HERE = "http://h.test/dir/page.html?q"
WEBS = ("archwiki", "debdocs", "uci_ics", "webkb", "wikispeedia", "zhdocs")
PAGES, EVERY = 80, 12
"""Pages of each recorded web that are compared, and how far apart they are; `python -m bench.readers` compares all."""


def is_supported(markup: str, url: str = HERE) -> bool:
    """Whether native code reads this page itself."""
    return native_columns(url, markup) is not None


def agree(markup: str, url: str = HERE, *, xml: bool = False) -> bool:
    return read_html(url, markup, xml=xml) == read_html(url, markup, xml=xml, parser=parse)


PLAIN = [
    "",
    "text",
    " a <b>b</b> &amp; c",
    "<!doctype html><html lang=' de '><head><meta charset=utf-8><title>T &lt; U</title><base href=/x/></head><body>"
    "<h1>One</h1><p>two <a href=y title=' a  b ' rel='x NoFollow'>three <img alt=four></a></p></body></html>\n",
    "<ul><li>a<li>b<ul><li>c</ul></ul><dl><dt>d<dd>e<dt>f</dl><p>g<p>h<div>i</div>",
    "<table><tr><td>a<td><b>b<tr><th>c</table><table><caption>d</caption><tbody><tr><td>e</td></tr></table>",
    "<head><noscript><link rel=x></noscript></head><noscript>Use JavaScript</noscript><script>a<b</script>",
    "<select><optgroup><option>a<option>b</select><textarea> c&lt;</textarea><form><input>d</form>",
    "<a href=x><div>a</div></a><svg><title>t</title><g><path d=x /></g></svg><iframe src=f>b</iframe>",
    "<div CLASS='a&#98; c\x0bd\n\tE9-_ 7 8x暴' id=&amp; class=z><nav id=' '><A hreF=x ID=i1j>a</A>",
    "<x-y9 class><a href=y>b",
    "<p class='abcdefghijklmno p'><a href=x class='abcdefghijklmnop q'>a</a><math><mi id=m><a href=y>b</math>",
    "<frameset id=f><frame src=x class=g></frameset>",
    "".join(
        f"<p class={'x' * (number % 17)}{'y' * (number // 17)}><a href=x>a</a></p>" for number in range(600)
    ),
    "é ﬁ 暴雨\u3000&nbsp;x&#8212;y&#151;&eacute&notin;&ampx <a href='?a=1&copy=2&amp;b'>z</a>",
    "<span><x-y>a</x-y></span></p></div>b<!-- c --><![x]></>d<?php e ?>f < g </ h",
]


BADLY_NESTED = [
    "<a href=x>a<a href=y>b",
    "<p><b>a<p>b</b>c<p>d",
    "<b><i>a</b>b<h1>c</i>d",
    "<b a=1><b a='1'><b a=1><b a=1 x>a<p>b</b></b></b></b></p><p>c",
    "<b><p>1<i><u><s><em><tt>2</b>3</p>4",
    "<table>a<tr><td>b</table>c<table><a href=x>d<tr>e</a><td>f</a>",
    "<table><b><tr><td>a</b></table>b<table><select><tr><td><select><td>c",
    "<table><form><input type=hidden><input><tr></form></table><caption>a<td>b",
    "<p>a<table>b</table><!doctype html>",
    '<!doctype html public "-//W3C//DTD HTML 4.01 Transitional//EN"><p>a<table>b</table>',
    '<!doctype html public "-//W3C//DTD HTML 4.01 Transitional//EN" "x"><p>a<table>b</table>',
    "<p><a href=x><pre>\n</pre><p><b><listing>\n\n<i>a",
    "</head><head><title>a</title><frameset><frame src=x>",
    "<frameset><frame src=a></frameset><noframes>b</noframes>c",
    "<a href=b><frameset><frame src=a></frameset></html>\n<!-- c -->\n",
    "<body><p>a</body>b</html><!-- c -->d<html lang=fr>",
    "<l&amp><a href=m>a</a></l&amp><b&#65;c class=d&amp;e><a href=n>b",
    "<table><td><select>/<table>A",
    "<table><td><select><a href=q>/</a><table><a href=x>A</a>",
    "<table><caption><select><option><b><table><tr><td><a href=x>A</a></caption>b",
    "<table><td><select><object><table>a<tr><td><select><svg><desc><table>b",
    "<table>a<select><a href=x><input type=hidd&#101;n>b",
    "<input type=hidd&#101;n><frameset><frame src=x>",
    "<table>暴<select><a href=x><input type=hidden>b</table><p>暴<input type='hidden'>",
    "<math><annotation-xml encoding=text&#47;html><textarea><a href=x>b</textarea></math>c",
    "<math><mi>x<p>y</mi><a href=z>z</a><annotation-xml encoding=text/html><b>c</math>d",
    "<svg><p>a<svg><desc><p>b</svg>c<svg><![CDATA[d<e]]><font color=f>g",
    "<template>a<tr><td>b<script></script></template>c<a href=x>d</a>",
    "<select><option>a<optgroup>b<option>c<hr>d<input>e</select>f<option>g<option>h",
    "<ruby>a<rb>b<rt>c<rtc>d<rp>e</ruby>f<button>g<button>h<object><b>i</object>j",
    "<script><!--<script></script>--></script>a<script><!--></script>b<plaintext></b>c",
    "<meta http-equiv=refresh content='0;url=x'><base href=><base href=/z/><a href=' \u3000#a'>a</a><a href=é>b",
    "<meta name='\xa0Keywords' content=a><meta name=词 content=b><a rel='\u2003nofollow é' href=x>c</a>",
    "a\x1fb<p>\x1f</p>\x1c c \x0b",
    "x" * TEXT_LIMIT,
    "<p>x y</p>" * (TEXT_LIMIT // 4 - 1) + "<a href=x>é ﬁ  z</a><a href=y>y",
]


@pytest.mark.parametrize("markup", PLAIN + BADLY_NESTED, ids=lambda markup: markup[:20])
def test_native_code_reads_a_page_with_the_same_result(markup: str) -> None:
    assert is_supported(markup)
    assert agree(markup)


@pytest.mark.parametrize(
    "markup",
    [
        "a\0b",
        "<div>" * 1000,
        "<select><selectedcontent></selectedcontent><option>a</select>",
        "<table>暴<select><a href=x><input type='hidden'>",
        "<input type='hidden'><frameset><frame src=暴>",
        "<svg><template><desc><p></template>a<a href=x>b",
        "<math><template><mi><b></template>a<a href=x>b",
        "<form><svg><template></form>a<a href=x>b",
        "<template><body></template><b><frameset><frame src=x>",
        "<template><tfoot>a</template><col><frameset><frame src=x>",
        "<p>" + "".join(f"<b id={number}>" for number in range(100)) + "<p>a" * 1000,
    ],
    ids=lambda markup: markup[:20],
)
def test_native_code_leaves_rare_pages_to_the_full_parser(markup: str) -> None:
    assert not is_supported(markup)
    assert agree(markup)


TAGS = """
    a abbr address area article b base big blockquote body br button caption center code col colgroup datalist
    dd desc details dialog dir div dl dt em embed fieldset figure font footer foreignObject form frame g h1 h2
    h3 h6 head header hr html i iframe image img input legend li link listing main marquee math meta nav nobr
    noembed noframes noscript object ol optgroup option p param path plaintext pre q rt ruby s script search
    section select small span strong style summary sup svg table tbody td template textarea tfoot th thead title
    tr tt u ul var wbr x-y xmp
    """.split()  # noqa: SIM905
ATTRIBUTES = (
    *(
        "href=x",
        "href='y z'",
        "HREF=/a/../b",
        "href=#x",
        "href",
        "href=''",
        "href=//o.test/",
        "href=mailto:x",
    ),
    *("href=http://o.test", "title=' t  u '", "alt=p", "alt=", "rel=nofollow", "rel='a NOFOLLOW'", "src=s"),
    *("name=robots", "name=keywords", "name=' Description '", "content='a,  b'", "content=none", "lang=de"),
    *("http-equiv=refresh", "xml:lang=fr", "lang=", "/", "=", 'a="b>c"', "title='&amp;&lt&copy=1'", "x"),
    *("href='?a&lt=b&amp;c'", "href=x\r\ny", "title='a\rb'", "alt='é ﬁ'", "type=hidden"),
    *("class=c", "class='d-1 &amp;E\tf'", "CLASS='\x0b g\xa0h'", "id=i2", "id='&#106; j'", "class=", "id"),
)
TEXTS = (
    *(
        "a",
        " ",
        "\n",
        "\r\n",
        "\t",
        "word word",
        " b ",
        "é",
        "ﬁ",
        "e\u0301",
        "\u0301",
        "\u3000",
        "\xa0",
        "\xad",
    ),
    *("暴雨", "&amp;", "&nbsp;", "&nbsp", "&#x41;", "&#146;", "&#0;", "&#13;", "&#xD800;", "&#99999999999;"),
    *(
        "&#;",
        "&#x;",
        "&notit;",
        "&not",
        "&unknown;",
        "&",
        "&é",
        "&amp",
        "<",
        "< ",
        "</",
        "</ x>",
        "</>",
        "<!",
    ),
    *("<!-", "<!---->", "<!-->", "<!--->", "<!-- x -->", "<!-- x --!>", "<!--", "-->", "<!doctype html>"),
    *("<!DOCTYPE x>", "<![CDATA[x]]>", "<?xml x?>", "<?x", "<!x>", "\x0b", "\x7f", "\0", "\f", "javascript"),
    *("x<y", "1<2", "'", '"', "=", ">", "/>"),
)
START = st.builds(
    lambda tag, attributes, end: f"<{tag}{''.join(' ' + item for item in attributes)}{end}",
    st.sampled_from(TAGS),
    st.lists(st.sampled_from(ATTRIBUTES), max_size=3),
    st.sampled_from([">"] * 8 + ["/>", " >", "", "\n>"]),
)
END = st.builds(
    lambda tag, end: f"</{tag}{end}", st.sampled_from(TAGS), st.sampled_from([">"] * 8 + [" x>", "", "/>"])
)
TEXT = st.sampled_from(TEXTS)
SOUP = st.lists(START | END | TEXT, max_size=30).map("".join)


@st.composite
def nested(draw: st.DrawFn) -> str:
    """Markup whose elements are mostly closed in their order."""
    pieces, opened = [], []
    for _ in range(draw(st.integers(0, 25))):
        step = draw(st.integers(0, 9))
        if step < 4:
            tag = draw(st.sampled_from(TAGS))
            attributes = draw(st.lists(st.sampled_from(ATTRIBUTES), max_size=2))
            pieces.append(f"<{tag}{''.join(' ' + item for item in attributes)}>")
            opened.append(tag)
        elif step < 7 and opened:
            pieces.append(f"</{opened.pop()}>")
        elif step == 7 and opened:
            opened.pop()
        else:
            pieces.append(draw(TEXT))
    return "".join(pieces)


@given(SOUP)
@settings(max_examples=400)
def test_any_markup_is_read_the_same(markup: str) -> None:
    assert agree(markup)


@given(nested())
@settings(max_examples=300)
def test_nested_markup_is_read_the_same(markup: str) -> None:
    assert agree(markup)


@given(st.text(max_size=80))
def test_any_text_is_read_the_same(text: str) -> None:
    assert agree(text)
    assert agree(f"<p>{text}<a href='{text}' title='{text}'>{text}")


JAMO = "\u1100\u1161\u11a8"
"""Three characters that become one: a consonant, a vowel, a final consonant."""
IN_ALL_PLACES = [
    *(
        "{}",
        "<pre>{}</pre>",
        "<pre>\n{}</pre>",
        "<pre>\r\n{}",
        "<pre>&#10;{}</pre>",
        "<textarea>\n{}</textarea>",
    ),
    *("<p>a <b>{}</b>{}", "<a href=x>{}<pre>\n{}</pre></a>", "<title>{}</title>{}", "<li>{}<!-- -->{}</x>{}"),
    *('<a href="{}" title="{}"><img alt="{}"></a>', '<meta name=keywords content="{}">', "<option>{}"),
]


@pytest.mark.parametrize("markup", IN_ALL_PLACES)
def test_letters_that_compose_do_so_at_every_position(markup: str) -> None:
    for before in range(250, 260):
        assert agree(markup.replace("{}", "가" * before + JAMO))
        assert agree(markup.replace("{}", "x\r\n" + "가 " * (before // 2) + "\r\n" + JAMO * 90))


def test_characters_that_need_no_normal_form_and_their_neighbours_are_read_the_same() -> None:
    borders = (
        0x80,
        0xBF,
        0xC0,
        0xFF,
        0x100,
        0x2010,
        0x2022,
        0x2026,
        0x3000,
        0x4DFF,
        0x4E00,
        0x8FFF,
        0x9000,
        0xFF0C,
    )
    characters = [*map(chr, range(0x20, 0x180)), *map(chr, range(0x2000, 0x2040)), *map(chr, borders)]
    for character in characters:
        assert agree(
            f"<p>a {character}\u0301  {character}<b>{character} e</b><a href=x> {character}{character} </a>"
        )
    assert agree("<p>" + "".join(characters).replace("<", "") + "<a href=x>" + "é—暴 \n " * 700)


PIECES = st.sampled_from(
    [*JAMO, "가", "각", "\ua960", "\ud7b0", "\ud7cb", "\u0301", "\u0323", "\u302e", "e", "ﾞ", "ｶ", "\xad"]
)
SPACES = st.sampled_from(["\n", "\r\n", "\r", " ", "\t", "\f", "\xa0", "\u3000", "\u2028", "&#10;", "&nbsp;"])


@given(
    st.sampled_from(IN_ALL_PLACES),
    st.integers(0, 260),
    st.lists(st.one_of(PIECES, PIECES, PIECES, SPACES), max_size=40),
)
@settings(max_examples=300)
def test_any_letters_that_compose_are_read_the_same(markup: str, before: int, pieces: list[str]) -> None:
    assert agree(markup.replace("{}", "가" * before + "".join(pieces)))


@pytest.mark.parametrize("piece", [" ", "  ", " \n", "\x01", "\x7f", "!", "é", "–", "ﬁ", "暴 ", "\xa0"])
def test_a_character_is_read_the_same_at_every_place_of_a_text(piece: str) -> None:
    """Native code looks at eight bytes at a time."""
    texts = ["a" * before + piece + filler * 11 for before in range(19) for filler in "b "]
    assert [text for text in texts if not agree(f"<p>{text}<i>{text}</i>")] == []


def test_a_title_with_many_line_ends_is_cut_at_the_same_position() -> None:
    markup = "<title>" + "\r\n" * 1999 + "word</title>"
    assert is_supported(markup)
    assert agree(markup)
    assert read_html(HERE, markup).title == "word"


HREF = st.text(alphabet="aZ09-._~/?#&=%:@!$'()*+,;[]\\ \t<é", max_size=14)
BASES = [
    "http://h.test/",
    "https://h.test:8080/a/b?c/d",
    "http://[::1]/x",
    "http://h.test/a%20b/;c",
    "http://1.2.3.4/a",
    "http://h.test/a//b/c/d.html?e/../f",
]


@given(HREF | HREF.map("http://".__add__) | HREF.map("https://x".__add__), st.sampled_from(BASES))
@settings(max_examples=500)
def test_links_lead_to_the_same_urls(href: str, base: str) -> None:
    assert agree(f'<a href="{href}">x</a>', base)


@pytest.mark.parametrize(
    "href",
    [
        *("/a/b.html", "a/b?c=d&e#f", "http://o.test", "https://o-p.test/A?b", "x:y", "//o.test/", "/a//b/"),
        *("HTTP://o.test/", "http://o.test/../x", "http://0x7f.1/", "http://o..test/", "http://xn--a/"),
        *(
            "http://a.1/",
            "http:x",
            "/x" * 1100,
            "../",
            "./",
            "..",
            "../x",
            "./../../x/./y",
            "../../../../x?y#z",
        ),
        *("..//x", ".//x", "../?x", "../#x", ".../x", "./a:b", "../a:b", "x/../y"),
    ],
)
def test_common_forms_of_links_lead_to_the_same_urls(href: str) -> None:
    assert all(agree(f'<a href="{href}">x</a>', base) for base in BASES)


@pytest.fixture(scope="module", params=WEBS)
def pages(webs: Path, request: pytest.FixtureRequest) -> list[Source]:
    """Some pages of a recorded web."""
    return list(islice(recorded(webs / f"{request.param}.warc.gz", EVERY), PAGES))


@pytest.mark.webs
def test_recorded_pages_are_read_by_native_code_with_the_same_result(pages: list[Source]) -> None:
    assert [page.url for page in pages if not agree(page.text, page.url, xml=page.xml)] == []
    assert sum(is_supported(page.text, page.url) for page in pages) >= 0.98 * len(pages)


@pytest.mark.webs
def test_recorded_pages_with_broken_markup_are_read_the_same(pages: list[Source]) -> None:
    rng = random.Random(21)
    for page in pages:
        assert agree(broken(page.text, rng), page.url, xml=page.xml)


def test_news_pages_are_read_by_native_code_with_the_same_result(testsuites: Path) -> None:
    for page in articles(testsuites, every=5):
        assert is_supported(page.text, page.url)
        assert agree(page.text, page.url)


def test_invented_pages_are_read_by_native_code() -> None:
    web = invented_web("invented:7")
    url = web.seeds("rainstorm disaster", 1)[0]
    for _ in range(5):
        text = decode(asyncio.run(web.fetch(url)).content)[0]
        assert is_supported(text, url)
        assert agree(text, url)
        url = read_html(url, text).links.urls[-1]
