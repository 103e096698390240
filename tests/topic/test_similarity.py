from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topic.ontologies import TREE, ontologies
from topicrawl.errors import TopicError
from topicrawl.topic.ontology import Concept, Ontology
from topicrawl.topic.similarity import UNCONNECTED, DensityForm, Factors, Mix, Similarity, explain, weights

# pair: Dis, Den, Dep, Coi, Rel, Sem with equal adjustment factors; Den in the form "mean". Worked out by hand.
ORACLE = {
    "ab": ((0.615385, 0.666667, 0.428571, 0.5, 0.333333, 0.508791), 0.833333),
    "ac": ((0.615385, 0.666667, 0.428571, 0.5, 0.333333, 0.508791), 0.333333),
    "ad": ((0.444444, 0.666667, 0.5, 0.333333, 0.333333, 0.455556), 0.333333),
    "ae": ((0.444444, 0.666667, 0.5, 0.333333, 0.666667, 0.522222), 0.333333),
    "af": ((0.444444, 0.666667, 0.5, 0.333333, 0.416667, 0.472222), 0.333333),
    "bc": ((0.444444, 0.666667, 0.666667, 0.333333, 0.333333, 0.488889), 0.5),
    "bd": ((0.615385, 1.0, 0.714286, 0.666667, 0.333333, 0.665934), 0.5),
    "be": ((0.615385, 1.0, 0.714286, 0.666667, 1.0, 0.799267), 0.5),
    "bf": ((0.615385, 1.0, 0.714286, 0.666667, 0.5, 0.699267), 0.5),
    "cd": ((0.347826, 0.666667, 0.714286, 0.25, 0.333333, 0.462422), 0.0),
    "ce": ((0.347826, 0.666667, 0.714286, 0.25, 0.555556, 0.506867), 0.0),
    "cf": ((0.347826, 0.666667, 0.714286, 0.25, 0.388889, 0.473533), 0.0),
    "de": ((0.444444, 1.0, 1.0, 0.5, 0.666667, 0.722222), 0.0),
    "df": ((0.444444, 1.0, 1.0, 0.5, 0.416667, 0.672222), 0.0),
    "ef": ((0.444444, 1.0, 1.0, 0.5, 0.75, 0.738889), 0.0),
}


@pytest.mark.parametrize("pair", ORACLE)
def test_the_five_factors_agree_with_the_worked_example(pair: str) -> None:
    assert Similarity(TREE).factors(*pair) == pytest.approx(ORACLE[pair][0], abs=1e-6)


@pytest.mark.parametrize("pair", ORACLE)
def test_the_mean_form_of_density_agrees_with_the_worked_example(pair: str) -> None:
    factors = Similarity(TREE, Mix(density_form="mean")).factors(*pair)
    assert factors.density == pytest.approx(ORACLE[pair][1], abs=1e-6)


def test_the_weights_are_the_similarities_with_the_root() -> None:
    expected = [1.0, 0.508791, 0.508791, 0.455556, 0.522222, 0.472222]
    assert list(weights(TREE)) == list("abcdef")
    assert list(weights(TREE).values()) == pytest.approx(expected, abs=1e-6)


def test_the_adjustment_factors_choose_what_counts() -> None:
    only_relation = Mix(distance=0, density=0, depth=0, coincidence=0, relation=1)
    assert weights(TREE, only_relation)["e"] == pytest.approx(2 / 3)


def test_the_explanation_shows_the_factors_behind_the_weight() -> None:
    factors = explain(TREE)["f"]
    assert factors.similarity == pytest.approx(sum(factors[:5]) / 5)
    assert factors._fields[-1] == "similarity"


def test_unconnected_concepts_have_nothing_in_common() -> None:
    islands = Ontology("islands", "a", (Concept("a"), Concept("b")), ())
    assert Similarity(islands).factors("a", "b") == UNCONNECTED


def test_a_single_concept_weighs_one() -> None:
    assert weights(Ontology("alone", "a", (Concept("a"),), ())) == {"a": 1.0}


mixes = st.builds(
    lambda parts, form: Mix(*(part / sum(parts) for part in parts), density_form=form),
    st.lists(st.integers(0, 10), min_size=5, max_size=5).filter(any),
    st.sampled_from(["lca", "mean"]),
)


@given(ontologies(), mixes, st.data())
def test_similarity_is_symmetric_bounded_and_one_with_itself(
    ontology: Ontology, mix: Mix, data: st.DataObject
) -> None:
    names = st.sampled_from([concept.name for concept in ontology.concepts])
    one, other = data.draw(names), data.draw(names)
    similarity = Similarity(ontology, mix)
    there: Factors = similarity.factors(one, other)
    assert there == pytest.approx(similarity.factors(other, one))
    assert all(0 <= factor <= 1 for factor in there)
    assert similarity(one, one) == 1


@pytest.mark.parametrize(
    ("mix", "message"),
    [
        ({"distance": 0.5}, "sum to 1"),
        ({"distance": -0.2, "density": 0.6}, "distance: -0.2"),
        ({"depth": float("nan")}, "depth: nan"),
        ({"softness": 0.0}, "softness"),
    ],
)
def test_invalid_adjustment_factors_are_refused(mix: dict[str, float], message: str) -> None:
    with pytest.raises(TopicError, match=message):
        Mix(**mix)


def test_an_unknown_form_of_density_is_refused() -> None:
    form: DensityForm = "median"  # type: ignore[assignment]
    with pytest.raises(TopicError, match="'median' is unknown; give lca or mean"):
        Mix(density_form=form)
