"""A tabu search set to a page by hand: S contains a and b, a contains c, d and e."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np

from strategies.scripted import TOPIC
from topicrawl.frontier import PEEKED, Frontier
from topicrawl.strategies.tabu import TabuSearch
from value.seen import observed

S, A, B, C, D, E, Z = range(7)
"""Links by number; Z waits in the queue and is on no page."""
Kind = TypeVar("Kind", bound=TabuSearch)


def revalue(strategy: TabuSearch, frontier: Frontier, values: Mapping[int, float]) -> None:
    """Give links values, and the queue those above the threshold."""
    links = np.array(list(values))
    frontier.columns["value"][links] = list(values.values())
    waits = links[frontier.columns["state"][links] <= PEEKED]
    kept = strategy.valuation.keeps(frontier, waits)
    frontier.prioritise(waits, np.where(kept, frontier.columns["value"][waits], -np.inf))
    strategy.queue.add(frontier, waits[kept])


def chosen(strategy: TabuSearch, frontier: Frontier, seed: int = 1) -> int:
    choice = strategy.choose(frontier, random.Random(seed))
    assert choice is not None
    return choice.link


def at_a(
    strategy: Kind, values: Mapping[int, float], on_a: Sequence[int] = (C, D, E)
) -> tuple[Kind, Frontier]:
    """S and a were fetched, in this order; P(S) = 0.45, P(a) = 0.5, P(b) = 0.4 unless `values` has others."""
    frontier, rng = Frontier(), random.Random(1)
    urls = [f"http://h{number}.test/" for number in range(7)]
    strategy.start(TOPIC, frontier, frontier.add(urls[:1], depth=0, parent=-1), rng)
    assert chosen(strategy, frontier) == S, "the first link drawn is fetched at once"
    frontier.add(urls[1:], depth=1, parent=S)
    strategy.observe(observed(frontier, S, [A, B]), frontier, rng)
    revalue(strategy, frontier, {S: 0.45, A: 0.5, B: 0.4})
    assert chosen(strategy, frontier) == A
    strategy.observe(observed(frontier, A, on_a), frontier, rng)
    revalue(strategy, frontier, {S: 0.45, A: 0.5, B: 0.4, **values})
    return strategy, frontier
