from __future__ import annotations

import asyncio

import pytest
from protego import Protego

from topicrawl.errors import FetchError, WebError
from topicrawl.model import Response
from topicrawl.web import Web
from topicrawl.web.invented import InventedWeb, invented_web
from topicrawl.web.invented.atlas import Spot

from .conftest import Graph


def fetch(web: Web, url: str, headers: tuple[tuple[str, str], ...] = ()) -> Response:
    return asyncio.run(web.fetch(url, headers))


def faulty(graph: Graph, fault: str) -> str:
    spot = next(spot for spot, traits in graph.traits.items() if traits.fault == fault)
    return graph.web.atlas.url(spot)


def test_a_page_comes_with_type_length_and_body(web: InventedWeb) -> None:
    url = web.seeds("tourism", 1)[0]
    answer = fetch(web, url)
    assert (answer.asked, answer.url, answer.status, answer.reason) == (url, url, 200, "OK")
    assert answer.header("content-type") == "text/html; charset=utf-8"
    assert answer.body == answer.content
    assert answer.size == len(answer.body) == int(answer.header("content-length"))
    assert not answer.hops


@pytest.mark.parametrize(
    "url",
    [
        "http://storm-watch-9999.invented.test/",
        "http://example.org/",
        "http://[::1/",
        "nonsense",
        "",
    ],
)
def test_an_unknown_host_is_404(web: InventedWeb, url: str) -> None:
    assert fetch(web, url).status == 404


@pytest.mark.parametrize(
    "path", ["/gone/1.html", "/moved/99-1", "/moved/1-99999999", "/out/1-1", "/out/999-1-1"]
)
def test_an_unknown_path_is_404(web: InventedWeb, path: str) -> None:
    answer = fetch(web, f"http://{web.atlas.hosts[0].name}{path}")
    assert answer.status == 404
    assert answer.content


def test_old_addresses_redirect_with_301_and_counters_with_302(web: InventedWeb) -> None:
    target = web.atlas.url(Spot(5, 1, 3))
    moved = f"http://{web.atlas.hosts[5].name}/moved/1-3"
    counted = f"http://{web.atlas.hosts[0].name}/out/5-1-3"
    assert (web.exchange(moved).status, web.exchange(counted).status) == (301, 302)
    for url in (moved, counted):
        assert web.exchange(url).header("location") == target
        answer = fetch(web, url)
        assert (answer.asked, answer.url, answer.status) == (url, target, 200)
        assert [(hop.url, hop.status) for hop in answer.hops] == [(url, web.exchange(url).status)]


def test_every_link_leads_to_its_target(graph: Graph) -> None:
    links = [link for links in graph.content.values() for link in links]
    aliased = [link for link in links if "/moved/" in link.url or "/out/" in link.url]
    for link in links[::500] + aliased[::50]:
        if link.target is None:
            assert fetch(graph.web, link.url).status == 404
        elif graph.traits[link.target].fault in ("", "slow"):
            answer = fetch(graph.web, link.url)
            assert (answer.status, answer.url) == (200, graph.web.atlas.url(link.target))


def test_a_failing_page_answers_500(graph: Graph) -> None:
    url = faulty(graph, "failing")
    answer = fetch(graph.web, url)
    assert (answer.status, answer.reason) == (500, "Internal Server Error")
    assert graph.web.behaviour(url) == ""


def test_a_page_that_ends_early_is_a_fetch_error_but_can_be_served(graph: Graph) -> None:
    url = faulty(graph, "cut")
    with pytest.raises(FetchError) as caught:
        fetch(graph.web, url)
    assert caught.value.kind == "cut"
    assert graph.web.behaviour(url) == "cut"
    assert graph.web.exchange(url).status == 200


def test_a_slow_page_takes_no_time_in_process(graph: Graph) -> None:
    url = faulty(graph, "slow")
    assert graph.web.behaviour(url) == "slow"
    assert fetch(graph.web, url).status == 200


def test_robots_rules_close_a_section_and_ask_for_delays(web: InventedWeb) -> None:
    closed = delayed = 0
    for host in web.atlas.hosts:
        answer = fetch(web, f"http://{host.name}/robots.txt")
        assert (answer.status, answer.header("content-type")) == (200, "text/plain")
        rules = Protego.parse(answer.content.decode())
        for section in host.sections:
            allowed = rules.can_fetch(f"http://{host.name}/{section.slug}/", "topicrawl")
            assert allowed == (section.slug != host.closed or not host.closed)
        closed += bool(host.closed)
        delayed += rules.crawl_delay("topicrawl") == 0.5
    assert closed >= 5
    assert delayed >= 5


def test_a_conditional_request_is_answered_304(web: InventedWeb) -> None:
    url = web.seeds("cooking", 1)[0]
    tag = fetch(web, url).header("etag")
    again = fetch(web, url, (("If-None-Match", tag),))
    assert (again.status, again.content) == (304, b"")
    assert fetch(web, url, (("If-None-Match", '"other"'),)).status == 200


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("invented:7", "invented:7"),
        ("invented:0", "invented:0"),
        ("invented:scale", "invented:scale"),
        ("invented:scale:1", "invented:scale"),
        ("invented:scale:3", "invented:scale:3"),
        ("invented:site", "invented:site"),
    ],
)
def test_a_web_is_opened_by_its_name(spec: str, name: str) -> None:
    assert invented_web(spec).name == name
    assert invented_web(name).name == name


@pytest.mark.parametrize(
    "spec",
    ["invented", "invented:", "invented:x", "invented:-1", "invented:7:3", "invented:scale:", "other:7"],
)
def test_other_names_are_refused_with_a_remedy(spec: str) -> None:
    with pytest.raises(WebError, match="write invented:7") as caught:
        invented_web(spec)
    assert repr(spec) in str(caught.value)
