"""What the views show and what is said through them, over HTTP."""

from __future__ import annotations

import json
import re
import socket
from pathlib import Path
from types import SimpleNamespace

import pytest
from markupsafe import escape

from dashboard.conftest import Dashboard
from topicrawl.crawling.make import now_of
from topicrawl.dashboard.archived import inert
from topicrawl.dashboard.rendering import render
from topicrawl.dashboard.views.pages import parted
from topicrawl.setup.mark_list import parse_marks
from topicrawl.store import wishes
from topicrawl.store.run import Run
from topicrawl.store.wishes import Seeds


def numbers(page: str) -> list[int]:
    """The visits that a list of pages shows, in order."""
    return [int(n) for n in re.findall(r'id="visit-(\d+)"', page)]


def test_the_list_of_runs_tells_state_and_harvest(dashboard: Dashboard) -> None:
    page = dashboard.get("/")
    assert 'href="/run/storms/"' in page
    assert "finished" in page
    assert re.search(r"\d+ relevant of 40 pages", page)
    assert "<svg" in page
    part = dashboard.get("/?part=1")  # what the page asks for again every few seconds
    assert part.strip() in page
    assert "<h1>" not in part


def test_live_of_a_run_that_stands_tells_its_end_and_what_would_be_next(dashboard: Dashboard) -> None:
    page = dashboard.get("/run/storms/live")
    assert "all pages asked for are fetched" in page
    with socket.create_connection(("127.0.0.1", dashboard.port), timeout=30) as connection:
        lines = (
            "GET /run/storms/events HTTP/1.1",
            f"Host: 127.0.0.1:{dashboard.port}",
            f"Cookie: {dashboard.cookie}",
        )
        connection.sendall("\r\n".join((*lines, "", "")).encode())
        received = b""
        while not re.search(rb"data: [^\n]*\n\n", received):
            received += connection.recv(65536)
    assert b"text/event-stream" in received
    parts = json.loads(re.findall(rb"data: ([^\n]*)\n\n", received)[0])
    assert "live-cards" in parts
    assert parts["live-next"].count("<li>") == 20
    assert "reason" in parts["live-next"]


def test_a_page_shows_text_words_links_and_an_inert_copy(dashboard: Dashboard, run_folder: Path) -> None:
    with Run.open(run_folder, writable=False) as run:
        visit, found = next(
            (visit, page)
            for visit, page in run.pages()
            if "rainstorm" in page.text and visit.parent is not None
        )
    page = dashboard.get(f"/run/storms/page/{visit.n}")
    assert visit.url in page
    assert re.search(r"<mark[^>]*>[Rr]ainstorm</mark>", page)
    assert 'class="fates"' in page
    assert "as “" in page, "the text of the link that led there"
    assert (
        f'sandbox title="Archived copy of this page" loading="lazy" src="/run/storms/page/{visit.n}/archived"'
        in page
    )
    copy = dashboard.get(f"/run/storms/page/{visit.n}/archived")
    assert found.title.split()[0] in copy
    assert "href" not in copy
    assert "src" not in copy
    why = dashboard.get(f"/run/storms/page/{visit.n}/why")
    assert "visited" in why
    assert dashboard.ask("/run/storms/page/100000").status == 404


def test_a_link_that_was_not_fetched_is_explained(dashboard: Dashboard) -> None:
    dashboard.get("/run/storms/marks/queue")  # reads the crawl, so that the next look at it has all
    live = dashboard.get("/run/storms/live")
    address = re.search(r'/run/storms/link\?url=[^"]+', live)
    assert address
    page = dashboard.get(address[0].replace("&amp;", "&"))
    assert re.search(r"\d+ of \d+ that wait", page)
    never = json.loads(re.findall(r"data-wish='(\{[^']*false[^']*\})'", page)[0])
    assert dashboard.say("/run/storms/wish", never)[0] == 200
    wait_for(lambda: "not relevant. Both" in dashboard.get(address[0].replace("&amp;", "&")))
    page = dashboard.get(address[0].replace("&amp;", "&"))
    assert "given up" in page
    back = json.loads(re.findall(r"data-wish='(\{[^']*null[^']*\})'", page)[0])
    assert dashboard.say("/run/storms/wish", back)[0] == 200
    wait_for(lambda: "You said" not in dashboard.get(address[0].replace("&amp;", "&")))
    assert dashboard.ask("/run/storms/link?url=nothing").status == 404


