"""Every strategy accepts choices it did not make, as a log of another version has them, and links from elsewhere."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from contracts.small_web import TOPIC, SmallWeb
from contracts.test_strategies import events
from topicrawl.crawling.core import Crawl
from topicrawl.frontier import ASKED, PEEKED, WAITING
from topicrawl.model import Ask, Told
from topicrawl.strategies import Choice
from topicrawl.strategies.registry import make_strategy, strategy_names

Settings = Mapping[str, Any]
PEEKING = [
    ("ops", {"priority": "fcwseo", "target_relevance": "peek"}),
    *((name, {"target_relevance": "peek"}) for name in ("fcsa", "on_its", "fcwseo", "moaco")),
]
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
EVERY: list[tuple[str, Settings]] = [*((name, {}) for name in strategy_names()), *SMALL, *PEEKING]
every = pytest.mark.parametrize(
    ("name", "settings"), EVERY, ids=[f"{name} {settings or ''}" for name, settings in EVERY]
)
WEB = SmallWeb()
REACHABLE = {
    event.visit.asked
    for event in events(Crawl(TOPIC, make_strategy("bfs"), WEB.seeds()), WEB)
    if isinstance(event, Told)
}


def crawl_with(name: str, settings: Settings, **crawl: Any) -> Crawl:
    return Crawl(TOPIC, make_strategy(name, settings), WEB.seeds(), rng_seed=1, **crawl)


def ask_for(crawl: Crawl, choice: Choice) -> Ask:
    """What replaying an `Ask` of a log does."""
    if crawl.strategy.choose(crawl.frontier, crawl.rng) != choice:
        crawl.strategy.chose(choice, crawl.frontier)
    columns = crawl.frontier.columns
    ask = Ask(
        choice.link,
        crawl.frontier.urls[choice.link],
        0.0,
        int(columns["depth"][choice.link]),
        choice.walker,
        choice.peek,
    )
    crawl.frontier.settle(choice.link, ASKED)
    crawl.pending[choice.link] = ask
    crawl._add_pending(int(columns["host"][choice.link]))
    return ask


def disturb(crawl: Crawl, *, seed: int, most: int, window: int, share: float = 0.5) -> None:
    """Crawl `most` pages, a `share` of them chosen at random: any waiting link, any walker, peeked at or not."""
    order = random.Random(seed)
    before = crawl.tally.visits
    while crawl.tally.visits < before + most:
        while len(crawl.pending) < window:
            waiting = np.flatnonzero(crawl.frontier.columns["state"] == WAITING).tolist()
            if order.random() < share and waiting:
                ask_for(crawl, Choice(order.choice(waiting), order.randrange(12), order.random() < 0.2))
            elif crawl.ask() is None:
                break
        if not crawl.pending:
            return
        ask = order.choice(list(crawl.pending.values()))
        crawl.tell(ask, WEB.answer(ask))


def finish(crawl: Crawl, window: int) -> None:
    """Crawl to the end by the strategy's own choices."""
    for ask in list(crawl.pending.values()):
        crawl.tell(ask, WEB.answer(ask))
    list(events(crawl, WEB, window=window, most=2_000))
    assert crawl.tally.visits < 2_000


def left(crawl: Crawl) -> list[str]:
    """The links that were not followed to the end."""
    states = crawl.frontier.columns["state"]
    return [crawl.frontier.urls[link] for link in np.flatnonzero(states <= PEEKED)]


@every
@pytest.mark.parametrize(("window", "share"), [(1, 1.0), (1, 0.5), (8, 0.5), (8, 1.0)])
def test_choices_of_another_lose_no_link(name: str, settings: Settings, window: int, share: float) -> None:
    crawl = crawl_with(name, settings, ahead=3)
    disturb(crawl, seed=window, most=150, window=window, share=share)
    finish(crawl, window)
    assert left(crawl) == []
    assert set(crawl.frontier.urls[:]) == REACHABLE
