"""Formal contexts for the tests: the example of the paper, and random small ones."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence

from hypothesis import strategies as st

from topicrawl.topic.fca.context import Context


def bitset(members: Iterable[int]) -> int:
    """The integer whose bits are `members`."""
    return sum(1 << member for member in set(members))


def context_of(terms: Sequence[str], documents: Mapping[str, Iterable[str]]) -> Context:
    """The context of named documents, each with the terms in it."""
    rows = [bitset(map(terms.index, words)) for words in documents.values()]
    return Context.from_rows(list(documents), terms, rows)


TABLE_1 = context_of(
    ("T1", "T2", "T3", "T4"),
    {
        "D1": ("T1", "T2", "T4"),
        "D2": ("T2", "T3", "T4"),
        "D3": ("T1", "T2", "T3"),
        "D4": ("T1", "T3"),
    },
)
"""FCWSEO, Table 1."""


def numbered(rows: list[int], terms: int) -> Context:
    """The context with these rows, its documents called d0, d1 … and its terms t0, t1 …"""
    documents = [f"d{i}" for i in range(len(rows))]
    return Context.from_rows(documents, [f"t{j}" for j in range(terms)], rows)


def random_context(seed: int, documents: int, terms: int, density: float) -> Context:
    """A context in which every document has every term with the same probability."""
    rng = random.Random(seed)
    rows = [sum((rng.random() < density) << j for j in range(terms)) for _ in range(documents)]
    return numbered(rows, terms)


@st.composite
def contexts(draw: st.DrawFn, documents: int = 7, terms: int = 7) -> Context:
    """Any context of at most this many documents and terms."""
    width = draw(st.integers(1, terms))
    row = st.integers(0, (1 << width) - 1)
    return numbered(draw(st.lists(row, min_size=1, max_size=documents)), width)
