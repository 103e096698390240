"""The rules of one label: which terms give it, how surely, and a page as example for each."""

from __future__ import annotations

from dataclasses import dataclass

from topicrawl.catalogue.catalogue import Catalogue
from topicrawl.catalogue.state import Found
from topicrawl.knowledge.classify import ALPHA, BETA, OWN
from topicrawl.knowledge.model import Rule


@dataclass(frozen=True, slots=True)
class RuleTerm:
    """A term in a rule of a label."""

    kind: str
    term: str
    proportion: float
    """P(label | term)."""
    items: int
    """Pages of the run that the term describes."""
    needed: int
    """β terms that a page must have: δ; of the others one suffices."""
    example: Found | None
    """A page that it describes and that has the label; where there is one, without the label as a term."""


def rule_terms(catalogue: Catalogue, label: int) -> list[RuleTerm]:
    """The terms that give a label: its own, then α terms and β terms, the surest first."""
    model, rule = catalogue.learner.model, catalogue.learner.model.rules.get(label, Rule())
    kinds = [(OWN, label, 1)] if model.own_term else []
    alpha = sorted(rule.alpha)
    shares = dict(zip(alpha, catalogue.learner.proportions(label, alpha).tolist(), strict=True))
    kinds += [(ALPHA, term, 1) for term in sorted(alpha, key=lambda term: (-shares[term], term))]
    kinds += [(BETA, term, rule.delta) for term in rule.beta]
    given = catalogue.learner.proportions(label, [term for _, term, _ in kinds]).tolist()
    presence = catalogue.learner.items.presence(catalogue.learner.first + catalogue.learner.queries).tocsc()
    column = catalogue.learner.model.labels.index(label)
    labelled = set(catalogue.learner.labels()[catalogue.learner.queries :, column].nonzero()[0].tolist())
    own = set(presence[:, label].nonzero()[0].tolist())
    found = []
    for (kind, term, needed), share in zip(kinds, given, strict=True):
        places = presence[:, term].nonzero()[0].tolist()
        shown = sorted(labelled.intersection(places), key=lambda place: (place in own, place))[:1]
        example = catalogue.found[shown[0]] if shown else None
        found.append(RuleTerm(kind, catalogue.names[term], share, len(places), needed, example))
    return found
