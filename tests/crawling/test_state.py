"""The state of a crawl as plain data: what is loaded behaves, and is, as what was stored."""

from __future__ import annotations

import random
from collections.abc import Callable

import msgspec
import numpy as np
import pytest

from contracts.small_web import SmallWeb
from contracts.test_strategies import events, start
from topicrawl.crawling.core import Crawl
from topicrawl.crawling.state import NotStorable, State, pack, unpack
from topicrawl.frontier.columns import Array
from topicrawl.frontier.traps import Traps
from topicrawl.model import Event
from topicrawl.strategies.registry import strategy_names

WINDOWS = [(1, None), (8, 4)]
CUTS = [0, 1, 7, 100, 333]


def reader(stored: list[bytes]) -> Callable[[Array], None]:
    """Fills arrays in order with what was stored."""
    rest = iter(stored)

    def read(into: Array) -> None:
        into[...] = np.frombuffer(next(rest), into.dtype).reshape(into.shape)

    return read


def stored(crawl: Crawl) -> tuple[bytes, list[bytes]]:
    state = pack(crawl)
    return state.values, state.copies()


def loaded(crawl: Crawl, state: tuple[bytes, list[bytes]]) -> Crawl:
    unpack(crawl, state[0], reader(state[1]))
    return crawl


@pytest.mark.parametrize(("window", "shuffle"), WINDOWS)
@pytest.mark.parametrize("name", strategy_names())
def test_a_crawl_that_was_stored_goes_on_as_one_that_was_not(
    name: str, window: int, shuffle: int | None
) -> None:
    web = SmallWeb()

    def new() -> Crawl:
        return start(name, web, traps=Traps(("rainstorm",)), ahead=4)

    log = list(events(new(), web, window=window, shuffle=shuffle))
    whole, kept = new(), {}
    for count, event in enumerate(log):
        if count in CUTS:
            kept[count] = stored(whole)
        whole.replay(event)
    for cut, state in kept.items():
        again = loaded(new(), state)
        assert stored(again) == state
        for event in log[cut:]:
            again.replay(event)
        assert stored(again) == stored(whole)
