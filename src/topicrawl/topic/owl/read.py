"""Reads an ontology from OWL: files of topicrawl, also edited in Protégé, and class trees of other tools.

Classes are named by our own IRIs, else by their English label, else by any label, else by the words in the IRI.
A relation is understood as restriction (*part-of some X*) or stated directly between two classes; equivalent named
classes are synonyms. Comments and other statements about classes are kept as notes.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import accumulate

from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, Triple, parse

from topicrawl.errors import TopicError
from topicrawl.topic.faults import validate
from topicrawl.topic.letters import normal
from topicrawl.topic.ontology import Concept, Edge, Notes, Ontology
from topicrawl.topic.owl.names import (
    DCTERMS,
    OWL,
    OWN,
    PROVENANCE,
    RDF,
    RDFS,
    ROOT,
    SKOS,
    local_part,
    readable,
    relation_of,
    unspell,
)

Term = NamedNode | BlankNode | Literal
Statements = dict[str, list[Term]]
"""The statements about one subject: property IRI -> objects."""

_XML = re.compile(rb"\s*<(\?xml|!DOCTYPE|!--|\w+:RDF\b|Ontology\b)")
_OWL_XML = re.compile(rb"<(?:owl:)?Ontology\b[^>]*xmlns=")
_ENTITY = re.compile(rb"<!ENTITY\s+[\w.-]+\s+(?:\"([^\"&%]{0,200})\"|'([^'&%]{0,200})')\s*>")
"""The entities Protégé writes: short names for namespaces. Nested or long ones can expand to any size."""
_TAG = re.compile(rb"<[^!?<>][^<>]*>")
_END = re.compile(rb"</(?:[\w.-]+:)?RDF\s*>")
DEEPEST = 1000
"""Deepest nesting of XML elements that is read; the parser's time grows with its square."""
_UNDERSTOOD = {
    *(f"{RDF}type", f"{RDFS}label", f"{RDFS}subClassOf", f"{SKOS}altLabel", f"{SKOS}prefLabel"),
    *(f"{OWL}equivalentClass", f"{OWL}versionInfo", f"{DCTERMS}license", ROOT),
}


def read(content: bytes, source: str = "", *, name: str = "", checked: bool = True) -> Ontology:
    """The ontology in a file with this content; without a name in the file it is called `name`, or else by its root.

    `TopicError` naming `source` and the line when it is no RDF, and (unless not `checked`) the place when the
    ontology in it cannot be used.
    """
    ontology = _Reader(_statements(content, source), source).ontology(name)
    return validate(ontology, source) if checked else ontology


def _statements(content: bytes, source: str) -> list[Triple]:
    content = content.removeprefix(b"\xef\xbb\xbf")
    form = RdfFormat.RDF_XML if _XML.match(content) else RdfFormat.TURTLE
    if form == RdfFormat.RDF_XML and (fault := _xml_fault(content)):
        raise TopicError(f"ontology {source}: {fault}")
    try:
        return [quad.triple for quad in parse(content, format=form, base_iri=f"{OWN}file")]
    except (SyntaxError, ValueError) as error:
        text = "is not UTF-8 text; save it as UTF-8" if "UTF-8" in str(error) else f"is no {form.name}"
        place = f", line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
        raise TopicError(f"ontology {source}{place}: {text} ({_short(str(error))})") from None


def _xml_fault(content: bytes) -> str:
    """Faults that the parser does not report: another format, a truncated file, entities or depths without bound."""
    if _OWL_XML.search(content[:10_000]):
        return "is OWL/XML; save it as Turtle or RDF/XML"
    if not _END.search(content):
        return "has no </rdf:RDF>; it may have been cut off"
    if content.count(b"<!ENTITY") != len(_ENTITY.findall(content)):
        return "has XML entities other than short names for namespaces; remove them"
    steps = (-1 if tag[1:2] == b"/" else tag[-2:-1] != b"/" for tag in _TAG.findall(content))
    if max(accumulate(steps), default=0) > DEEPEST:
        return f"nests XML elements deeper than {DEEPEST}; write them side by side"
    return ""


