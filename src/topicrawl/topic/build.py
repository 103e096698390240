"""Builds a topic from documents, without reading or writing files.

    documents ─► terms ─► context ─► hierarchy ─► + WordNet ─► + the user's changes ─► files of a topic folder

The models `words` and `pages` stop after the terms, whose weights are their scores. `pages` also keeps the words of
largest weight of each document. The model `learned` chooses concepts by LDA themes and adds association rules instead
of WordNet (learned.py).

Paper: FCWSEO §3, FCITS_OH §2.1.
Differs: the papers' experts prune and complete the ontology by hand; here WordNet adds edges (*is-a* and *synonym*;
it has no *induce* between nouns), and the user's changes are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import msgspec

from topicrawl.model import TopicPage
from topicrawl.topic import owl, recipe
from topicrawl.topic.corpus import Document
from topicrawl.topic.faults import validate
from topicrawl.topic.fca.context import Context
from topicrawl.topic.fca.formats import write_cxt
from topicrawl.topic.fca.hierarchy import never_synonyms, term_hierarchy
from topicrawl.topic.learned import CANDIDATES, concepts_by_themes, with_rules
from topicrawl.topic.letters import OR
from topicrawl.topic.matcher import Matcher
from topicrawl.topic.merge import merge
from topicrawl.topic.ontology import Concept, Ontology
from topicrawl.topic.pages import topic_pages, write_pages
from topicrawl.topic.recipe import FLAT, Recipe
from topicrawl.topic.terms.boilerplate import without_boilerplate
from topicrawl.topic.terms.find import find_terms
from topicrawl.topic.terms.result import Term, Terms
from topicrawl.topic.wordnet import WordNet
from topicrawl.topic.wordnet.enrich import Advice, advise

RECIPE, ONTOLOGY, CONTEXT, TERMS = "topic.toml", "ontology.ttl", "context.cxt", "terms.csv"
PAGES = "pages.txt"


@dataclass(frozen=True)
class Built:
    """The result of a build; flat models have neither context nor ontology, only `pages` has pages."""

    recipe: Recipe
    terms: Terms
    context: Context | None = None
    ontology: Ontology | None = None
    pages: tuple[TopicPage, ...] = ()

    def files(self) -> dict[str, bytes]:
        """The files of the topic's folder by name; the last, topic.toml, marks the folder as complete."""
        files = {TERMS: self.terms.csv().encode()}
        if self.context is not None and self.ontology is not None:
            files |= {CONTEXT: write_cxt(self.context).encode(), ONTOLOGY: owl.turtle(self.ontology)}
        if self.pages:
            files[PAGES] = write_pages(self.pages).encode()
        return files | {RECIPE: recipe.write(self.recipe).encode()}


def build(
    documents: Sequence[Document],
    wanted: Recipe,
    *,
    wordnet: WordNet | None = None,
    old: Ontology | None = None,
) -> Built:
    """The topic of `documents`; `old` is the ontology of an earlier build, which the user may have edited."""
    used = msgspec.structs.replace(
        wanted.build, documents=len(documents), wordnet=wordnet is not None and wanted.model == "fca"
    )
    wanted = msgspec.structs.replace(wanted, build=used)
    learns = wanted.model == "learned"
    limit = used.terms * CANDIDATES if learns else used.terms
    terms = find_terms(documents, named=[wanted.root], stop=used.stop, limit=limit, most=used.most_documents)
    if wanted.model in FLAT:
        texts = (f"{document.headline}\n{document.text}" for document in documents)
        return Built(wanted, terms, pages=topic_pages(texts) if wanted.model == "pages" else ())
    if learns:
        terms = concepts_by_themes(documents, terms, used.terms)
    context = Context.from_rows(terms.documents, terms.names, terms.rows())
    ontology = build_ontology(context, terms.terms, wanted, None if learns else wordnet)
    if learns:
        ontology = with_rules(ontology, context)
    if old is not None:
        ontology = validate(merge(old, ontology), ONTOLOGY)
    added = tuple(_user_terms(documents, terms.terms, ontology))
    return Built(wanted, replace(terms, terms=(*terms.terms, *added)), context, ontology)


def build_ontology(
    context: Context, terms: Iterable[Term], wanted: Recipe, wordnet: WordNet | None = None
) -> Ontology:
    """The terms of a corpus below the root, ordered by their documents (FCA) and enriched by WordNet."""
    concepts = tuple(Concept(term.name, {term.language or wanted.language: term.labels}) for term in terms)
    known = wordnet.are_synonyms if wordnet else never_synonyms
    ontology = Ontology(wanted.name, wanted.root, concepts, term_hierarchy(context, wanted.root, known))
    return enriched(ontology, advise(wordnet, ontology)) if wordnet else ontology


def enriched(ontology: Ontology, advice: Advice) -> Ontology:
    """The ontology with the edges that WordNet advises, without those of the lattice that these make redundant.

    WordNet's synonyms are not added as labels: on the recorded webs they did not improve page relevance, or made it
    worse (docs/evidence/topics.md).
    """
    return _reduced(replace(ontology, edges=(*ontology.edges, *advice.edges)))


def _reduced(ontology: Ontology) -> Ontology:
    """The ontology without lattice edges that are implied by a longer path to the same ancestor."""
    above, parents = ontology.ancestors, ontology.parents
    kept = tuple(
        edge
        for edge in ontology.edges
        if edge.provenance != "lattice"
        or not any(edge.parent in above[other] for other in parents[edge.child] if other != edge.parent)
    )
    return replace(ontology, edges=kept)


def _user_terms(documents: Sequence[Document], terms: Iterable[Term], ontology: Ontology) -> Iterator[Term]:
    """Counts of the concepts that only the user added, so that `check` can report those absent from the corpus."""
    found = {term.name for term in terms}
    missing = [concept for concept in ontology.concepts if concept.name not in found]
    if not missing:
        return
    matcher = Matcher([OR.join(concept.spellings()) for concept in missing])
    texts = zip(documents, without_boilerplate(documents), strict=True)
    counts = [matcher.count_text(f"{document.headline}\n{text}") for document, text in texts]
    for number, concept in enumerate(missing):
        places = tuple(document for document, count in enumerate(counts) if number in count)
        frequency = sum(count.get(number, 0) for count in counts)
        yield Term((concept.name, *concept.spellings()), "", places, frequency, score=0.0, named=True)
