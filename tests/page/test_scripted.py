"""Which pages say next to nothing until their scripts have run."""

from __future__ import annotations

import pytest

from topicrawl.page.read import read

LOAD = "<script src=/app.js></script>"


def needs(markup: str) -> bool:
    page = read("http://h.test/", markup.encode(), "text/html; charset=utf-8")
    assert page is not None
    return page.needs_script


@pytest.mark.parametrize(
    "markup",
    [
        f"<div id=root></div>{LOAD}",
        f"<app-root></app-root>{LOAD}",
        f"<p>We use cookies.</p><main class='app-shell'>  </main>{LOAD}",
        f"<header>My company</header><div id='__nuxt'><!-- drawn later --></div>{LOAD}",
        f"<div id=app>Loading…</div>{LOAD}",
        f"<p>正在加载中</p><div id=app></div>{LOAD}",
        f"<p>Please enable JavaScript to continue.</p>{LOAD}",
        "<p>Hello</p><noscript>This site requires JavaScript.</noscript><script>draw()</script>",
        "<div id=app></div><script type=module>import('/main.js')</script>",
        "<script>location.href = '/start'</script>",
    ],
)
def test_a_page_that_scripts_draw_needs_them(markup: str) -> None:
    assert needs(markup)


@pytest.mark.parametrize(
    "markup",
    [
        f"<p>A short page about my dog, who is called Rex and likes bones.</p>{LOAD}",
        f"<h1>Not found</h1><p>Go <a href=/>home</a></p>{LOAD}",
        f"<div id=root></div><a href=/a>a</a><a href=/b>b</a><a href=/c>c</a>{LOAD}",
        f"<div id=root>{'words ' * 100}</div>{LOAD}<noscript>Please enable JavaScript.</noscript>",
        "<div id=root></div>",
        f"<!-- <div id=root></div> --><p>A page of few words that are all there.</p>{LOAD}",
        f"<p>JavaScript is a language. I like it, and so does my cat.</p>{LOAD}",
        f"<frameset><frame src=/menu><frame src=/text></frameset>{LOAD}",
        f"<p>This page has moved.</p><meta http-equiv=refresh content='0; url=/new'>{LOAD}",
    ],
)
def test_a_short_page_that_says_what_it_has_to_say_does_not(markup: str) -> None:
    assert not needs(markup)


@pytest.mark.parametrize(
    "part",
    [
        "<div ",
        "<div id=id=id=id=root",
        "<!--",
        "<script ",
        "<div id=x></div>",
        "<x-y ",
        "<div>" + " " * 99,
        "import (",
    ],
)
def test_hostile_markup_takes_no_long_time(part: str) -> None:
    needs(LOAD + part * (2_000_000 // len(part)))
