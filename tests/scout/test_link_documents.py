"""Documents of links: every token once, at its best place, and their weights."""

from __future__ import annotations

import numpy as np
import pytest

from text.sparse import dense
from topicrawl.frontier import Ids
from topicrawl.scout.link_documents import ANCHOR, AROUND, HEADING, WIDTH, LinkDocuments, stacked


def numbers(*values: int) -> Ids:
    return np.array(values, dtype=np.int64)


def test_a_token_counts_once_at_its_best_place() -> None:
    documents = LinkDocuments()
    documents.add(numbers(3, 3), numbers(7, 8), numbers(AROUND, AROUND))
    documents.add(numbers(3), numbers(7), numbers(ANCHOR))
    row = dense(documents.rows(numbers(3), 10))[0]
    assert row[[7, 8]] == pytest.approx(np.array([1.0, 0.3]) / np.sqrt(1.09))
    assert np.count_nonzero(row) == 2


def test_a_worse_place_changes_nothing() -> None:
    documents = LinkDocuments()
    documents.add(numbers(0, 0), numbers(1, 2), numbers(ANCHOR, HEADING))
    before = dense(documents.rows(numbers(0), 5))
    documents.add(numbers(0), numbers(1), numbers(AROUND))
    assert np.array_equal(dense(documents.rows(numbers(0), 5)), before)


def test_better_places_replace_others_and_among_equals_the_older_stay() -> None:
    documents = LinkDocuments()
    links = np.zeros(WIDTH, dtype=np.int64)
    documents.add(links, np.arange(1, WIDTH + 1), np.full(WIDTH, AROUND))
    documents.add(numbers(0, 0), numbers(100, 101), numbers(AROUND, ANCHOR))
    kept = set(documents.rows(numbers(0), 200).columns.tolist())
    assert kept == {*range(1, WIDTH), 101}


def test_weights_are_multiplied_by_the_unit_vector_of_the_document() -> None:
    documents = LinkDocuments()
    documents.add(numbers(1, 1, 2), numbers(4, 5, 4), numbers(ANCHOR, ANCHOR, ANCHOR))
    links, weights = numbers(0, 1, 2), np.array([9, 0, 0, 0, 2.0, 4.0, 0.0])
    one, other = documents.weigh(links, stacked(weights, np.array([1.0, 0.0])))
    assert one == pytest.approx([0.0, 6 / np.sqrt(2), 2.0])
    assert not other.any()


def test_documents_of_many_links_stay_separate() -> None:
    documents = LinkDocuments()
    documents.add(np.arange(5000), np.arange(5000) + 1, np.full(5000, ANCHOR))
    rows = documents.rows(np.arange(5000), 5001)
    assert np.array_equal(rows.columns, np.arange(5000) + 1)


def test_the_weight_of_a_document_does_not_depend_on_other_documents() -> None:
    documents, sizes = LinkDocuments(), np.arange(WIDTH + 1)
    documents.add(
        np.repeat(sizes, sizes), np.arange(sizes.sum()) + 1, np.resize([ANCHOR, AROUND], sizes.sum())
    )
    weights = np.random.default_rng(5).random(sizes.sum() + 2)
    table = stacked(weights)
    alone = [documents.weigh(numbers(link), table)[0][0] for link in sizes.tolist()]
    assert np.array_equal(documents.weigh(sizes, table)[0], alone)


def test_a_name_is_anchor_and_url_without_the_context() -> None:
    documents = LinkDocuments()
    documents.add(numbers(0, 0, 0, 1), numbers(1, 2, 3, 3), numbers(ANCHOR, ANCHOR, AROUND, HEADING))
    weights = np.array([0.0, 1.0, 3.0, 50.0, 0.0])
    found = documents.weigh(numbers(0, 1, 7), stacked(weights), names=1)[0]
    assert found == pytest.approx([4 / np.sqrt(2), 0, 0])
