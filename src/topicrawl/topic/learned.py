"""An ontology learned from documents: themes choose the concepts, formal concept analysis orders them, association
rules relate concepts that this order does not.

    documents ─► candidates (twice the terms wanted) ─► LDA: concepts ─► FCA: is-a ─► Apriori: induce

Paper: OLMOACO, the baseline of FCITS_OH (2022), of which one line is published: FCA for the skeleton, LDA for concepts,
Apriori for relations, then cleaning by hand.
Differs: the rest is reconstructed. Five themes; each gives its most probable terms in turn until enough are chosen. A
rule needs three documents and a confidence of 0.8; it becomes `induce`, the relation that is no order, unless one of
the two is an ancestor of the other. Nothing is cleaned by hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from topicrawl.floats import Floats
from topicrawl.topic.corpus import Document
from topicrawl.topic.fca.context import Context
from topicrawl.topic.lda import themes
from topicrawl.topic.letters import OR
from topicrawl.topic.matcher import Matcher
from topicrawl.topic.ontology import Edge, Ontology
from topicrawl.topic.rules import rules
from topicrawl.topic.terms.boilerplate import without_boilerplate
from topicrawl.topic.terms.result import Term, Terms

CANDIDATES = 2
"""Candidate terms for each that is kept."""
THEMES = 5
SUPPORT = 3
CONFIDENCE = 0.8


def concepts_by_themes(documents: Sequence[Document], terms: Terms, limit: int) -> Terms:
    """At most `limit` terms: those the user named, then the most probable of each theme in turn."""
    named = [number for number, term in enumerate(terms.terms) if term.named]
    chosen = list(dict.fromkeys((*named, *_in_turn(themes(_counts(documents, terms.terms), THEMES)))))
    return replace(terms, terms=tuple(terms.terms[number] for number in sorted(chosen[:limit])))


def with_rules(ontology: Ontology, context: Context) -> Ontology:
    """The ontology with an edge `induce` for every rule whose two concepts are not ancestor and descendant."""
    for rule in rules(context, SUPPORT, CONFIDENCE):
        above = ontology.ancestors
        if rule.then in above[rule.first] or rule.first in above[rule.then]:
            continue
        edge = Edge(rule.first, rule.then, "induce", "rule")
        ontology = replace(ontology, edges=(*ontology.edges, edge))
    return ontology


def _counts(documents: Sequence[Document], terms: Sequence[Term]) -> Floats:
    """How often each term occurs in each document."""
    matcher = Matcher([OR.join(term.labels) for term in terms])
    counts = np.zeros((len(documents), len(terms)))
    for row, (document, text) in enumerate(zip(documents, without_boilerplate(documents), strict=True)):
        for term, count in matcher.count_text(f"{document.headline}\n{text}").items():
            counts[row, term] = count
    return counts


def _in_turn(shares: Floats) -> Iterator[int]:
    """Terms by number: the most probable of every theme, then the next of every theme, and so on."""
    order = np.argsort(-shares, axis=1, kind="stable")
    for place in range(order.shape[1]):
        yield from order[:, place].tolist()
