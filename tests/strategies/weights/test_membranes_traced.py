"""One step of a membrane and one communication, worked out on paper from SVSM-MCOA §3.2, Eq. (4)–(6).

There is one training link: its full text has similarity 1, the other texts 0, its page .5. So fit(o) = 1 / |.5 − λ1|
(Eq. 4): λ1 = .3 has 5, .25 has 4, .75 has 4, 0 and 1 have 2, .4 has 10.

Evolution of four objects, λ1 = .25, 0, 1, .3, of fitness 4, 2, 2, 5 (sum 13), in generation t = 1:
    selection  shares .308 .154 .154 .385, cumulated .308 .462 .615 1. Numbers –, .2, .5, .4 draw objects –, 1, 3, 2;
               the first place is the best object's, the fourth (docs/papers.md, M5). Now λ1 = .3, .25, 1, 0.
    diversity  four different objects: H = log2 4 = 2, U(1) = 2 · 2 / (log2 2 · log2 4) − 1 = 1.
               r_c = .4 / (1 + e^−9.903438) + .3 = .69998, r_m = .4 / (1 + e^−9.903438) + .1 = .49998.
    crossover  fitness 5, 4, 2, 2, mean 3.25. P_c of the third and fourth, below the mean, is r_c.
               Pair 3, 4: random .6 ≤ .69998: crossed with α = .25: λ1 = .25 · 1 + .75 · 0 = .25 and .75.
               Pair 1, 2: the best is not crossed.
    mutation   fitness 5, 4, 4, 4, mean 4.25: P_m of all but the best is r_m = .49998.
               Numbers –, .6, .4, .5: the third alone changes: β = .1 is added to its four weights; none exceeds 1.

Communication in round 2: P_e = exp((fit − fit_father) / 2); membranes 8, 7, … send before those around them.
    8 {.3} ─► 3        7 {.75, 1} sends its best, .75 ─► 3
    6 {0}  ─► 2        5 {.4, 0} sends .4 ─► 2        4 {.25, .3} sends .3 ─► 2
    3 {1, .3, .75}, father 4: 1 has e^−1 = .368, drawn .4: stays. .3 and .75, not below the father, are sent.
    2 {0, .25, 0, .4, .3}, father 10: e^−4 = .018, e^−3 = .050, e^−4, 1, e^−2.5 = .082;
      drawn .01, .06, .5, .9, .09: the first and .4 are sent.
    1 {.25} becomes {.25, .3, .75, 0, .4}.
"""

from __future__ import annotations

import numpy as np
import pytest

from topicrawl.strategies.weights.membranes import (
    Membranes,
    _Search,
    at_diversity,
    entropy,
    leaving,
    optimise,
    probabilities,
    roulette,
)
from topicrawl.strategies.weights.samples import Gram, Samples

GRAM = Gram.of(Samples.of([[1.0, 0.0, 0.0, 0.0, 0.5]]))
START = np.array([[[0.25, 0.1, 0.2, 0.3], [0.0, 0.5, 0.1, 1.0], [1.0, 0.1, 0.9, 0.2], [0.3, 0.3, 0.3, 0.3]]])
SELECTED = START[:, [3, 0, 2, 1]]


class Numbers:
    """A generator whose numbers are those of a script, an array for each call."""

    def __init__(self, *arrays: object) -> None:
        self._arrays = [np.array(each, dtype=np.float64) for each in arrays]

    def random(self, shape: int | tuple[int, ...]) -> np.ndarray:
        found = self._arrays.pop(0)
        assert found.shape == (shape if isinstance(shape, tuple) else (shape,))
        return found

    @property
    def left(self) -> int:
        return len(self._arrays)


def search(*arrays: object, generations: int = 1) -> tuple[_Search, Numbers]:
    settings = Membranes(mutation="literal", generations=generations, outer_size=4, inner_size=4)
    found = _Search(GRAM, settings, lambda done: None)
    numbers = Numbers(*arrays)
    found._rng = numbers  # type: ignore[assignment]
    return found, numbers


def test_fitness_is_the_reciprocal_of_the_error() -> None:
    assert GRAM.fitness(START)[0] == pytest.approx([4, 2, 2, 5])


def test_selection_draws_by_the_share_of_fitness() -> None:
    drawn = roulette(GRAM.fitness(START), Numbers([[0.0, 0.2, 0.5, 0.4]]), 4)  # type: ignore[arg-type]
    assert drawn.tolist() == [[3, 0, 2, 1]]


def test_the_rates_of_four_different_objects_in_the_first_generation() -> None:
    assert entropy(SELECTED).tolist() == [pytest.approx(2.0)]
    assert at_diversity((0.3, 0.7), np.array([2.0]), 1, 4, 9.903438)[0] == pytest.approx(0.69998, abs=1e-6)
    assert at_diversity((0.1, 0.5), np.array([2.0]), 1, 4, 9.903438)[0] == pytest.approx(0.49998, abs=1e-6)


def test_the_probabilities_of_crossover_by_fitness() -> None:
    """The second has 4, above the mean 3.25: r_c (5 − 4) / (5 − 3.25) = .4 r_c / .7."""
    chances = probabilities(np.array([0.7]), np.array([[5.0, 4.0, 2.0, 2.0]]))
    assert chances[0] == pytest.approx([0.0, 0.4, 0.7, 0.7])


