"""A Rocchio classifier with soft negatives: pages are compared with examples and with the pages of the crawl.

A page is four texts (its first words, its beginning, title, URL), each a vector of (1 + ln tf) · idf, of length 1 and
weighed by field. The direction is the mean of the examples plus the topic's words minus the mean of pages of the crawl
that are probably not relevant (direction.py). Pages of the crawl stand in for examples that are missing (stand_ins.py).

`strengths` steer a crawl, and decide in a fit which pages are negatives: a logistic function of the projection, scaled
between the mean of those pages (0) and that of the examples (1), each compared with the others only. How likely a page
is relevant is said by calibration.py; the two differ, because a crawl finds more if pages in doubt count for more than
their probability. What a person said of pages is in both (marked_texts.py).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from copy import copy
from functools import cached_property
from typing import ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from topicrawl.floats import exp, exp1, log_counts, norm
from topicrawl.frontier import Floats, Ids
from topicrawl.frontier.columns import Allocator, in_memory
from topicrawl.judge.compact_rows import CompactRows
from topicrawl.judge.direction import KNOWN, Borders, Direction, Grouped
from topicrawl.judge.marked_texts import MarkedTexts
from topicrawl.judge.page_documents import MEMORY, Document, Documents, Weights, concatenated
from topicrawl.judge.script_groups import group_of, script_groups
from topicrawl.judge.stand_ins import FEWEST, Pages, stand_ins, stand_ins_like
from topicrawl.judge.topic_scripts import TopicScripts
from topicrawl.model import Page
from topicrawl.text.sparse_rows import SparseRows
from topicrawl.text.tokens import Tokens

try:
    from topicrawl._native import add_by_token, count_fields, count_tokens, place_fields, weigh_fields
except ImportError:  # the same in Python, several times slower
    from topicrawl.judge.page_vectors import (
        add_by_token,
        count_fields,
        count_tokens,
        place_fields,
        weigh_fields,
    )

FIELDS = np.array([1.0, 0.5, 0.4, 0.2])
"""Weights of the fields: whole page, its beginning, title, URL."""
WORDS = 1_300
"""Words of a page that are read, stop words included: with all of them a crawl finds as much; with 800, less on some
webs."""
BEGINNING = 40
"""Tokens of a page's beginning."""
TOPIC_SHARE = 0.5
"""Length of the topic's words in the direction, relative to that of the examples' whole pages."""
STEEPNESS = 6.0
"""Steepness of strengths, whose midpoint is 0.5."""
OFTEN = 4
"""Pages between two fits, at least; later a twentieth of all, and more from 500 on. Rare fits are worse: until the next
one, false positives lead the crawl to more of their kind."""
SOME = 3
"""Pages that somebody chose in a group of scripts; with more it is no better known."""
MEAN_PAGES = 3
"""Pages of mean relevance added to those that contain a token (smoothing)."""
NEVER = 1 << 62
"""Pages after which no fit is due."""
_FEW_AMOUNTS = np.append(0.0, 1 + log_counts(np.arange(1, 4_096)))


class Figures(NamedTuple):
    """Figures of pages by the classifier."""

    places: Floats
    """0 as pages that are not relevant, 1 as the examples; any number."""
    marks: Floats
    """Log odds that marks of a person add (marked_texts.py)."""
    script_groups: Ids
    """The pages that each is compared with (script_groups.py)."""


class Placed(NamedTuple):
    """`Figures` of a single page, with equal bits."""

    place: float
    marks: float
    script_group: int


