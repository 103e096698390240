"""The knowledge base: an RDF store beside the log, queried in SPARQL.

Facts about items are in the default graph, which only grows. What depends on the current model (labels, layers,
hierarchy) is in a separate graph, which is replaced when the model or the items have changed. A marker triple holds
the last visit and the marks included; it is removed before anything is written, so that a store without it is rebuilt.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

from pyoxigraph import DefaultGraph, Literal, NamedNode, Quad, Store, Triple

from topicrawl.catalogue.state import LearnedRun
from topicrawl.knowledge import vocabulary as kb
from topicrawl.knowledge.learner import Learner
from topicrawl.knowledge.swrl import named_rules, rule_facts

FOLDER = "triples"
FORMAT = "7"
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
    known = f"{learned.learner.model.version}:{learned.last_n}.{learned.marked}"
    run += f"-{len(learned.replaced)}" if learned.replaced else ""  # a page seen anew: all is written again
    wanted = f"{FORMAT}:{run}:{_named(learned)}:{len(learned.found)}:{known}"
    marker = next((str(quad.object).strip('"') for quad in _markers(store)), "")
    if marker != wanted:
        _catch_up(store, learned, marker, wanted)
    return store


def _catch_up(store: Store, learned: LearnedRun, marker: str, wanted: str) -> None:
    same = marker.rsplit(":", 4)[0] == wanted.rsplit(":", 4)[0] and _named(learned, marker) in marker
    already = int(marker.split(":")[-3]) if same and marker else 0
    if not same or already > len(learned.found):
        store.clear()
        already = 0
    for quad in _markers(store):
        store.remove(quad)
    store.flush()
    store.bulk_extend(_quad(triple, DefaultGraph()) for triple in item_triples(learned, already))
    store.clear_graph(MODEL)
    store.bulk_extend(_quad(triple, MODEL) for triple in model_triples(learned))
    store.flush()
    store.add(Quad(_BASE, _CONTAINS, Literal(wanted), DefaultGraph()))
    store.flush()


def _named(learned: LearnedRun, marker: str = "") -> str:
    """How many terms there are, and a checksum of their names; of the first terms only, as many as in `marker`.

    The address of a term holds its name. When a name has changed, all is written again.
    """
    names = learned.learner.items.names()
    known = int(marker.split(":")[-4].partition("-")[0]) if marker else len(names)
    return f"{known}-{crc32(' '.join(names[:known]).encode())}"


def _markers(store: Store) -> list[Quad]:
    return list(store.quads_for_pattern(_BASE, _CONTAINS, None, None))


def _quad(triple: Triple, graph: DefaultGraph | NamedNode) -> Quad:
    return Quad(triple.subject, triple.predicate, triple.object, graph)


def item_triples(learned: LearnedRun, already: int = 0) -> Iterator[Triple]:
    """The permanent facts about items: all but the first `already`, and their links from and to any item."""
    if not already:
        yield from kb.declarations()
    learner, names = learned.learner, learned.learner.items.names()
    iris = [kb.item(found.url) for found in learned.found]
    term_iris: dict[int, NamedNode] = {}
    for place in range(already, len(iris)):
        iri, found = iris[place], learned.found[place]
        if iri is None:
            continue
        yield Triple(iri, kb.TYPE, kb.ITEM)
        yield Triple(iri, kb.VISIT, Literal(found.n))
        if found.title:
            yield Triple(iri, kb.TITLE, Literal(found.title))
        for term in learner.items.rows.terms(learner.first + learner.queries + place).tolist():
            if term not in term_iris:
                term_iris[term] = kb.term(names[term])
                yield Triple(term_iris[term], kb.TYPE, kb.TERM)
                yield Triple(term_iris[term], kb.PREFERRED, Literal(names[term]))
            yield Triple(iri, kb.HAS_TERM, term_iris[term])
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
    """The facts that depend on the current model."""
    learner, names = learned.learner, learned.learner.items.names()
    for label in learner.model.labels:
        yield Triple(kb.term(names[label]), kb.TYPE, kb.LABEL)
        yield Triple(kb.term(names[label]), kb.PREFERRED, Literal(names[label]))
    for broad, narrow in sorted(learner.model.broader):
        yield Triple(kb.term(names[narrow]), kb.BROADER, kb.term(names[broad]))
    yield from rule_facts(named_rules(learner.model, names))
    labels, nearness = learner.labels(), learner.similarities()
    label_iris = [kb.term(names[label]) for label in learner.model.labels]
    layer_of = {item: layer for layer, items in enumerate(learner.layers) for item in items.tolist()}
    for place, found in enumerate(learned.found):
        iri, item = kb.item(found.url), place + learner.queries
        if iri is None:
            continue
        yield Triple(iri, kb.SIMILARITY, Literal(round(float(nearness[item]), 6)))
        if item in layer_of:
            yield Triple(iri, kb.LAYER, Literal(layer_of[item]))
        for column in labels.indices[labels.indptr[item] : labels.indptr[item + 1]].tolist():
            yield Triple(iri, kb.IS_CLASSIFIED, label_iris[column])
        for label in learner.mentioned(item) if learner.model.mentioned else ():
            yield Triple(iri, kb.MENTIONS, kb.term(names[label]))
