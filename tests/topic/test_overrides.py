from __future__ import annotations

import pytest
from hypothesis import given

from topic.ontologies import ontologies
from topicrawl.errors import TopicError
from topicrawl.topic import overrides
from topicrawl.topic.merge import merge
from topicrawl.topic.ontology import Concept, Edge, Ontology
from topicrawl.topic.similarity import weights

BUILT = Ontology(
    "storms",
    "storm",
    (
        Concept("storm"),
        Concept("floods", {"en": ("floods",), "zh": ("洪水",)}),
        Concept("flash flood"),
        Concept("site map"),
    ),
    (
        Edge("floods", "storm", "is-a", "lattice"),
        Edge("site map", "storm", "is-a", "lattice"),
        Edge("flash flood", "site map", "is-a", "lattice"),
    ),
)

SAMPLE = """
drop = ["Site Map", "not there"]

[rename]
floods = "flood"
"not there either" = "nothing"

[concepts."flash flood"]
parents = { flood = "is-a", storm = "induce" }
weight = 0.7

[concepts."Storm Surge"]
parents = { flood = "attribute-of" }
synonyms = ["tidal surge"]
labels.zh = ["风暴潮"]

[concepts.hail]
"""


def applied(text: str, ontology: Ontology = BUILT) -> Ontology:
    return overrides.apply(ontology, overrides.read(text.encode()))


def test_every_kind_of_override_is_applied() -> None:
    changed = applied(SAMPLE)
    assert changed.edges == (
        Edge("flash flood", "flood"),
        Edge("flash flood", "storm", "induce"),
        Edge("flood", "storm", "is-a", "lattice"),
        Edge("hail", "storm"),
        Edge("storm surge", "flood", "attribute-of"),
        Edge("tidal surge", "storm surge", "synonym"),
    )
    assert changed.by_name["storm surge"].labels == {"zh": ("风暴潮",)}


def test_a_renamed_concept_keeps_its_old_name_as_label() -> None:
    assert applied(SAMPLE).by_name["flood"].labels == {"en": ("flood", "floods"), "zh": ("洪水",)}


def test_the_children_of_a_dropped_concept_move_up() -> None:
    assert applied('drop = ["site map"]').parents["flash flood"] == ("storm",)


def test_renaming_to_an_existing_concept_joins_the_two() -> None:
    joined = applied('[rename]\nfloods = "flash flood"')
    assert set(joined.by_name) == {"storm", "flash flood", "site map"}
    assert joined.parents["flash flood"] == ("site map", "storm")
    assert joined.by_name["flash flood"].labels["zh"] == ("洪水",)


def test_the_root_can_be_renamed() -> None:
    assert applied('[rename]\nstorm = "storm disaster"').root == "storm disaster"


def test_the_root_cannot_be_dropped() -> None:
    with pytest.raises(TopicError, match=r"overrides.toml: drop: 'storm' is the root"):
        applied('drop = ["storm"]')


def test_a_concept_made_a_synonym_loses_its_other_parents() -> None:
    changed = applied('[concepts.floods]\nsynonyms = ["flash flood"]')
    assert [edge for edge in changed.edges if edge.child == "flash flood"] == [
        Edge("flash flood", "floods", "synonym")
    ]


def test_a_weight_in_overrides_replaces_the_computed_one() -> None:
    found = overrides.reweigh(weights(applied(SAMPLE)), overrides.read(SAMPLE.encode()))
    assert found["flash flood"] == 0.7
    assert found["hail"] == weights(applied(SAMPLE))["hail"]


def test_applying_overrides_is_idempotent() -> None:
    assert applied(SAMPLE, applied(SAMPLE)) == applied(SAMPLE)


def test_overrides_hold_after_the_next_build_too() -> None:
    said = overrides.read(SAMPLE.encode())
    first = overrides.apply(BUILT, said)
    assert overrides.apply(merge(first, BUILT), said) == first


@given(ontologies())
def test_no_overrides_change_nothing(ontology: Ontology) -> None:
    assert overrides.apply(ontology, overrides.read(b"")) == ontology


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("drop = [", "is not valid TOML in UTF-8"),
        ("dorp = []", "unknown key 'dorp'; known are drop, rename, concepts"),
        ("drop = 'x'", "drop: 'x' is no list of texts"),
        ("rename = ['x']", "rename is no table of texts"),
        ("[rename]\na = 1", "rename is no table of texts"),
        ("concepts = 3", "concepts is no table of tables"),
        ("[concepts.x]\nparent = 'storm'", "concept 'x': unknown key 'parent'; known are parents"),
        ("[concepts.x]\nparents = { storm = 'causes' }", "concept 'x': unknown relation 'causes'"),
        ("[concepts.x]\nweight = -1", "concept 'x': weight -1 is unusable"),
        ("[concepts.x]\nweight = true", "concept 'x': weight True is unusable"),
        ("[concepts.x]\nlabels.en = 'x'", "labels is no table"),
        (
            "[concepts.x]\nparents = { nowhere = 'is-a' }",
            "there is no concept 'nowhere', named in 'x' is-a 'nowhere'",
        ),
        ("[concepts.x]\nparents = { x = 'is-a' }", "concepts stand above themselves: 'x' → 'x'"),
    ],
)
def test_a_mistake_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(TopicError) as refusal:
        applied(text)
    assert "overrides.toml: " in str(refusal.value)
    assert message in str(refusal.value)


def test_overrides_that_are_not_utf_8_are_refused() -> None:
    with pytest.raises(TopicError, match="is not valid TOML in UTF-8"):
        overrides.read("drop = ['Überschwemmung']".encode("latin-1"))


def test_an_override_wins_over_the_build_in_a_cycle() -> None:
    changed = applied("[concepts.'site map']\nparents = { 'flash flood' = 'is-a' }")
    assert changed.parents["site map"] == ("flash flood",)
    assert changed.parents["flash flood"] == ("storm",)
