"""Letters: what a shard tells another of links to the other's sites, and what the other makes of it."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from shards.crawled import TOPIC, crawled, crawls, hand_made, invented
from topicrawl.crawling.core import Crawl
from topicrawl.crawling.letters import MOST_PARENTS, Post
from topicrawl.errors import ReplayError, RunError
from topicrawl.frontier import FOREIGN, VISITED
from topicrawl.frontier.route import Route
from topicrawl.model import Received, ints
from topicrawl.page.read import read
from topicrawl.scout.features import HOSTS, PAGES, WORDS
from topicrawl.shards.shard import Shard
from topicrawl.strategies.registry import make_strategy
from topicrawl.text.link_texts import link_texts
from topicrawl.text.tokens import Tokens
from topicrawl.value.cut_pages import CutPage
from topicrawl.web.invented import invented_web

A, B = "http://a.test/", "http://b.test/"
BY_NAME = {"a.test": "000", "b.test": "001", "c.test": "001"}
FILLER = "<p>" + "Nothing of interest is said in this sentence at all. " * 8 + "</p>"
PAGE = f"""<title>Weather and rain</title><body><h1>About</h1>{FILLER}<p>first <a href=/own>own page</a></p>
<h2>Floods of the year</h2><ul class=list><li>the great <a href={B}flood>flood of June</a> was long</li></ul>{FILLER}
<h2>Other</h2><p>see <a href=http://c.test/>rain maps</a> here</p>{FILLER}</body>"""


def owner(url: str) -> str:
    return BY_NAME[url.split("/")[2]]


def shard(name: str, *seeds: str, strategy: str = "ops") -> Crawl:
    return Crawl(TOPIC, make_strategy(strategy), list(seeds), post=Post(name, owner))


def step(crawl: Crawl, fetch) -> None:  # type: ignore[no-untyped-def]
    ask = crawl.ask()
    assert ask is not None
    crawl.tell(ask, fetch(ask.url))


def test_what_strategies_read_of_a_link_is_on_the_cut_page_as_on_the_whole_one() -> None:
    page = read(A, PAGE.encode(), "text/html")
    assert page is not None
    rows = np.array([1, 2])
    short = CutPage(page).cut(rows.tolist())
    assert len(short.text) < len(page.text) / 2
    assert [
        short.text[a:b] for a, b in zip(ints(short.links.starts), ints(short.links.ends), strict=True)
    ] == [
        "flood of June",
        "rain maps",
    ]
    assert short.links.urls == page.links.urls[1:]
    tokens = Tokens()
    whole, part = (
        link_texts(each, at, tokens.words(each.text), tokens)
        for each, at in ((page, rows), (short, np.arange(2)))
    )
    for name in ("anchor", "heading"):
        assert getattr(whole, name).tokens.tolist() == getattr(part, name).tokens.tolist()
    assert set(part.around.tokens) <= {*whole.around.tokens, *whole.heading.tokens, *tokens.text("June")}
    paths = [page.links.tag_paths[number] for number in page.links.path_numbers[1:]]
    assert [short.links.tag_paths[number] for number in short.links.path_numbers] == paths


def test_every_page_of_an_invented_web_can_be_cut() -> None:
    fetch = invented("invented:7")
    web = invented_web("invented:7")
    for url in web.seeds("rainstorm disaster", 20):
        page = fetch(url).page
        if page is None or not page.links.urls:
            continue
        rows = np.arange(0, len(page.links.urls), 3)
        short = CutPage(page).cut(rows.tolist())
        for row, begin, end in zip(rows, ints(short.links.starts), ints(short.links.ends), strict=True):
            old = page.text[ints(page.links.starts)[row] : ints(page.links.ends)[row]]
            assert short.text[begin:end] == old


def test_links_of_other_sites_are_known_but_never_asked_and_told_to_their_owner() -> None:
    fetch = hand_made({A: PAGE, A + "own": "", B + "flood": "flood and rain"})
    one, two = shard("000", A, B), shard("001", A, B)
    assert one.waiting == two.waiting == 1
    step(one, fetch)
    link = one.frontier.number(B + "flood")
    assert link is not None
    assert one.frontier.columns["state"][link] == FOREIGN
    assert one.post is not None
    assert one.post.sent == {"001": 1}
    received = Shard(two).take("000", 1, one.post.letters("001", 0))
    assert received is not None
    assert two.receive(received) == []
    assert two.post is not None
    assert two.post.taken == {"000": 1}
    found = two.frontier.number(B + "flood")
    assert found is not None
    assert two.frontier.columns["depth"][found] == 1
    assert two.frontier.urls[int(two.frontier.columns["parent"][found])] == A
    factors = two.strategy.explain(two.frontier, found)
    assert factors["anchor relevance"] > 0
    assert factors["mean relevance of containing pages"] > 0


def test_letters_are_taken_once_and_in_order() -> None:
    fetch = hand_made({A: PAGE, A + "own": PAGE})
    one, two = shard("000", A), Shard(shard("001", A))
    step(one, fetch)
    step(one, fetch)
    assert one.post is not None
    both = one.post.letters("001", 0)
    assert len(both) == 2
    with pytest.raises(RunError, match="letters 1 to 1 of shard 000 are missing"):
        two.take("000", 2, both[1:])
    first = two.take("000", 1, both[:1])
    assert first is not None
    two.crawl.receive(first)
    again = two.take("000", 1, both)
    assert again is not None
    assert (again.first, len(again.letters)) == (2, 1)
    two.crawl.receive(again)
    assert two.take("000", 1, both) is None
    with pytest.raises(ReplayError, match="expected is 3"):
        two.crawl.receive(again)
    one.post.forget("001", 1)
    assert one.post.letters("001", 1) == both[1:]
    with pytest.raises(ValueError, match="acknowledged"):
        one.post.letters("001", 0)


