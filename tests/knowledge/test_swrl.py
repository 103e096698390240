"""The rules in SWRL: read by other OWL libraries, and used by another reasoner."""

from __future__ import annotations

import io
import shutil
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path

import numpy as np
import owlready2
import pytest
import rdflib
from pyoxigraph import RdfFormat, Triple, serialize
from scipy import sparse

from knowledge.derived import derive
from topicrawl.knowledge.classify import Classifier, label_matrix
from topicrawl.knowledge.cooccurrence import Cooccurrence
from topicrawl.knowledge.model import Model
from topicrawl.knowledge.sparse_rows import Rows
from topicrawl.knowledge.swrl import named_rules, swrl
from topicrawl.knowledge.thresholds import Thresholds
from topicrawl.knowledge.vocabulary import (
    HAS_TERM,
    ITEM,
    KB,
    MENTIONS,
    PREFIXES,
    SWRL,
    TERM,
    TYPE,
    declarations,
    term,
)

DOCUMENTS = ("0 1 2", "0 1", "1 3", "1 3 4", "0 1 2 5", "6 3", "0 1 5", "6", "0 1 7", "0 7 8", "1 7 8", "0 8")
NAMES = ["bank", "economy", "loan", "trade", "export", "rate", "sport", "市场", "two words"]
ITEMS = {"a": [2], "b": [3], "c": [6], "d": [4, 6], "e": [7, 8], "f": [0], "g": [5, 8], "h": [8]}
MENTIONED = {"a": [1], "b": [1], "c": [0, 1], "d": [1], "e": [0], "g": [0, 1]}
"""Terms that items mention besides those that describe them."""


@pytest.fixture(scope="module")
def model() -> Model:
    rows = Rows()
    for document in DOCUMENTS:
        rows.append(list(map(int, document.split())))
    counts = Cooccurrence(rows)
    counts.catch_up()
    limits = Thresholds(
        term_least=1, label_least=4, label_most=1.0, alpha=0.8, beta=0.3, delta_share=0.5, small=0
    )
    return replace(derive(counts, np.ones(len(NAMES)), limits), mentioned=True)


def statements(model: Model) -> Iterator[Triple]:
    from pyoxigraph import NamedNode

    yield from chain(declarations(), swrl(model, NAMES))
    for name in NAMES:
        yield Triple(term(name), TYPE, TERM)
    for name, terms in ITEMS.items():
        yield Triple(NamedNode(f"http://x.test/{name}"), TYPE, ITEM)
        for number in terms:
            yield Triple(NamedNode(f"http://x.test/{name}"), HAS_TERM, term(NAMES[number]))
        for number in {*terms, *MENTIONED.get(name, ())}.intersection(model.labels):
            yield Triple(NamedNode(f"http://x.test/{name}"), MENTIONS, term(NAMES[number]))


@pytest.fixture(scope="module")
def owl(model: Model, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("owl") / "kb.owl"
    path.write_bytes(serialize(statements(model), format=RdfFormat.RDF_XML, prefixes=PREFIXES) or b"")
    return path


def expected(model: Model) -> dict[str, set[str]]:
    asked = Classifier(model)
    return {name: {NAMES[label] for label in labels_of(asked, name)} for name in ITEMS}


def labels_of(asked: Classifier, name: str) -> frozenset[int]:
    return asked.labels(ITEMS[name], MENTIONED.get(name, ()))


def test_the_example_needs_every_kind_of_rule(model: Model) -> None:
    assert any(rule.alpha for rule in model.rules.values())
    assert any(rule.beta and rule.delta > 1 for rule in model.rules.values())
    assert len({len(labels) for labels in expected(model).values()}) > 1


def test_rdflib_reads_as_many_rules_as_we_count(model: Model) -> None:
    graph = rdflib.Graph()
    graph.parse(
        io.BytesIO(serialize(statements(model), format=RdfFormat.TURTLE, prefixes=PREFIXES) or b""), "turtle"
    )
    rules = set(graph.subjects(rdflib.RDF.type, rdflib.URIRef(SWRL + "Imp")))
    alphas = sum(len(rule.alpha) for rule in model.rules.values())
    betas = sum(bool(rule.beta) for rule in model.rules.values())
    assert len(rules) == alphas + betas + len(model.labels) + len(model.broader)
    assert alphas + betas == model.rule_count
    assert all(isinstance(rule, rdflib.URIRef) for rule in rules)


def test_rules_are_named_after_what_they_say(model: Model) -> None:
    rules = {rule.iri.value.removeprefix(KB): rule for rule in named_rules(model, NAMES)}
    assert len(rules) == model.rule_count + len(model.labels) + len(model.broader)
    assert rules["own-bank"].terms == ("bank",)
    assert rules["alpha-economy-loan"].label == "economy"
    beta = next(rule for rule in rules.values() if rule.kind == "beta" and rule.needed > 1)
    assert len(beta.terms) > beta.needed


def test_a_label_may_be_given_by_rules_alone(model: Model) -> None:
    by_rules = replace(model, own_term=False)
    assert {rule.kind for rule in named_rules(by_rules, NAMES)} == {"alpha", "beta"}
    assert 0 in Classifier(model).labels([0])
    assert 0 not in Classifier(by_rules).labels([0])


def matrix(held: dict[str, list[int]]) -> sparse.csr_matrix:
    rows = [[float(number in held.get(name, ())) for number in range(len(NAMES))] for name in ITEMS]
    return sparse.csr_matrix(rows)


@pytest.mark.parametrize("own_term", [True, False])
@pytest.mark.parametrize("mentioned", [True, False])
def test_all_items_at_once_have_the_labels_of_each(model: Model, *, own_term: bool, mentioned: bool) -> None:
    asked = replace(model, own_term=own_term, mentioned=mentioned)
    found = label_matrix(asked, matrix(ITEMS), matrix(MENTIONED)).toarray()
    listed = [{asked.labels[column] for column in np.flatnonzero(row)} for row in found]
    assert listed == [labels_of(Classifier(asked), name) for name in ITEMS]


def test_a_rule_gives_no_label_that_the_item_does_not_mention(model: Model) -> None:
    bank, economy, loan = 0, 1, 2
    assert Classifier(model).labels([loan]) == frozenset()
    assert Classifier(model).labels([loan], [economy]) == {economy}
    assert Classifier(replace(model, mentioned=False)).labels([loan]) == {bank, economy}


def test_owlready_reads_the_rules(model: Model, owl: Path) -> None:
    world = owlready2.World()
    ontology = world.get_ontology(owl.as_uri()).load()
    rules = list(ontology.rules())
    assert len(rules) == model.rule_count + len(model.labels) + len(model.broader)
    assert all("isClassified(?it, " in str(rule) for rule in rules)
    assert {individual.name for individual in world[KB + "Item"].instances()} == set(ITEMS)


@pytest.mark.skipif(shutil.which("java") is None, reason="no Java here: the reasoner HermiT cannot be asked")
def test_a_reasoner_infers_the_same_labels(model: Model, owl: Path) -> None:
    world = owlready2.World()
    world.get_ontology(owl.as_uri()).load()
    owlready2.sync_reasoner_hermit(world, infer_property_values=True, debug=0)
    names = {term(name).value: name for name in NAMES}
    inferred = {
        name: {names[label.iri] for label in world[f"http://x.test/{name}"].isClassified} for name in ITEMS
    }
    assert inferred == expected(model)
