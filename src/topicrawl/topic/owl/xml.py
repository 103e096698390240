"""RDF/XML that every XML parser accepts. The serializer does not replace characters that XML forbids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pyoxigraph import Literal, RdfFormat, Triple, serialize

from topicrawl.safe_text import for_xml


def rdf_xml(triples: Iterable[Triple], prefixes: Mapping[str, str]) -> bytes:
    """The triples as RDF/XML. IRIs cannot hold forbidden characters."""
    return serialize(map(_writable, triples), format=RdfFormat.RDF_XML, prefixes=dict(prefixes)) or b""


def _writable(triple: Triple) -> Triple:
    literal = triple.object
    if not isinstance(literal, Literal) or (text := for_xml(literal.value)) == literal.value:
        return triple
    tag, datatype = literal.language, literal.datatype
    clean = Literal(text, language=tag) if tag else Literal(text, datatype=datatype)
    return Triple(triple.subject, triple.predicate, clean)
