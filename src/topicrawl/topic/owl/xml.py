"""RDF/XML that every XML parser accepts. The serializer writes literals as they are, and XML cannot hold them all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pyoxigraph import Literal, RdfFormat, Triple, serialize

from topicrawl.safe_text import for_xml


def rdf_xml(triples: Iterable[Triple], prefixes: Mapping[str, str]) -> bytes:
    """The triples as RDF/XML. IRIs need no care: they hold no such characters."""
    return serialize(map(_writable, triples), format=RdfFormat.RDF_XML, prefixes=dict(prefixes)) or b""


def _writable(triple: Triple) -> Triple:
    said = triple.object
    if not isinstance(said, Literal) or (text := for_xml(said.value)) == said.value:
        return triple
    literal = (
        Literal(text, language=said.language) if said.language else Literal(text, datatype=said.datatype)
    )
    return Triple(triple.subject, triple.predicate, literal)
