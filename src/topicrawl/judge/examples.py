"""The judge `examples`: what several judges say together (calibration.py).

A Rocchio classifier compares a page with the examples and with the pages of the crawl (rocchio.py); then count its
relevance by the topic's terms, and what a person said of such pages; at the end also the relevance of similar pages.
Where the pages of the crawl fall into two groups, the border between them counts too (calibration.py).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import copy
from functools import cached_property
from typing import ClassVar, NamedTuple

import msgspec
import numpy as np

from topicrawl.frontier import Floats, Ids
from topicrawl.frontier.columns import Allocator, Columns, in_memory
from topicrawl.judge import OwnJudge, Seen
from topicrawl.judge.calibration import alone, by_terms, groups_of_each
from topicrawl.judge.furniture import FEW, Furniture, Lines
from topicrawl.judge.page_documents import Document
from topicrawl.judge.rocchio import (
    Figures,
    Placed,
    Rocchio,
    document,
    logistic,
    logistic1,
    most_of,
)
from topicrawl.model import Page, Topic
from topicrawl.page.relevance import PageRelevance
from topicrawl.text.new_words import NO_WORD
from topicrawl.text.tokens import Tokens, Words, once
from topicrawl.topic.letters import OR
from topicrawl.topic.matcher import Matcher
from topicrawl.urls import host as host_of
from topicrawl.urls import path_parts

DIGITS = 9
"""Decimals of the relevance by terms, as in the log: a judge that learns from the log is the same."""


FIRST_HOSTS = 64
"""Latest hosts whose first pages are kept until it is known what they repeat, some 20 KB a page."""


class Again(NamedTuple):
    """The judgement of each page of a crawl, without regard to the pages near it."""

    own: Floats
    """Log odds by itself."""
    are_apart: Floats
    """How clearly the pages that it is compared with are two groups (calibration.py)."""
    lift: Floats
    """Log odds that two groups add."""
    marks: Floats
    """Log odds that marks of a person add."""
    groups: Ids
    """The pages that each is compared with (script_groups.py)."""

    @property
    def relevance(self) -> Floats:
        """The probability of each."""
        return logistic(self.own + self.lift + self.marks)


class Read(NamedTuple):
    """A page that was read: its words, its document and its lines."""

    page: Page
    text: Words
    document: Document
    """Without the lines that say nothing about it (furniture.py)."""
    most: int
    """The largest count of its tokens."""
    lines: Lines


class ByExamples(OwnJudge):
    """Judges pages by their words.

    The words of the page judged last are kept: scout reads them too, and reading a page takes longer than judging it.
    """

    not_stored: ClassVar[tuple[str, ...]] = ("_last", "_last_placed", "_lifts", "_matcher")

    def __init__(self, topic: Topic, allocator: Allocator = in_memory) -> None:
        self.tokens = tokens = Tokens(allocator)
        self.topic = once(tokens.text(" ".join(term.replace(OR, " ") for term in topic.terms)))
        """The tokens of the topic's words."""
        self._terms, self._relevance = topic.terms, PageRelevance(topic)
        self._furniture = Furniture()
        self._taken = Columns(allocator, terms=(np.float64, 0.0))
        """The part of the logged relevance by terms of each page that its furniture had added."""
        self._first: dict[str, list[tuple[int, Seen]]] = {}
        """The first pages of the latest hosts, with the number of each in the crawl."""
        texts = [tokens.words(page.text) for page in topic.examples]
        for page, text in zip(topic.examples, texts, strict=True):
            self._furniture.learn(self._furniture.lines(page, text).keys)
        examples = [
            self._document(*each, is_learned=True)[0] for each in zip(topic.examples, texts, strict=True)
        ]
        self.model = Rocchio(tokens, examples, self.topic, allocator)
        self._verdicts: dict[str, tuple[Document, bool]] = {}
        """By `_name` of the page."""
        self._is_concluded = False
        """Whether the pages that it judges are those it has learned."""
        self.last_learned = ""
        """The URL of the page of the crawl that was learned last."""
        self._last: Read | None = None
        self._last_placed: tuple[int, Placed] | None = None
        """The number of a fit, and the place of that document by it."""
        self._lifts: tuple[int, list[float]] = -1, []
        """The number of a fit, and the log odds that it adds to pages of each group of scripts."""
        if topic.unwanted:
            for page in topic.unwanted:
                self._verdicts[_name(page)] = self._read(page).document, False
            self._mark()

    def judge(self, seen: Sequence[Seen]) -> Sequence[float]:
        verdicts = [self._verdicts.get(_name(each.page)) for each in seen]
        return [
            float(verdict[1]) if verdict else self._probability(each)
            for each, verdict in zip(seen, verdicts, strict=True)
        ]

    def _probability(self, seen: Seen) -> float:
        """How likely a page is relevant that nobody gave a verdict on."""
        return logistic1(self.own(seen) + self.lift(seen.page) + self._place(seen.page)[1])

    def own(self, seen: Seen) -> float:
        """The log odds of a page by itself."""
        place, terms = self._place(seen.page)[0], self._by_terms(seen, self._read(seen.page).lines)
        return float(by_terms(terms) if self.model.is_guessing else alone(place, terms, self.model.unchosen))

    def _alone(self, places: Floats, terms: Floats) -> Floats:
        """The log odds of pages by themselves."""
        if self.model.is_guessing:
            return by_terms(terms)
        return alone(places, terms, self.model.unchosen)

    def lift(self, page: Page) -> float:
        """Log odds that are added to a page where the latest pages are two groups."""
        if self._is_concluded or self.model.is_guessing:
            return 0.0
        if self._lifts[0] != self.model.fits:
            again = self._again(*self.model.fitted)
            by_group = np.zeros(int(again.groups.max(initial=0)) + 1)
            by_group[again.groups] = again.lift
            self._lifts = self.model.fits, by_group.tolist()
        lifts, group = self._lifts[1], self._placed(page).script_group
        return lifts[group] if group < len(lifts) else 0.0

    def learn(self, seen: Seen, verdict: bool | None) -> None:
        if verdict is None:
            self.follow(seen)
        else:
            self.mark([(seen, verdict)])

    def mark(self, verdicts: Sequence[tuple[Seen, bool | None]]) -> None:
        self._last = None
        for seen, verdict in verdicts:
            if verdict is None:
                self._verdicts.pop(_name(seen.page), None)
            else:
                self._verdicts[_name(seen.page)] = self._read(seen.page).document, verdict
        self._mark()

    def _mark(self) -> None:
        """Have the model fit to all verdicts."""
        self.model.mark(
            *([each for each, said in self._verdicts.values() if said is of] for of in (True, False))
        )

    def follow(self, seen: Seen, said: float = math.nan) -> None:
        """Learn a page of the crawl, and what a judge from outside said of it."""
        read, terms = self._learn_lines(seen)
        self.model.add(read.document, terms, said, is_chosen=_is_chosen(seen))
        self.last_learned = seen.page.url

    def concluded(self) -> ByExamples:
        other = copy(self)
        other.model, other._is_concluded = self.model.concluded(), True
        other._last, other._lifts = None, (-1, [])
        return other

    def again(self, terms: Floats) -> Again:
        """The judgement of each page of the crawl, not read again, by its relevance by terms (`own_terms`)."""
        return self._again(self.model.of_all(), terms)

    def own_terms(self, logged: Floats) -> Floats:
        """The relevance by terms of each page of the crawl, without its furniture, by that in the log."""
        own: Floats = logged - self._taken["terms"]
        return own

    def _again(self, figures: Figures, terms: Floats) -> Again:
        own = self._alone(figures.places, terms)
        found = np.array(groups_of_each(own, figures.script_groups))[figures.script_groups]
        return Again(own, found[:, 0], found[:, 1], figures.marks, figures.script_groups)

    def note(self, seen: Seen) -> None:
        read, terms = self._learn_lines(seen)
        self.model.note(read.document, terms, is_chosen=_is_chosen(seen))

    def verdict(self, url: str) -> bool | None:
        """The verdict of a person on the page at `url`."""
        known = self._verdicts.get(url)
        return None if known is None else known[1]

    def words(self, page: Page) -> Words:
        """The words of a page's text."""
        return self._read(page).text

    def strength(self, page: Page) -> float:
        """How much a page counts for the crawl; see rocchio.py."""
        return self.model.strength_at(*self._place(page))

    def _place(self, page: Page) -> tuple[float, float]:
        """The place of a page, and what marks add to its log odds."""
        return self._placed(page)[:2]

    def _placed(self, page: Page) -> Placed:
        read, fits = self._read(page), self.model.fits
        if self._last_placed is None or self._last_placed[0] != fits:
            self._last_placed = fits, self.model.placed(read.document, read.most)
        return self._last_placed[1]

    def _read(self, page: Page) -> Read:
        if self._last is None or self._last.page is not page:
            text = self.tokens.words(page.text)
            found, lines = self._document(page, text)
            self._last = Read(page, text, found, most_of(found.counts), lines)
            self._last_placed = None
        return self._last

    def _document(self, page: Page, text: Words, *, is_learned: bool = False) -> tuple[Document, Lines]:
        """A page as a document, without its furniture; and its lines."""
        lines = self._furniture.lines(page, text, is_learned=is_learned)
        said = np.where(lines.are_furniture[lines.of_words], NO_WORD, text.tokens)
        return document(self.tokens, page, said), lines

    def _learn_lines(self, seen: Seen) -> tuple[Read, float]:
        """Learn the lines of a page of the crawl; returns what it says, and its relevance by terms.

        The first pages of a host are read again once there are enough to know what it repeats.
        """
        read, terms = self._read(seen.page), self._by_terms(seen, self._read(seen.page).lines)
        place = self._taken.grow(1)
        self._taken["terms"][place] = round(seen.term_relevance, DIGITS) - terms
        self._furniture.learn(read.lines.keys)
        host = host_of(seen.page.url) if seen.page.url else ""
        if read.lines.pages < FEW:
            self._first.setdefault(host, []).append((place + 1, seen))
            for older in list(self._first)[:-FIRST_HOSTS]:
                del self._first[older]
        else:
            for number, first in self._first.pop(host, ()):
                self._read_again(number, first)
        return read, terms

    def _read_again(self, number: int, seen: Seen) -> None:
        """Correct what is known of a page of the crawl, by its number, now that more of its furniture is known."""
        found, lines = self._document(seen.page, self.tokens.words(seen.page.text), is_learned=True)
        terms = self._by_terms(seen, lines)
        self._taken["terms"][number - 1] = round(seen.term_relevance, DIGITS) - terms
        self.model.replace(number, found, terms)

    def _by_terms(self, seen: Seen, lines: Lines) -> float:
        """The relevance of a page by the topic's terms, without those in its furniture."""
        logged = round(seen.term_relevance, DIGITS)
        if not logged or not lines.are_furniture.any():
            return logged
        texts = seen.page.text.split("\n")
        left_out = [text for text, is_out in zip(texts, lines.are_furniture.tolist(), strict=False) if is_out]
        if not self._matcher.count_text("\n".join(left_out)):
            return logged
        kept = (
            "\n" * len(text) if is_out else text
            for text, is_out in zip(texts, lines.are_furniture.tolist(), strict=False)
        )
        counts = self._matcher.count(msgspec.structs.replace(seen.page, text="\n".join(kept)))
        return round(self._relevance(counts), DIGITS)

    @cached_property
    def _matcher(self) -> Matcher:
        return Matcher(self._terms)


def _is_chosen(seen: Seen) -> bool:
    """Whether somebody chose a page for what it says: a seed, but not the front page of a host."""
    return seen.is_seed and path_parts(seen.page.url) > 0


def _name(page: Page) -> str:
    """The key of a page: its URL, or its text where it has none."""
    return page.url or page.text