class Rocchio:
    """Classifies the documents of one crawl; what it says of earlier ones changes with every fit."""

    not_stored: ClassVar = ("_space", "_scripts")

    def __init__(
        self, tokens: Tokens, examples: Sequence[Document], topic: Ids, allocator: Allocator = in_memory
    ) -> None:
        self._tokens, self._topic, self._space = tokens, topic, CompactRows()
        self._scripts, self._others = TopicScripts(tokens.vocabulary, topic), list[int]()
        self._examples = list(examples)
        self._positives: list[Document] = []
        self._negatives: list[Document] = []
        self._pages = Documents(allocator)
        self._terms: list[float] = []
        self._is_chosen: list[bool] = []
        """Whether somebody chose each of the latest pages: a seed."""
        self._written: list[int] = []
        """The scripts of each of the latest pages; none where the topic has words in one alone."""
        self._said: list[float] = []
        """Word of a judge from outside on each of the latest pages; NaN where it was not asked."""
        self.seen = 0
        """Pages of the crawl so far."""
        self.fits = 0
        self.is_taught = False
        """Whether the direction is that of a teacher of many shards (`take`)."""
        for document in examples:
            count_tokens(document.columns, tokens.vocabulary.counts())
        self._next = 1
        self.fit()

    def add(
        self, document: Document, by_terms: float, said: float = math.nan, *, is_chosen: bool = False
    ) -> None:
        """Learn a page of the crawl: its relevance by the topic's terms, and what a judge from outside said of it."""
        self.note(document, by_terms, said, is_chosen=is_chosen)
        if self.seen >= self._next:
            self.fit()

    def note(
        self, document: Document, by_terms: float, said: float = math.nan, *, is_chosen: bool = False
    ) -> None:
        """Keep a page of the crawl for the next fit. A fit depends on what was kept, not on earlier fits."""
        count_tokens(document.columns, self._tokens.vocabulary.counts())
        self._pages.append(document)
        self._terms.append(by_terms)
        self._said.append(said)
        self._is_chosen.append(is_chosen)
        if self._scripts.are_several:
            self._written.append(self._scripts.of_one(document))
        for kept in (self._terms, self._said, self._is_chosen, self._written):
            del kept[:-MEMORY]
        self.seen += 1

    def replace(self, number: int, document: Document, by_terms: float) -> None:
        """Have a page of the crawl, by its number from 1 on, say less than it seemed to; a fit is due."""
        place = number - 1 - (self.seen - len(self._pages))
        if place < 0:
            return
        before = self._pages[place]
        had = {*before.columns.tolist()}  # a later beginning may have more
        kept = np.array([column in had for column in document.columns.tolist()], np.bool_)
        document = Document(document.columns[kept], document.counts[kept])
        gone = {*_words(before).tolist()} - {*_words(document).tolist()}
        self._tokens.vocabulary.counts()[sorted(gone)] -= 1
        self._pages.replace(place, document)
        self._terms[place] = by_terms
        self._next = min(self._next, self.seen + 1)

    def mark(self, positives: Sequence[Document], negatives: Sequence[Document]) -> None:
        """Fit to these pages too, which a person called relevant and not relevant; they replace earlier ones."""
        self._positives, self._negatives = list(positives), list(negatives)
        self.fit()

    def figures(self, joined: Document, ends: Ids) -> Figures:
        """Where concatenated documents lie, and what marks add to the log odds of each."""
        similar, scales = np.zeros(len(ends) - 1), np.zeros((len(ends) - 1, len(FIELDS)))
        weights = self.weights(most_of(joined.counts))
        place_fields(*joined, ends, *weights, FIELDS, self._direction, scales, similar)
        groups = self._groups(joined, ends)
        return Figures(self._borders.places(similar, groups), self._by_marks(joined, ends), groups)

    def placed(self, page: Document, most: int) -> Placed:
        """`figures` of a single page whose largest count is `most`: faster than arrays of one."""
        similar, scales, ends = np.zeros(1), np.zeros((1, len(FIELDS))), np.array([0, len(page.columns)])
        place_fields(*page, ends, *self.weights(most), FIELDS, self._direction, scales, similar)
        group = int(group_of(np.array([self._scripts.of_one(page)]), self._others)[0]) if self._others else 0
        marks = float(self._by_marks(page, ends)[0]) if self._positives or self._negatives else 0.0
        return Placed(self._borders.place(float(similar[0]), group), marks, group)

    def of_all(self) -> Figures:
        """The figures of all pages of the crawl."""
        some = [self.figures(*some) for some in (*self._pages.earlier(), self._pages.latest())]
        return Figures(*(np.concatenate(each) for each in zip(*some, strict=True)))

    def strength_at(self, place: float, marks: float) -> float:
        """How much a page at this place counts for the crawl, in [0, 1]; `marks` is what marks add to its log odds."""
        return logistic1(STEEPNESS * (place - 0.5) + marks)

    @property
    def is_guessing(self) -> bool:
        """Whether there is nothing to compare with yet: no example, and few pages."""
        few = not self._examples and not self._positives and len(self._pages) < KNOWN
        return few and not self.is_taught

    def shown(self) -> tuple[list[Document], Floats]:
        """Examples and marked pages, and the relevance of each."""
        shown = [*self._examples, *self._positives]
        known = np.repeat([1.0, 0.0], [len(shown), len(self._negatives)])
        return [*shown, *self._negatives], known

    def rows(self) -> SparseRows:
        """The latest pages as rows."""
        return self.matrix(*self._pages.latest())

    def earlier(self) -> Iterator[tuple[Document, Ids]]:
        """The pages before the latest, concatenated, some at a time."""
        return self._pages.earlier()

    def concluded(self) -> Rocchio:
        """A copy that is fitted to all that was learned so far; this one stays as it is."""
        other = copy(self)
        other._tokens, other._space = self._tokens.copy(), CompactRows()
        other.fit()
        return other

    def fit(self) -> None:
        """Fit to what was learned so far.

        Projections on the parts of the direction are added, instead of the parts, which are as long as the vocabulary.
        """
        if self.is_taught:
            self._place_again()
            return
        self._tokens.vocabulary.refresh()
        self.__dict__.pop("_marked", None)  # by the idf of this fit
        shown = self._all_shown()
        of_shown, of_pages = self._groups(*concatenated(shown)), self._groups_of_latest()
        examples, pages, used = self._compact(shown)
        groups = 1 + len(self._others)
        fitting = Direction(Grouped(examples, of_shown), Grouped(pages, of_pages), groups, self._space)
        direction = np.zeros(len(self._tokens) * len(FIELDS))
        direction[used] = fitting.centre
        topic = self._pull_to_topic(direction)
        marks = self._by_marks(*self._pages.latest())

        def strengths(similar: Floats, borders: Borders) -> Floats:
            return self._strengths(borders.places(similar, of_pages), marks)

        direction[used], self._borders, similar = fitting.fit(direction[used], topic or 1.0, strengths)
        self._direction = direction
        self.strengths = strengths(similar, self._borders)
        """How much each of the latest pages counts, by this fit."""
        self.fitted = Figures(self._borders.places(similar, of_pages), marks, of_pages), np.array(self._terms)
        """The figures of the latest pages by this fit, and their relevances by terms."""
        self.body = self._body()
        """The weight of each token in the similarity of a text with relevant pages; the last is for later tokens."""
        self.company = self._company()
        self.fits += 1
        self._next = self.seen + (1 if self.seen < KNOWN else _gap(self.seen))

    def _all_shown(self) -> list[Document]:
        """Examples, pages that a person called relevant, and pages that stand in for more."""
        shown, marked = [*self._examples, *self._positives], [*self._positives, *self._negatives]
        pages = Pages(
            np.array(self._terms),
            np.array(self._is_chosen, np.bool_),
            lambda page: not self._pages[page].is_among(marked),
        )
        found = self._stand_ins(pages, self._scripts.of(*concatenated(shown)), has_marks=bool(marked))
        chosen = len(shown) + sum(self._is_chosen[page] for page in found)
        self.unchosen = max(FEWEST - chosen, 0) / FEWEST
        """The share of the `FEWEST` examples that nobody chose: neither examples, marked pages nor seeds."""
        return shown + [self._pages[page] for page in found]

    def _stand_ins(self, pages: Pages, of_shown: Ids, *, has_marks: bool) -> list[int]:
        """Pages that stand in for examples, by number; and which pages are compared with which."""
        if not self._scripts.are_several:
            return stand_ins(pages, np.ones(len(pages.terms), np.bool_), len(of_shown), has_marks=has_marks)
        of_pages = np.array(self._written, np.int64)
        about = pages.terms > 0
        chosen = np.append(of_shown, of_pages[about & pages.is_chosen])

        def known(group: int) -> tuple[int, int]:
            return min(int(np.count_nonzero(chosen & group)), SOME), int(
                np.count_nonzero(of_pages[about] & group)
            )

        groups = script_groups(np.append(of_shown, of_pages))
        self._others = sorted(groups, key=known, reverse=True)[1:]
        of_shown, of_pages = group_of(of_shown, self._others), group_of(of_pages, self._others)
        shown = np.bincount(of_shown, minlength=1 + len(self._others)).tolist()
        first = of_pages == 0
        found = stand_ins(pages, first, shown[0], has_marks=has_marks)
        for group, number in enumerate(shown[1:], 1):
            found += stand_ins_like(first, pages, of_pages == group, number)
        return found

    def _groups(self, joined: Document, ends: Ids) -> Ids:
        """The group of each of concatenated documents (direction.py)."""
        if not self._others:
            return np.zeros(len(ends) - 1, np.int64)
        return group_of(self._scripts.of(joined, ends), self._others)

    def _groups_of_latest(self) -> Ids:
        """The group of each of the latest pages."""
        if not self._others:
            return np.zeros(len(self._pages), np.int64)
        return group_of(np.array(self._written, np.int64), self._others)

    def _compact(self, shown: Sequence[Document]) -> tuple[SparseRows, SparseRows, Ids]:
        """These documents and the latest pages as rows of the columns that occur, and what these are."""
        parts = concatenated(shown), self._pages.latest()
        weighed = [(joined, ends, self.weights(most_of(joined.counts))) for joined, ends in parts]
        rows, used = self._space.rows(weighed, FIELDS, len(self._tokens) * len(FIELDS))
        return rows[0], rows[1], used.astype(np.int64)

    def _body(self) -> Floats:
        """The direction of whole pages, of length 1, and 0 for later tokens."""
        body = np.append(self._direction[:: len(FIELDS)], 0.0)
        body[:-1] /= max(norm(body[:-1]), 1e-12)
        return body

    def take(
        self, direction: Floats, borders: Borders, others: Sequence[int], unchosen: float, company: Floats
    ) -> None:
        """Use what was fitted elsewhere, from now on instead of fits of its own; the vocabulary has its idf."""
        self.is_taught = True
        self._direction, self._borders, self._others = direction, borders, list(others)
        self.unchosen, self.company = unchosen, company
        self._place_again()

    def _place_again(self) -> None:
        """Compute what follows from a direction that was given."""
        self._tokens.vocabulary.refresh()
        self.__dict__.pop("_marked", None)
        rows = self.rows()
        self._direction = np.append(self._direction, np.zeros(rows.width - len(self._direction)))
        latest = self._pages.latest()
        groups, marks = self._groups_of_latest(), self._by_marks(*latest)
        places = self._borders.places(rows.times(self._direction), groups)
        self.strengths = self._strengths(places, marks)
        self.fitted = Figures(places, marks, groups), np.array(self._terms)
        self.body = self._body()
        self.fits += 1
        self._next = NEVER

    @property
    def given(self) -> tuple[Floats, Borders, Sequence[int]]:
        """What `take` takes: the direction, its borders, and the scripts of groups after the first."""
        return self._direction, self._borders, self._others

    def page_at(self, number: int) -> tuple[Document, float, float, bool] | None:
        """A page by its number from 1 on: document, relevance by terms, what a judge from outside said, is it chosen.

        None if it is not among the latest.
        """
        place = number - 1 - (self.seen - len(self._pages))
        if number < 1 or not 0 <= place < len(self._pages):
            return None
        return self._pages[place], self._terms[place], self._said[place], self._is_chosen[place]

    def _company(self) -> Floats:
        """Relevance above the mean of the crawl of pages that contain a token, examples included.

        The last value, 0, is for later tokens.
        """
        mean = float(self.strengths.mean()) if len(self._pages) else 1.0
        shown = [*self._examples, *self._positives]
        sums, counts = np.zeros(len(self._tokens) + 1), np.zeros(len(self._tokens) + 1)
        for (joined, ends), beyond in (
            (self._pages.latest(), self.strengths - mean),
            (concatenated(shown), np.full(len(shown), 1 - mean)),
        ):
            add_by_token(joined.columns, ends, beyond, sums, counts)
        counts += MEAN_PAGES
        sums /= counts
        return sums

    def _pull_to_topic(self, direction: Floats) -> float:
        """Add the topic's words on whole pages; returns the length of what was added."""
        length = TOPIC_SHARE * (norm(direction[:: len(FIELDS)]) or 1.0)
        if not len(self._topic):
            return 0.0
        direction[self._topic * len(FIELDS)] += length / math.sqrt(len(self._topic))
        return length

    def _strengths(self, places: Floats, marks: Floats) -> Floats:
        """How much each of the latest pages counts: by its place and marks, or by what a judge from outside said."""
        said = np.array(self._said)
        return np.where(np.isnan(said), logistic(STEEPNESS * (places - 0.5) + marks), said)

    @cached_property
    def _marked(self) -> MarkedTexts:
        marked = concatenated([*self._positives, *self._negatives])
        are_relevant = [True] * len(self._positives) + [False] * len(self._negatives)
        return MarkedTexts(self._texts(*marked), are_relevant)

    def _by_marks(self, documents: Document, ends: Ids) -> Floats:
        """Log odds that marks add to concatenated documents."""
        if not self._positives and not self._negatives:
            return np.zeros(len(ends) - 1)
        return self._marked.log_odds(self._texts(documents, ends))

    def _texts(self, documents: Document, ends: Ids) -> SparseRows:
        """The whole pages of concatenated documents, without their other fields, as rows of length 1."""
        whole = documents.columns % len(FIELDS) == 0
        kept = Document(documents.columns[whole], documents.counts[whole])
        ends = np.append(0, np.cumsum(whole))[ends]
        return SparseRows(self._values(kept, ends), kept.columns // len(FIELDS), ends, len(self._tokens))

    def matrix(self, joined: Document, ends: Ids) -> SparseRows:
        """Concatenated documents as rows that end at `ends`, with the idf of the last fit."""
        width = len(self._tokens) * len(FIELDS)
        return SparseRows(self._values(joined, ends), joined.columns, ends, width)

    def _values(self, joined: Document, ends: Ids) -> Floats:
        """The weight of each token of concatenated documents, those of a field of length 1 times the field's weight."""
        values = np.zeros(len(joined.columns))
        weigh_fields(*joined, ends, *self.weights(most_of(joined.counts)), FIELDS, values)
        return values

    def weights(self, most: int) -> Weights:
        """The weights of tokens by the latest fit; amounts for counts up to `most`."""
        return Weights(_amounts(most), self._tokens.vocabulary.idf)


def _gap(pages: int) -> int:
    """Pages between two fits after so many: 25 after 500, 75 after 1,000, 175 after 2,000."""
    return max(OFTEN, pages // 20, pages // 10 - 25)


def logistic(steps: Floats) -> Floats:
    """1 / (1 + e⁻ˣ)."""
    risen: Floats = 1 / (1 + exp(-np.clip(steps, -30, 30)))
    return risen


def logistic1(steps: float) -> float:
    """`logistic` of a single number, with equal bits."""
    return 1 / (1 + exp1(-min(max(steps, -30.0), 30.0)))


def document(tokens: Tokens, page: Page, text: Ids) -> Document:
    """`page` as a document; `text` are the tokens of its text that say something about it."""
    title, url = tokens.vocabulary.read(page.title)[0], tokens.vocabulary.read_urls([page.url])[1]
    columns, counts = count_fields(BEGINNING, text[:WORDS], title, url)
    return Document(np.frombuffer(columns, np.int32), np.frombuffer(counts, np.int32))


def _words(page: Document) -> Ids:
    """The tokens of the whole text of a document."""
    words: Ids = page.columns[(page.columns % len(FIELDS) == 0) & (page.counts > 0)].astype(np.int64) // len(
        FIELDS
    )
    return words


def most_of(counts: npt.NDArray[np.int32]) -> int:
    """The largest of the counts of documents."""
    return int(np.maximum.reduce(counts, initial=0))


def _amounts(most: int) -> Floats:
    """1 + ln n for all n from 1 to `most`, and 0 for 0."""
    return (
        _FEW_AMOUNTS if most < len(_FEW_AMOUNTS) else np.append(0.0, 1 + log_counts(np.arange(1, most + 1)))
    )
