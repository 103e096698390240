"""The judge `examples`: similarity with example pages, against the pages of the crawl (rocchio.py)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import copy
from typing import ClassVar

import numpy as np

from topicrawl.frontier import Floats
from topicrawl.frontier.columns import Allocator, in_memory
from topicrawl.model import Page, Topic
from topicrawl.topic.letters import OR
from topicrawl.urls import path_parts
from topicrawl.value.judges import OwnJudge, Seen
from topicrawl.value.page_documents import Document
from topicrawl.value.rocchio import Rocchio, document
from topicrawl.value.tokens import Tokens, Words, once


class ByExamples(OwnJudge):
    """Judges by a Rocchio classifier.

    The words of the page judged last are kept: scout reads them too, and reading a page takes longer than judging it.
    """

    not_stored: ClassVar[tuple[str, ...]] = ("_last", "_last_similar")

    def __init__(self, topic: Topic, allocator: Allocator = in_memory) -> None:
        self.tokens = tokens = Tokens(allocator)
        self.topic = once(tokens.text(" ".join(term.replace(OR, " ") for term in topic.terms)))
        """The tokens of the topic's words."""
        examples = [document(tokens, page, tokens.words(page.text).tokens) for page in topic.examples]
        self.model = Rocchio(tokens, examples, self.topic, allocator)
        self._verdicts: dict[str, tuple[Document, bool]] = {}
        """By `_name` of the page."""
        self._is_concluded = False
        """Whether the pages that it judges are those it has learned."""
        self.last_learned = ""
        """The URL of the page of the crawl that was learned last."""
        self._last: tuple[Page, Words, Document] | None = None
        self._last_similar = (-1, 0.0)
        """The projection of that document, after the number of the fit that it is by."""
        if topic.unwanted:
            for page in topic.unwanted:
                self._verdicts[_name(page)] = self._read(page)[2], False
            self._mark()

    def judge(self, seen: Sequence[Seen]) -> Sequence[float]:
        is_new = not self._is_concluded
        if len(seen) == 1:
            similar = self._similar(seen[0].page)
            found = [self.model.probability(similar, seen[0].term_relevance, is_new=is_new)]
        else:
            similarities = self.model.similarities([self._read(each.page)[2] for each in seen])
            by_terms = np.array([each.term_relevance for each in seen])
            found = self.model.probabilities(similarities, by_terms, are_new=is_new).tolist()
        known = [self._verdicts.get(_name(each.page)) for each in seen]
        return [
            said if verdict is None else float(verdict[1]) for said, verdict in zip(found, known, strict=True)
        ]

    def learn(self, seen: Seen, verdict: bool | None) -> None:
        if verdict is None:
            self.follow(seen)
        else:
            self.mark([(seen, verdict)])

    def mark(self, verdicts: Sequence[tuple[Seen, bool | None]]) -> None:
        for seen, verdict in verdicts:
            if verdict is None:
                self._verdicts.pop(_name(seen.page), None)
            else:
                self._verdicts[_name(seen.page)] = self._read(seen.page)[2], verdict
        self._mark()

    def _mark(self) -> None:
        """Have the model fit to all verdicts."""
        self.model.mark(
            *([each for each, said in self._verdicts.values() if said is of] for of in (True, False))
        )

    def follow(self, seen: Seen, said: float = math.nan) -> None:
        """Learn a page of the crawl, and what a judge from outside said of it."""
        self.model.add(self._read(seen.page)[2], seen.term_relevance, said, is_chosen=_is_chosen(seen))
        self.last_learned = seen.page.url

    def concluded(self) -> ByExamples:
        other = copy(self)
        other.model, other._last, other._is_concluded = self.model.concluded(), None, True
        return other

    def again(self, by_terms: Floats) -> Floats:
        """The probability of each page of the crawl by itself, without reading it again; `by_terms` as logged."""
        latest = self.model.probabilities(*self.model.latest())
        earlier = self.model.probabilities(self.model.earlier(), by_terms[: len(by_terms) - len(latest)])
        return np.concatenate((earlier, latest))

    def note(self, seen: Seen) -> None:
        self.model.note(self._read(seen.page)[2], seen.term_relevance, is_chosen=_is_chosen(seen))

    def verdict(self, url: str) -> bool | None:
        """What a person said of the page at `url`."""
        known = self._verdicts.get(url)
        return None if known is None else known[1]

    def words(self, page: Page) -> Words:
        """The words of a page's text."""
        return self._read(page)[1]

    def strength(self, page: Page) -> float:
        """How much a page counts for the crawl; see rocchio.py."""
        return self.model.strength_at(self._similar(page))

    def _similar(self, page: Page) -> float:
        found = self._read(page)[2]
        if self._last_similar[0] != self.model.fits:
            self._last_similar = self.model.fits, float(self.model.similarities([found])[0])
        return self._last_similar[1]

    def _read(self, page: Page) -> tuple[Page, Words, Document]:
        if self._last is None or self._last[0] is not page:
            text = self.tokens.words(page.text)
            self._last = page, text, document(self.tokens, page, text.tokens)
            self._last_similar = -1, 0.0
        return self._last


def _is_chosen(seen: Seen) -> bool:
    """Whether somebody chose a page for what it says: a seed, but not the front page of a host."""
    return seen.is_seed and path_parts(seen.page.url) > 0


def _name(page: Page) -> str:
    """What tells a page from others: its URL, or its text where it has none."""
    return page.url or page.text
