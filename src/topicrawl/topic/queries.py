"""Queries for search engines, made from a topic or from example pages: many small ones.

A long query finds pages that have all its words, mostly lists of words; each of several small ones finds what is
written about one part of the topic. A term of several words says enough alone. A single word has many meanings, so it
gets the concept above it, or the heaviest term, beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations, zip_longest

from topicrawl.errors import TopicError
from topicrawl.model import Page, Topic
from topicrawl.topic.corpus import of_page
from topicrawl.topic.letters import OR, RUNNING, kind
from topicrawl.topic.ontology import Ontology
from topicrawl.topic.terms.find import find_terms

ENOUGH = 4
"""Characters of a word in a script without spaces that say enough alone."""
FEW = 3
"""Example pages below which a phrase of a single one may be a query."""
PHRASES = 40
"""Phrases of the examples that are considered."""


def make_queries(topic: Topic | None, ontology: Ontology | None, most: int) -> list[str]:
    """At most `most` queries: from the telling phrases of the topic's examples and from its terms, by turns."""
    if topic is None:
        return []
    derived = topic.source == "query" and topic.examples  # its terms are words of the examples
    sources = [from_examples(topic.examples)] if topic.examples else []
    if not derived:
        sources.append(from_terms(topic, ontology))
    by_turns = chain.from_iterable(zip_longest(*sources))
    found = list(_distinct(query for query in by_turns if query))
    if not found:
        found = list(_distinct(from_terms(topic, ontology)))
    return found[:most]


def from_terms(topic: Topic, ontology: Ontology | None = None) -> Iterator[str]:
    """Queries from the terms of a topic, the heaviest first."""
    weighed = sorted(zip(topic.terms, topic.weights, strict=True), key=lambda pair: -pair[1])
    terms = [term.partition(OR)[0] for term, weight in weighed if weight > 0]
    if not terms:
        return
    if len(terms) == 1 or says_enough(terms[0]):
        yield terms[0]
    for term in terms if says_enough(terms[0]) else terms[1:]:
        if term != terms[0] or not says_enough(term):
            yield term if says_enough(term) else _together(term, _context(term, terms[0], ontology))


def from_examples(pages: Sequence[Page]) -> Iterator[str]:
    """Queries from what example pages say and general text does not: their phrases, then pairs of their words."""
    documents = [of_page(page, page.url or f"example {number}") for number, page in enumerate(pages, 1)]
    try:
        found = find_terms(documents, limit=PHRASES, least=1 if len(documents) < FEW else 2)
    except TopicError:  # nothing stands out
        return
    yield from (name for name in found.names if says_enough(name))
    words = [name for name in found.names if not says_enough(name)]
    pairs = sorted(combinations(range(len(words)), 2), key=sum)
    yield from (_together(words[one], words[other]) for one, other in pairs)


def says_enough(term: str) -> bool:
    """Whether a term is a query by itself: several words, or as much in a script without spaces."""
    return " " in term or sum(kind(character) == RUNNING for character in term) >= ENOUGH


def _context(term: str, heaviest: str, ontology: Ontology | None) -> str:
    """What makes plain which meaning of a word is meant: the concept above it, or else the heaviest term."""
    if ontology is None:
        return heaviest
    holders = [concept.name for concept in ontology.concepts if term in (concept.name, *concept.spellings())]
    above = (parent for name in holders for parent in ontology.parents.get(name, ()))
    return next((parent for parent in above if not _share_words(parent, term)), heaviest)


def _together(term: str, other: str) -> str:
    return term if _share_words(term, other) else f"{term} {other}"


def _share_words(one: str, other: str) -> bool:
    return not set(one.split()).isdisjoint(other.split())


def _distinct(queries: Iterable[str]) -> Iterator[str]:
    """Each query once, whatever the order of its words."""
    seen: set[frozenset[str]] = set()
    for query in queries:
        words = frozenset(query.split())
        if words not in seen:
            seen.add(words)
            yield query
