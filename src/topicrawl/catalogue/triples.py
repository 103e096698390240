"""The knowledge base: an RDF store beside the log, asked in SPARQL.

Facts about items stand in the default graph and only grow. What follows from the model as it is now (labels, layers,
the hierarchy) stands in a graph of its own, which is replaced when the model or the items have changed. A note says up
to which visit all is there; it is taken away before anything is written, so that a store without it is built anew.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from pyoxigraph import DefaultGraph, Literal, NamedNode, Quad, Store, Triple

from topicrawl.catalogue.state import LearnedRun
from topicrawl.knowledge import vocabulary as kb
from topicrawl.knowledge.learner import Learner

FOLDER = "triples"
FORMAT = "2"
MODEL = NamedNode(f"{kb.KB}model")
_CONTAINS = NamedNode(f"{kb.KB}contains")
_BASE = NamedNode(kb.KB.rstrip("#"))


def open_triples(folder: Path, learned: LearnedRun, run: str) -> Store:
    """The knowledge base of a run, with all its items."""
    place = folder / FOLDER
    place.parent.mkdir(exist_ok=True)
    try:
        store = Store(str(place))
    except OSError:
        shutil.rmtree(place)
        store = Store(str(place))
    wanted = f"{FORMAT}:{run}:{len(learned.found)}:{learned.learner.model.version}:{learned.last_n}"
    note = next((str(quad.object).strip('"') for quad in _notes(store)), "")
    if note != wanted:
        _catch_up(store, learned, note, wanted)
    return store


def _catch_up(store: Store, learned: LearnedRun, note: str, wanted: str) -> None:
    same = note.rsplit(":", 3)[0] == wanted.rsplit(":", 3)[0]
    already = int(note.split(":")[-3]) if same and note else 0
    if not same or already > len(learned.found):
        store.clear()
        already = 0
    for quad in _notes(store):
        store.remove(quad)
    store.flush()
    store.bulk_extend(_quad(triple, DefaultGraph()) for triple in item_triples(learned, already))
    store.clear_graph(MODEL)
    store.bulk_extend(_quad(triple, MODEL) for triple in model_triples(learned))
    store.flush()
    store.add(Quad(_BASE, _CONTAINS, Literal(wanted), DefaultGraph()))
    store.flush()


def _notes(store: Store) -> list[Quad]:
    return list(store.quads_for_pattern(_BASE, _CONTAINS, None, None))


def _quad(triple: Triple, graph: DefaultGraph | NamedNode) -> Quad:
    return Quad(triple.subject, triple.predicate, triple.object, graph)


def item_triples(learned: LearnedRun, already: int = 0) -> Iterator[Triple]:
    """What is so of items for good: all but the first `already` of them, and their links from and to any."""
    if not already:
        yield from kb.declarations()
    learner, names = learned.learner, learned.learner.items.terms
    iris = [kb.item(found.url) for found in learned.found]
    spelt: dict[int, NamedNode] = {}
    for place in range(already, len(iris)):
        iri, found = iris[place], learned.found[place]
        if iri is None:
            continue
        yield Triple(iri, kb.TYPE, kb.ITEM)
        yield Triple(iri, kb.VISIT, Literal(found.n))
        if found.title:
            yield Triple(iri, kb.TITLE, Literal(found.title))
        for term in learner.items.rows.terms(learner.first + learner.queries + place).tolist():
            if term not in spelt:
                spelt[term] = kb.term(names[term])
                yield Triple(spelt[term], kb.TYPE, kb.TERM)
                yield Triple(spelt[term], kb.PREFERRED, Literal(names[term]))
            yield Triple(iri, kb.HAS_TERM, spelt[term])
    for source, target in links(learner):
        here, there = iris[source], iris[target]
        if max(source, target) >= already and here is not None and there is not None:
            yield Triple(here, kb.HAS_OUTLINK, there)
            yield Triple(there, kb.HAS_INLINK, here)


def links(learner: Learner) -> Iterator[tuple[int, int]]:
    """The links from one found item to another, each once."""
    for source in range(learner.queries, len(learner.links)):
        targets = {learner.item_of(link) for link in learner.links.terms(source).tolist()}
        for target in sorted(each for each in targets if each is not None and each != source):
            if target >= learner.queries:
                yield source - learner.queries, target - learner.queries


def model_triples(learned: LearnedRun) -> Iterator[Triple]:
    """What the model makes of the items now."""
    learner, names = learned.learner, learned.learner.items.terms
    for label in learner.model.labels:
        yield Triple(kb.term(names[label]), kb.TYPE, kb.LABEL)
        yield Triple(kb.term(names[label]), kb.PREFERRED, Literal(names[label]))
    for broad, narrow in sorted(learner.model.broader):
        yield Triple(kb.term(names[narrow]), kb.BROADER, kb.term(names[broad]))
    labels, nearness = learner.labels(), learner.similarities()
    spelt = [kb.term(names[label]) for label in learner.model.labels]
    layer_of = {item: layer for layer, items in enumerate(learner.layers) for item in items.tolist()}
    for place, found in enumerate(learned.found):
        iri, item = kb.item(found.url), place + learner.queries
        if iri is None:
            continue
        yield Triple(iri, kb.SIMILARITY, Literal(round(float(nearness[item]), 6)))
        if item in layer_of:
            yield Triple(iri, kb.LAYER, Literal(layer_of[item]))
        for column in labels.indices[labels.indptr[item] : labels.indptr[item + 1]].tolist():
            yield Triple(iri, kb.IS_CLASSIFIED, spelt[column])
