"""A learned ontology: themes, rules, and the build from documents."""

from __future__ import annotations

import numpy as np
import pytest

from topic.fca.examples import context_of
from topic.test_build import corpus
from topicrawl.topic.build import build
from topicrawl.topic.faults import validate
from topicrawl.topic.fca.hierarchy import term_hierarchy
from topicrawl.topic.lda import themes
from topicrawl.topic.learned import concepts_by_themes, with_rules
from topicrawl.topic.ontology import Concept, Ontology
from topicrawl.topic.recipe import Build, Recipe
from topicrawl.topic.rules import Rule, rules
from topicrawl.topic.terms.find import find_terms

CONTEXT = context_of(
    ["rain", "flood", "levee", "wind"],
    {
        **{f"flood {number}": ["rain", "flood", "levee"] for number in range(4)},
        "shower": ["rain", "flood"],
        "works": ["levee"],
        "gale": ["rain", "wind"],
    },
)


def test_terms_of_the_same_documents_share_a_theme() -> None:
    counts = np.array([[9, 8, 0, 0], [7, 9, 0, 0], [8, 7, 1, 0], [0, 0, 9, 8], [0, 0, 7, 9], [0, 1, 8, 7]])
    shares = themes(counts.astype(np.float64), 2)
    assert shares.sum(axis=1) == pytest.approx([1, 1])
    first, second = sorted((set(np.argsort(-row)[:2].tolist()) for row in shares), key=min)
    assert (first, second) == ({0, 1}, {2, 3})


def test_themes_are_deterministic() -> None:
    counts = np.arange(12, dtype=np.float64).reshape(4, 3)
    assert (themes(counts, 3) == themes(counts, 3)).all()


def test_a_rule_leads_from_the_rarer_term_to_the_commoner() -> None:
    assert rules(CONTEXT, support=3, confidence=0.8) == [
        Rule("flood", "rain", 5, 1.0),
        Rule("flood", "levee", 4, 0.8),
        Rule("levee", "rain", 4, 0.8),
    ]
    assert rules(CONTEXT, support=6, confidence=0.0) == []


def test_a_rule_joins_concepts_unless_one_is_an_ancestor_of_the_other() -> None:
    concepts = tuple(Concept(name) for name in ("disaster", *CONTEXT.terms))
    bare = Ontology("t", "disaster", concepts, term_hierarchy(CONTEXT, "disaster"))
    ontology = with_rules(bare, CONTEXT)
    added = {edge.key for edge in ontology.edges} - {edge.key for edge in bare.edges}
    assert added == {("flood", "levee", "induce"), ("levee", "rain", "induce")}
    assert validate(ontology, "test") is ontology


def test_themes_choose_no_more_concepts_than_wanted_and_keep_those_named() -> None:
    terms = find_terms(corpus(), named=["storm"], least=2)
    chosen = concepts_by_themes(corpus(), terms, 5)
    assert len(chosen.terms) == 5
    assert "storm" in chosen.names
    assert set(chosen.names) <= set(terms.names)


def test_a_learned_topic_is_an_ontology_without_wordnet() -> None:
    built = build(corpus(), Recipe("storms", "storm", model="learned", build=Build(terms=6)))
    assert built.ontology is not None
    assert built.ontology.root == "storm"
    assert {edge.provenance for edge in built.ontology.edges} <= {"lattice", "rule"}
    assert not built.recipe.build.wordnet
    assert len(built.ontology.concepts) <= 6