class _Reader:
    """One file's statements, by subject and property."""

    def __init__(self, statements: list[Triple], source: str) -> None:
        self._source = source
        self._statements_of: dict[Term, Statements] = defaultdict(lambda: defaultdict(list))
        for statement in statements:
            if not isinstance(statement.subject, Triple) and not isinstance(statement.object, Triple):
                self._statements_of[statement.subject][statement.predicate.value].append(statement.object)
        self._names: dict[Term, str] = {node: self._name(node) for node in self._typed("Class")}

    def ontology(self, name: str) -> Ontology:
        edges = tuple(self._edges())
        header = next(iter(self._typed("Ontology")), NamedNode(OWN))
        root = self._root(header, edges)
        return Ontology(
            name=self._text(header, f"{RDFS}label") or name or readable(header.value) or root,
            root=root,
            concepts=tuple(
                Concept(name, self._labels(node), self._notes(node)) for node, name in self._names.items()
            ),
            edges=edges,
            version=self._text(header, f"{OWL}versionInfo"),
            licence=self._text(header, f"{DCTERMS}license"),
            notes=self._notes(header),
        )

    def _objects(self, node: Term, iri: str) -> list[Term]:
        return sorted(self._statements_of.get(node, {}).get(iri, ()), key=str)

    def _text(self, node: Term, iri: str) -> str:
        return next((term.value for term in self._objects(node, iri)), "")

    def _typed(self, kind: str) -> list[NamedNode]:
        wanted = NamedNode(f"{OWL}{kind}")
        found = (node for node in self._statements_of if wanted in self._objects(node, f"{RDF}type"))
        named = (node for node in found if isinstance(node, NamedNode) and not node.value.startswith(OWL))
        return sorted(named, key=lambda node: node.value)

    def _name(self, node: Term) -> str:
        if node.value.startswith(OWN) and (name := unspell(local_part(node.value))):
            return name
        labels = self._labels(node)
        chosen = labels.get("en") or next((labels[tag] for tag in sorted(labels)), ())
        return next(filter(None, map(normal, chosen)), "") or readable(node.value) or node.value

    def _labels(self, node: Term) -> dict[str, tuple[str, ...]]:
        """Labels by language; the preferred one comes first, or else the first `rdfs:label` of the alphabet."""
        labels: dict[str, list[str]] = defaultdict(list)
        for iri in (f"{SKOS}prefLabel", f"{RDFS}label", f"{SKOS}altLabel"):
            for term in self._objects(node, iri):
                if isinstance(term, Literal):
                    labels[(term.language or "").lower()].append(term.value)
        return {tag: tuple(texts) for tag, texts in labels.items()}

    def _notes(self, node: Term) -> Notes:
        return tuple(
            (iri, str(term))
            for iri, terms in self._statements_of.get(node, {}).items()
            if iri not in _UNDERSTOOD
            for term in terms
            if not isinstance(term, BlankNode) and not self._is_edge(iri, term)
        )

    def _is_edge(self, iri: str, term: Term) -> bool:
        return term in self._names and relation_of(iri) is not None

    def _edges(self) -> Iterator[Edge]:
        provenance = dict(self._provenance())
        for node, child in self._names.items():
            for iri, terms in self._statements_of[node].items():
                for term in terms:
                    for relation, parent in self._stated(child, iri, term):
                        yield Edge(child, parent, relation, provenance.get((child, parent, relation), "hand"))
            yield from self._equivalents(node)

    def _stated(self, child: str, iri: str, term: Term) -> Iterator[tuple[str, str]]:
        """Relation and parent of the edge that a statement about the class `child` makes, if it makes one."""
        if iri != f"{RDFS}subClassOf":
            if self._is_edge(iri, term):
                yield relation_of(iri) or "", self._names[term]
        elif isinstance(term, BlankNode):
            yield self._restriction(child, term)
        elif term.value != f"{OWL}Thing":
            yield "is-a", self._parent(term)

    def _restriction(self, child: str, node: BlankNode) -> tuple[str, str]:
        match self._objects(node, f"{OWL}onProperty"), self._objects(node, f"{OWL}someValuesFrom"):
            case [NamedNode() as stated], [NamedNode() as parent]:
                return relation_of(stated.value) or readable(stated.value), self._parent(parent)
        raise TopicError(
            f"ontology {self._source}: a superclass of {child!r} is neither a class nor of the form "
            "'part-of some class'; write it in one of these ways"
        )

    def _parent(self, term: Term) -> str:
        return self._names.get(term) or self._name(term)

    def _equivalents(self, node: Term) -> Iterator[Edge]:
        """Named classes equivalent to this one, as synonyms: the child is the one without other parents."""
        for other in self._objects(node, f"{OWL}equivalentClass"):
            if other in self._names:
                has_parent, other_has_parent = (
                    self._objects(one, f"{RDFS}subClassOf") for one in (node, other)
                )
                child, parent = (other, node) if has_parent and not other_has_parent else (node, other)
                yield Edge(self._names[child], self._names[parent], "synonym")

    def _provenance(self) -> Iterator[tuple[tuple[str, str, str], str]]:
        """The annotations of axioms: (child, parent, relation) and the provenance of the edge."""
        parts = (f"{OWL}annotatedSource", f"{OWL}annotatedProperty", f"{OWL}annotatedTarget", PROVENANCE)
        for node in self._statements_of:
            match [self._objects(node, iri) for iri in parts]:
                case [source], [stated], [target], [provenance, *_] if source in self._names:
                    child = self._names[source]
                    for relation, parent in self._stated(child, stated.value, target):
                        yield (child, parent, relation), provenance.value

    def _root(self, header: Term, edges: tuple[Edge, ...]) -> str:
        """The root the file names, or else the only concept without parent, or else the first of them."""
        for node in self._objects(header, ROOT):
            return self._parent(node)
        children = {edge.child for edge in edges}
        return min((name for name in self._names.values() if name not in children), default="")


def _short(text: str) -> str:
    text = " ".join(text[:500].split())
    return text if len(text) <= 160 else f"{text[:160]}…"
