"""Links that became known outside a visit: they are worth what they would have been worth at the visit."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from scout.test_scout import STORM, TOPIC, html
from topicrawl.crawling.core import Crawl
from topicrawl.frontier import Frontier
from topicrawl.frontier.scope import Scope
from topicrawl.model import Found, Instruction, Outcome, Received, Visit
from topicrawl.page.read import read
from topicrawl.strategies import Strategy
from topicrawl.strategies.bfs import BreadthFirst
from topicrawl.strategies.registry import make_strategy
from topicrawl.topic.matcher import Matcher

SEED = "http://a.test/"
LINKS = [
    ("/in/1", "rainstorm tonight"),
    ("/out/1", "rainstorm warning"),
    ("/in/2", "train"),
    ("/out/2", "station"),
]


@dataclass
class OneVisit:
    """A crawl that has visited its seed; it is the crawl's past."""

    crawl: Crawl = field(init=False)
    seen: list[tuple[Visit, Outcome]] = field(default_factory=list)

    def visits(self) -> Iterator[Visit]:
        return (visit for visit, _ in self.seen)

    def outcomes(self) -> Iterator[tuple[Visit, Outcome]]:
        return iter(self.seen)

    def start(self, name: str, settings: dict[str, Any], scope: Scope, *more: str) -> Crawl:
        self.crawl = Crawl(TOPIC, make_strategy(name, settings), [SEED, *more], scope, past=self)
        ask = self.crawl.ask()
        assert ask is not None
        page = read(SEED, html("start", STORM, LINKS), "text/html; charset=utf-8")
        assert page is not None
        outcome = Outcome(SEED, 200, 100, page=page, counts=Matcher(TOPIC.terms).count(page))
        self.seen.append((self.crawl.tell(ask, outcome), outcome))
        return self.crawl


def priorities(crawl: Crawl) -> dict[str, float]:
    return dict(zip(crawl.frontier.urls[:], crawl.frontier.columns["priority"].tolist(), strict=True))


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("bfs", {}),
        ("ops", {}),
        ("fcwseo", {"rank_weight": 0.0}),
        ("vsm", {}),
        ("mcoa", {}),
        ("semxdm", {"per_round": 1}),
        ("scout", {}),
    ],
)
def test_a_link_that_a_wider_scope_admits_is_worth_what_it_was(name: str, settings: dict[str, Any]) -> None:
    wide = OneVisit().start(name, settings, Scope())
    widened = OneVisit().start(name, settings, Scope(exclude=("/out/",)))
    assert len(widened.frontier) == 3
    widened.instruct(Instruction({"exclude": []}))
    assert priorities(widened) == pytest.approx(priorities(wide))
    assert len(set(priorities(wide).values())) > 1


def test_a_link_admitted_before_its_page_is_ranked_is_ranked_when_the_round_ends() -> None:
    crawl = OneVisit().start("semxdm", {"per_round": 2}, Scope(exclude=("/out/",)), "http://b.test/")
    crawl.instruct(Instruction({"exclude": []}))
    assert priorities(crawl)["http://a.test/out/1"] == -np.inf
    ask = crawl.ask()
    assert ask is not None
    crawl.tell(ask, Outcome(ask.url, 404, error="http"))
    found = priorities(crawl)
    assert found["http://a.test/out/1"] == found["http://a.test/in/1"] >= 0


def test_links_of_another_shard_are_worth_the_relevance_of_the_page_they_are_on() -> None:
    crawl = OneVisit().start("ops", {"anchor_weight": 0.0}, Scope())
    crawl.receive(Received("b", [Found("http://c.test/1", 4, relevance=0.25), Found("http://c.test/2", 2)]))
    found = priorities(crawl)
    assert (found["http://c.test/1"], found["http://c.test/2"]) == (0.25, 0.0)


def test_links_of_another_shard_share_one_start_in_scout() -> None:
    crawl = OneVisit().start("scout", {}, Scope())
    hosts = [f"http://{name}.test/" for name in ("c", "d", "e")]
    crawl.receive(Received("b", [Found(url, 2) for url in hosts]))
    starts = crawl.frontier.columns["start"]
    assert len(set(starts[-3:].tolist())) == 1
    assert starts[-1] != starts[0]
    assert np.isfinite(crawl.frontier.columns["priority"]).all()


@pytest.mark.parametrize("name", ["vsm", "mcoa"])
def test_a_link_of_another_shard_is_worth_nothing_where_texts_are_compared(name: str) -> None:
    """SVSM-MCOA Eq. (7) values a link by the texts of pages that contain it, and this crawl has read none."""
    crawl = OneVisit().start(name, {}, Scope())
    crawl.receive(Received("other", [Found("http://b.test/", 1, relevance=0.9)]))
    assert priorities(crawl)["http://b.test/"] == 0.0


def test_by_default_a_further_seed_is_worth_1_and_another_link_what_its_pages_are() -> None:
    """No mean relevance exceeds 1, so seeds come first; a link that has a priority keeps it."""
    frontier, strategy = Frontier(), BreadthFirst()
    seeds = frontier.add(["http://a.test/", "http://b.test/"], depth=0, parent=-1)
    others = frontier.add(["http://c.test/"], depth=1, parent=0)
    frontier.contained(others, 0.5)
    frontier.prioritise(seeds[1:], np.array([0.25]))
    links = np.concatenate((seeds, others))
    Strategy.enter(strategy, links, frontier, random.Random(1))
    assert frontier.columns["priority"][links].tolist() == [1.0, 0.25, 0.5]
