"""Scout on small webs of text: it learns words, finds hubs, and explains priorities."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from bench.two_scripts import found

from topicrawl.crawling.core import Crawl
from topicrawl.model import Ask, Outcome, Page, Topic
from topicrawl.page.read import read
from topicrawl.scout.strategy import Scout

STORM = "rainstorm flood river damage warning rainfall wind weather"
OTHER = "locomotive station track carriage engine timetable ticket"
TOPIC = Topic("storms", ("rainstorm",), (1.0,))
CHINESE = Topic("暴雨", ("暴雨",), (1.0,))


def html(title: str, text: str, links: list[tuple[str, str]]) -> bytes:
    """A page with the words of `text` in an order of its own: what all pages of a host say would be furniture."""
    words = text.split()
    random.Random(title).shuffle(words)
    text = " ".join(words)
    listed = "".join(f'<li><a href="{url}">{anchor}</a></li>' for url, anchor in links)
    return f"<title>{title}</title><p>{text}</p><ul>{listed}</ul>".encode()


def web(good: str = STORM, bad: str = OTHER) -> dict[str, bytes]:
    """The seed lists 40 pages by names without topic words: `alpha n` are good, `omega n` are not."""
    names = [("alpha", "omega")[number % 2] for number in range(40)]
    listed = [(f"/{name}/{number}", f"{name} {number}") for number, name in enumerate(names)]
    pages = {"http://a.test/": html("start", good, listed)}
    for url, anchor in listed:
        pages[f"http://a.test{url}"] = html(anchor, good if "alpha" in anchor else bad, [])
    return pages


def fetched(pages: dict[str, bytes], topic: Topic, budget: int, strategy: Scout | None = None) -> list[str]:
    crawl = Crawl(topic, strategy or Scout(), ["http://a.test/"])
    found: list[str] = []
    while len(found) < budget and (ask := crawl.ask()):
        crawl.tell(ask, answer(ask, pages))
        found.append(ask.url)
    return found


def dead_and_alive() -> dict[str, bytes]:
    """The seed lists sixty links with the same words by turns: those in /old/ are dead."""
    links = [(f"/{('old', 'new')[number % 2]}/{number}", "rainstorm") for number in range(120)]
    alive = {f"http://a.test{url}": html("rainstorm", STORM, []) for url, _ in links if "new" in url}
    return {"http://a.test/": html("start", STORM, links), **alive}


def requests(pages: dict[str, bytes], budget: int, strategy: Scout) -> int:
    """Links asked for until `budget` pages are fetched."""
    crawl = Crawl(shown(TOPIC, 3), strategy, ["http://a.test/"])
    while crawl.tally.fetched < budget and (ask := crawl.ask()):
        told = crawl.strategy.explain(crawl.frontier, ask.link)
        assert not ask.depth or sum(told.values()) == pytest.approx(ask.priority, abs=1e-6)
        known = ask.url in pages
        crawl.tell(ask, answer(ask, pages) if known else Outcome(ask.url, 404, 0, error="http"))
    return crawl.tally.visits


def test_links_like_those_that_failed_are_left_for_later() -> None:
    asked = {count: requests(dead_and_alive(), 50, Scout(failures=count)) for count in (0, 16, 1)}
    assert asked[0] > 80, "without it dead links and pages take turns"
    assert asked[1] <= asked[16] <= 70
    assert requests(dead_and_alive(), 100, Scout()) == 121, "in the end they are asked for all the same"


def answer(ask: Ask, pages: dict[str, bytes]) -> Outcome:
    content = pages[ask.url]
    return Outcome(ask.url, 200, len(content), page=read(ask.url, content, "text/html; charset=utf-8"))


def example(number: int, text: str) -> Page:
    return Page(f"http://b.test/{number}", "", text=text)


def shown(topic: Topic, examples: int, text: str = STORM) -> Topic:
    pages = tuple(example(number, text) for number in range(examples))
    return Topic(topic.name, topic.terms, topic.weights, examples=pages)


@pytest.mark.parametrize("examples", [1, 20])
def test_it_learns_which_words_of_links_lead_to_relevant_pages(examples: int) -> None:
    found = fetched(web(), shown(TOPIC, examples), 21)
    assert sum("alpha" in url for url in found) >= 15


def test_it_learns_in_chinese_too() -> None:
    good, bad = "暴雨灾害洪水河流降雨预警气象", "火车车站机车铁路时刻表车票"
    found = fetched(web(good, bad), shown(CHINESE, 3, good), 21)
    assert sum("alpha" in url for url in found) >= 15


def test_it_learns_which_places_of_a_template_lead_to_relevant_pages() -> None:
    lists = "".join(
        f"<ul class={('good', 'poor')[number // 2 % 2]}><li><a href=/{number}>page</a></ul>"
        for number in range(80)
    )
    pages = {"http://a.test/": f"<title>start</title><p>{STORM}</p>{lists}".encode()}
    pages |= {
        f"http://a.test/{number}": html(f"page {number}", (STORM, OTHER)[number // 2 % 2], [])
        for number in range(80)
    }

    def good(strategy: Scout) -> int:
        found = fetched(pages, shown(TOPIC, 5), 41, strategy)
        return sum(int(url.rpartition("/")[2] or 2) // 2 % 2 == 0 for url in found)

    assert good(Scout(pages=0.0)) < 30
    assert good(Scout()) > 35


def test_the_priority_of_a_link_is_the_sum_of_its_explained_factors() -> None:
    pages = web()
    crawl = Crawl(shown(TOPIC, 3), Scout(), ["http://a.test/"])
    for _ in range(12):
        ask = crawl.ask()
        assert ask is not None
        if ask.depth:
            told = crawl.strategy.explain(crawl.frontier, ask.link)
            assert sum(told.values()) == pytest.approx(ask.priority, abs=1e-6)
        crawl.tell(ask, answer(ask, pages))


def test_without_weights_all_links_tie() -> None:
    assert fetched(web(), shown(TOPIC, 3), 5, Scout(words=0.0, pages=0.0, hosts=0.0))[1:] == [
        f"http://a.test/{('alpha', 'omega')[number % 2]}/{number}" for number in range(4)
    ]


def test_every_seeded_host_gets_a_share() -> None:
    """Of two hosts one has all that is relevant, the other a single good page behind many poor ones."""
    pages = web()
    poor = [(f"/{number}", f"thing {number}") for number in range(30)]
    pages["http://z.test/"] = html("start", OTHER, poor)
    pages |= {f"http://z.test{url}": html(anchor, OTHER, []) for url, anchor in poor}
    found = {weight: both_hosts(pages, Scout(hosts=weight)) for weight in (0.0, 1.0)}
    assert found[0.0] < found[1.0] < 12


def test_the_start_of_a_link_is_the_host_of_its_seed_whichever_seed_answers_first() -> None:
    pages = {
        "http://a.test/": html("start", OTHER, [("/x", "x")]),
        "http://z.test/": html("start", OTHER, [("/y", "y")]),
    }
    crawl = Crawl(shown(TOPIC, 3), Scout(), ["http://a.test/", "http://z.test/"])
    asks = [ask for ask in (crawl.ask(), crawl.ask()) if ask]
    for ask in reversed(asks):
        crawl.tell(ask, answer(ask, pages))
    start = dict(zip(crawl.frontier.urls, crawl.frontier.columns["start"].tolist(), strict=True))
    assert start["http://z.test/y"] == start["http://z.test/"] != start["http://a.test/"]
    assert start["http://a.test/x"] == start["http://a.test/"]


def both_hosts(pages: dict[str, bytes], strategy: Scout) -> int:
    """Pages of the poor host among 24."""
    crawl = Crawl(shown(TOPIC, 20), strategy, ["http://a.test/", "http://z.test/"])
    asked: list[str] = []
    while len(asked) < 24 and (ask := crawl.ask()):
        crawl.tell(ask, answer(ask, pages))
        asked.append(ask.url)
    return sum(url.startswith("http://z.test") for url in asked)


def test_a_page_that_a_log_peeked_at_can_still_be_fetched() -> None:
    """Scout never peeks; a log of another version may."""
    crawl = Crawl(TOPIC, Scout(), ["http://a.test/"])
    crawl.replay(Ask(0, "http://a.test/", 2.0, 0, peek=True))
    ask = crawl.pending[0]
    page = read(ask.url, html("start", STORM, [("/x", "rain")]), "text/html; charset=utf-8")
    crawl.tell(ask, Outcome(ask.url, 200, 100, page=page))
    assert np.isfinite(crawl.frontier.columns["priority"][0])
    again = crawl.ask()
    assert again is not None
    assert (again.url, again.peek) == ("http://a.test/", False)


def test_all_links_are_scored_again_after_every_five_pages() -> None:
    pages = web()
    strategy = Scout()
    crawl = Crawl(shown(TOPIC, 3), strategy, ["http://a.test/"])
    rescored = []
    for _ in range(11):
        ask = crawl.ask()
        assert ask is not None
        crawl.tell(ask, answer(ask, pages))
        rescored.append(strategy._rescored_all)
    assert rescored == [0] * 4 + [5] * 5 + [10] * 2


def test_a_seed_comes_before_any_link() -> None:
    pages = web() | {"http://z.test/": html("start", OTHER, [])}
    crawl = Crawl(shown(TOPIC, 3), Scout(), ["http://a.test/", "http://z.test/"])
    first = crawl.ask()
    assert first is not None
    crawl.tell(first, answer(first, pages))
    second = crawl.ask()
    assert second is not None
    assert (second.url, second.priority) == ("http://z.test/", first.priority)
    assert crawl.frontier.columns["priority"][2:].max() < second.priority


def many_hosts() -> dict[str, bytes]:
    """The seed's host is good; it lists two pages of each of eight poor hosts."""
    good = [(f"http://a.test/{number}", f"alpha {number}") for number in range(12)]
    poor = [(f"http://h{number}.test/{name}", "another host") for name in "xy" for number in range(8)]
    listed = {url: html(anchor, STORM, []) for url, anchor in good}
    listed |= {url: html(anchor, OTHER, []) for url, anchor in poor}
    return {"http://a.test/": html("start", STORM, [*good, *poor]), **listed}


