from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from topicrawl.web.invented.chance import Chance, lot, named


def test_the_stream_is_the_same_on_every_machine() -> None:
    dice = Chance(named(7, "anything"))
    assert [dice.below(1000) for _ in range(6)] == [371, 446, 383, 665, 874, 138]
    assert lot(named(7, "anything")) == (27578, 41466, 24079, 10134, 62963, 2840, 32442, 37024)


def test_a_stream_goes_on_beyond_its_first_block_without_repeating_it() -> None:
    dice = Chance(b"long")
    rolls = [dice.roll() for _ in range(1000)]
    assert len(set(rolls)) == 1000


def test_names_are_told_apart_by_their_parts() -> None:
    assert named(1, 23) != named(12, 3)


@given(st.integers(1, 10**9), st.integers(1, 4), st.binary(max_size=8))
def test_draws_stay_below_their_bound(bound: int, power: int, name: bytes) -> None:
    dice = Chance(name)
    assert 0 <= dice.below(bound) < bound
    assert 0 <= dice.skewed(bound, power) < bound
    assert 5 <= dice.between((5, 5 + bound)) <= 5 + bound


def test_plain_draws_are_even_and_skewed_ones_prefer_small_numbers() -> None:
    dice = Chance(b"fair")
    even = Counter(dice.below(10) for _ in range(5000))
    skewed = Counter(dice.skewed(10, 3) for _ in range(5000))
    assert all(400 < even[number] < 600 for number in range(10))
    assert skewed[0] > 2000
    assert skewed[9] < 500


def test_a_share_per_mille_is_kept() -> None:
    dice = Chance(b"share")
    assert 200 < sum(dice.per_mille(250) for _ in range(1000)) < 300