def test_a_link_that_is_on_every_page_is_told_a_few_times() -> None:
    pages = {f"{A}{n}": f"<a href={A}{n + 1}>next</a> <a href={B}>menu</a>" for n in range(MOST_PARENTS + 5)}
    one = shard("000", A + "0")
    for _ in range(MOST_PARENTS + 5):
        step(one, hand_made(pages))
    assert one.post is not None
    assert one.post.sent == {"001": MOST_PARENTS}


@pytest.mark.parametrize("strategy", ["ops", "scout", "bfs"])
def test_a_page_that_a_redirect_led_to_is_handed_over_and_fetched_once(strategy: str) -> None:
    pages = {
        A: f"rain <a href={A}moved>rain</a>",
        B: f"rain flood <a href={B}more>more rain</a>",
        B + "more": "rain",
    }
    fetched: list[str] = []
    web = hand_made(pages, {A + "moved": B})

    def fetch(url: str):  # type: ignore[no-untyped-def]
        fetched.append(url)
        return web(url)

    shards = {name: shard(name, A, strategy=strategy) for name in ("000", "001")}
    done = crawled(shards, fetch, 10)
    assert [(name, visit.url, visit.error) for name, visit in done.visits] == [
        ("000", A, None),
        ("000", B, "elsewhere"),
        ("001", B, None),
        ("001", B + "more", None),
    ]
    assert fetched == [A, A + "moved", B + "more"]
    link = shards["001"].frontier.number(B)
    assert shards["001"].frontier.columns["state"][link] == VISITED
    for name in shards:
        again = shard(name, A, strategy=strategy)
        for event in done.logs[name]:
            again.replay(event)
        assert again.agreement.exact, again.agreement.first


@pytest.mark.parametrize("strategy", ["ops", "scout"])
def test_letters_follow_from_the_log_alone(strategy: str) -> None:
    route = Route(3, split=("invented.test",))
    web = invented_web("invented:7")
    seeds = web.seeds("rainstorm disaster", 4)
    done = crawled(crawls(route, seeds, strategy), invented("invented:7"), 20)
    posts = {name: crawl.post for name, crawl in done.driver.crawls.items()}
    assert sum(sum(post.sent.values()) for post in posts.values() if post) > 5
    again = crawls(route, seeds, strategy)
    for name, crawl in again.items():
        for event in done.logs[name]:
            crawl.replay(event)
        assert crawl.agreement.exact, crawl.agreement.first
        assert crawl.post is not None
        assert crawl.post.sent == posts[name].sent  # type: ignore[union-attr]
        assert crawl.post.taken == posts[name].taken  # type: ignore[union-attr]
    for name, crawl in again.items():
        for other, log in done.logs.items():
            told = [
                letter
                for event in log
                if isinstance(event, Received) and event.shard == name
                for letter in event.letters
            ]
            assert crawl.post is not None
            packed = crawl.post.letters(other, 0)
            taken = Shard(crawls(route, seeds, strategy)[other]).take(name, 1, packed)
            assert (taken.letters if taken else [])[: len(told)] == told


@pytest.mark.parametrize("strategy", ["scout", "ops"])
def test_letters_taken_together_leave_what_letters_taken_one_by_one_leave(strategy: str) -> None:
    web = {A: PAGE, A + "own": f"<title>Rain</title>{PAGE}<p><a href={B}june>rain of June</a>"}
    sender = shard("000", A, strategy=strategy)
    step(sender, hand_made(web))
    step(sender, hand_made(web))
    assert sender.post is not None
    packed = sender.post.letters("001", 0)
    assert len(packed) == 2
    together, apart = (shard("001", A, strategy=strategy) for _ in range(2))
    for crawl, batches in ((together, [packed]), (apart, [packed[:1], packed[1:]])):
        for first, batch in enumerate(batches, 1):
            received = Shard(crawl).take("000", first, batch)
            assert received is not None
            crawl.receive(received)
    assert together.waiting == 3
    for name in ("key", "priority", "parents_count"):
        assert together.frontier.columns[name].tolist() == apart.frontier.columns[name].tolist()


def test_letters_that_are_read_together_say_what_they_say_one_by_one() -> None:
    web = invented_web("invented:7")
    seeds = web.seeds("rainstorm disaster", 6)
    route = Route(2, split=("invented.test",))
    example = invented("invented:7")(web.seeds("rainstorm disaster", 9)[-1]).page
    assert example is not None
    topic = dataclasses.replace(TOPIC, examples=(example,))
    sender = crawls(route, seeds, "scout", topic)["000"]
    for _ in range(12):
        step(sender, invented("invented:7", topic))
    assert sender.post is not None
    letters = sender.post.letters("001", 0)
    assert len(letters) > 5
    together, apart = (Shard(crawls(route, seeds, "scout", topic)["001"]) for _ in range(2))
    for shard, number in ((together, len(letters)), (apart, 1)):
        for first in range(0, len(letters), number):
            received = shard.take("000", first + 1, letters[first : first + number])
            assert received is not None
            shard.crawl.receive(received)
    one, other = together.crawl.frontier, apart.crawl.frontier
    assert list(one.urls) == list(other.urls)
    assert (one.columns["parents_count"] > 1).any()
    room = np.where(
        one.columns["parents_count"] > 1, 0.02, 1e-6
    )  # many words of one link: others are left out
    for name in (*WORDS, *PAGES, *HOSTS, "judged_sum", "priority", "start", "visited"):
        known = np.isfinite(one.columns[name])
        assert (known == np.isfinite(other.columns[name])).all(), name
        apart_by = np.abs(one.columns[name].astype(float)[known] - other.columns[name].astype(float)[known])
        assert (apart_by <= room[known]).all(), name
