"""The RDF vocabulary of the knowledge base: items, terms and labels; docs/knowledge.md explains each name."""

from __future__ import annotations

from collections.abc import Iterator

from pyoxigraph import Literal, NamedNode, Triple

from topicrawl.topic.owl.names import DCTERMS, OWL, OWN, RDF, RDFS, SKOS, spell

KB = f"{OWN}Knowledge#"
TERMS = f"{OWN}term#"
SWRL = "http://www.w3.org/2003/11/swrl#"
XSD = "http://www.w3.org/2001/XMLSchema#"
PREFIXES = {
    "kb": KB, "term": TERMS, "swrl": SWRL, "rdf": RDF, "rdfs": RDFS, "owl": OWL, "skos": SKOS, "dcterms": DCTERMS,
    "xsd": XSD,
}  # fmt: skip

TYPE = NamedNode(f"{RDF}type")
ITEM, TERM, LABEL = NamedNode(f"{KB}Item"), NamedNode(f"{KB}Term"), NamedNode(f"{KB}Label")
HAS_TERM, MENTIONS = NamedNode(f"{KB}hasTerm"), NamedNode(f"{KB}mentions")
IS_CLASSIFIED = NamedNode(f"{KB}isClassified")
HAS_INLINK, HAS_OUTLINK = NamedNode(f"{KB}hasInlink"), NamedNode(f"{KB}hasOutlink")
LAYER, VISIT, SIMILARITY = NamedNode(f"{KB}layer"), NamedNode(f"{KB}visit"), NamedNode(f"{KB}similarity")
CONCLUDES, CONDITION = NamedNode(f"{KB}concludes"), NamedNode(f"{KB}condition")
KIND, DELTA = NamedNode(f"{KB}kind"), NamedNode(f"{KB}delta")
BROADER = NamedNode(f"{SKOS}broader")
PREFERRED, TITLE = NamedNode(f"{SKOS}prefLabel"), NamedNode(f"{DCTERMS}title")
_COMMENT, _SUBCLASS = NamedNode(f"{RDFS}comment"), NamedNode(f"{RDFS}subClassOf")

_CLASSES = {
    ITEM: "a document with text that the crawl found; its IRI is its URL",
    TERM: "a word with all its forms and synonyms, or a phrase",
    LABEL: "a term that items are classified by",
}
_LINKS = {
    HAS_TERM: "a term that describes the item",
    MENTIONS: "a label that describes the item as a term, or occurs in it often",
    IS_CLASSIFIED: "a label that the item has, by a rule or through a narrower label",
    HAS_INLINK: "an item that links to this one",
    HAS_OUTLINK: "an item that this one links to",
    CONCLUDES: "the label that a rule gives",
    CONDITION: "a term in the condition of a rule, or the narrower label",
    BROADER: "a label that nearly all items of this one have too",
}
_VALUES = {
    LAYER: "layer of the context graph: 0 is relevant, 1 links to relevant items, 2 links to those",
    VISIT: "number of the visit that brought the item",
    KIND: "kind of a rule: own, alpha, beta or narrower",
    DELTA: "terms of its condition that an item must have, at least",
    SIMILARITY: "cosine of the item's terms with the query",
}


def term(name: str) -> NamedNode:
    """The IRI of a term."""
    return NamedNode(TERMS + spell(name))


def item(url: str) -> NamedNode | None:
    """The IRI of an item: its URL; None if that is no valid IRI."""
    try:
        return NamedNode(url)
    except ValueError:
        return None


def declarations() -> Iterator[Triple]:
    """The vocabulary itself, in OWL."""
    yield Triple(NamedNode(KB.rstrip("#")), TYPE, NamedNode(f"{OWL}Ontology"))
    for kinds, kind in (
        (_CLASSES, "Class"),
        (_LINKS, "ObjectProperty"),
        (_VALUES | {PREFERRED: "", TITLE: ""}, "DatatypeProperty"),
    ):
        for name, comment in kinds.items():
            yield Triple(name, TYPE, NamedNode(OWL + kind))
            if comment:
                yield Triple(name, _COMMENT, Literal(comment, language="en"))
    yield Triple(LABEL, _SUBCLASS, TERM)
