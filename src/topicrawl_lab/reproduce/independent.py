"""A topic and a judge that share neither documents nor words, but come from one source: the text generator.

    documents about the subject, of another invented web
      ├─ every second one ─► terms ─► context ─► lattice ─► ontology ─► the topic that steers
      └─ the rest ─► terms without any word of that topic ─► the judge

A web's pages about rainstorms and tourism are written from the ontologies that topicrawl ships. Where these also steer
and judge, as in the papers, a crawler is judged by its own yardstick. Here both are found in documents, as FCWSEO §3
does it; what its experts remove by hand is what documents about other subjects have too. The documents are written
from the same ontologies, so topic and judge are mostly disjoint parts of one ontology (docs/reproduce.md has figures).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import msgspec
import numpy as np

from topicrawl.crawling.offline import OfflinePages
from topicrawl.model import Page, Topic
from topicrawl.page.relevance import PageRelevance
from topicrawl.report.metrics import Floats
from topicrawl.topic.build import Built, build
from topicrawl.topic.corpus import of_page
from topicrawl.topic.letters import OR
from topicrawl.topic.matcher import Matcher
from topicrawl.topic.recipe import Build, Recipe
from topicrawl.topic.terms.find import find_terms
from topicrawl.topic.weigh import by_corpus, by_structure
from topicrawl.web.invented import InventedWeb, invented_web

OFFSET = 2000
"""Offset from the seed of a web to that of the web of its documents: no page crawled is a document."""
DOCUMENTS, OTHERS = 40, 5
"""Documents about the subject, and about each other subject."""
TERMS = 30
"""Terms of the topic, and of the judge."""
COMMON = 0.1
"""Share of the documents about other subjects from which on a term is no term of the subject."""
CANDIDATES = 1000
WORD_WEIGHTS = (0.8, 0.5, 0.3, 0.1, 0.1)
"""Weights of five words, those of IELP."""


@dataclass(frozen=True)
class Independent:
    """The topics that steer, an ontology and five words of the same documents, and the judge."""

    built: Built
    ontology: Topic
    words: Topic
    judge: Topic
    threshold: float
    """Relevance above which the judge calls a page relevant: it tells its documents best from those of others."""

    def steering(self, model: str) -> Topic:
        return self.ontology if model == "ontology" else self.words


def independent(seed: int, subject: str) -> Independent:
    """The topic and the judge for the crawls of `invented:scale:SEED` about one of its subjects."""
    web = invented_web(f"invented:scale:{seed + OFFSET}")
    same = web.topic_spec(subject)  # in another language
    own = _pages(web, [subject], DOCUMENTS)
    others = _pages(web, [name for name in web.topics() if web.topic_spec(name) != same], OTHERS)
    steering, judging = own[::2], own[1::2]
    recipe = Recipe(
        subject, subject, "en", build=Build(terms=TERMS, most_documents=1.0, stop=_common(others))
    )
    built = build(list(map(of_page, steering)), recipe)
    assert built.ontology is not None
    ontology = by_structure(built.ontology).topic("documents")
    judge = _judge(judging, recipe, ontology)
    value = relevance(judge)
    wanted, unwanted = (np.array([value(page) for page in pages]) for pages in (judging, others))
    return Independent(built, ontology, _five_words(built, subject), judge, best_threshold(wanted, unwanted))


def relevance(topic: Topic) -> Callable[[Page], float]:
    """The relevance of pages by the terms of a topic."""
    count, value = Matcher(topic.terms).count, PageRelevance(topic)
    return lambda page: value(count(page))


def best_threshold(wanted: Floats, unwanted: Floats) -> float:
    """The value that tells two groups best apart, mean of both shares; the middle one of equally good ones.

    >>> best_threshold(np.array([0.6, 0.8]), np.array([0.1, 0.2]))
    0.4
    """
    known = np.unique([*wanted, *unwanted])
    cuts = (known[1:] + known[:-1]) / 2
    if not cuts.size:
        return 0.0
    right = [float((wanted > cut).mean() + (unwanted <= cut).mean()) for cut in cuts]
    best = [float(cut) for cut, share in zip(cuts, right, strict=True) if share == max(right)]
    return round(best[len(best) // 2], 6)


def _pages(web: InventedWeb, subjects: Iterable[str], count: int) -> list[Page]:
    """So many pages about each of `subjects`."""
    offline = OfflinePages(web)
    found = (offline.outcome(url).page for subject in subjects for url in web.seeds(subject, count))
    return [page for page in found if page is not None]


def _common(pages: Sequence[Page]) -> tuple[str, ...]:
    """The terms that documents about other subjects have too."""
    found = find_terms(list(map(of_page, pages)), limit=CANDIDATES, most=1.0)
    enough = COMMON * len(pages)
    return tuple(label for term in found.terms if len(term.documents) >= enough for label in term.labels)


def _judge(pages: Sequence[Page], recipe: Recipe, steering: Topic) -> Topic:
    """The best terms of `pages` that have no word in common with the topic that steers."""
    taken = words_of(steering)
    wide = msgspec.structs.replace(recipe.build, terms=CANDIDATES)
    found = build(list(map(of_page, pages)), msgspec.structs.replace(recipe, model="words", build=wide)).terms
    free = [term for term in found.terms if taken.isdisjoint(_words(term.labels))]
    return by_corpus(replace(found, terms=tuple(free[:TERMS])), "judge", free[0].name).topic("documents")


def _five_words(built: Built, subject: str) -> Topic:
    """The subject's name and the best four terms of the same documents, for crawlers without ontology."""
    best = sorted(
        (term for term in built.terms.terms if not term.named), key=lambda term: (-term.score, term.name)
    )
    terms = (subject, *(OR.join(term.labels) for term in best))[: len(WORD_WEIGHTS)]
    return Topic(f"{subject} words", terms, WORD_WEIGHTS[: len(terms)], "documents")


def words_of(topic: Topic) -> set[str]:
    """The single words of a topic's terms."""
    return _words(label for term in topic.terms for label in term.split(OR))


def _words(labels: Iterable[str]) -> set[str]:
    return {word for label in labels for word in label.split()}