def test_topic_sites_and_questions(dashboard: Dashboard) -> None:
    assert "rainstorm" in dashboard.get("/run/storms/topic")
    assert "Lead to relevant pages" in dashboard.get("/run/storms/topic/learned")
    sites = dashboard.get("/run/storms/sites?order=relevant")
    assert "invented.test" in sites
    assert "^https?://" in sites
    assert dashboard.get("/run/storms/marks/queue").count("<li data-n=") > 5


def test_a_mark_shows_at_once_is_logged_and_can_be_undone(dashboard: Dashboard, run_folder: Path) -> None:
    n = numbers(dashboard.get("/run/storms/pages?relevance=no&sort=worst&part=1"))[0]
    assert dashboard.say("/run/storms/mark", {"n": n, "mark": "yes"}) == (200, "marked relevant")
    assert numbers(dashboard.get("/run/storms/pages?mark=yes&part=1")) == [n]
    assert n in numbers(dashboard.get("/run/storms/pages?sort=best&part=1"))
    assert "you said relevant" in dashboard.get("/run/storms/pages?mark=any&part=1")
    wait_for(lambda: bool(logged(run_folder)))
    assert list(logged(run_folder).values()) == [True]
    effects = dashboard.get("/run/storms/marks/effects")
    assert "weighed anew" in effects
    history = dashboard.get("/run/storms/history")
    wish = re.search(r"data-wish='(\{[^']*\})' data-reload", history)
    assert wish
    assert dashboard.say("/run/storms/wish", json.loads(wish[1])) == (200, "done")
    assert numbers(dashboard.get("/run/storms/pages?mark=any&part=1")) == []
    wait_for(lambda: not logged(run_folder))


def test_what_needs_a_running_crawl_waits_for_a_resume(dashboard: Dashboard) -> None:
    kept = (200, "kept: it is carried out when the crawl is resumed")
    assert dashboard.say("/run/storms/wish", {"kind": "change", "add": {"exclude": ["/travel/"]}}) == kept
    assert dashboard.say("/run/storms/wish", {"kind": "change", "settings": {"pages": 50}}) == kept
    history = dashboard.get("/run/storms/history")
    assert "waiting" in history
    assert "/travel/" in history


def test_what_waits_is_told_on_live_and_sites_and_can_be_taken_back(
    dashboard: Dashboard, run_folder: Path
) -> None:
    sites = dashboard.get("/run/storms/sites")
    exclude = json.loads(re.findall(r"data-wish='(\{[^']*exclude[^']*\})'", sites)[0])
    assert dashboard.say("/run/storms/wish", exclude)[0] == 200
    sites = dashboard.get("/run/storms/sites")
    assert sites.count("excluded from the resume on") == 1
    assert "that you asked for</a> wait" in dashboard.get("/run/storms/live")
    back = re.search(
        r"excluded from the resume on</span> <button type=\"button\" data-wish='(\{[^']*\})'", sites
    )
    assert back
    assert dashboard.say("/run/storms/wish", json.loads(back[1])) == (200, "done")
    assert "excluded" not in dashboard.get("/run/storms/sites").partition("<tbody>")[2]
    seeds = {"kind": "seeds", "urls": [f"http://no-such-host.test/{n}" for n in range(9)]}
    assert dashboard.say("/run/storms/wish", seeds)[0] == 200
    [waiting] = [each for each in wishes.waiting(run_folder) if isinstance(each.body, Seeds)]
    assert f'{{"kind": "undo", "wish": "{waiting.id}"}}' in dashboard.get("/run/storms/history")
    assert dashboard.say("/run/storms/wish", {"kind": "undo", "wish": waiting.id}) == (200, "done")
    assert waiting.id not in [each.id for each in wishes.waiting(run_folder)]


