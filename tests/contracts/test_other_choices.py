"""Every strategy accepts choices that it did not make, as a log of another version has them, and links from elsewhere.

What it must not do: raise, lose a link (its own choice, which the log did not take, included), or wait for ever.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from contracts.small_web import TOPIC, SmallWeb
from contracts.wanderer import WALKERS, Wanderer
from topicrawl.crawling.core import Crawl
from topicrawl.frontier import PEEKED, WAITING
from topicrawl.frontier.scope import Scope
from topicrawl.model import Ask, Event, Found, Instruction, Outcome, Received, Told, Version, Visit
from topicrawl.strategies import Strategy
from topicrawl.strategies.registry import make_strategy, strategy_names

Settings = Mapping[str, Any]
SMALL = [
    ("ielp", {"allow_revisit": "true"}),
    ("fcits_oh", {"host_trial": 2, "host_most": 4}),
    ("fcwseo", {"bank_size": 3}),
    ("moaco", {"ants": 3, "steps": 2}),
    ("fcts", {"moves": 2}),
    *((name, {"per_round": 7}) for name in ("semxdm", "best_n_first", "context_graph")),
    ("semxdm", {"continuous": "true", "learn_every": 5}),
    ("mcoa", {"weights": "exact", "training_pages": 20}),
]
"""Rounds, walks and memories short enough to end many times in a small crawl."""
PEEKING = [
    ("ops", {"priority": "fcwseo", "target_relevance": "peek"}),
    *((name, {"target_relevance": "peek"}) for name in ("fcsa", "on_its", "fcwseo", "moaco")),
]
EVERY: list[tuple[str, Settings]] = [*((name, {}) for name in strategy_names()), *SMALL, *PEEKING]
every = pytest.mark.parametrize(
    ("name", "settings"),
    EVERY,
    ids=["-".join((name, *map(str, settings.values()))) for name, settings in EVERY],
)
WEB = SmallWeb(pages=200, out=3)
THIS = Version("test", "wanderer", 1)
ENOUGH = 3_000
"""More visits than pages: a crawl that makes so many does not end."""


@dataclass
class Driver:
    """A crawl over the small web and its log; answers come in a random order, `window` links are in flight."""

    strategy: Strategy
    window: int = 1
    seed: int = 1
    scope: Scope = field(default_factory=Scope)

    def __post_init__(self) -> None:
        self.log: list[Event] = [THIS]
        self.order = random.Random(self.seed)
        self.crawl = Crawl(
            TOPIC, self.strategy, WEB.seeds(), scope=self.scope, rng_seed=1, ahead=3, past=self
        )

    def visits(self) -> Iterator[Visit]:
        return (event.visit for event in self.log if isinstance(event, Told))

    def outcomes(self) -> Iterator[tuple[Visit, Outcome]]:
        return ((event.visit, event.outcome) for event in self.log if isinstance(event, Told))

    def run(self, most: int = ENOUGH, *, at_random: float = 0.0) -> None:
        """Make `most` visits or crawl to the end; a share of the choices is taken `at_random`, as if from a log."""
        end = self.crawl.tally.visits + most
        while self.crawl.tally.visits < end:
            while len(self.crawl.pending) < self.window and (ask := self._ask(at_random)):
                self.log.append(ask)
            if not self.crawl.pending:
                return
            self.tell(self.order.choice(list(self.crawl.pending.values())))
        assert most < ENOUGH, "the crawl does not end"

    def tell(self, ask: Ask) -> None:
        outcome = WEB.answer(ask)
        visit = self.crawl.tell(ask, outcome)
        self.log += [Told(ask, outcome, visit), *self.crawl.accepted]

    def replay(self, log: Sequence[Event]) -> None:
        self.log = list(log)
        for event in log:
            self.crawl.replay(event)

    def answer(self) -> None:
        """Answer what is pending."""
        for ask in list(self.crawl.pending.values()):
            self.tell(ask)

    def finish(self) -> None:
        """Answer what is pending, then crawl to the end by the strategy's own choices."""
        self.answer()
        self.run()

    def instruct(self, instruction: Instruction) -> None:
        self.log.append(instruction)
        self.crawl.instruct(instruction)

    def receive(self, received: Received) -> None:
        self.log.append(received)
        self.crawl.receive(received)

    def left(self) -> list[str]:
        """The links that wait, and the peeked pages whose links were not added."""
        states = self.crawl.frontier.columns["state"]
        return [self.crawl.frontier.urls[link] for link in np.flatnonzero(states <= PEEKED)]

    def found(self) -> set[str]:
        return set(self.crawl.frontier.urls[:])

    def _ask(self, at_random: float) -> Ask | None:
        if at_random == 0.0 or self.order.random() >= at_random:
            return self.crawl.ask()
        known = self.found()
        unknown = [url for url in map(WEB.url, range(WEB.pages)) if url not in known]
        waiting = np.flatnonzero(self.crawl.frontier.columns["state"] == WAITING).tolist()
        if unknown and self.order.random() < 0.05:
            url = self.order.choice(unknown)
        elif waiting:
            url = self.crawl.frontier.urls[self.order.choice(waiting)]
        else:
            return None
        walker, peek = self.order.randrange(WALKERS), self.order.random() < 0.2
        self.crawl.replay(Ask(-1, url, priority=0.5, depth=3, walker=walker, peek=peek))
        return list(self.crawl.pending.values())[-1]


