"""The optimiser: its rules against numbers computed by hand, its results against the exact solution."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import lsq_linear

from topicrawl.strategies.weights.exact import exact_weights
from topicrawl.strategies.weights.membranes import (
    Membranes,
    at_diversity,
    entropy,
    leaving,
    normal,
    optimise,
    probabilities,
    roulette,
)
from topicrawl.strategies.weights.samples import BEST, QUARTERS, Gram, Samples

THREE = Samples(
    np.array([[0.6, 0.2, 0.4, 0.1], [0.3, 0.5, 0.1, 0.2], [0.9, 0.7, 0.8, 0.4]]), np.array([0.5, 0.3, 0.8])
)
OBJECTS = np.array(
    [[[0.5, 0.2, 0.3, 0.1], [0.25, 0.25, 0.25, 0.25], [0.9, 0.1, 0.0, 0.0], [0.25, 0.25, 0.25, 0.25]]]
)
PUBLISHED = Membranes()


def invented(links: int = 200) -> Samples:
    rng = np.random.default_rng(0)
    texts = rng.random((links, 4))
    return Samples(texts, texts @ np.array((0.6, 0.05, 0.15, 0.1)) + rng.normal(0, 0.02, links))


def test_fitness_is_the_inverse_of_the_error() -> None:
    fitness = Gram.of(THREE).fitness(OBJECTS)
    np.testing.assert_allclose(fitness[0], (13.130643, 4.92366, 9.805807, 4.92366), atol=1e-5)


def test_an_error_of_zero_has_a_finite_fitness() -> None:
    perfect = Samples(THREE.texts, THREE.texts @ np.array([0.5, 0.2, 0.3, 0.1]))
    fitness = float(Gram.of(perfect).fitness(np.array([0.5, 0.2, 0.3, 0.1])))
    assert 1e6 < fitness <= BEST


def test_entropy_counts_groups_of_equal_objects() -> None:
    assert entropy(OBJECTS).tolist() == [1.5]
    assert entropy(np.repeat(OBJECTS[:, :1], 4, axis=1)).tolist() == [0]


def test_rates_fall_with_diversity_and_time() -> None:
    crossover, mutation = (
        [float(at_diversity(bounds, np.array([1.5]), t, 4, PUBLISHED.slope)[0]) for t in (1, 2, 3)]
        for bounds in (PUBLISHED.crossover, PUBLISHED.mutate)
    )
    assert crossover == pytest.approx([0.697191, 0.448125, 0.331027], abs=1e-6)
    assert mutation == pytest.approx([0.497191, 0.248125, 0.131027], abs=1e-6)


def test_the_fitter_an_object_the_less_it_changes() -> None:
    fitness = Gram.of(THREE).fitness(OBJECTS)
    chances = probabilities(np.array([0.697191]), fitness)
    np.testing.assert_allclose(chances[0], (0, 0.697191, 0.469744, 0.697191), atol=1e-6)


def test_equally_fit_objects_all_change_at_the_full_rate() -> None:
    assert probabilities(np.array([0.4]), np.ones((1, 3))).tolist() == [[0.4, 0.4, 0.4]]


def test_later_rounds_send_more_objects_outwards() -> None:
    chances = [float(leaving(np.array([1.0]), 2.0, number)[0]) for number in (1, 2, 3)]
    assert chances == pytest.approx([0.367879, 0.606531, 0.716531], abs=1e-6)
    assert leaving(np.array([3.0]), 2.0, 1).tolist() == [1]


def test_roulette_draws_by_fitness_and_keeps_the_best() -> None:
    fitness = Gram.of(THREE).fitness(OBJECTS)
    drawn = roulette(fitness, np.random.default_rng(1), 20_001)[0]
    assert drawn[0] == 0
    shares = np.bincount(drawn[1:], minlength=4) / 20_000
    np.testing.assert_allclose(shares, (0.400523, 0.150186, 0.299106, 0.150186), atol=0.015)


def test_exact_weights_are_the_least_squares_solution() -> None:
    weights = exact_weights(invented())
    assert weights == pytest.approx((0.592609, 0.047987, 0.153736, 0.100317), abs=1e-6)
    assert float(Gram.of(invented()).fitness(np.array(weights))) == pytest.approx(4.200204, abs=1e-5)


@pytest.mark.parametrize("links", [1, 3, 20])
@pytest.mark.parametrize("dependent", [False, True])
def test_exact_weights_are_as_good_as_those_of_scipy(links: int, *, dependent: bool) -> None:
    rng = np.random.default_rng(links)
    for _ in range(20):
        texts = rng.random((links, 4))
        texts[:, 1] = texts[:, 0] if dependent else texts[:, 1]
        samples = Samples(texts, texts @ rng.uniform(-0.5, 1.2, 4) + 0.1 * rng.random(links))
        best = lsq_linear(samples.texts, samples.pages, bounds=(0.0, 1.0), method="bvls").x
        ours = np.square(samples.errors(exact_weights(samples))).sum()
        assert ours == pytest.approx(np.square(samples.errors(best)).sum(), rel=1e-9, abs=1e-12)


def test_normal_numbers_have_the_quantiles_of_the_normal_distribution() -> None:
    found = normal(np.random.default_rng(1), 100_000)
    shares = [(found < bound).mean() for bound in (-2.0, -1.0, 0.0, 1.0, 2.0)]
    assert shares == pytest.approx([0.02275, 0.15866, 0.5, 0.84134, 0.97725], abs=0.005)
    assert [len(normal(np.random.default_rng(1), count)) for count in (0, 1, 7)] == [0, 1, 7]


def test_exact_weights_stay_within_bounds_and_need_samples() -> None:
    rng = np.random.default_rng(3)
    texts = rng.random((50, 4))
    beyond = Samples(texts, texts @ np.array([3.0, -2.0, 0.5, 0.2]))
    assert all(0 <= weight <= 1 for weight in exact_weights(beyond))
    assert exact_weights(Samples.of([])) == QUARTERS


@pytest.mark.parametrize(("mutation", "least"), [("literal", 0.17), ("signed", 0.55), ("gauss", 0.85)])
def test_the_membranes_come_near_the_exact_solution(mutation: str, least: float) -> None:
    samples = invented()
    optimum = float(Gram.of(samples).fitness(np.array(exact_weights(samples))))
    for seed in range(3):
        found = optimise(samples, Membranes(mutation, generations=30, seed=seed))
        assert least <= found.fitness / optimum <= 1 + 1e-9
        assert all(0 <= weight <= 1 for weight in found.weights)


def test_gauss_beats_the_published_mutation() -> None:
    samples = invented()
    literal, gauss = (
        np.median([optimise(samples, Membranes(kind, 30, seed=seed)).fitness for seed in range(5)])
        for kind in ("literal", "gauss")
    )
    assert gauss > 1.5 * literal


def test_the_same_seed_finds_the_same_weights() -> None:
    samples = invented(50)
    first, second, other = (optimise(samples, Membranes(generations=5, seed=seed)) for seed in (4, 4, 5))
    assert first == second
    assert first != other


def test_generations_done_are_reported() -> None:
    told: list[int] = []
    optimise(invented(50), Membranes(generations=1000, rounds=1), told.append)
    assert told == sorted(told)
    assert told[-1] == 8000


def test_links_of_similarity_0_do_not_break_the_search() -> None:
    nothing = Samples(np.zeros((20, 4)), np.zeros(20))
    assert np.isfinite(optimise(nothing, Membranes(generations=3)).fitness)
