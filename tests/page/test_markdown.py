"""Markdown of pages, read back by a Markdown parser that allows HTML: what a page says is never markup."""

from __future__ import annotations

import re
from html import escape

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from topicrawl import urls
from topicrawl.page.main.document import read_tree
from topicrawl.page.main.markdown import DEEPEST, markdown
from topicrawl.page.main.text import plain_text

BASE = "http://a.test/folder/"
PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def written(html: str) -> str:
    return markdown(read_tree(html).root, BASE)


def tokens(text: str) -> list[Token]:
    """All tokens of a Markdown text, those inside lines too."""
    found: list[Token] = []
    for token in PARSER.parse(text):
        found += [token, *(token.children or [])]
    return found


def shown(text: str) -> str:
    """What a reader sees of a Markdown text, without spaces."""
    kinds = ("text", "code_inline", "fence", "code_block")
    return squeezed("".join(token.content for token in tokens(text) if token.type in kinds))


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<h2>One <em>two</em></h2><p>three", "## One *two*\n\nthree"),
        ("<h3>C #</h3>", "### C \\#"),
        ("<p>a <strong>b</strong> <i>c</i> <b><i>d</i></b>", "a **b** *c* ***d***"),
        ("<p>in<b>side</b>words and<i>(next)</i>to", "in**side**words and(next)to"),
        ("<p>one<br>two", "one\\\ntwo"),
        ("<ul><li>a<ul><li>b<li>c</ul><li>d</ul>", "- a\n  - b\n  - c\n- d"),
        ("<ol start=3><li>a<li><p>b<p>c</ol>", "3. a\n4. b\n\n   c"),
        ("<blockquote><p>a<p>b</blockquote>", "> a\n>\n> b"),
        ("<p>use <code>a`b</code>", "use ``a`b``"),
        (
            "<pre><code class='language-py'>if a:\n    b = '```'\n</code></pre>",
            "````py\nif a:\n    b = '```'\n````",
        ),
        (
            "<table><tr><th>a<th>b<tr><td>1<td>2|3</table>",
            "| a | b |\n| --- | --- |\n| 1 | 2\\|3 |",
        ),
        ("<table><tr><td>a<td>b<tr><td>c</table>", "|  |  |\n| --- | --- |\n| a | b |\n| c |"),
        ("<table><tr><td><p>a<ul><li>b</ul><td>c</table>", "a\n\n- b\n\nc"),
        (
            "<table><tr><td><table><tr><td>a<td>b<tr><td>c<td>d</table><td>e</table>",
            "|  |  |\n| --- | --- |\n| a | b |\n| c | d |\n\ne",
        ),
        ("<p><a href='x y(1)'>there</a>", "[there](http://a.test/folder/x%20y%281%29)"),
        ("<a href='/t'><h3>News</h3><p>text</a>", "### [News](http://a.test/t)\n\n[text](http://a.test/t)"),
        ("<p>wow!<a href='/x'>y</a>", "wow\\![y](http://a.test/x)"),
        (
            "<p><a href='javascript:alert(1)'>a</a> <a href='data:text/html,x'>b</a> <a href='#c'>c</a>",
            "a b c",
        ),
        ("<p>snake_case, _this_ and __that__", "snake_case, \\_this\\_ and \\_\\_that\\_\\_"),
        ("<p>AT&amp;T &amp;amp; &amp;#60; &lt;b>", "AT\\&T \\&amp; \\&#60; \\<b\\>"),
        (
            "<p>- a<p>1. b<p>+ c<p># d<p>---<p>===<p>> e",
            "\\- a\n\n1\\. b\n\n\\+ c\n\n\\# d\n\n\\---\n\n\\===\n\n\\> e",
        ),
        ("<p>\\alpha \\1 \\{a\\}", "\\alpha \\1 \\\\{a\\\\}"),
        ("<p>C:\\<b>x</b>", "C:\\\\**x**"),
        (
            "<pre><details><summary>Show</summary>  a,\n</details><div>b</div></pre>",
            "```\nShow\n  a,\nb\n```",
        ),
        ("<hr>", "***"),
    ],
)
def test_an_element_is_written_as_the_markup_of_its_kind(html: str, expected: str) -> None:
    assert written(html) == expected
    assert shown(expected) == squeezed(plain_text(read_tree(html).root))


