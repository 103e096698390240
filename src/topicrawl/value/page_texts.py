"""Similarity to a topic of the four texts of a page's links: full text, anchor, title and context.

Paper: SVSM-MCOA §3.3 and §4.1.3: a text has one similarity with each of the topic's pages, of which the largest counts.
Differs: in the paper this holds for page relevance only; here for the four texts too. The context of a link is its
anchor and the twenty words on either side. Of each text the 50 heaviest words count. Idf is refreshed whenever the
pages have doubled, and at the latest every 200 fetches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

import numpy as np

from topicrawl.frontier import Floats, Ids
from topicrawl.model import IMAGE, Page, Topic, TopicPage, ints
from topicrawl.text.link_texts import LinkTokens, spans
from topicrawl.text.vocabulary import Vocabulary
from topicrawl.topic.letters import OR
from topicrawl.topic.pages import HEAVIEST
from topicrawl.topic.wordnet import WordNet
from topicrawl.topic.words import words
from topicrawl.value.measures import MEASURES, Texts
from topicrawl.value.word_contributions import WordContributions
from topicrawl.value.word_similarity import Equality, LinSimilarity

AROUND = 20
"""Words of context on either side of an anchor."""
REFRESH = 200
"""Fetches between two refreshes, at most."""
FULL, TITLE, FIRST_LINK = range(3)
"""Places of texts: of the page, of its title, then of the anchors of links, then of their contexts."""


class Similar(NamedTuple):
    """The similarities of one page's texts to the topic, in [0, 1]; the last two have a value for each given link."""

    full: float
    title: float
    anchors: Floats
    contexts: Floats


