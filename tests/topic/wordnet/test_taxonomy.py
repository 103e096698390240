"""Lin's similarity over small taxonomies, checked by hand and by comparing all common ancestors."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicrawl.topic.wordnet.matrix import LinRows
from topicrawl.topic.wordnet.taxonomy import Rows, Taxonomy, named_taxonomy

ANIMALS = {
    "animal": ["entity"],
    "vehicle": ["entity"],
    "dog": ["animal"],
    "cat": ["animal"],
    "car": ["vehicle"],
}
COUNTS = {"animal": 2.0, "dog": 5.0, "cat": 3.0, "car": 10.0}

Drawn = tuple[dict[str, list[str]], dict[str, float]]


@st.composite
def taxonomies(draw: st.DrawFn) -> Drawn:
    """Up to twelve nodes, each a child of any before it, with counts up to five."""
    size = draw(st.integers(1, 12))
    parents = {
        f"n{i}": draw(st.lists(st.sampled_from([f"n{j}" for j in range(i)]), max_size=3, unique=True))
        if i
        else []
        for i in range(size)
    }
    return parents, {name: float(draw(st.integers(0, 5))) for name in parents}


def by_hand(parents: dict[str, list[str]], counts: dict[str, float], a: str, b: str) -> float:
    """The definition, read literally."""

    def above(name: str) -> set[str]:
        return {name}.union(*(above(parent) for parent in parents[name]))

    def content(name: str) -> float:
        seen = sum(counts[other] for other in parents if name in above(other))
        return -math.log(seen / sum(counts.values())) if seen else 1e30

    told = content(a) + content(b)
    common = [content(name) for name in above(a) & above(b)]
    return 2 * max(common) / told if common and told else 0.0


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [("dog", "cat", 0.422211), ("dog", "car", 0.0), ("dog", "animal", 0.666667), ("dog", "dog", 1.0)],
)
def test_the_animals_come_out_as_computed_by_hand(a: str, b: str, expected: float) -> None:
    taxonomy, number = named_taxonomy(ANIMALS, COUNTS)
    assert taxonomy.lin(number[a], number[b]) == pytest.approx(expected, abs=1e-6)


def test_a_count_is_added_once_to_an_ancestor_reached_by_two_paths() -> None:
    parents = {"pet": ["animal"], "canine": ["animal"], "dog": ["pet", "canine"]}
    taxonomy, number = named_taxonomy(parents, {"dog": 1.0, "animal": 1.0})
    assert taxonomy.content[number["animal"]] == 0
    assert taxonomy.content[number["pet"]] == pytest.approx(math.log(2))


def test_the_root_has_no_information_content_and_similarity_0_to_itself() -> None:
    taxonomy, number = named_taxonomy(ANIMALS, COUNTS)
    assert taxonomy.lin(number["entity"], number["entity"]) == 0
    groups = [[number["entity"]]]
    assert LinRows(taxonomy, groups).lin(groups).tolist() == [[0]]


def test_nodes_under_different_roots_have_nothing_in_common() -> None:
    taxonomy, number = named_taxonomy({"dog": ["animal"], "run": ["move"]}, {"dog": 1.0, "run": 1.0})
    assert taxonomy.lin(number["dog"], number["run"]) == 0


def test_a_node_never_observed_is_similar_only_to_itself() -> None:
    taxonomy, number = named_taxonomy({**ANIMALS, "yeti": ["animal"]}, COUNTS)
    assert taxonomy.lin(number["yeti"], number["dog"]) == pytest.approx(0)
    assert taxonomy.lin(number["yeti"], number["yeti"]) == 1


@given(taxonomies())
def test_every_pair_follows_the_definition(drawn: Drawn) -> None:
    parents, counts = drawn
    taxonomy, number = named_taxonomy(parents, counts)
    for a in parents:
        for b in parents:
            assert taxonomy.lin(number[a], number[b]) == pytest.approx(
                by_hand(parents, counts, a, b), abs=1e-9
            )


@given(taxonomies(), st.data())
def test_a_matrix_holds_the_largest_similarity_of_each_two_groups(drawn: Drawn, data: st.DataObject) -> None:
    taxonomy, number = named_taxonomy(*drawn)
    groups = st.lists(st.lists(st.sampled_from(sorted(number.values())), max_size=4), max_size=5)
    rows, columns = data.draw(groups), data.draw(groups)
    expected = [[max((taxonomy.lin(x, y) for x in a for y in b), default=0.0) for b in columns] for a in rows]
    found = LinRows(taxonomy, rows).lin(columns)
    assert found.shape == (len(rows), len(columns))
    assert np.allclose(found, np.reshape(expected, found.shape), atol=1e-6)


def test_rows_are_gathered_in_any_order_and_repeatedly() -> None:
    rows = Rows.of([[7, 8], [], [9]])
    values, places = rows.gather(np.array([2, 0, 1, 2], dtype=np.int32))
    assert values.tolist() == [9, 7, 8, 9]
    assert places.tolist() == [0, 1, 1, 3]


def test_a_wide_matrix_computed_in_blocks_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    taxonomy, number = named_taxonomy(ANIMALS, COUNTS)
    groups = [[i] for i in number.values()] * 3
    whole = LinRows(taxonomy, groups).lin(groups)
    monkeypatch.setattr("topicrawl.topic.wordnet.matrix._BLOCK", 1)
    assert np.array_equal(LinRows(taxonomy, groups).lin(groups), whole)
    assert whole.any()


def test_ancestors_are_cached() -> None:
    taxonomy: Taxonomy = named_taxonomy(ANIMALS, COUNTS)[0]
    assert taxonomy.above[3] is taxonomy.above[3]
