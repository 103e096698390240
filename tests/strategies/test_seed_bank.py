"""How test links replace seeds, case by case."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontier.test_distance import LINKS, PAGES, S1, S2, S3, A, B, E, contents, graph_of, plain
from strategies.scripted import Scripted
from topicrawl.frontier.distance import FAR, Edges
from topicrawl.strategies.seed_bank import DOMINATED, DOMINATES, FARTHER, NEITHER, SeedBank, Trial

EDGES = Edges(graph_of(PAGES), 8, [S1, S2, S3])


def bank(*points: Sequence[float], lenience: float = 0.1) -> SeedBank:
    return SeedBank([S1, S2, S3], np.array(points, dtype=np.float64), lenience)


def attempt(seeds: SeedBank, test: int, point: Sequence[float], radius: float, *drawn: float) -> Trial:
    return seeds.update([test], np.array([point], dtype=np.float64), EDGES, radius, Scripted(*drawn))[test]


def test_the_mean_distance_counts_every_pair_once() -> None:
    assert bank((0, 0), (0, 0), (0, 0)).mean_distance(EDGES) == 2.0
    linked = Edges(graph_of({**PAGES, S1: [A, B, S3]}), 8, [S1, S2, S3])
    assert bank((0, 0), (0, 0), (0, 0)).mean_distance(linked) == pytest.approx(5 / 3)
    assert SeedBank([S1], np.zeros((1, 2)), 0.1).mean_distance(EDGES) == 2.0


def test_a_dominating_link_within_the_radius_replaces_the_nearest_seed() -> None:
    seeds = bank((0.5, 0.5), (0.9, 0.9), (0.1, 0.1))
    assert attempt(seeds, A, (0.6, 0.5), 1.0) == Trial(S1, 1, 1.0, DOMINATES, S1)
    assert seeds.links == [A, S2, S3]
    assert seeds.points[0].tolist() == [0.6, 0.5]


def test_a_link_outside_the_radius_replaces_a_seed_of_the_last_front_even_if_it_is_worst() -> None:
    seeds = bank((0.5, 0.5), (0.9, 0.9), (0.1, 0.1))
    assert attempt(seeds, E, (0.0, 0.0), 1.0) == Trial(S1, 3, 1.0, FARTHER, S3)
    assert seeds.links == [S1, S2, E]


def test_the_last_front_is_drawn_from() -> None:
    gone = set()
    for seed in range(30):
        seeds = bank((0.9, 0.9), (0.1, 0.2), (0.2, 0.1))
        trial = seeds.update([E], np.array([[0.5, 0.5]]), EDGES, 1.0, random.Random(seed))[E]
        gone.add(trial.replaced)
    assert gone == {S2, S3}


@pytest.mark.parametrize(("drawn", "replaced"), [(0.09, S1), (0.1, None)])
def test_a_dominated_link_within_the_radius_wins_with_the_probability_of_lenience(
    drawn: float, replaced: int | None
) -> None:
    trial = attempt(bank((0.5, 0.5), (0, 0), (0, 0)), A, (0.5, 0.4), 1.0, drawn)
    assert (trial.case, trial.replaced) == (DOMINATED, replaced)


@pytest.mark.parametrize(("drawn", "replaced"), [(0.49, S1), (0.5, None)])
def test_between_links_that_do_not_dominate_each_other_both_win_equally_often(
    drawn: float, replaced: int | None
) -> None:
    trial = attempt(bank((0.5, 0.5), (0, 0), (0, 0)), A, (0.6, 0.4), 1.0, drawn)
    assert (trial.case, trial.replaced) == (NEITHER, replaced)


def test_equal_links_do_not_dominate_each_other() -> None:
    assert attempt(bank((0.5, 0.5), (0, 0), (0, 0)), A, (0.5, 0.5), 1.0, 0.9).case == NEITHER


def test_of_two_equally_near_seeds_the_first_counts() -> None:
    assert attempt(bank((0.1, 0.1), (0.1, 0.1), (0, 0)), B, (0.5, 0.5), 1.0).nearest == S1


def test_a_link_that_is_a_seed_already_is_skipped() -> None:
    seeds = bank((0.1, 0.1), (0.1, 0.1), (0, 0))
    assert seeds.update([S2], np.array([[1.0, 1.0]]), EDGES, 1.0, Scripted()) == {}


@given(contents, st.permutations(range(LINKS)), st.integers(0, 3), st.integers(0, 99))
def test_after_any_replacements_the_nearest_seed_is_that_of_a_plain_search(
    pages: dict[int, set[int]], links: list[int], radius: int, seed: int
) -> None:
    first, tests = links[:4], links[4:10]
    edges = Edges(graph_of({page: sorted(found) for page, found in pages.items()}), LINKS, first)
    rng = random.Random(seed)
    points = np.array([[rng.random() for _ in range(3)] for _ in range(10)])
    seeds = SeedBank(list(first), points[:4].copy(), 0.1)
    bank_now = list(first)
    for test, trial in seeds.update(tests, points[4:], edges, radius, rng).items():
        away = plain(pages, first, {}, test)
        apart = [away.get(link, FAR) for link in bank_now]
        assert trial.distance == min(apart)
        assert trial.nearest == bank_now[apart.index(min(apart))]
        assert (trial.case == FARTHER) == (trial.distance > radius)
        if trial.replaced is not None:
            bank_now[bank_now.index(trial.replaced)] = test
    assert seeds.links == bank_now