SIGNS = st.text(st.sampled_from("#-+*_`~|<>[]()!&;:=.1 ab\\\n\t$'\"é中/^{}@"), max_size=12)
HOSTILE = st.sampled_from(
    [
        "---\ntitle: x\n---",
        "<script>alert(1)</script>",
        "<!-- x",
        "[a](javascript:alert(1))",
        "[a]: http://evil.test",
        "![x](http://evil.test/p.png)",
        "<http://evil.test>",
        "```\ncode",
        "~~~",
        "a | b\n:-: | :-:",
        "&lt;img src=x&gt;",
        "- [ ] task",
        "    indented",
        "1) one",
        "&#x3C;b>",
        "\\",
        "`` ` ``",
    ]
)
TEXT = st.one_of(SIGNS, HOSTILE)
HREFS = st.sampled_from(
    ["/a", "b(c)?d=e&copy;=f", "http://b.test/|`x`", "javascript:x", "a b<c>", 'q"r', "mailto:a@b"]
)


def wrapped(tag: str, inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return inner.map(lambda inside: f"<{tag}>{inside}</{tag}>")


def repeated(part: st.SearchStrategy[str], most: int = 3) -> st.SearchStrategy[str]:
    return st.lists(part, max_size=most).map("".join)


LEAF = st.one_of(TEXT.map(escape), st.just("<br>"))
INLINE = st.recursive(
    LEAF,
    lambda inner: st.one_of(
        *(wrapped(tag, repeated(inner)) for tag in ("b", "i", "code", "span")),
        st.tuples(HREFS, repeated(LEAF)).map(lambda link: f'<a href="{escape(link[0])}">{link[1]}</a>'),
    ),
    max_leaves=4,
)
RUN = repeated(INLINE, 4)
CELLS = st.sampled_from(["td", "th"]).flatmap(lambda tag: repeated(wrapped(tag, RUN)))
BLOCK = st.recursive(
    st.one_of(
        *(wrapped(tag, RUN) for tag in ("p", "h1", "h6", "div")),
        wrapped("pre", repeated(LEAF)),
        wrapped("table", repeated(wrapped("tr", CELLS))),
        RUN,
    ),
    lambda inner: st.one_of(
        wrapped("ul", repeated(wrapped("li", repeated(inner)))),
        wrapped("ol", repeated(wrapped("li", repeated(inner)))),
        wrapped("blockquote", repeated(inner)),
    ),
    max_leaves=5,
)


@settings(max_examples=120)
@example(html="<p>a | b<br>:-:")
@example(html="<p><b>a</b><i>b</i><b>*</b>")
@example(html="<p>`<code>`</code>`")
@example(html="<p><code>a</code><code>b</code>")
@example(html="<p>&amp;<b>amp;</b>")
@example(html="<h1>#</h1><h1>a #</h1><h1>\\#</h1>")
@example(html="<table><tr><th>a<tr><td><code>a\\|b</code><td>`</table>")
@given(html=repeated(BLOCK, 4))
def test_what_a_page_says_is_shown_as_it_is_and_does_nothing(html: str) -> None:
    root = read_tree(html).root
    text = markdown(root, BASE)
    found = tokens(text)
    assert not [token for token in found if token.type in ("html_inline", "html_block", "image", "s_open")], (
        text
    )
    links = [str(token.attrs["href"]) for token in found if token.type == "link_open"]
    assert all(link.startswith(("http://a.test/", "http://b.test/")) for link in links), text
    kinds = {token.tag for token in found}
    for tag, ours in {"strong": "<b>", "em": "<i>", "h1": "<h1>", "h6": "<h6>", "table": "<table>"}.items():
        assert tag not in kinds or ours in html, text
    assert not kinds & {"h2", "h3", "hr"}, text
    assert "ul" not in kinds or "<ul>" in html, text
    assert "blockquote" not in kinds or "<blockquote>" in html, text
    assert shown(text) == squeezed(plain_text(root)), text


@pytest.mark.parametrize(
    "href", ["a?b=1&copy;=2", "a?b=1&amp=2&#38;", "c(d)e", "f_g*h[i]", "/page#fn:1", "j%20k", "ü/中"]
)
def test_a_link_leads_where_it_led(href: str) -> None:
    root = read_tree(f'<a href="{escape(href)}">there</a>').root
    (link,) = (token.attrs["href"] for token in tokens(markdown(root, BASE)) if token.type == "link_open")
    expected = urls.join(BASE, href)
    assert expected is not None
    expected += "".join(href.partition("#")[1:])
    assert str(link).replace("%28", "(").replace("%29", ")") == expected.replace("[", "%5B").replace(
        "]", "%5D"
    )


def test_lists_and_quotations_that_are_nested_very_deep_keep_their_text() -> None:
    html = "<ul><li>" * 1_000 + "deep" + "<blockquote>" * 1_000 + "deeper"
    text = written(html)
    assert shown(text) == "deepdeeper"
    assert max(len(line) - len(line.lstrip(" ->")) for line in text.splitlines()) <= 2 * DEEPEST
