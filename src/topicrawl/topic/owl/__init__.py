"""Ontologies as OWL 2 files, in Turtle or RDF/XML, the way Protégé shows and edits them.

| ours | in the file |
|---|---|
| a concept | `owl:Class`, its IRI made from its name |
| labels | `rdfs:label`, one a language, the preferred one; `skos:altLabel` for the others |
| is-a | `rdfs:subClassOf` the parent |
| part-of, attribute-of, induce | `rdfs:subClassOf` a restriction: *part-of some parent*, *induced-by some parent* … |
| synonym | the annotation `synonym-of` |
| where an edge comes from | the annotation `provenance` of its axiom; an axiom without one was written by hand |
| name, version, licence, root | annotations of the `owl:Ontology` |

Synonyms are an annotation because `owl:equivalentClass` has no direction (a save in Protégé could swap child and
parent) and because a reasoner would apply every statement about one concept to the other.
"""

from __future__ import annotations

from topicrawl.topic.owl.read import read
from topicrawl.topic.owl.write import rdfxml, turtle

__all__ = ["rdfxml", "read", "turtle"]
