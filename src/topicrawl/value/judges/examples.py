"""The judge `examples`: similarity with example pages, against the pages of the crawl (rocchio.py)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from topicrawl.frontier.columns import Allocator, in_memory
from topicrawl.model import Page, Topic
from topicrawl.topic.letters import OR
from topicrawl.value.judges import OwnJudge, Seen
from topicrawl.value.rocchio import Document, Rocchio, document, probability, strength
from topicrawl.value.tokens import Tokens, Words


class ByExamples(OwnJudge):
    """Judges by a Rocchio classifier.

    The words of the page judged last are kept: scout reads them too, and reading a page takes longer than judging it.
    """

    def __init__(self, topic: Topic, allocator: Allocator = in_memory) -> None:
        self.tokens = tokens = Tokens(allocator)
        self.topic = np.unique(tokens.text(" ".join(term.replace(OR, " ") for term in topic.terms)))
        """The tokens of the topic's words."""
        examples = [document(tokens, page, tokens.words(page.text).tokens) for page in topic.examples]
        self.model = Rocchio(tokens, examples, self.topic, allocator)
        self._verdicts: dict[str, tuple[Document, bool]] = {}
        """By URL of the page, or by its text where it has none."""
        self.latest = ""
        """The URL of the page of the crawl that was learned last."""
        self._last: tuple[Page, Words, Document] | None = None
        self._last_place = (-1, 0.0)
        """The place of that document, after the number of the fit it was found by."""

    def judge(self, seen: Sequence[Seen]) -> Sequence[float]:
        return [self._probability(each.page) for each in seen]

    def learn(self, seen: Seen, verdict: bool | None) -> None:
        name = seen.page.url or seen.page.text
        if verdict is None and name not in self._verdicts:
            self.follow(seen)
            return
        if verdict is None:
            del self._verdicts[name]
        else:
            self._verdicts[name] = self._read(seen.page)[2], verdict
        self.model.mark(
            *([each for each, said in self._verdicts.values() if said is of] for of in (True, False))
        )

    def follow(self, seen: Seen, said: float = math.nan) -> None:
        """Learn a page of the crawl, and what a judge from outside said of it."""
        self.model.add(self._read(seen.page)[2], seen.term_relevance, said)
        self.latest = seen.page.url

    def conclude(self) -> None:
        self.model.fit()

    def note(self, seen: Seen) -> None:
        """Learn a page of the crawl without a fit: `conclude` has to follow."""
        self.model.note(self._read(seen.page)[2], seen.term_relevance)

    def words(self, page: Page) -> Words:
        """The words of a page's text."""
        return self._read(page)[1]

    def strength(self, page: Page) -> float:
        """How much a page counts for the crawl; see rocchio.py."""
        return float(strength(np.array([self._place(page)]))[0])

    def _probability(self, page: Page) -> float:
        known = self._verdicts.get(page.url or page.text)
        return probability(self._place(page)) if known is None else float(known[1])

    def _place(self, page: Page) -> float:
        found = self._read(page)[2]
        if self._last_place[0] != self.model.fits:
            self._last_place = self.model.fits, self.model.place(found)
        return self._last_place[1]

    def _read(self, page: Page) -> tuple[Page, Words, Document]:
        if self._last is None or self._last[0] is not page:
            text = self.tokens.words(page.text)
            self._last = page, text, document(self.tokens, page, text.tokens)
            self._last_place = -1, 0.0
        return self._last
