"""Writes an ontology as OWL, always in the same order and with the same node names, so that diffs are small."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256

from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, Triple, parse, serialize

from topicrawl.topic.faults import validate
from topicrawl.topic.ontology import Concept, Edge, Notes, Ontology
from topicrawl.topic.owl.names import (
    DCTERMS,
    OWL,
    OWN,
    PROPERTIES,
    PROVENANCE,
    RDF,
    RDFS,
    ROOT,
    SKOS,
    VOCABULARY,
    spell,
)
from topicrawl.topic.owl.xml import rdf_xml

TYPE = NamedNode(f"{RDF}type")
LABEL = NamedNode(f"{RDFS}label")
ALSO = NamedNode(f"{SKOS}altLabel")
SUBCLASS = NamedNode(f"{RDFS}subClassOf")
ANNOTATIONS = (ROOT, PROVENANCE, PROPERTIES["synonym"], ALSO.value, f"{DCTERMS}license")

_PREFIX_LINES = re.compile(rb"(?:@prefix .*\n)+")
_XML_PREFIXES = re.compile(rb'(?<=<rdf:RDF)(?: xmlns(?::\w+)?="[^"]*")+')


def turtle(ontology: Ontology) -> bytes:
    """The ontology as Turtle; `TopicError` when it is not valid."""
    text = serialize(_triples(ontology), format=RdfFormat.TURTLE, prefixes=_prefixes(ontology)) or b""
    text = _PREFIX_LINES.sub(
        lambda lines: b"".join(sorted(lines[0].splitlines(keepends=True))), text, count=1
    )
    return re.sub(rb"(?<=[.]\n)(?![\t@]|$)", b"\n", text)


def rdfxml(ontology: Ontology) -> bytes:
    """The ontology as RDF/XML; `TopicError` when it is not valid."""
    text = rdf_xml(_triples(ontology), _prefixes(ontology))
    return _XML_PREFIXES.sub(lambda found: b" " + b" ".join(sorted(found[0].split())), text, count=1)


def _prefixes(ontology: Ontology) -> dict[str, str]:
    own = f"{OWN}{spell(ontology.name)}#"
    return {"": own, "owl": OWL, "rdfs": RDFS, "skos": SKOS, "dcterms": DCTERMS, "vocabulary": VOCABULARY}


def _triples(ontology: Ontology) -> Iterator[Triple]:
    validate(ontology)
    base = f"{OWN}{spell(ontology.name)}"
    yield from _header(ontology, base)
    yield from _vocabulary()
    edges: dict[str, list[Edge]] = {concept.name: [] for concept in ontology.concepts}
    for edge in ontology.edges:
        edges[edge.child].append(edge)
    for concept in ontology.concepts:
        yield from _class(concept, edges[concept.name], base)


def _header(ontology: Ontology, base: str) -> Iterator[Triple]:
    header = NamedNode(base)
    yield Triple(header, TYPE, NamedNode(f"{OWL}Ontology"))
    yield Triple(header, LABEL, Literal(ontology.name))
    if ontology.version:
        yield Triple(header, NamedNode(f"{OWL}versionInfo"), Literal(ontology.version))
    if ontology.licence:
        yield Triple(header, NamedNode(f"{DCTERMS}license"), Literal(ontology.licence))
    yield Triple(header, NamedNode(ROOT), _node(base, ontology.root))
    yield from _notes(header, ontology.notes)


def _vocabulary() -> Iterator[Triple]:
    for iri in PROPERTIES.values():
        if iri not in ANNOTATIONS:
            yield Triple(NamedNode(iri), TYPE, NamedNode(f"{OWL}ObjectProperty"))
    for iri in ANNOTATIONS:
        yield Triple(NamedNode(iri), TYPE, NamedNode(f"{OWL}AnnotationProperty"))


def _class(concept: Concept, edges: list[Edge], base: str) -> Iterator[Triple]:
    """The statements about the class, then the nodes its axioms need."""
    node = _node(base, concept.name)
    yield Triple(node, TYPE, NamedNode(f"{OWL}Class"))
    for tag, labels in concept.labels.items():
        yield Triple(node, LABEL, _text(labels[0], tag))
    for tag, labels in concept.labels.items():
        for label in labels[1:]:
            yield Triple(node, ALSO, _text(label, tag))
    axioms = sorted(
        ((edge, _axiom(edge, node, base)) for edge in edges), key=lambda pair: pair[1].predicate.value
    )
    yield from (axiom for _, axiom in axioms)
    yield from _notes(node, concept.notes)
    for edge, axiom in axioms:
        yield from _restriction(edge, axiom, base)
        yield from _provenance(edge, axiom)


def _axiom(edge: Edge, child: NamedNode, base: str) -> Triple:
    """The one triple that states the edge."""
    if edge.relation == "is-a":
        return Triple(child, SUBCLASS, _node(base, edge.parent))
    if edge.relation == "synonym":
        return Triple(child, NamedNode(PROPERTIES["synonym"]), _node(base, edge.parent))
    return Triple(child, SUBCLASS, BlankNode(f"r{_digest(edge)}"))


def _restriction(edge: Edge, axiom: Triple, base: str) -> Iterator[Triple]:
    node = axiom.object
    if isinstance(node, BlankNode):
        yield Triple(node, TYPE, NamedNode(f"{OWL}Restriction"))
        yield Triple(node, NamedNode(f"{OWL}onProperty"), NamedNode(PROPERTIES[edge.relation]))
        yield Triple(node, NamedNode(f"{OWL}someValuesFrom"), _node(base, edge.parent))


def _provenance(edge: Edge, axiom: Triple) -> Iterator[Triple]:
    node = BlankNode(f"a{_digest(edge)}")
    yield Triple(node, TYPE, NamedNode(f"{OWL}Axiom"))
    yield Triple(node, NamedNode(f"{OWL}annotatedSource"), axiom.subject)
    yield Triple(node, NamedNode(f"{OWL}annotatedProperty"), axiom.predicate)
    yield Triple(node, NamedNode(f"{OWL}annotatedTarget"), axiom.object)
    yield Triple(node, NamedNode(PROVENANCE), Literal(edge.provenance))


def _notes(node: NamedNode, notes: Notes) -> Iterator[Triple]:
    for property_iri, value in notes:
        statement = f"{node} <{property_iri}> {value} ."
        yield from (Triple(*quad.triple) for quad in parse(statement, format=RdfFormat.N_TRIPLES))


def _text(label: str, tag: str) -> Literal:
    return Literal(label, language=tag) if tag else Literal(label)


def _node(base: str, name: str) -> NamedNode:
    return NamedNode(f"{base}#{spell(name)}")


def _digest(edge: Edge) -> str:
    """Name of an edge's blank nodes, from its content: a new edge does not change the names of the others."""
    return sha256("\n".join(edge.key).encode()).hexdigest()[:12]