def test_factors_and_learned_words_have_a_legend(dashboard: Dashboard, run_folder: Path) -> None:
    with Run.open(run_folder, writable=False) as run:
        crawl = now_of(run)
    link = int(crawl.frontier.best_of_all(1)[0])
    told = crawl.strategy.meanings()
    assert set(crawl.strategy.explain(crawl.frontier, link)) <= set(told)
    live = dashboard.get("/run/storms/live")
    assert all(f"<dt>{factor}</dt><dd>{escape(meaning)}</dd>" in live for factor, meaning in told.items())
    words = [SimpleNamespace(word=word, weight=1.0) for word in ("⟨deity⟩", "cs#")]
    for shown, legends in ((words, 2), ([], 0)):
        told_words = SimpleNamespace(toward=[*shown, SimpleNamespace(word="plain", weight=1.0)], away=[])
        page = render("learned.html", {"told": told_words, "strongest": 1.0})
        assert page.count('<p class="about">') == legends


def test_both_harvests_are_told(dashboard: Dashboard, run_folder: Path) -> None:
    with Run.open(run_folder, writable=False) as run:
        assert run.summary is not None
        share = f"{run.summary['relevant_at_visit'] / run.summary['fetches']:.0%}"
    wait_for(lambda: "by all that was learned" in dashboard.get("/run/storms/live"))
    assert f"{share} as judged when visited" in dashboard.get("/run/storms/live")


def test_marks_are_taken_along_as_a_table(dashboard: Dashboard, run_folder: Path, tmp_path: Path) -> None:
    n = numbers(dashboard.get("/run/storms/pages?part=1"))[0]
    assert dashboard.say("/run/storms/mark", {"n": n, "mark": "no"})[0] == 200
    table = dashboard.ask("/run/storms/marks.csv")
    assert table.headers["content-type"].startswith("text/csv")
    with Run.open(run_folder, writable=False) as run:
        url = next(run.visits(n - 1)).url
    assert parse_marks(table.text.encode(), "marks.csv") == {url: False}
    assert dashboard.say("/run/storms/mark", {"n": n, "mark": "forget"})[0] == 200


def test_what_is_said_of_a_run_that_stands_and_of_a_link_that_was_never_seen_is_so(
    dashboard: Dashboard,
) -> None:
    live = dashboard.get("/run/storms/live")
    assert "Asked for without an answer" in live
    assert "Being fetched" not in live
    assert "in flight" not in live
    told = dashboard.get("/run/storms/link?url=http://never.test/x")
    assert "no page of this run" in told
    assert "seed" not in told.partition("What is known of it")[2]
    assert "newest snapshot" not in told


def test_the_words_looked_for_are_marked_in_the_passages(dashboard: Dashboard) -> None:
    rows = dashboard.get("/run/storms/pages?words=flood&part=1")
    assert re.search(r"\d+ pages with these words", rows)
    assert re.search(r"<mark>[Ff]lood\w*</mark>", rows)
    assert "<mark>" not in dashboard.get("/run/storms/pages?part=1")
    assert parted("<b>暴雨 & flood", ["flood", "雨"]) == ["<b>暴", "雨", " & ", "flood", ""]
    with_markup = dashboard.get("/run/storms/pages?words=%3Cb&part=1")
    assert "<b" not in with_markup.replace("<bdi", "").replace("<button", "")


