"""The concept lattice of a random context, by topicrawl and by the library `concepts` in turn.

150 documents × 70 terms at a density of 10 % is about the size of the papers' corpora. Both must find the same
concepts and covers. Also the term hierarchy of 1,000 documents × 300 terms, which needs no lattice.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable
from time import perf_counter
from typing import TypeVar

import concepts as peer

from topicrawl.topic.fca.context import Context
from topicrawl.topic.fca.covers import build_lattice
from topicrawl.topic.fca.hierarchy import term_hierarchy

Made = TypeVar("Made")

ROUNDS = 3
SEED = 1


def main() -> None:
    """Run both in turn and print medians."""
    context = _random_context(150, 70, 0.1)
    table = [[bool(row >> j & 1) for j in range(70)] for row in context.rows]
    ours, theirs = [], []
    for _ in range(ROUNDS):
        seconds, lattice = _timed(lambda: build_lattice(context))
        ours.append(seconds)
        seconds, their_lattice = _timed(lambda: peer.Context(context.documents, context.terms, table).lattice)
        theirs.append(seconds)
    sizes = len(lattice.concepts), sum(map(len, lattice.upper))
    assert sizes == (len(their_lattice), sum(len(concept.upper_neighbors) for concept in their_lattice)), (
        "not the same lattice"
    )
    our_time, their_time = statistics.median(ours), statistics.median(theirs)
    print(f"lattice of 150 × 70 at 10 %: {sizes[0]:,} concepts, {sizes[1]:,} covers")
    print(
        f"  topicrawl {our_time:.4f} s, concepts {their_time:.3f} s: {their_time / our_time:.0f} times faster"
    )
    large = _random_context(1000, 300, 0.1)
    seconds, edges = _timed(lambda: term_hierarchy(large, "root"))
    print(f"term hierarchy of 1,000 × 300: {len(edges):,} edges in {seconds:.4f} s")


def _random_context(documents: int, terms: int, density: float) -> Context:
    rng = random.Random(SEED)
    rows = [sum((rng.random() < density) << j for j in range(terms)) for _ in range(documents)]
    return Context.from_rows([f"d{i}" for i in range(documents)], [f"t{j}" for j in range(terms)], rows)


def _timed(work: Callable[[], Made]) -> tuple[float, Made]:
    start = perf_counter()
    made = work()
    return perf_counter() - start, made


if __name__ == "__main__":
    main()
