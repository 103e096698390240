"""MCOA: a membrane computing optimiser for the four weights.

    1 ⊃ { 2 ⊃ { 4, 5, 6 },  3 ⊃ { 7, 8 } }

Eight populations of weight vectors (objects in membranes) evolve separately by selection, crossover and mutation; after
each round the inner membranes send their best outwards, and the best in membrane 1 at the end is the answer.

Paper: SVSM-MCOA §3.2, Algorithm 1, Eq. (4)–(6).
Differs: roulette draws as many objects as a membrane holds, and the best always survives: "copy if random ≤ share",
read literally, would leave about one object. In a crossover each partner has the probability of its own fitness, and
both must exceed one random number. Objects are kept within [0, 1]. A membrane that received objects is cut back to its
size by the next roulette. Generations count from 1, since U(0) divides by zero; where all objects are equally fit, r_c
and r_m hold undiminished. As published, mutation adds one random number to all four weights, so it can only raise
them, and the search ends far from the optimum: `literal` is that, `signed` draws from [−1, 1] for each weight, `gauss`
from a normal distribution with deviation 0.1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from topicrawl.floats import dot, exp, log, log_counts
from topicrawl.strategies.weights.samples import TEXTS, Floats, Gram, Samples

MUTATIONS = ("literal", "signed", "gauss")
OUTER = {8: 3, 7: 3, 6: 2, 5: 2, 4: 2, 3: 1, 2: 1}
"""The membrane to which each sends its objects, the innermost first."""
DEVIATION = 0.1
LN2 = float(log(2.0))
_IDENTITY = np.array([1.0, np.pi, np.e, np.sqrt(2.0)])
"""Maps different objects to different numbers (a dot product)."""


@dataclass(frozen=True, slots=True)
class Membranes:
    """Parameters of the optimiser, as published."""

    mutation: str = "gauss"
    generations: int = 3000
    rounds: int = 3
    outer_size: int = 150
    """N_1 to N_3."""
    inner_size: int = 50
    """N_4 to N_8."""
    crossover: tuple[float, float] = (0.3, 0.7)
    mutate: tuple[float, float] = (0.1, 0.5)
    """Smallest and largest probability."""
    slope: float = 9.903438
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Found:
    """The result: four weights, and their fitness."""

    weights: tuple[float, ...]
    fitness: float


def optimise(
    samples: Samples, settings: Membranes | None = None, progress: Callable[[int], None] = lambda done: None
) -> Found:
    """The best weights found; `progress` is called from time to time with the number of generations done."""
    return _Search(Gram.of(samples), settings or Membranes(), progress).run()


class _Search:
    """Membranes of one size evolve together, as one array."""

    def __init__(self, gram: Gram, settings: Membranes, progress: Callable[[int], None]) -> None:
        self._gram, self._settings, self._progress = gram, settings, progress
        self._rng = np.random.Generator(np.random.PCG64(settings.seed))
        sizes = {j: settings.outer_size if j <= 3 else settings.inner_size for j in range(1, 9)}
        self._sizes = sizes
        self._pools = {j: self._rng.random((size, len(TEXTS))) for j, size in sizes.items()}
        self._before = dict.fromkeys(sizes, 0.0)
        """Best fitness of the last but one generation of a membrane."""
        self._done = 0

    def run(self) -> Found:
        for number in range(1, self._settings.rounds + 1):
            for together in ((1, 2, 3), (4, 5, 6, 7, 8)):
                self._evolve(together)
            self._communicate(number)
        fitness = self._gram.fitness(self._pools[1])
        best = int(fitness.argmax())
        return Found(tuple(self._pools[1][best].tolist()), float(fitness[best]))

    def _evolve(self, together: tuple[int, ...]) -> None:
        """Lines 9–15 of Algorithm 1 for membranes of one size."""
        size, generations = self._sizes[together[0]], self._settings.generations
        objects = np.stack([self._drawn(self._pools[j], size) for j in together])
        before = np.zeros(len(together))
        for t in range(1, generations + 1):
            if t > 1:
                fitness = self._gram.fitness(objects)
                before = fitness.max(axis=1)
                objects = np.take_along_axis(objects, roulette(fitness, self._rng, size)[..., None], axis=1)
            objects = self._varied(objects, t)
            self._done += len(together)
            if not self._done % 1000:
                self._progress(self._done)
        for place, j in enumerate(together):
            self._pools[j], self._before[j] = objects[place], float(before[place])

    def _drawn(self, pool: Floats, size: int) -> Floats:
        """The first selection, also from a pool that has received objects."""
        fitness = self._gram.fitness(pool)[None]
        drawn: Floats = pool[roulette(fitness, self._rng, size)[0]]
        return drawn

    def _varied(self, objects: Floats, t: int) -> Floats:
        """Crossover, then mutation; the first object of each membrane, its best, stays."""
        settings = self._settings
        diversity = entropy(objects)
        fitness = self._gram.fitness(objects)
        rate = at_diversity(settings.crossover, diversity, t, objects.shape[1], settings.slope)
        objects = self._crossed(objects, probabilities(rate, fitness))
        fitness = self._gram.fitness(objects)
        rate = at_diversity(settings.mutate, diversity, t, objects.shape[1], settings.slope)
        return self._mutated(objects, probabilities(rate, fitness))

    def _crossed(self, objects: Floats, chances: Floats) -> Floats:
        """Cross neighbours; roulette has ordered the objects at random."""
        chances[:, 0] = -1.0
        first, second = objects[:, 0:-1:2], objects[:, 1::2]
        both = np.minimum(chances[:, 0:-1:2], chances[:, 1::2])
        share = self._rng.random(both.shape)[..., None]
        crossing = (self._rng.random(both.shape) <= both)[..., None]
        crossed = objects.copy()
        crossed[:, 0:-1:2] = np.where(crossing, share * first + (1 - share) * second, first)  # Eq. (5)
        crossed[:, 1::2] = np.where(crossing, share * second + (1 - share) * first, second)
        return crossed

    def _mutated(self, objects: Floats, chances: Floats) -> Floats:
        chances[:, 0] = -1.0
        mutating = self._rng.random(chances.shape) <= chances
        objects[mutating] = np.clip(objects[mutating] + self._steps(int(mutating.sum())), 0.0, 1.0)
        return objects

    def _steps(self, count: int) -> Floats:
        if self._settings.mutation == "literal":
            return np.repeat(self._rng.random((count, 1)), len(TEXTS), axis=1)  # Eq. (5): β(1, 1, 1, 1)
        if self._settings.mutation == "signed":
            return self._rng.uniform(-1.0, 1.0, (count, len(TEXTS)))
        return DEVIATION * normal(self._rng, count * len(TEXTS)).reshape(count, len(TEXTS))

    def _communicate(self, number: int) -> None:
        """Lines 16–18: inner membranes send copies outwards."""
        for j, outer in OUTER.items():
            fitness = self._gram.fitness(self._pools[j])
            if j > 3:
                sent = np.array([fitness.argmax()])
            else:
                chances = leaving(fitness, self._before[j], number)
                sent = np.flatnonzero(
                    (self._rng.random(len(fitness)) <= chances) | (fitness == fitness.max())
                )
            self._pools[outer] = np.concatenate((self._pools[outer], self._pools[j][sent]))


def roulette(fitness: Floats, rng: np.random.Generator, draws: int) -> npt.NDArray[np.intp]:
    """For each membrane (row) the best object first, then objects drawn with probability fitness / Σ fitness."""
    shares = np.cumsum(fitness, axis=1)
    points = rng.random((len(fitness), draws)) * shares[:, -1:]
    places = np.stack(
        [np.searchsorted(row, point, side="right") for row, point in zip(shares, points, strict=True)]
    )
    drawn: npt.NDArray[np.intp] = np.minimum(places, fitness.shape[1] - 1)
    drawn[:, 0] = fitness.argmax(axis=1)
    return drawn


def normal(rng: np.random.Generator, count: int) -> Floats:
    """Numbers of the standard normal distribution, by Marsaglia's polar method: numpy's own depend on the processor."""
    found: list[Floats] = []
    while sum(map(len, found)) < count:
        points = 2 * rng.random((2 * count // 3 + 8, 2)) - 1
        squares = dot(points, points)
        inside = (squares > 0) & (squares < 1)
        points, squares = points[inside], squares[inside]
        found.append((points * np.sqrt(-2 * log(squares) / squares)[:, None]).ravel())
    return np.concatenate([np.zeros(0), *found])[:count]


def entropy(objects: Floats) -> Floats:
    """H of each membrane in bits, over groups of equal objects."""
    keys = np.sort(dot(objects, _IDENTITY), axis=1)
    fresh = np.ones(keys.shape, dtype=np.bool_)
    fresh[:, 1:] = keys[:, 1:] != keys[:, :-1]
    sizes = np.bincount(np.cumsum(fresh) - 1)
    shares, size = sizes / keys.shape[1], np.array([keys.shape[1]])
    membrane = np.nonzero(fresh)[0]
    nats = shares * (log_counts(size) - log_counts(sizes))
    return np.bincount(membrane, nats, minlength=len(keys)) / LN2


def at_diversity(bounds: tuple[float, float], diversity: Floats, t: int, size: int, slope: float) -> Floats:
    """r_c or r_m: a logistic function between its bounds, of the diversity of a membrane in generation t."""
    low, high = bounds
    log_t, log_size = log_counts(np.array([1 + t, size])) / LN2
    u = 2 * diversity / (log_t * log_size) - 1
    rate: Floats = (high - low) / (1 + exp(-slope * u)) + low
    return rate


def probabilities(rate: Floats, fitness: Floats) -> Floats:
    """P_c or P_m of each object: the fitter it is above the mean, the less it changes; the best not at all."""
    best, mean = fitness.max(axis=1, keepdims=True), fitness.mean(axis=1, keepdims=True)
    spread = np.broadcast_to(best - mean, fitness.shape)
    above = (fitness >= mean) & (spread > 0)
    part = np.divide(best - fitness, spread, out=np.ones_like(fitness), where=above)
    chances: Floats = rate[:, None] * part
    return chances


def leaving(fitness: Floats, before: float, number: int) -> Floats:
    """Probability to be sent from a middle membrane: 1 from the best of the generation before on, else P_e."""
    return exp(np.minimum(fitness - before, 0.0) / number)  # Eq. (6)