def test_what_is_impossible_is_refused_at_once_also_where_no_crawl_runs(dashboard: Dashboard) -> None:
    for impossible, why in (
        ({"kind": "change", "add": {"exclude": ["("]}}, "exclude"),
        ({"kind": "change", "settings": {"pages": "many"}}, "pages"),
        ({"kind": "seeds", "urls": ["javascript:alert(1)"]}, "no http"),
        ({"kind": "pause"}, "no crawl is running"),
    ):
        status, says = dashboard.say("/run/storms/wish", impossible)
        assert status == 409
        assert why in says


def logged(run_folder: Path) -> dict[str, bool | None]:
    with Run.open(run_folder, writable=False) as run:
        return {url: mark.relevant for url, mark in run.marks().items()}


def wait_for(condition: object) -> None:
    import time

    until = time.monotonic() + 60
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < until
        time.sleep(0.1)


@pytest.mark.parametrize(
    "address",
    [
        f"page/{10**30}",
        f"page/{10**30}/archived",
        f"page/{10**30}/why",
        "page/0",
        f"pages?sort=best&after={10**30},1",
        "pages?sort=best&after=1,nan",
        "pages?after=1,inf;-5,x",
        "pages?sort=none&relevance=x&mark=x&status=x&language=x&section=x&words=%00%ff",
        f"sites?after={10**30},{10**30}",
        "sites?order=id;DROP",
        "link?url=http://a.test/%00",
        "link?url=javascript:alert(1)",
    ],
)
def test_an_odd_address_is_answered_without_a_fault(dashboard: Dashboard, address: str) -> None:
    assert dashboard.ask(f"/run/storms/{address}").status in (200, 404)


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<a href='javascript:alert(1)'>x</a>",
        "<svg onload=alert(1)><a xlink:href='javascript:x'>",
        "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
        "<meta http-equiv=refresh content='0;url=http://evil.test'>",
        "<link rel=dns-prefetch href=//evil.test><link rel=stylesheet href=http://evil.test>",
        "<base href=http://evil.test><form action=http://evil.test><input name=x>",
        "<style>@import url(http://evil.test)</style><p style='background:url(http://evil.test)'>",
        "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
        "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
        "<template><script>alert(1)</script></template>",
        "<p lang='\"><script>alert(1)</script>'>",
        "<!--><script>alert(1)</script>-->",
        "<![CDATA[<script>alert(1)</script>]]>",
        "<p" + " x" * 2000 + ">",
        "<b>" * 5000,
        "</b><!--" * 100_000,
    ],
)
@pytest.mark.timeout(20)  # a parser that is quadratic in open comments takes minutes
def test_an_archived_copy_keeps_nothing_that_acts(hostile: str) -> None:
    copy = inert(f"<h1>Kept</h1>{hostile}<p>also kept").partition("</style>")[2]
    assert "<h1>Kept</h1>" in copy
    tags = re.findall(r"<(/?\w+)([^>]*)>", copy)
    assert not {tag for tag, _ in tags} & {
        "script",
        "img",
        "iframe",
        "svg",
        "link",
        "meta",
        "base",
        "style",
        "form",
    }
    allowed = r'( (colspan|rowspan|dir|lang|start|class)="[^"<>]*")*'
    assert all(re.fullmatch(allowed, attributes) for _, attributes in tags)
    assert copy.count("<b>") <= 200


def test_a_change_that_waits_is_told_in_words_and_can_be_taken_back(
    dashboard: Dashboard, run_folder: Path
) -> None:
    change = {"kind": "change", "settings": {"pages": 50}, "add": {"exclude": ["/markets/"]}}
    assert dashboard.say("/run/storms/wish", change)[0] == 200
    history = dashboard.get("/run/storms/history")
    assert "pages: 50; exclude: added /markets/" in history
    waiting = history.partition("In the log")[0]
    undo = re.findall(r"data-wish='(\{[^']*undo[^']*\})'", waiting)[0]  # the newest is first
    assert dashboard.say("/run/storms/wish", json.loads(undo))[0] == 200
    history = dashboard.get("/run/storms/history")
    assert "taken back before it was carried out" in history.partition("Not carried out")[2]
    assert undo not in history
