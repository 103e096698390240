"""Maintenance: for any stream of items in any batches the model is that of all items at once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from knowledge.derived import derive
from topicrawl.knowledge.classify import Classifier, label_matrix
from topicrawl.knowledge.cooccurrence import Cooccurrence
from topicrawl.knowledge.maintain import Maintenance, leftovers, resolve
from topicrawl.knowledge.model import Model, Rule
from topicrawl.knowledge.sparse_rows import Rows
from topicrawl.knowledge.thresholds import Thresholds

VOCABULARY = 9
SMALL = Thresholds(
    term_least=2, label_least=3, label_most=0.7, labels=4, delta_share=0.4, beta_terms=3, small=20
)
item = st.sets(st.integers(0, VOCABULARY - 1), max_size=5)
stream = st.lists(st.lists(item, max_size=6), min_size=1, max_size=6)
RARITIES = np.linspace(1.0, 2.0, VOCABULARY)


def append(rows: Rows, portion: list[set[int]]) -> None:
    for terms in portion:
        rows.append(sorted(terms), [1 + term % 3 for term in sorted(terms)])


@given(stream, st.sampled_from([None, 1, 4, 11]))
@settings(max_examples=150)
def test_the_incremental_model_equals_a_batch_over_the_same_items(
    portions: list[list[set[int]]], window: int | None
) -> None:
    rows, padding = Rows(), [set(range(VOCABULARY))]
    append(rows, padding)  # every term is known from the start
    counts = Cooccurrence(rows, window)
    kept = Maintenance(counts, SMALL)
    for portion in portions:
        append(rows, portion)
        counts.catch_up()
        kept.commit(RARITIES)
        everything = [*padding, *(terms for past in portions for terms in past)][: len(rows)]
        batch = Rows()
        append(batch, everything[-window:] if window else everything)
        whole = Cooccurrence(batch)
        whole.catch_up()
        wanted = derive(whole, RARITIES[: len(whole.df)], SMALL)
        assert replace(kept.model, version=0) == wanted


@given(st.lists(item, min_size=3, max_size=25), item)
@settings(max_examples=100)
def test_backward_chaining_and_the_matrix_find_the_same_labels(
    items: list[set[int]], asked: set[int]
) -> None:
    rows = Rows()
    append(rows, [set(range(VOCABULARY)), *items])
    counts = Cooccurrence(rows)
    counts.catch_up()
    model = derive(counts, RARITIES, SMALL)
    row = np.zeros((1, VOCABULARY), np.float32)
    row[0, sorted(asked)] = 1
    found = label_matrix(model, sparse.csr_matrix(row)).toarray()[0]
    assert {label for label, has in zip(model.labels, found, strict=True) if has} == Classifier(model).labels(
        asked
    )


def test_a_commit_returns_what_was_added_and_removed() -> None:
    rows = Rows()
    append(rows, [{0, 1}, {0, 1}, {0, 2}, {3}])
    counts = Cooccurrence(rows, window=4)
    kept = Maintenance(counts, Thresholds(term_least=1, label_least=3, label_most=1.0, small=0))
    counts.catch_up()
    first = kept.commit(RARITIES)
    assert (first.labels_added, first.terms_added) == ((0,), (0, 1, 2, 3))
    assert kept.model.rules[0].alpha == {1, 2}
    append(rows, [{3}, {3}, {3}])
    counts.catch_up()
    second = kept.commit(RARITIES)
    assert (second.labels_added, second.labels_removed) == ((3,), (0,))
    assert (second.terms_removed, second.rules_removed, second.resolved) == ((0, 1, 2), 2, 2)


def test_a_commit_without_new_items_changes_nothing_and_keeps_the_version() -> None:
    rows = Rows()
    append(rows, [{0, 1}] * 5)
    counts = Cooccurrence(rows)
    kept = Maintenance(counts, SMALL)
    counts.catch_up()
    assert kept.commit(RARITIES)
    version = kept.model.version
    assert not kept.commit(RARITIES)
    assert kept.model.version == version == 1


def test_the_check_finds_rules_of_removed_labels() -> None:
    draft = Model(labels=(1, 2), rules={1: Rule(frozenset({5})), 2: Rule(), 7: Rule(frozenset({1}))})
    assert leftovers(draft) == [2, 7]
    assert resolve(draft, [2, 7]).rules == {1: Rule(frozenset({5}))}


@pytest.mark.parametrize(
    ("items", "label_least", "term_least", "label_most"),
    [(0, 2, 1, 1.0), (9, 2, 1, 1.0), (10, 2, 2, 1.0), (50, 3, 2, 0.5), (99, 5, 2, 0.5), (100, 5, 3, 0.5)],
)
def test_thresholds_shrink_with_small_corpora(
    items: int, label_least: int, term_least: int, label_most: float
) -> None:
    limits = Thresholds().at(items)
    assert (limits.label_least, limits.term_least, limits.label_most) == (label_least, term_least, label_most)
