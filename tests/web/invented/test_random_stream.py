from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from topicrawl.web.invented.random_stream import RandomStream, hash_numbers, stream_name


def test_the_stream_is_the_same_on_every_machine() -> None:
    rng = RandomStream(stream_name(7, "anything"))
    assert [rng.below(1000) for _ in range(6)] == [371, 446, 383, 665, 874, 138]
    assert hash_numbers(stream_name(7, "anything")) == (27578, 41466, 24079, 10134, 62963, 2840, 32442, 37024)


def test_a_stream_goes_on_beyond_its_first_block_without_repeating_it() -> None:
    rng = RandomStream(b"long")
    rolls = [rng.roll() for _ in range(1000)]
    assert len(set(rolls)) == 1000


def test_names_with_different_parts_differ() -> None:
    assert stream_name(1, 23) != stream_name(12, 3)


@given(st.integers(1, 10**9), st.integers(1, 4), st.binary(max_size=8))
def test_draws_stay_below_their_bound(bound: int, power: int, name: bytes) -> None:
    rng = RandomStream(name)
    assert 0 <= rng.below(bound) < bound
    assert 0 <= rng.skewed(bound, power) < bound
    assert 5 <= rng.between((5, 5 + bound)) <= 5 + bound


def test_plain_numbers_are_uniform_and_skewed_ones_prefer_small_values() -> None:
    rng = RandomStream(b"fair")
    even = Counter(rng.below(10) for _ in range(5000))
    skewed = Counter(rng.skewed(10, 3) for _ in range(5000))
    assert all(400 < even[number] < 600 for number in range(10))
    assert skewed[0] > 2000
    assert skewed[9] < 500


def test_a_share_per_mille_is_kept() -> None:
    rng = RandomStream(b"share")
    assert 200 < sum(rng.per_mille(250) for _ in range(1000)) < 300
