"""Native code reads a page exactly as the full HTML5 parser does, or falls back to it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from html.entities import html5
from itertools import islice
from pathlib import Path

import pytest
from fastwarc.warc import ArchiveIterator, WarcRecordType
from hypothesis import given, settings
from hypothesis import strategies as st

from topicrawl import urls
from topicrawl.page.decode import decode
from topicrawl.page.html import read_html
from topicrawl.page.html_turbohtml import parse
from topicrawl.page.normalize import TEXT_LIMIT, fold, nfkc
from topicrawl.web.invented import invented_web

native = pytest.importorskip("topicrawl._native", reason="built without native code")

HERE = "http://h.test/dir/page.html?q"
PAGES = 400
"""Pages of each recorded web that are compared: every twelfth from its start."""


def is_supported(markup: str, url: str = HERE) -> bool:
    """Whether native code reads this page itself."""
    return native.read_page(url, markup, urls.join, fold, nfkc, html5) is not None


def agree(markup: str, url: str = HERE) -> bool:
    return read_html(url, markup) == read_html(url, markup, parser=parse)


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
    "é ﬁ 暴雨\u3000&nbsp;x&#8212;y&#151;&eacute&notin;&ampx <a href='?a=1&copy=2&amp;b'>z</a>",
    "<span><x-y>a</x-y></span></p></div>b<!-- c --><![x]></>d<?php e ?>f < g </ h",
]


@pytest.mark.parametrize("markup", PLAIN)
def test_supported_pages_are_read_by_native_code_with_the_same_result(markup: str) -> None:
    assert is_supported(markup)
    assert agree(markup)


@pytest.mark.parametrize(
    "markup",
    [
        "<a href=x>a<a href=y>b",
        "<p><b>a<p>b",
        "<b><i>a</b>b",
        "<table>a<tr><td>b</table>",
        "<frameset><frame src=a></frameset>",
        "<meta http-equiv=refresh content='0;url=x'>",
        "<body>a</body>b",
        "<math><mi>x</mi></math>",
        "<template>a</template>",
        "a\0b",
        "a\x1fb",
        "<div>" * 1000,
        "x" * TEXT_LIMIT,
        "<script><!--<script></script>--></script>",
    ],
    ids=lambda markup: markup[:20],
)
def test_native_code_falls_back_on_unsupported_markup(markup: str) -> None:
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
@settings(max_examples=600)
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
        *("http://a.1/", "http:x", "/x" * 1100),
    ],
)
def test_common_forms_of_links_lead_to_the_same_urls(href: str) -> None:
    assert all(agree(f'<a href="{href}">x</a>', base) for base in BASES)


def recorded(archive: Path) -> Iterator[tuple[str, str]]:
    with archive.open("rb") as stream:
        records = ArchiveIterator(stream, record_types=WarcRecordType.response, parse_http=True)
        for record in islice(records, 0, 12 * PAGES, 12):
            url = record.headers["WARC-Target-URI"]
            content_type = record.http_headers.get("content-type") or ""
            yield urls.canonical(url) or url, decode(record.reader.read(), content_type)[0]


@pytest.mark.webs
@pytest.mark.parametrize("name", ["uci_ics", "webkb", "wikispeedia"])
def test_recorded_pages_are_read_the_same(webs: Path, name: str) -> None:
    pages = list(recorded(webs / f"{name}.warc.gz"))
    assert [url for url, text in pages if not agree(text, url)] == []
    assert sum(is_supported(text, url) for url, text in pages) > len(pages) / 2


def test_invented_pages_are_read_by_native_code() -> None:
    web = invented_web("invented:7")
    url = web.seeds("rainstorm disaster", 1)[0]
    for _ in range(5):
        text = decode(asyncio.run(web.fetch(url)).content)[0]
        assert is_supported(text, url)
        assert agree(text, url)
        url = read_html(url, text).links.urls[-1]
