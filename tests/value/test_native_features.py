"""Native code and Python write the same features, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from topicrawl.value import link_features

native = pytest.importorskip("topicrawl._native", reason="built without native code")

LINKS, HOSTS = 60, 7


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
    constants = np.array([0.2, 0.4, 0.7, 1.0, 0.25, 3.0])
    host = random.integers(0, HOSTS, LINKS, np.int32)
    ours, theirs = both("measure_hosts", [np.arange(LINKS), host, *known, constants], 3)
    assert ours == theirs
    assert all(map(any, ours))


@pytest.mark.parametrize("count", [1, 5, 64])
def test_what_is_lost_to_failures_is_equal(count: int) -> None:
    random = np.random.default_rng(count)
    group, chances = random.integers(0, 5, LINKS, np.int32), random.random(5)
    worth = random.normal(size=LINKS)
    left = [worth.copy(), worth.copy()]
    for of, each in zip((native, link_features), left, strict=True):
        of.lose_by_failures(np.arange(LINKS), group, chances, np.array([count]), each)
    assert left[0].tobytes() == left[1].tobytes() != worth.tobytes()


def test_native_code_refuses_columns_that_do_not_fit() -> None:
    one, number, whole, floats = np.array([1]), np.ones(1), np.zeros(2, np.int32), np.zeros(2, np.float32)
    constants, read = np.ones(2), (np.ones(2), whole, whole)
    refused = [
        lambda: native.measure_links(one, floats, number, constants, *read, *[floats] * 2, floats[:1]),
        lambda: native.measure_links(one, floats[:1], number, constants, *read, *[floats] * 3),
        lambda: native.measure_links(one + 1, floats, number, constants, *read, *[floats] * 3),
        lambda: native.measure_links(one, floats, np.ones(0), constants, *read, *[floats] * 3),
        lambda: native.measure_links(one, floats, number, number, *read, *[floats] * 3),
        lambda: native.measure_hosts(one, whole + 1, number, number, number, np.ones(6), *[floats] * 3),
        lambda: native.measure_hosts(one, whole, number, np.ones(2), number, np.ones(6), *[floats] * 3),
        lambda: native.measure_hosts(one, whole, number, number, number, np.ones(5), *[floats] * 3),
        lambda: native.lose_by_failures(one, whole + 1, number, one, np.ones(1)),
        lambda: native.lose_by_failures(-one, whole, number, one, np.ones(1)),
    ]
    for call in refused:
        with pytest.raises((IndexError, ValueError)):
            call()
