"""Native code and Python set the same priorities, and find the same largest."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from topicrawl.frontier import PEEKED, priorities
from topicrawl.frontier.priorities import BLOCK

native = pytest.importorskip("topicrawl._native", reason="built without native code")

LINKS, HOSTS = 2 * BLOCK + 5, 6


def test_links_that_wait_on_open_hosts_become_choosable() -> None:
    random = np.random.default_rng(1)
    links, wanted = random.integers(0, LINKS, 300), random.normal(size=300)
    links, first = np.unique(links, return_index=True)
    state, host = random.integers(0, 4, LINKS, np.uint8), random.integers(0, HOSTS, LINKS, np.int32)
    held = random.integers(0, 2, HOSTS, np.uint8)
    found = []
    for of in (native, priorities):
        columns = np.full((2, LINKS), -np.inf), np.zeros(3, np.bool_)
        of.set_priorities(links, wanted[first], state, host, held, *columns[0], columns[1])
        found.append([each.tobytes() for each in columns])
    assert found[0] == found[1]
    key = columns[0][1]
    assert np.array_equal(key[links] > -np.inf, (state[links] <= PEEKED) & (held[host[links]] == 0))


@pytest.mark.parametrize("size", [1, 7, BLOCK, BLOCK + 1, LINKS])
def test_the_largest_is_the_same_and_the_first_among_equals(size: int) -> None:
    random = np.random.default_rng(size)
    column = np.where(random.random(size) < 0.5, -np.inf, random.integers(0, 40, size).astype(np.float64))
    blocks = -(-size // BLOCK) + 1
    found: list[Any] = []
    for of in (native, priorities):
        largest, is_stale = np.full(blocks, -np.inf), np.arange(blocks) < blocks - 1
        assert of.largest_place(column, largest, is_stale) == column.argmax()
        assert not is_stale.any()
        found.append(largest.tobytes())
    assert found[0] == found[1]


def test_native_code_refuses_columns_that_do_not_fit() -> None:
    one, number, column, flags = np.array([1]), np.ones(1), np.zeros(2), np.zeros(2, np.uint8)
    host, stale = np.zeros(2, np.int32), np.zeros(1, np.bool_)
    refused = [
        lambda: native.set_priorities(one + 1, number, flags, host, flags, column, column, stale),
        lambda: native.set_priorities(-one, number, flags, host, flags, column, column, stale),
        lambda: native.set_priorities(one, column, flags, host, flags, column, column, stale),
        lambda: native.set_priorities(one, number, flags, host + 2, flags, column, column, stale),
        lambda: native.set_priorities(one, number, flags, host, flags, column, number.copy(), stale),
        lambda: native.set_priorities(one, number, flags, host, flags, column, column, stale[:0]),
        lambda: native.largest_place(column[:0], number, stale),
        lambda: native.largest_place(column, column, stale),
        lambda: native.largest_place(np.zeros(BLOCK + 1), number, stale),
    ]
    for call in refused:
        with pytest.raises(ValueError, match="do not fit"):
            call()
