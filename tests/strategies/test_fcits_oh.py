"""Hosts in FCITS_OH: when they become tabu, when they are released, and how new ones are added to the queue."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest

from contracts.small_web import SmallWeb
from strategies.scripted import TOPIC
from topicrawl.crawling.core import Crawl
from topicrawl.frontier import Frontier
from topicrawl.model import Visit
from topicrawl.strategies.fcits_oh import FcitsOh
from topicrawl.strategies.registry import make_strategy
from value.seen import observed

RNG = random.Random(1)


def crawl_of(strategy: FcitsOh, web: SmallWeb, visits: int) -> list[Visit]:
    crawl = Crawl(TOPIC, strategy, web.seeds(web.hosts), rng_seed=2)
    seen: list[Visit] = []
    while len(seen) < visits and (ask := crawl.ask()):
        seen.append(crawl.tell(ask, web.answer(ask)))
    return seen


@pytest.mark.parametrize(
    ("visits", "share", "keeps"),
    [
        (49, 0.0, True),
        (50, 0.9, True),
        (50, 0.8, False),
        (99, 0.81, True),
        (99, 0.5, False),
        (100, 0.99, False),
    ],
)
def test_the_published_rule_for_hosts(visits: int, share: float, *, keeps: bool) -> None:
    strategy = FcitsOh()
    strategy.start(TOPIC, Frontier(), np.array([], dtype=np.int64), RNG)
    assert strategy.hosts.keeps(visits, share) is keeps


def test_a_good_page_is_one_above_the_domains_threshold() -> None:
    strategy = make_strategy("fcits_oh", {"domain": "tourism"})
    assert isinstance(strategy, FcitsOh)
    strategy.start(TOPIC, Frontier(), np.array([], dtype=np.int64), RNG)
    assert strategy.hosts.page_threshold == 0.70


def test_poor_hosts_become_tabu_after_their_trial_and_are_released_when_no_other_is_left() -> None:
    web = SmallWeb(pages=160, hosts=8, fails=0, dull=True)
    hosts = [visit.host for visit in crawl_of(FcitsOh(host_trial=5, link_threshold=-1.0), web, 160)]
    first = hosts[:40]
    assert all(first.count(host) == 5 for host in set(hosts)), "five pages of each"
    assert len(hosts) > 140, "and then the rest"
    left = sorted(set(hosts), key=lambda host: [n for n, each in enumerate(first) if each == host][4])
    assert hosts[40:48] == left, "the one left longest ago comes first, and is left again after a page"


def test_without_the_rule_hosts_do_not_become_tabu() -> None:
    web = SmallWeb(pages=80, hosts=4, fails=0, dull=True)
    hosts = [visit.host for visit in crawl_of(FcitsOh(host_trial=500), web, 80)]
    assert any(hosts[:20].count(host) > 5 for host in set(hosts))


def one_page(strategy: FcitsOh, values: Sequence[tuple[str, float]], waiting_hosts: int = 1) -> Frontier:
    """A seed was fetched. Its page contains links on `waiting_hosts` hosts, all kept, and those of `values`."""
    frontier = Frontier()
    strategy.start(TOPIC, frontier, frontier.add(["http://seed.test/"], 0, -1), RNG)
    assert strategy.choose(frontier, RNG) is not None
    kept = [(f"http://kept{number}.test/", 0.9) for number in range(waiting_hosts)]
    links = [*kept, *((f"http://{path}", value) for path, value in values)]
    ids = frontier.add([url for url, _ in links], depth=1, parent=0)
    worth = np.array([value for _, value in links])
    frontier.columns["value"][ids] = worth
    frontier.prioritise(ids, np.where(worth > strategy.link_threshold, worth, -np.inf))
    strategy.arrive(observed(frontier, 0, ids.tolist()), frontier)
    return frontier


DISCARDED = [
    ("x/1", 0.10),
    ("x/2", 0.09),
    ("kept0.test/1", 0.14),
    ("y/1", 0.05),
    ("z/1", 0.08),
    ("w/1", 0.06),
]


def back(frontier: Frontier) -> list[str]:
    """Which of the discarded links can be chosen."""
    open_now = frontier.columns["key"] > -np.inf
    return [url for url, _ in DISCARDED if open_now[frontier.number(f"http://{url}")]]


def test_three_discarded_links_of_new_hosts_join_the_queue_one_for_each_host() -> None:
    assert back(one_page(FcitsOh(), DISCARDED)) == ["x/1", "z/1", "w/1"]


def test_links_put_back_into_the_queue_stay_there_when_all_links_are_valued_again() -> None:
    """FCITS_OH §4.8 (2) adds them to Qwait whatever their priority; nothing removes them but a visit."""
    strategy = FcitsOh(refresh_every=1, rank_weight=0.0)
    frontier = one_page(strategy, DISCARDED)
    assert back(frontier) == ["x/1", "z/1", "w/1"]
    choice = strategy.choose(frontier, RNG)
    assert choice is not None
    assert frontier.urls[choice.link] == "http://kept0.test/"
    strategy.observe(observed(frontier, choice.link), frontier, RNG)
    assert frontier.columns["value"][frontier.number("http://x/1")] < strategy.link_threshold
    assert {"x/1", "z/1", "w/1"} <= set(back(frontier))


def test_discarded_links_stay_out_while_ten_hosts_are_in_the_queue() -> None:
    assert back(one_page(FcitsOh(), DISCARDED, waiting_hosts=10)) == []
    assert len(back(one_page(FcitsOh(), DISCARDED, waiting_hosts=9))) == 3


def test_discarded_links_stay_out_later_in_the_crawl() -> None:
    assert back(one_page(FcitsOh(planned_pages=3), DISCARDED)) == [], "a third of the crawl is done"
    assert len(back(one_page(FcitsOh(planned_pages=4), DISCARDED))) == 3


def test_discarded_links_of_a_tabu_host_stay_out() -> None:
    strategy = FcitsOh(host_trial=1)
    frontier = one_page(strategy, [("seed.test/1", 0.14), *DISCARDED])
    assert back(frontier) == ["x/1", "z/1", "w/1"]
    number = frontier.number("http://seed.test/1")
    assert number is not None
    assert not frontier.choosable(np.array([number]))[0]


def test_as_published_tabu_hosts_are_released_too_when_no_other_is_left() -> None:
    web = SmallWeb(pages=80, hosts=4, fails=0, dull=True)
    strategy = FcitsOh(host_trial=2, host_most=2, link_threshold=-1.0, discarded="never")
    assert len(crawl_of(strategy, web, 80)) > 70


def test_when_only_discarded_links_are_left_they_are_taken() -> None:
    web = SmallWeb(pages=40, hosts=4, fails=0, dull=True)
    strategy = FcitsOh(host_trial=2, link_threshold=2.0, refill_links=0)
    assert len(crawl_of(strategy, web, 40)) > 35