def test_one_generation_of_a_membrane() -> None:
    found, numbers = search([[0.5, 0.25]], [[0.9, 0.6]], [[0.0, 0.6, 0.4, 0.5]], [[0.1]])
    after = found._varied(SELECTED.copy(), 1)[0]
    third, fourth = SELECTED[0, 2], SELECTED[0, 3]
    assert after[0].tolist() == SELECTED[0, 0].tolist()
    assert after[1].tolist() == SELECTED[0, 1].tolist()
    assert after[2] == pytest.approx([0.25 + 0.1, 0.4 + 0.1, 0.3 + 0.1, 0.8 + 0.1])
    assert after[3] == pytest.approx([0.75, 0.2, 0.7, 0.4])
    assert (third[0], fourth[0]) == (1.0, 0.0)
    assert numbers.left == 0


def test_a_generation_selects_crosses_and_mutates_once_in_this_order() -> None:
    drawn = ([[0.0, 0.2, 0.5, 0.4]], [[0.5, 0.25]], [[0.9, 0.6]], [[0.0, 0.6, 0.4, 0.5]], [[0.1]])
    found, numbers = search(*drawn, generations=1)
    found._pools[4] = START[0]
    found._evolve((4,))
    assert numbers.left == 0
    assert found._pools[4][:, 0] == pytest.approx([0.3, 0.25, 0.35, 0.75])


def test_the_father_generation_is_the_one_before_the_last() -> None:
    """Its best, λ1 = .3, has fitness 5 before the second generation changes anything."""
    still = ([[0.5, 0.5]], [[0.99, 0.99]], [[0.99] * 4], np.zeros((0, 1)))
    found, numbers = search([[0.0, 0.2, 0.5, 0.4]], *still, [[0.0, 0.2, 0.5, 0.4]], *still, generations=2)
    found._pools[4] = START[0]
    found._evolve((4,))
    assert numbers.left == 0
    assert found._before[4] == pytest.approx(5.0)


def test_a_mutation_does_not_leave_the_unit_interval() -> None:
    found, _ = search([[0.5, 0.25]], [[0.9, 0.6]], [[0.0, 0.6, 0.4, 0.5]], [[0.9]])
    assert found._varied(SELECTED.copy(), 1)[0, 2].tolist() == [1.0, 1.0, 1.0, 1.0]


def test_a_random_number_equal_to_a_probability_suffices() -> None:
    """Algorithm 1 asks for random ≤ P, in crossover, mutation and communication."""
    found, _ = search([[0.5, 0.25]], [[0.9, 0.5]])
    crossed = found._crossed(SELECTED.copy(), np.array([[0.5, 0.5, 0.5, 0.5]]))
    assert crossed[0, :, 0] == pytest.approx([0.3, 0.25, 0.25, 0.75])
    found, _ = search([[0.0, 0.5, 0.6, 0.6]], [[0.1]])
    assert found._mutated(SELECTED.copy(), np.full((1, 4), 0.5))[0, :, 0] == pytest.approx([0.3, 0.35, 1, 0])
    equal = leaving(np.array([2.0]), 4.0, 1)[0]
    found, _ = search([equal, 0.9, 0.9], [0.9] * 4)
    found._pools = {j: np.full((1, 4), 0.3) for j in range(1, 9)}
    found._pools[3] = np.array([[1.0, 0.5, 0.5, 0.5]])
    found._before = {2: 4.0, 3: 4.0}
    found._communicate(1)
    assert found._pools[1][1, 0] == 1.0


def test_without_a_seed_the_search_is_that_of_seed_0() -> None:
    samples = Samples.of([[1.0, 0.0, 0.5, 0.2, 0.5], [0.3, 0.8, 0.1, 0.0, 0.4]])
    first, other = (
        optimise(samples, Membranes(generations=2, seed=seed, outer_size=4, inner_size=4)) for seed in (0, 1)
    )
    assert first == optimise(samples, Membranes(generations=2, outer_size=4, inner_size=4))
    assert first != other


def test_what_the_membranes_send_outwards() -> None:
    found, numbers = search([0.4, 0.99, 0.99], [0.01, 0.06, 0.5, 0.9, 0.09])
    pools = {1: [0.25], 2: [0, 0.25], 3: [1], 4: [0.25, 0.3], 5: [0.4, 0], 6: [0], 7: [0.75, 1], 8: [0.3]}
    found._pools = {j: np.array([[first, 0.5, 0.5, 0.5] for first in pool]) for j, pool in pools.items()}
    found._before = {2: 10.0, 3: 4.0}
    found._communicate(2)
    assert found._pools[3][:, 0].tolist() == [1, 0.3, 0.75]
    assert found._pools[2][:, 0].tolist() == [0, 0.25, 0, 0.4, 0.3]
    assert found._pools[1][:, 0].tolist() == [0.25, 0.3, 0.75, 0, 0.4]
    assert all(found._pools[j][:, 0].tolist() == pools[j] for j in (4, 5, 6, 7, 8)), "copies are sent"
    assert numbers.left == 0


def test_progress_is_told_at_every_thousand_generations_of_membranes() -> None:
    """200 generations: 3 membranes together reach 600 in steps of 3, then 5 reach 1600 in steps of 5."""
    told: list[int] = []
    samples = Samples.of([[1.0, 0.0, 0.0, 0.0, 0.5]])
    optimise(samples, Membranes(generations=200, rounds=1, outer_size=2, inner_size=2), told.append)
    assert told == [1000]
