"""Native code and Python write the same features, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from topicrawl.scout import link_features, link_priorities

native = pytest.importorskip("topicrawl._native", reason="built without native code")

LINKS, HOSTS = 60, 7
LONG = 1_100
"""Links of more than one block."""


def columns(number: int) -> list[Any]:
    return [np.zeros(LINKS, np.float32) for _ in range(number)]


def both(name: str, given: list[Any], written: int) -> tuple[list[bytes], list[bytes]]:
    """What both write to so many columns."""
    found = []
    for of in (native, link_features):
        into = columns(written)
        getattr(of, name)(*given, *into)
        found.append([each.tobytes() for each in into])
    return found[0], found[1]


def test_the_features_of_links_are_equal() -> None:
    random = np.random.default_rng(1)
    links = np.unique(random.integers(0, LINKS, 40))
    read = (
        random.random(LINKS),
        random.integers(0, 9, LINKS, np.int32),
        random.integers(0, 3, LINKS, np.int32),
    )
    predicted, shares = random.normal(size=LINKS).astype(np.float32), random.random(3)
    ours, theirs = both("measure_links", [links, predicted, shares, np.array([0.3, 5.0]), *read], 3)
    assert ours == theirs
    assert all(map(any, ours))


def test_the_features_of_hosts_are_equal() -> None:
    random = np.random.default_rng(2)
    pages = random.integers(0, 4, HOSTS).astype(np.float64)
    known = pages, pages * random.random(HOSTS), random.integers(0, 9, HOSTS).astype(np.float64)
    constants = np.array([0.4, 0.7, 0.25, 3.0])
    host = random.integers(0, HOSTS, LINKS, np.int32)
    ours, theirs = both("measure_hosts", [np.arange(LINKS), host, *known, constants], 1)
    assert ours == theirs
    assert all(map(any, ours))


def queued(links: Any, count: int, features: int = 3) -> list[Any]:
    """What `prioritise_links` is given: five groups, seven hosts, one of them held; a third of the links are seeds."""
    random = np.random.default_rng(count)
    states = random.integers(0, 4, LONG).astype(np.uint8)
    held = (np.arange(HOSTS) == 2).astype(np.uint8)
    group, host = random.integers(0, 5, LONG, np.int32), random.integers(0, HOSTS, LONG, np.int32)
    depth = random.integers(0, 3, LONG).astype(np.int16)
    columns = [random.normal(size=LONG).astype(np.float32) for _ in range(features)]
    queue = [states, host, held, np.full(LONG, 9.0), np.full(LONG, 9.0), np.zeros(2, np.bool_)]
    weights = random.normal(size=features)
    return [links, weights, np.array([count]), group, random.random(5), depth, *queue, *columns]


@pytest.mark.parametrize("count", [0, 1, 5, 64])
def test_priorities_are_equal(count: int) -> None:
    links = np.random.default_rng(7).permutation(LONG)[:-200]
    ours, theirs = queued(links, count), queued(links, count)
    native.prioritise_links(*ours)
    link_priorities.prioritise_links(*theirs)
    written = [(one.tobytes(), other.tobytes()) for one, other in zip(ours, theirs, strict=True)]
    assert all(one == other for one, other in written)
    assert len({*ours[9].tolist()}) > LONG / 2  # priorities
    assert np.isneginf(ours[10]).any()


def test_native_code_refuses_links_that_do_not_fit() -> None:
    for link in (-1, LONG):
        with pytest.raises(ValueError, match="do not fit"):
            native.prioritise_links(*queued(np.array([link]), 1))
    for place, shorter in ((1, 1), (4, 0), (5, 9), (7, 9), (8, 1), (9, 9), (10, 9), (11, 1), (12, 9)):
        given = queued(np.arange(LONG), 5)
        given[place] = given[place][:shorter].copy()
        with pytest.raises(ValueError, match="do not fit"):
            native.prioritise_links(*given)
    with pytest.raises(TypeError):
        native.prioritise_links(*queued(np.arange(LONG), 5)[:11])


def test_native_code_refuses_columns_that_do_not_fit() -> None:
    one, number, whole, floats = np.array([1]), np.ones(1), np.zeros(2, np.int32), np.zeros(2, np.float32)
    constants, read = np.ones(2), (np.ones(2), whole, whole)
    refused = [
        lambda: native.measure_links(one, floats, number, constants, *read, *[floats] * 2, floats[:1]),
        lambda: native.measure_links(one, floats[:1], number, constants, *read, *[floats] * 3),
        lambda: native.measure_links(one + 1, floats, number, constants, *read, *[floats] * 3),
        lambda: native.measure_links(one, floats, np.ones(0), constants, *read, *[floats] * 3),
        lambda: native.measure_links(one, floats, number, number, *read, *[floats] * 3),
        lambda: native.measure_hosts(one, whole + 1, number, number, number, np.ones(4), floats),
        lambda: native.measure_hosts(one, whole, number, np.ones(2), number, np.ones(4), floats),
        lambda: native.measure_hosts(one, whole, number, number, number, np.ones(5), floats),
    ]
    for call in refused:
        with pytest.raises((IndexError, ValueError)):
            call()
