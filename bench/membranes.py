"""The fitness of MCOA relative to the exact optimum, by kind of mutation and generations: `python -m bench.membranes`.

On 200 invented links, 20 seeds (3 for 3,000 generations): smallest, median and largest fitness as a share of the
optimum, and CPU seconds for one search. Random search draws as many weights as a search of 100 generations.
"""

from __future__ import annotations

import time

import numpy as np

from topicrawl.strategies.weights.exact import exact_weights
from topicrawl.strategies.weights.membranes import MUTATIONS, Membranes, optimise
from topicrawl.strategies.weights.samples import QUARTERS, Gram, Samples

SEEDS = {30: 20, 100: 20, 3_000: 3}


def main() -> None:
    """A line for each kind and number of generations."""
    rng = np.random.default_rng(0)
    texts = rng.random((200, 4))
    samples = Samples(texts, texts @ np.array((0.6, 0.05, 0.15, 0.1)) + rng.normal(0, 0.02, 200))
    gram = Gram.of(samples)
    best = float(gram.fitness(np.array(exact_weights(samples))))
    print(f"equal quarters: {float(gram.fitness(np.array(QUARTERS))) / best:.3f}")
    draws = 100 * 3 * (3 * 150 + 5 * 50)
    random = [float(gram.fitness(rng.random((draws, 4))).max()) / best for _ in range(20)]
    print(f"random search, {draws:,} draws: {summary(random)}")
    for mutation in MUTATIONS:
        for generations, seeds in SEEDS.items():
            began = time.process_time()
            found = [
                optimise(samples, Membranes(mutation, generations, seed=seed)).fitness / best
                for seed in range(seeds)
            ]
            spent = (time.process_time() - began) / seeds
            print(f"{mutation}, {generations:,} generations: {summary(found)}, {spent:.2f} s", flush=True)


def summary(shares: list[float]) -> str:
    """Smallest, median and largest."""
    return f"{min(shares):.3f} {float(np.median(shares)):.3f} {max(shares):.3f}"


if __name__ == "__main__":
    main()