class PageTexts:
    """Similarities by one measure to one topic; document frequencies are those of the crawl."""

    not_stored: ClassVar = ("_kind",)

    def __init__(
        self,
        topic: Topic,
        measure: str,
        wordnet: WordNet | None = None,
        *,
        least_alike: float = 0.0,
        refresh_every: int = REFRESH,
    ) -> None:
        """Without `wordnet` a word is similar to itself only; similarities below `least_alike` count as 0."""
        pages = topic.pages or (as_page(topic),)
        self._vocabulary = Vocabulary()
        self._terms = list(dict.fromkeys(word for page in pages for word, _ in page))
        numbers = self._vocabulary.numbers(self._terms)
        self._counts = _counts(pages, self._terms)
        self._numbers = numbers
        for column in self._counts.T:
            self._vocabulary.add(np.unique(numbers[column > 0]))
        self._refresh_every, self._refreshed = refresh_every, self._vocabulary.pages
        self._vocabulary.refresh()
        self._kind = MEASURES[measure]
        self._measure = self._kind(self._weights())
        similarity = LinSimilarity(self._terms, wordnet, least_alike) if wordnet else Equality(self._terms)
        self._shares = WordContributions(self._vocabulary, numbers, similarity, self._measure)

    def observe(self, page: Page, rows: Sequence[int]) -> Similar:
        """Process a page; returns the similarities of its texts, and of those of the links in these rows."""
        counted = text, word, _ = self._counted(self._texts(page, np.asarray(rows, dtype=np.int64)))
        self._vocabulary.add(word[: np.searchsorted(text, FULL, side="right")])
        if self._vocabulary.pages - self._refreshed >= min(self._refresh_every, self._refreshed):
            self._refresh()
        return self._similar(counted, len(rows))

    def compare(self, page: Page, rows: Sequence[int]) -> Similar:
        """The same of a page that was processed before: it is not counted again."""
        return self._similar(self._counted(self._texts(page, np.asarray(rows, dtype=np.int64))), len(rows))

    def _similar(self, counted: tuple[Ids, Ids, Ids], links: int) -> Similar:
        found = self._similarities(*counted, FIRST_LINK + 2 * links)
        of_links = found[FIRST_LINK:]
        return Similar(float(found[FULL]), float(found[TITLE]), of_links[:links], of_links[links:])

    def _refresh(self) -> None:
        """Update the idf of words."""
        self._vocabulary.refresh()
        self._measure = self._kind(self._weights())
        self._shares.refresh(self._measure)
        self._refreshed = self._vocabulary.pages

    def _texts(self, page: Page, rows: Ids) -> LinkTokens:
        """The words of the page, of its title, of the anchors of the links in `rows`, and of their contexts."""
        images = np.flatnonzero(np.frombuffer(page.links.flags, dtype=np.uint8)[rows] & IMAGE)
        described = (page.links.anchors[row] for row in rows[images].tolist())  # outside the text
        parts = (page.text, page.title, *described)
        numbers, starts = self._vocabulary.read("\n".join(parts))
        bounds = np.searchsorted(starts, np.cumsum([0, *(len(part) + 1 for part in parts)]))
        begin, end = bounds[:-1], bounds[1:]
        first = np.searchsorted(starts, ints(page.links.starts)[rows])
        last = np.searchsorted(starts, ints(page.links.ends)[rows])
        before, after = np.maximum(first - AROUND, 0), np.minimum(last + AROUND, end[FULL])
        anchors = FIRST_LINK + images
        texts = np.concatenate((np.arange(FIRST_LINK + 2 * len(rows)), anchors, anchors + len(rows)))
        found = spans(
            numbers,
            np.concatenate((begin[:FIRST_LINK], first, before, begin[FIRST_LINK:], begin[FIRST_LINK:])),
            np.concatenate((end[:FIRST_LINK], last, after, end[FIRST_LINK:], end[FIRST_LINK:])),
        )
        return LinkTokens(texts[found.places], found.tokens)

    def _counted(self, found: LinkTokens) -> tuple[Ids, Ids, Ids]:
        """Each word of each text once, in the order of texts, then words: text, word, and how often."""
        cells, counts = np.unique(found.places * len(self._vocabulary) + found.tokens, return_counts=True)
        return *np.divmod(cells, len(self._vocabulary)), counts

    def _similarities(self, text: Ids, word: Ids, counts: Ids, texts: int) -> Floats:
        """The similarity of each text, given by its words, with the most similar page of the topic."""
        weights = counts * self._vocabulary.rarity(word)
        kept = _heaviest(text, weights, texts)
        starts = np.searchsorted(text[kept], np.arange(texts + 1)).astype(np.int32)
        packed = Texts(starts, self._shares.rows(word[kept]), weights[kept])
        nearest: Floats = self._measure.similarities(packed, self._shares.values).max(axis=1, initial=0.0)
        return nearest

    def _weights(self) -> Floats:
        """TF*IDF of the topic's terms (rows) in its pages (columns)."""
        return self._counts * self._vocabulary.rarity(self._numbers)[:, None]


def as_page(topic: Topic) -> TopicPage:
    """A topic that is a list of terms as a page: its words, with the weights as counts."""
    weights: dict[str, float] = {}
    for term, weight in zip(topic.terms, topic.weights, strict=True):
        for word in dict.fromkeys(words(term.replace(OR, " "))):
            weights[word] = weights.get(word, 0.0) + weight
    return tuple(weights.items())


def _counts(pages: Sequence[TopicPage], terms: Sequence[str]) -> Floats:
    row = {term: number for number, term in enumerate(terms)}
    counts = np.zeros((len(terms), len(pages)))
    for column, page in enumerate(pages):
        for word, count in page:
            counts[row[word], column] = count
    return counts


def _heaviest(place: Ids, weights: Floats, texts: int) -> Ids:
    """Which cells are among the heaviest of their text, in order; of equals, those that come first."""
    lengths = np.bincount(place, minlength=texts)
    if lengths.max(initial=0) <= HEAVIEST:
        return np.arange(len(place))
    long = (lengths > HEAVIEST)[place]
    cells = np.flatnonzero(long)
    lengths = lengths[lengths > HEAVIEST]
    order = np.lexsort((-weights[cells], place[cells]))
    rank = np.arange(len(cells)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    kept = ~long
    kept[cells[order[rank < HEAVIEST]]] = True
    return np.flatnonzero(kept)
