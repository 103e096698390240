from __future__ import annotations

import pytest

from topicrawl.errors import TopicError
from topicrawl.topic import owl
from topicrawl.topic.ontology import Edge

PREFIXES = """
@prefix : <http://www.semanticweb.org/anna/ontologies/storms#> .
@prefix o: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix tc: <urn:topicrawl:Vocabulary#> .
@base <http://www.semanticweb.org/anna/ontologies/storms> .
"""

PROTEGE = (
    PREFIXES
    + """
<http://www.semanticweb.org/anna/ontologies/storms> rdf:type o:Ontology ;
    rdfs:comment "Made one afternoon"@en .

:partOf rdf:type o:ObjectProperty ; rdfs:domain :Warning .
tc:provenance rdf:type o:AnnotationProperty .

###  http://www.semanticweb.org/anna/ontologies/storms#FlashFlood
:FlashFlood rdf:type o:Class ;
    rdfs:subClassOf :OWLClass_77a0 ,
        [ o:someValuesFrom :Warning ; rdf:type o:Restriction ; o:onProperty :partOf ] ;
    rdfs:comment "Comes within six hours."@en ;
    rdfs:seeAlso <http://example.org/flood> .

:OWLClass_77a0 rdf:type o:Class ; rdfs:subClassOf :Storm ;
    rdfs:label "Flood"@en , "Überschwemmung"@de , "Deluge"@en ; skos:prefLabel "Flood"@en .

:Storm rdf:type o:Class ; rdfs:subClassOf o:Thing .
:Warning rdf:type o:Class ; rdfs:subClassOf :Storm .
:Alert rdf:type o:Class ; o:equivalentClass :Warning .
:anna rdf:type o:NamedIndividual , :Warning .

[ rdf:type o:Axiom ; o:annotatedSource :Warning ; o:annotatedProperty rdfs:subClassOf ;
  o:annotatedTarget :Storm ; tc:provenance "lattice" ; rdfs:comment "why" ] .
[ rdf:type o:Axiom ; o:annotatedSource :FlashFlood ; o:annotatedProperty rdfs:subClassOf ;
  o:annotatedTarget [ rdf:type o:Restriction ; o:onProperty :partOf ; o:someValuesFrom :Warning ] ;
  tc:provenance "wordnet" ] .
"""
).encode()


def refused(content: str | bytes, source: str = "storms.ttl") -> str:
    with pytest.raises(TopicError) as refusal:
        owl.read(content if isinstance(content, bytes) else content.encode(), source)
    message = str(refusal.value)
    assert message.startswith(f"ontology {source}")
    assert len(message) < 400
    assert "\n" not in message
    return message


def small(body: str) -> str:
    return PREFIXES + ":a a o:Class . :b a o:Class ; rdfs:subClassOf :a .\n" + body


def test_a_file_made_in_protege_is_read() -> None:
    ontology = owl.read(PROTEGE, "storms.ttl")
    assert ontology.name == "storms"
    assert ontology.root == "storm"
    assert ontology.edges == (
        Edge("alert", "warning", "synonym"),
        Edge("flash flood", "flood"),
        Edge("flash flood", "warning", "part-of", "wordnet"),
        Edge("flood", "storm"),
        Edge("warning", "storm", "is-a", "lattice"),
    )


def test_a_class_without_label_is_called_by_the_words_of_its_iri() -> None:
    flash_flood = owl.read(PROTEGE).by_name["flash flood"]
    assert not flash_flood.labels


def test_the_preferred_label_names_a_class_and_the_others_are_kept() -> None:
    assert owl.read(PROTEGE).by_name["flood"].labels == {"en": ("Flood", "Deluge"), "de": ("Überschwemmung",)}


def test_comments_by_hand_survive_being_written_again() -> None:
    again = owl.turtle(owl.read(PROTEGE)).decode()
    assert '"Comes within six hours."@en' in again
    assert "<http://example.org/flood>" in again
    assert '"Made one afternoon"@en' in again


def test_a_label_changed_by_hand_does_not_change_the_name() -> None:
    ours = owl.turtle(owl.read(PROTEGE))
    changed = ours.replace(b'"Flood"@en', b'"Inundation"@en')
    assert owl.read(changed).by_name["flood"].labels["en"][0] == "Inundation"
    assert owl.read(changed).edges == owl.read(ours).edges


def test_a_relation_may_be_stated_directly_between_classes() -> None:
    assert Edge("c", "b", "induce") in owl.read(small(":c a o:Class ; tc:induced-by :b .").encode()).edges


def test_a_byte_order_mark_is_no_error() -> None:
    assert owl.read(b"\xef\xbb\xbf" + PROTEGE) == owl.read(PROTEGE)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (small(":c a o:Class ; rdfs:subClassOf :b"), "line 10: is no Turtle"),
        (PREFIXES + "nonsense here .", "line 9: is no Turtle"),
        (PREFIXES + ":a a nowhere:Class .", "line 9: is no Turtle"),
        (PREFIXES.encode() + '"Ü"'.encode("latin-1"), "line 9: is not UTF-8 text; save it as UTF-8"),
        (PROTEGE.decode().encode("utf-16"), "is not UTF-8 text"),
        ('<?xml version="1.0"?>\n<rdf:RDF>\n<a>', "is no RDF/XML"),
        (
            '<?xml version="1.0"?>\n<Ontology xmlns="http://www.w3.org/2002/07/owl#"/>',
            "save it as Turtle or RDF/XML",
        ),
        (PREFIXES + "<" + "x" * 10_000_000, "line 9: is no Turtle"),
        (PREFIXES + ':a a o:Class ; rdfs:label "' + "x" * 10_000_000 + '" .', "has 10000000 characters"),
        ("", "has no concepts"),
        (b"\x00" * 1000, "is no Turtle"),
    ],
    ids=lambda value: str(value)[-30:],
)
def test_a_broken_file_is_refused_with_its_place(content: str | bytes, told: str) -> None:
    assert told in refused(content)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (":a rdfs:subClassOf :b .", "'a' → 'b' → 'a'"),
        (":c a o:Class .", "'c' has no parent, like the root 'a'"),
        (":c a o:Class ; rdfs:subClassOf :typo .", "there is no concept 'typo', named in 'c' is-a 'typo'"),
        (
            ":c a o:Class ; rdfs:subClassOf [ o:onProperty :washesAway ; o:someValuesFrom :b ] .",
            "unknown relation in 'c' washes away 'b'",
        ),
        (
            ":c a o:Class ; rdfs:subClassOf [ o:intersectionOf ( :a :b ) ] .",
            "a superclass of 'c' is neither a class nor of the form 'part-of some class'",
        ),
        ('<x> a o:Class ; rdfs:subClassOf :a ; rdfs:label "b"@en .', "two concepts are called 'b'"),
        ("<> a o:Ontology ; tc:root :z .", "its root 'z' is no concept; name 'a'"),
        ("<> a o:Ontology ; tc:root :b .", "the root 'b' has a parent, 'a'"),
    ],
)
def test_an_ontology_that_cannot_be_used_is_refused_with_the_place(body: str, told: str) -> None:
    assert told in refused(small(body))


def test_a_broken_ontology_can_be_read_unchecked() -> None:
    ontology = owl.read(small(":c a o:Class .").encode(), checked=False)
    assert set(ontology.by_name) == {"a", "b", "c"}
