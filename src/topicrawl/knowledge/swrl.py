"""The classification rules in SWRL, so that any OWL reasoner that supports it infers the same labels.

    Item(?it) ∧ hasTerm(?it, t1) ∧ … → isClassified(?it, L)

One rule an α term, one a combination of δ β terms, one for the label's own term, and for each pair of the hierarchy one
from the narrower label to the broader one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations

from pyoxigraph import BlankNode, NamedNode, Triple

from topicrawl.knowledge.model import Model, Rule
from topicrawl.knowledge.vocabulary import HAS_TERM, IS_CLASSIFIED, ITEM, KB, SWRL, TYPE, term
from topicrawl.topic.owl.names import RDF

_ITEM = NamedNode(f"{KB}it")
_FIRST, _REST, _NIL = NamedNode(f"{RDF}first"), NamedNode(f"{RDF}rest"), NamedNode(f"{RDF}nil")

Atom = list[tuple[NamedNode, NamedNode]]
"""Predicates and objects of one atom."""


def swrl(model: Model, names: Sequence[str]) -> Iterator[Triple]:
    """All rules of a model; `names` are those of the terms."""
    yield Triple(_ITEM, TYPE, _swrl("Variable"))
    rules = chain.from_iterable(_rules(label, model.rules.get(label, Rule())) for label in model.labels)
    for number, (terms, label) in enumerate(rules):
        has = [_property(HAS_TERM, names[each]) for each in terms]
        yield from _implication(f"rule{number}", has, _property(IS_CLASSIFIED, names[label]))
    for number, (broad, narrow) in enumerate(sorted(model.broader)):
        has = [_property(IS_CLASSIFIED, names[narrow])]
        yield from _implication(f"broader{number}", has, _property(IS_CLASSIFIED, names[broad]))


def _rules(label: int, rule: Rule) -> Iterator[tuple[tuple[int, ...], int]]:
    """The terms an item must have, all of them, and the label it then has."""
    yield (label,), label
    for each in sorted(rule.alpha):
        yield (each,), label
    for several in combinations(rule.beta, rule.delta) if rule.beta else ():
        yield several, label


def _implication(name: str, body: list[Atom], head: Atom) -> Iterator[Triple]:
    rule = NamedNode(KB + name)
    yield Triple(rule, TYPE, _swrl("Imp"))
    is_item = [(TYPE, _swrl("ClassAtom")), (_swrl("classPredicate"), ITEM), (_swrl("argument1"), _ITEM)]
    yield from _atoms(rule, "body", [is_item, *body])
    yield from _atoms(rule, "head", [head])


def _atoms(rule: NamedNode, role: str, atoms: list[Atom]) -> Iterator[Triple]:
    """A list of atoms under a rule; nodes are named by their place, so that files can be compared."""
    places = [BlankNode(f"{rule.value.removeprefix(KB)}{role}{place}") for place in range(len(atoms))]
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