def reachable() -> set[str]:
    driver = Driver(make_strategy("bfs"))
    driver.run()
    return driver.found()


REACHABLE = reachable()


@every
@pytest.mark.parametrize(("window", "share"), [(1, 0.5), (8, 1.0)])
def test_choices_taken_at_random_lose_no_link(
    name: str, settings: Settings, window: int, share: float
) -> None:
    driver = Driver(make_strategy(name, settings), window)
    driver.run(120, at_random=share)
    driver.finish()
    assert driver.left() == []
    assert driver.found() >= REACHABLE


@every
@pytest.mark.parametrize(("window", "visits"), [(1, 7), (8, 120)])
def test_a_log_of_another_strategy_is_followed_and_then_its_own_choices(
    name: str, settings: Settings, window: int, visits: int
) -> None:
    other = Driver(Wanderer(), window)
    other.run(visits)
    own, again = (Driver(make_strategy(name, settings), window) for _ in range(2))
    for driver in (own, again):
        driver.replay(other.log)
        driver.finish()
    assert own.log[: len(other.log)] == other.log
    assert own.crawl.agreement.other_choices > 0
    assert own.left() == []
    assert own.found() == REACHABLE
    assert own.log == again.log, "the crawl follows from its log"


@pytest.mark.parametrize("name", ["elp", "ielp", "fcsa", "fcts", "fcits", "moaco"])
def test_no_walker_or_ant_waits_for_a_choice_that_the_log_did_not_take(name: str) -> None:
    strategy: Any = make_strategy(name)
    driver = Driver(strategy, window=8)
    driver.run(100, at_random=0.5)
    driver.answer()
    if name == "moaco":
        assert not any(ant.waiting for ant in strategy.colony)
    else:
        assert strategy.walkers.idle() == 0


@pytest.mark.parametrize(("name", "settings"), PEEKING)
@pytest.mark.parametrize("logged", ["peek", "predict"])
def test_peeking_may_begin_or_stop_in_the_middle(name: str, settings: Settings, logged: str) -> None:
    now = {"peek": "predict", "predict": "peek"}[logged]
    before = Driver(make_strategy(name, {**settings, "target_relevance": logged}), window=4)
    before.run(100)
    after = Driver(make_strategy(name, {**settings, "target_relevance": now}), window=4)
    after.replay(before.log)
    after.finish()
    assert after.left() == []
    assert after.found() == REACHABLE


@every
@pytest.mark.parametrize("window", [1, 8])
def test_a_log_of_the_same_version_is_repeated_exactly(name: str, settings: Settings, window: int) -> None:
    whole = Driver(make_strategy(name, settings), window)
    whole.run()
    again = Driver(make_strategy(name, settings), window)
    again.replay(whole.log)
    assert again.crawl.agreement.exact, again.crawl.agreement.first
    assert again.crawl.agreement.choices == again.crawl.tally.visits == whole.crawl.tally.visits


@every
def test_a_further_seed_has_the_priority_of_the_first_ones(name: str, settings: Settings) -> None:
    driver = Driver(make_strategy(name, settings))
    first = driver.crawl.frontier.columns["priority"][0]
    driver.run(30)
    driver.instruct(Instruction(seeds=[WEB.url(WEB.pages)]))
    assert driver.crawl.frontier.columns["priority"][-1] == first


@every
@pytest.mark.parametrize("window", [1, 8])
def test_links_from_elsewhere_and_a_changed_scope_lose_no_link(
    name: str, settings: Settings, window: int
) -> None:
    """The scope is narrowed and widened; seeds and links of another shard come before, between and at the end."""
    excluded = [r"//h[0-3]\.", r"//h[5-9]\.", "/[0-9]*7$"]
    others = map(WEB.url, range(WEB.pages, 2 * WEB.pages))  # no page links to them
    more = [url for url in others if not re.search("|".join(excluded), url)]
    driver = Driver(make_strategy(name, settings), window, scope=Scope(exclude=(excluded[2],)))
    driver.receive(Received("b", [Found(more[0], 4, "flood", "http://else.test/", 0.8)]))
    driver.run(20)
    driver.answer()  # a link withdrawn while it is pending counts as answered
    driver.instruct(Instruction({"exclude": excluded}, seeds=more[1:2]))
    driver.run(20)
    driver.receive(Received("b", [Found(more[2], 2), Found(WEB.url(5), 2), Found("http://h4.test/4", 1)]))
    driver.run(20)
    driver.instruct(Instruction({"exclude": excluded[1:]}))
    driver.run(20)
    driver.instruct(Instruction({"exclude": []}))
    driver.finish()
    driver.instruct(Instruction(seeds=more[3:5]))
    driver.receive(Received("c", [Found(more[5], 1)]))
    driver.finish()
    assert driver.left() == []
    assert driver.found() == REACHABLE | set(more[:6]) | _behind(more[:6])
    again = Driver(make_strategy(name, settings), window, scope=driver.scope)
    again.replay(driver.log)
    assert again.crawl.agreement.exact, again.crawl.agreement.first


def _behind(urls: Sequence[str]) -> set[str]:
    driver = Driver(make_strategy("bfs"))
    driver.instruct(Instruction(seeds=list(urls)))
    driver.run()
    return driver.found()
