"""The main text of pages: of articles by a public collection, of other kinds by pages marked by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from page.marked_pages import KINDS, WRITTEN, agreement, articles, marked_pages, mean
from topicrawl.model import Page
from topicrawl.page.html import read_html
from topicrawl.page.main.extract import main_text, text_of_page
from topicrawl.page.plain import read_plain

URL = "http://a.test/page"
PROSE = "The river rose for three days before it reached the lower gardens of the town. "


def test_the_text_of_articles_is_found(testsuites: Path) -> None:
    pages = articles(testsuites)
    precision, recall, f1 = mean([agreement(main_text(URL, page.html).text, page.main) for page in pages])
    assert f1 >= 0.955, (precision, recall)


@pytest.mark.parametrize("kind", WRITTEN)
def test_other_kinds_of_pages_keep_their_text(kind: str, tmp_path: Path) -> None:
    _check_recall(kind, tmp_path)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in WRITTEN])
def test_pages_of_recorded_webs_keep_their_text(kind: str, webs: Path) -> None:
    _check_recall(kind, webs)


def _check_recall(kind: str, webs: Path) -> None:
    pages = marked_pages(kind, webs)
    assert len(pages) == 10
    recalls = {page.name: agreement(main_text(URL, page.html).text, page.main).recall for page in pages}
    assert sum(recalls.values()) / len(recalls) >= 0.95, recalls
    assert min(recalls.values()) > 0.5, recalls


def article(body: str, head: str = "") -> str:
    return f'<html><head><meta property="og:type" content="article">{head}</head><body>{body}</body></html>'


def test_an_article_is_without_navigation_comments_and_related_articles() -> None:
    around = "<nav><a href=/>Home</a></nav><div class=sidebar>Weather today</div>"
    inside = "<div class='social-share'>Share this</div><ul><li><a href=/2>Another article</a></ul>"
    after = f"<div id=comments><p>{'I saw it, too. ' * 200}</div><footer>Imprint</footer>"
    html = article(f"{around}<article><p>{PROSE * 3}{inside}<p>{PROSE * 2}</article>{after}")
    assert main_text(URL, html).text == f"{(PROSE * 3).strip()}\n{(PROSE * 2).strip()}"


def test_comments_are_the_text_of_a_page_that_is_no_article() -> None:
    html = f"<title>A thread</title><div class=comment><p>{PROSE}</div><div class=comment><p>I saw it.</div>"
    assert main_text(URL, html).text == f"{PROSE.strip()}\nI saw it."


def test_the_title_and_headings_of_nothing_are_left_out() -> None:
    html = article(
        f"<h1>The flood</h1><h2>First day</h2><p>{PROSE * 4}<h2>Comments</h2>",
        "<title>The flood | News</title>",
    )
    assert main_text(URL, html).text == f"First day\n{(PROSE * 4).strip()}"
    assert main_text(URL, html).title == "The flood | News"


def test_an_article_that_is_named_for_something_else_is_kept() -> None:
    html = article(f"<div class='widget share'><p>{PROSE * 5}</div><p>Short.")
    assert main_text(URL, html).text.startswith(PROSE)


LONG = PROSE * 8


@pytest.mark.parametrize(
    "html",
    [
        pytest.param(
            f'<meta property="og:type" content="news"><div class=text><p>{LONG}</div><div id=comments><p>{PROSE}</div>',
            id="the Open Graph says news",
        ),
        pytest.param(
            f"<div class=widget><p>{PROSE}</div><div class=article-content><p>{LONG}</div>",
            id="one element is named as the body of an article",
        ),
        pytest.param(
            "<p>Weather: dry</p><table><tr><td>Gold<td>1,200<td>-0.1 %</table>"
            f"<div><p>{LONG}</div><ul><li>Sunday<li>Monday</ul>",
            id="one element has nearly all prose",
        ),
        pytest.param(
            article(
                f"<div class='content_print article_content'><p>{LONG}</div>"
                + f"<aside><p>{PROSE * 4}</aside>" * 4
            ),
            id="a name says that it is the body, another that it is for printing",
        ),
    ],
)
def test_an_article_that_says_so_in_other_ways_is_without_what_is_around(html: str) -> None:
    assert main_text(URL, html).text == LONG.strip()


def test_two_posts_named_as_bodies_of_articles_are_a_thread() -> None:
    posts = "".join(
        f"<div class=post-body><p>{number} {LONG}</div><div class=author>A</div>" for number in (1, 2)
    )
    text = main_text(URL, posts).text
    assert "1 The river" in text
    assert "2 The river" in text


def test_comments_on_a_short_text_do_not_take_its_place() -> None:
    html = f"<div><p>{PROSE}</div><div class=more><div class=comments><p>{LONG * 3}</div></div>"
    assert main_text(URL, html).text == f"{PROSE.strip()}\n{(LONG * 3).strip()}"


def test_paragraphs_that_share_a_name_are_the_text() -> None:
    html = article(f"<div class=text><p>{PROSE}" + f"<p class=paywall>{LONG}" * 4 + "</div>")
    assert main_text(URL, html).text.count("The river") == 33


def test_names_that_say_nothing_of_what_is_inside_lose_no_text() -> None:
    parts = (
        f'<div class="field field-label-hidden"><p>{PROSE}</div>',
        f'<div class="elementor-widget elementor-widget-text-editor"><p>{PROSE}</div>',
        f'<div class="no-sidebar has-banner"><p>{PROSE}</div>',
        f'<div class="post-7 type-post category-promotion tag-related"><p>{PROSE}</div>',
        f'<h3 class="subheading" id="what-follows-next">On</h3><p>{PROSE}',
    )
    assert main_text(URL, article(f"<div class=text>{''.join(parts)}</div>")).text.count("The river") == 5
    assert "\nOn\n" in main_text(URL, article("".join(parts))).text


def test_a_sidebar_longer_than_the_article_is_not_taken_for_it() -> None:
    html = article(f"<article><p>{LONG}</article><aside class='widget sidebar'><p>{LONG * 3}</aside>")
    assert main_text(URL, html).text == LONG.strip()


def test_a_box_with_a_text_is_kept_on_pages_that_are_no_articles() -> None:
    boxes = f"<div class=overlay><p>Subscribe now</div><div class=overlay><p>Won: {LONG}</div>"
    text = main_text(URL, f"<p>{PROSE * 20}{boxes}").text
    assert "Won:" in text
    assert "Subscribe" not in text


@pytest.mark.parametrize(
    ("head", "body", "author", "date"),
    [
        ('<meta name=author content="A. Writer">', "", "A. Writer", ""),
        (
            '<meta property="article:published_time" content="2024-05-01T10:00:00+02:00">',
            "",
            "",
            "2024-05-01T10:00:00+02:00",
        ),
        (
            '<script type="application/ld+json">{"@graph": [{"@type": "NewsArticle", "datePublished": "2024-05-02",'
            '"author": [{"name": "B"}, {"name": "C"}]}]}</script>',
            "",
            "B, C",
            "2024-05-02",
        ),
        (
            "",
            "<span itemprop=author>D. E.</span><time itemprop=datePublished datetime=2024-05-03>",
            "D. E.",
            "2024-05-03",
        ),
        (
            '<meta property="article:author" content="https://a.test/me"><meta name=date content=yesterday>',
            "",
            "",
            "",
        ),
        ('<script type="application/ld+json">{"@type": "NewsArticle", "author": 7</script>', "", "", ""),
        (f'<script type="application/ld+json">{"[" * 100_000}</script>', "", "", ""),
        (
            f'<script type="application/ld+json">{{"@type": "Article", "author": {"[" * 500}"F"{"]" * 500}}}</script>',
            "",
            "",
            "",
        ),
        ("", f"<div itemprop=author>{PROSE * 10}</div>", "", ""),
        (
            '<meta name=author content="By A. Writer"><meta name=date content=20240501>',
            "",
            "A. Writer",
            "2024-05-01",
        ),
        ('<meta name=author content="name, me@a.test"><meta name=date content=2024-13-01>', "", "", ""),
        (
            '<meta name=author content="104363"><meta name=publish_date content="Thu, 06 Oct 2011 08:10:27 EST">',
            "",
            "",
            "2011-10-06T08:10:27-05:00",
        ),
        ('<meta name="og:time" content="2020年9月11日 18:05">', "", "", "2020-09-11"),
        ('<meta name=publishdate content="05/06/2007">', "", "", ""),
        (
            '<script type="application/ld+json">{"@type": "WebPage", "datePublished": "2024-05-04"}</script>',
            "",
            "",
            "2024-05-04",
        ),
        (
            '<script type="application/ld+json">{"@type": "Article", "author": "A. O&#039;Donnell"}</script>',
            "",
            "A. O'Donnell",
            "",
        ),
        (
            "",
            "<time class=published datetime=2024-05-05></time><time datetime=2024-01-01>",
            "",
            "2024-05-05",
        ),
        ("", "<time datetime=2024-05-06>", "", "2024-05-06"),
        ("", "<time datetime=2024-05-06></time><time datetime=2024-01-01>", "", ""),
    ],
)
def test_author_and_date_are_those_that_the_page_marks(head: str, body: str, author: str, date: str) -> None:
    found = main_text(URL, article(f"{body}<p>{PROSE}", head))
    assert (found.author, found.date) == (author, date)


def test_a_table_has_a_line_for_each_row_and_code_stays_as_it_is() -> None:
    html = "<table><tr><th>City<th>Rain<tr><td>Ghent<td>12 mm</table><pre>if a:\n    b()\n</pre>"
    assert main_text(URL, html).text == "City\tRain\nGhent\t12 mm\nif a:\n    b()"


def test_what_is_hidden_is_not_text() -> None:
    html = "<p>Seen<p hidden>a<p style='display: none'>b<p aria-hidden=true>c<script>d</script><template>e</template>"
    assert main_text(URL, html).text == "Seen"


@pytest.mark.parametrize("levels", [500, 520, 5_000])
def test_scripts_and_styles_are_no_text_however_deep(levels: int) -> None:
    inside = (
        "<style>hidden {}</style><script>let hidden</script><p>rain</p><script src=a.js></script> falls"
        "<script></script><p>again</p>"
    )
    html = f"{'<div>' * levels}{inside}{'</div>' * levels}"
    assert main_text("http://a.test/", html).text.split() == ["rain", "falls", "again"]
    assert read_html("http://a.test/", html).text.split() == ["rain", "falls", "again"]


def test_without_html_the_text_is_all_that_the_page_says() -> None:
    plain = read_plain(URL, "First line\n\nsecond   line")
    assert text_of_page(plain).text == "second line"
    assert text_of_page(plain).title == "First line"
    assert text_of_page(Page(URL, text="a\n# b")).markdown == "a\n\n\\# b"


@pytest.mark.parametrize(
    ("html", "said"),
    [
        ("<div>" * 100_000 + "deep", "deep"),
        ("<b><a href=x>" * 50_000 + "deep", "deep"),
        ("<table>" + "<tr><td>1<td>2" * 5_000, "\n".join(["1\t2"] * 5_000)),
        ("<p>" + "word " * 200_000, " ".join(["word"] * 200_000)),
        ("<article>" * 300 + "in", "in"),
        ("<table><tr><td>" * 40 + "deep", "deep"),
        (
            f"<title>{'ab' * 500_000}</title>" + "<h1>bb</h1>" * 2_000 + "<p>on",
            "\n".join(["bb"] * 2_000 + ["on"]),
        ),
        ("", ""),
        ("<", "<"),
        ("\0<p>a\0b", "ab"),
    ],
)
def test_strange_pages_are_read_in_bounded_time_and_lose_nothing(html: str, said: str) -> None:
    found = main_text(URL, html)
    assert found.text == said
    assert found.markdown.replace("\\", "").count("deep") == said.count("deep")


STORY = (
    "The river rose by two metres within an hour, and the lower town was evacuated at night, said the mayor. "
)
NOTICE = "use cookies to improve your experience. <a href=/privacy>Read more</a> <a href=#>Accept</a>"


@pytest.mark.parametrize(
    "beside",
    [
        f"<div class='cc-window'><p>We {NOTICE}</p></div>",
        f"<div><p>This website and its partners {NOTICE}</p></div>",
        "<div><span>Diese Website verwendet Cookies.</span> <a href=#>OK</a></div>",
        "<ol class=bread-crumb><li><a href=/>Top</a></li><li><a href=/n>News</a></li><li>Flood</li></ol>",
        "<ul><li><a href=/>Home</a></li><li><a href=/n>News</a></li><li>Flood</li></ul>",
        "<ol itemtype='https://schema.org/BreadcrumbList'><li><a href=/>Top</a></li><li>Flood</li></ol>",
        "<div><a href=/>Startseite</a> &gt; <a href=/n>News</a> &gt; Flood</div>",
    ],
)
@pytest.mark.parametrize("kind", ["", "<meta property='og:type' content=article>"])
def test_notices_about_cookies_and_trails_are_no_main_text(beside: str, kind: str) -> None:
    page = (
        f"<head>{kind}</head><body><div><main>{beside}<h1>Flood in town</h1><p>{STORY * 6}</p></main></div>"
    )
    assert main_text("http://a.test/", page).text.startswith(("Flood in town\n", STORY))


def test_what_an_article_says_of_cookies_and_home_stays() -> None:
    said = f"Sites that use cookies must ask, <a href=/l>says the law</a>. {STORY}"
    page = f"<article><p>{STORY * 3}</p><p>{said * 4}</p><p><a href=/h>Home</a> prices rose. {STORY}</p></article>"
    text = main_text("http://a.test/", page).text
    assert "says the law" in text
    assert "Home prices rose" in text