def test_the_links_of_a_host_lose_at_once_when_its_first_page_is_poor() -> None:
    crawl, pages = Crawl(shown(TOPIC, 3), Scout(), ["http://a.test/"]), many_hosts()
    tried = 0
    while crawl.tally.fetched < 40 and (ask := crawl.ask()):
        crawl.tell(ask, answer(ask, pages))
        other = crawl.frontier.number(ask.url[:-1] + "y")
        if ask.url.endswith("/x") and other is not None:
            tried += 1
            if tried > 4:  # the first ones show how much a host says
                assert crawl.frontier.columns["host_worth"][other] < 0
    assert tried == 8


def test_no_link_is_expected_to_be_less_relevant_than_not_at_all() -> None:
    crawl = Crawl(shown(TOPIC, 3), Scout(), ["http://a.test/"])
    pages = web()
    while crawl.tally.fetched < 36 and (ask := crawl.ask()):
        crawl.tell(ask, answer(ask, pages))
    columns = crawl.frontier.columns
    waiting = columns["state"] == 0
    judged = columns["judged"][columns["visited"]]
    assert waiting.any()
    assert columns["token"][waiting].min() >= -judged.mean() - 0.05, "some pages were judged since it was set"


def test_few_fetches_are_in_flight_before_anything_is_learned() -> None:
    assert [Scout().at_once(pages) for pages in (0, 10, 40, 256)] == [8, 8, 10, 64]


def test_pages_in_each_script_of_a_topic_are_found_from_seeds_in_one_and_called_so_at_the_end() -> None:
    crawl = found("invented:11", "rainstorm disaster", "scout", 500)
    assert crawl.relevant > 430
    assert crawl.chinese > 60, "with English pages alone as examples, 24 of 1,000"
    assert crawl.right > 0.98
    assert crawl.right_chinese > 0.95


def test_as_many_as_allowed_are_in_flight_from_the_start_where_that_is_wanted() -> None:
    given = shown(TOPIC, 3)
    all_at_once, few = (Crawl(given, Scout(few_at_first=few), ["http://a.test/"]) for few in (False, True))
    assert (all_at_once.at_once, few.at_once) == (math.inf, 8)
    assert fetched(web(), given, 20, Scout(few_at_first=False)) == fetched(web(), given, 20)
