"""The open catalogue of one run: search by words or by an example, list by label."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Self

import numpy as np
from pyoxigraph import Store

from topicrawl.catalogue.index import Index
from topicrawl.catalogue.snippet import snippet
from topicrawl.catalogue.state import Found, LearnedRun
from topicrawl.catalogue.triples import open_triples
from topicrawl.crawling.judged import Now, relevance_now
from topicrawl.errors import UsageError
from topicrawl.knowledge.classify import Classifier, Proof
from topicrawl.knowledge.drift import broader_names, label_sizes
from topicrawl.knowledge.learner import Learner
from topicrawl.knowledge.phrases import LENGTHS, phrase_key
from topicrawl.knowledge.similar import similar_items
from topicrawl.knowledge.spelling import Neighbours
from topicrawl.knowledge.terms import count_terms, words_of
from topicrawl.knowledge.words import terms_of
from topicrawl.page.language import spoken
from topicrawl.setup.config import Config
from topicrawl.store.disk import disk_errors
from topicrawl.store.lock import Lock
from topicrawl.store.main_texts import find_main_text
from topicrawl.store.relevance_file import read_relevance, write_relevance
from topicrawl.store.run import Run
from topicrawl.topic.letters import fold

FOLDER = "knowledge"


def asked(text: str) -> dict[str, int]:
    """The terms that `text` asks for: few words do not tell their language, so they count as written and as English."""
    if language := spoken("", text):
        return count_terms(text, language)
    words = words_of(text)
    written = {word: 1 for word, term in zip(words, terms_of("en").terms(words), strict=True) if term}
    return written | count_terms(text, "en")


class CatalogueError(UsageError):
    """A query that the catalogue of a run cannot answer."""


@dataclass(frozen=True, slots=True)
class Hit:
    """An item found by a query."""

    found: Found
    score: float
    labels: tuple[str, ...]
    snippet: str = ""
    relevance_now: float = 0.0
    """Of the page to the topic of the crawl, by all that was learned."""
    by_terms: float | None = None
    """Where the query is a page: the cosine of terms in the score, Eq. (1)."""
    by_labels: float | None = None
    """The same of labels. The score is the mean of the two, or that of terms where it is larger."""


class Hits(list[Hit]):
    """The best items of a search, and how many there are in all."""

    def __init__(self, best: Iterable[Hit], total: int) -> None:
        super().__init__(best)
        self.total = total


class Catalogue:
    """The catalogue with all visits of the run. One process at a time; close it, or use it in a `with`.

    What it learns is kept in the run; of one that cannot be written, in a folder that is deleted when it is closed.
    """

    def __init__(self, run: Run, config: Config, tick: Callable[[int], None] = lambda n: None) -> None:
        self.run, self.folder = run, run.path / FOLDER
        self._borrowed: TemporaryDirectory[str] | None = None
        if not os.access(self.folder if self.folder.exists() else run.path, os.W_OK):
            self._borrowed = TemporaryDirectory(prefix="topicrawl-")
            self.folder = Path(self._borrowed.name)
        with disk_errors(self.folder):
            self.folder.mkdir(exist_ok=True)
            self._lock = Lock(self.folder / "lock")
        try:
            self.following = LearnedRun(run, config)
            self.following.catch_up(self.folder, tick)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self.__dict__.pop("triples", None)
        self.__dict__.pop("index", None)
        self._lock.release()
        if self._borrowed is not None:
            self._borrowed.cleanup()

    @property
    def learner(self) -> Learner:
        return self.following.learner

    @property
    def found(self) -> list[Found]:
        """The items, in the order of their visits."""
        return self.following.found

    @cached_property
    def index(self) -> Index:
        """The inverted index, caught up."""
        index = Index(self.folder, self.run.id)
        index.catch_up(self.run)
        return index

    @cached_property
    def triples(self) -> Store:
        """The knowledge base, caught up."""
        return open_triples(self.folder, self.following, self.run.id)

    def search(self, text: str, *, label: str = "", most: int = 10) -> Hits:
        """The items that contain a word of `text`, best first; with `label`, only those that have it."""
        wanted = asked(text)
        if not wanted:
            raise CatalogueError(f"{text[:80]!r} holds no word that could be a term; ask with other words")
        kept = self._with_label(label) if label else None
        hits, total = self.index.search(wanted, most if kept is None else max(1, len(self.found)))
        ranked = [(self._place_of_visit[n], score) for n, score in hits if n in self._place_of_visit]
        if kept is not None:
            ranked = [(place, score) for place, score in ranked if place in kept]
            total = len(ranked)
        return Hits((self._hit(place, score, wanted) for place, score in ranked[:most]), total)

    def like(self, counts: Mapping[str, int], most: int = 10, *, but: Set[str] = frozenset()) -> list[Hit]:
        """The items most like one of these terms by Eq. (3); those at the URLs `but` left out."""
        near, first = similar_items(self.learner, counts), self.learner.queries
        scores, by_terms, by_labels = (each[0, first:] for each in (near.relevance, near.terms, near.labels))
        ranked = np.lexsort((np.arange(len(scores)), -scores)).tolist()
        kept = (place for place in ranked if scores[place] > 0 and self.found[place].url not in but)
        return [
            replace(
                self._hit(place, float(scores[place]), counts),
                by_terms=float(by_terms[place]),
                by_labels=float(by_labels[place]),
            )
            for place in islice(kept, most)
        ]

    def suggestion(self, text: str) -> str | None:
        """A spelling suggestion for `text`, if a word of it occurs in no item: the nearest words that do."""
        holders = dict(zip(self.names, self.learner.items.holders.tolist(), strict=True))
        near, words = Neighbours(name for name in holders if len(name) > 3), text.lower().split()
        best = [
            word if word in holders else max(near(word), key=lambda name: holders[name], default=word)
            for word in words
        ]
        return " ".join(best) if best != words else None

    def labels_of(self, place: int) -> tuple[str, ...]:
        """The labels of the item at this position of `found`, by name."""
        return tuple(sorted(self.names[label] for label in self.classifier.labels(*self._terms(place))))

    def label_sizes(self) -> dict[str, int]:
        """How many items have each label, the most common first."""
        return label_sizes(self.learner)

    def broader(self) -> dict[str, list[str]]:
        """The broader labels of each label that has any, by name."""
        return broader_names(self.learner)

    def proofs(self, place: int) -> list[Proof]:
        """Why an item has each of its labels."""
        item = self._terms(place)
        proofs = [self.classifier.proof(label, *item) for label in sorted(self.classifier.labels(*item))]
        return [proof for proof in proofs if proof]

    def place(self, url: str) -> int:
        """The position of the item at `url` in `found`."""
        number = self.following.number(url)
        if number is None or number < self.learner.queries:
            raise CatalogueError(f"{url} is no item of this run; give a URL as `topicrawl search` prints it")
        return number - self.learner.queries

    @cached_property
    def classifier(self) -> Classifier:
        """The model as it is now."""
        return Classifier(self.learner.model)

    @cached_property
    def names(self) -> list[str]:
        """The name of each term, by number."""
        return self.learner.items.names()

    @cached_property
    def _place_of_visit(self) -> dict[int, int]:
        return {found.n: place for place, found in enumerate(self.found)}

    def label(self, text: str) -> int:
        """The label of this name: in capitals or not, in any form of the word."""
        labels, items = self.learner.model.labels, self.learner.items
        wanted = [name for name in (text.strip(), fold(text.strip())) if name]
        for label in labels:
            if self.names[label] in wanted:
                return label
        words = words_of(text)
        phrase = [phrase_key(*words)] if len(words) in LENGTHS else []
        for term in (*phrase, *asked(text)):
            if (number := items.number(term)) in labels:
                return number
        raise CatalogueError(f"{text!r} is no label of this run; see: topicrawl labels {self.run.path}")

    def _with_label(self, label: str) -> set[int]:
        column = self.learner.model.labels.index(self.label(label))
        return set(self.learner.labels()[self.learner.queries :, column].nonzero()[0].tolist())

    def _terms(self, place: int) -> tuple[list[int], list[int]]:
        """The terms that describe an item, and others that it mentions."""
        items, number = self.learner.items, self.learner.first + self.learner.queries + place
        return items.rows.terms(number).tolist(), items.mentioned.terms(number).tolist()

    def _hit(self, place: int, score: float, wanted: Iterable[str]) -> Hit:
        found = self.found[place]
        _, _, outcome = next(self.run.told(found.n - 1))
        main = find_main_text(self.run, found.n, outcome.page).main.text if outcome.page else ""
        text = snippet(outcome.page, set(wanted), main) if outcome.page else ""
        return Hit(found, score, self.labels_of(place), text, float(self._relevance[found.n]))

    @cached_property
    def _relevance(self) -> Now:
        now = read_relevance(self.run, self.folder)
        if now is None:
            now = relevance_now(self.run)
            write_relevance(self.run, self.folder, now)
        return now
