"""The classification rules in SWRL, so that any OWL reasoner that supports it infers the same labels.

    Item(?it) ∧ hasTerm(?it, t) → isClassified(?it, L)                     one for each α term, and for the label itself
    BetaItemOfL(?it) → isClassified(?it, L)                                one for each label with β terms
    Item(?it) ∧ isClassified(?it, N) → isClassified(?it, L)                one for each narrower label

Where the model asks for it, all but the label's own term also need mentions(?it, L).
β terms need no rule for each combination: BetaItemOfL is the class of things with at least δ of them, a cardinality
restriction of OWL 2. For it the terms are declared different. Each rule is named after its kind, label and term.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from topicrawl.knowledge.classify import ALPHA, BETA, NARROWER, OWN
from topicrawl.knowledge.model import Model, Rule
from topicrawl.knowledge.vocabulary import (
    CONCLUDES,
    CONDITION,
    DELTA,
    HAS_TERM,
    IS_CLASSIFIED,
    ITEM,
    KB,
    KIND,
    MENTIONS,
    SWRL,
    TYPE,
    XSD,
    term,
)
from topicrawl.topic.owl.names import OWL, RDF, spell

_ITEM = NamedNode(f"{KB}it")
_FIRST, _REST, _NIL = NamedNode(f"{RDF}first"), NamedNode(f"{RDF}rest"), NamedNode(f"{RDF}nil")

Atom = list[tuple[NamedNode, NamedNode]]
"""Predicates and objects of one atom."""


@dataclass(frozen=True, slots=True)
class NamedRule:
    """A rule: an item with `needed` of the `terms` (narrower: with the label terms[0]) has the label."""

    kind: str
    label: str
    terms: tuple[str, ...]
    needed: int = 1

    @property
    def iri(self) -> NamedNode:
        which = "" if self.kind in (OWN, BETA) else f"-{spell(self.terms[0])}"
        return NamedNode(f"{KB}{self.kind}-{spell(self.label)}{which}")


def named_rules(model: Model, names: Sequence[str]) -> Iterator[NamedRule]:
    """All rules of a model; `names` are those of the terms."""
    for label in model.labels:
        rule = model.rules.get(label, Rule())
        if model.own_term:
            yield NamedRule(OWN, names[label], (names[label],))
        for each in sorted(rule.alpha):
            yield NamedRule(ALPHA, names[label], (names[each],))
        if rule.beta:
            yield NamedRule(BETA, names[label], tuple(names[each] for each in rule.beta), rule.delta)
    for broad, narrow in sorted(model.broader):
        yield NamedRule(NARROWER, names[broad], (names[narrow],))


def rule_facts(rules: Iterator[NamedRule]) -> Iterator[Triple]:
    """What a rule says, in four properties: to be counted and filtered by SPARQL."""
    for rule in rules:
        yield Triple(rule.iri, TYPE, _swrl("Imp"))
        yield Triple(rule.iri, KIND, Literal(rule.kind))
        yield Triple(rule.iri, CONCLUDES, term(rule.label))
        yield Triple(rule.iri, DELTA, Literal(rule.needed))
        for each in rule.terms:
            yield Triple(rule.iri, CONDITION, term(each))


def swrl(model: Model, names: Sequence[str]) -> Iterator[Triple]:
    """The rules of a model in SWRL."""
    yield Triple(_ITEM, TYPE, _swrl("Variable"))
    rules = list(named_rules(model, names))
    for rule in rules:
        head = _property(IS_CLASSIFIED, rule.label)
        evidence = [_property(MENTIONS, rule.label)] if model.mentioned and rule.kind != OWN else []
        if rule.kind == BETA:
            several = NamedNode(f"{KB}items-with-{spell(rule.label)}-terms")
            yield from _at_least(several, rule)
            yield from _implication(rule.iri, [_is_a(several), *evidence], head)
        else:
            asked = IS_CLASSIFIED if rule.kind == NARROWER else HAS_TERM
            yield from _implication(rule.iri, [_is_a(ITEM), _property(asked, rule.terms[0]), *evidence], head)
    counted = sorted({each for rule in rules if rule.kind == BETA for each in rule.terms})
    if counted:
        different = BlankNode("differentterms")
        yield Triple(different, TYPE, _owl("AllDifferent"))
        yield Triple(different, _owl("distinctMembers"), BlankNode("differentterms0"))
        yield from _list("differentterms", [term(each) for each in counted])


def _at_least(several: NamedNode, rule: NamedRule) -> Iterator[Triple]:
    """The class of items with `needed` of the terms of a rule."""
    name = "n" + several.value.removeprefix(KB).encode().hex()
    these, restriction = BlankNode(f"{name}terms"), BlankNode(f"{name}least")
    yield Triple(several, TYPE, _owl("Class"))
    yield Triple(several, _owl("equivalentClass"), restriction)
    yield Triple(restriction, TYPE, _owl("Restriction"))
    yield Triple(restriction, _owl("onProperty"), HAS_TERM)
    least = Literal(str(rule.needed), datatype=NamedNode(f"{XSD}nonNegativeInteger"))
    yield Triple(restriction, _owl("minQualifiedCardinality"), least)
    yield Triple(restriction, _owl("onClass"), these)
    yield Triple(these, TYPE, _owl("Class"))
    yield Triple(these, _owl("oneOf"), BlankNode(f"{name}0"))
    yield from _list(name, [term(each) for each in rule.terms])


def _list(name: str, members: Sequence[NamedNode]) -> Iterator[Triple]:
    """An RDF list whose nodes are named by their place, so that files can be compared."""
    for place, member in enumerate(members):
        here = BlankNode(f"{name}{place}")
        yield Triple(here, _FIRST, member)
        yield Triple(here, _REST, BlankNode(f"{name}{place + 1}") if place + 1 < len(members) else _NIL)


def _is_a(kind: NamedNode) -> Atom:
    return [(TYPE, _swrl("ClassAtom")), (_swrl("classPredicate"), kind), (_swrl("argument1"), _ITEM)]


def _implication(rule: NamedNode, body: list[Atom], head: Atom) -> Iterator[Triple]:
    yield Triple(rule, TYPE, _swrl("Imp"))
    yield from _atoms(rule, "body", body)
    yield from _atoms(rule, "head", [head])


def _atoms(rule: NamedNode, role: str, atoms: list[Atom]) -> Iterator[Triple]:
    """A list of atoms under a rule; nodes are named by their place, so that files can be compared."""
    name = "n" + rule.value.removeprefix(KB).encode().hex() + role
    places = [BlankNode(f"{name}{place}") for place in range(len(atoms))]
    yield Triple(rule, _swrl(role), places[0])
    for place, atom in enumerate(atoms):
        here, what = places[place], BlankNode(f"{places[place].value}atom")
        yield Triple(here, TYPE, _swrl("AtomList"))
        yield Triple(here, _FIRST, what)
        yield Triple(here, _REST, places[place + 1] if place + 1 < len(places) else _NIL)
        for predicate, value in atom:
            yield Triple(what, predicate, value)


def _property(predicate: NamedNode, name: str) -> Atom:
    return [
        (TYPE, _swrl("IndividualPropertyAtom")),
        (_swrl("propertyPredicate"), predicate),
        (_swrl("argument1"), _ITEM),
        (_swrl("argument2"), term(name)),
    ]


def _swrl(name: str) -> NamedNode:
    return NamedNode(SWRL + name)


def _owl(name: str) -> NamedNode:
    return NamedNode(OWL + name)
