"""The items known so far, by number: the terms that describe each, and the document frequencies of terms.

An item is described by its words of the highest tf-idf when it was added (after counting all items of its batch), and
by its best phrases, which count for labels but not for similarity. Its description does not change later, but the
weights of terms follow their idf.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from topicrawl.floats import log_counts
from topicrawl.frontier.columns import Columns
from topicrawl.knowledge.idf import ORDINARY, Floats, rarity, usual_shares
from topicrawl.knowledge.nameless import abbreviations, names_nothing
from topicrawl.knowledge.names import Forms, Votes
from topicrawl.knowledge.phrases import JOINER, is_phrase
from topicrawl.knowledge.sparse_rows import Rows
from topicrawl.model import Ints

SAID_ONCE_IN = 150
"""Words, stop words not counted, among which a term is said once at least to be mentioned: long pages touch much."""
Counts = Mapping[str, int]
"""Term -> occurrences in an item."""


class Items:
    """A growing table; terms are numbers too, `terms[number]` is a term's key, `names()[number]` what it is called."""

    def __init__(
        self, most_terms: int = 30, ordinary: int = ORDINARY, phrases: int = 0, mentions: int = 0
    ) -> None:
        self.terms: list[str] = []
        self.rows = Rows()
        self.mentioned = Rows()
        """Terms that do not describe an item but that it says, outside phrases, `mentions` times and once in
        `SAID_ONCE_IN` words, or more often; none where `mentions` is 0."""
        self.forms = Votes()
        self._number: dict[str, int] = {}
        self._phrases_with: dict[int, list[int]] = {}
        self._most = most_terms
        self._phrases, self._mentions = phrases, mentions
        self._ordinary = ordinary
        self._facts = Columns(
            holders=(np.int32, 0),
            usual=(np.float32, 0.0),
            phrase=(np.bool_, False),
            generic=(np.bool_, False),
        )

    def __len__(self) -> int:
        return len(self.rows)

    def number(self, term: str) -> int | None:
        """The number of a term, None where no item has it."""
        return self._number.get(term)

    def phrases_with(self, word: int) -> list[int]:
        """The phrases that a word is a part of, by number."""
        return self._phrases_with.get(word, [])

    def names(self) -> list[str]:
        """The name of each term."""
        return self.forms.names(self.terms)

    def add(self, batch: Sequence[Counts], forms: Sequence[Forms] = ()) -> range:
        """Add a batch of items, and how each writes its terms; returns their numbers."""
        if not self._phrases:
            batch = [words_in(counts) for counts in batch]
        numbers = [self._numbers(counts) for counts in batch]
        for known in numbers:
            self._facts["holders"][known] += 1
        first, total = len(self), len(self) + len(batch)
        for known, counts in zip(numbers, batch, strict=True):
            times = np.fromiter(counts.values(), np.int32, len(counts))
            chosen = self._best_terms(known, times, total)
            self.rows.append(known[chosen], times[chosen])
            self._mention(known, counts, chosen)
        for item, written in zip(range(first, total), forms, strict=False):
            for term in self.rows.terms(item).tolist():
                self.forms.add(term, written.get(self.terms[term], self.terms[term]))
        return range(first, total)

    @property
    def holders(self) -> Ints:
        """How many items contain each term, whether or not it describes them."""
        return self._facts["holders"]

    @property
    def phrases(self) -> npt.NDArray[np.bool_]:
        """Which terms are phrases."""
        return self._facts["phrase"]

    def begin(self, terms: Sequence[str], holders: npt.ArrayLike) -> None:
        """Set terms and the number of items that contain each, before any item is added."""
        numbers = self._numbers(dict.fromkeys(terms, 0))
        self._facts["holders"][numbers] = holders

    def rarities(self) -> Floats:
        """The idf of every term now."""
        return rarity(self.holders, len(self), self._facts["usual"], self._ordinary)

    def label_rarities(self) -> Floats:
        """The idf of terms that may be labels; 0 for words that name nothing by themselves."""
        rare = np.where(self._facts["generic"], 0.0, self.rarities())
        for key, words in abbreviations().items():
            if (number := self.number(key)) is not None and self.forms.says(number, key, words):
                rare[number] = 0.0
        return rare

    def presence(self, first: int = 0) -> sparse.csr_matrix:
        """Items from `first` on by terms: 1 where a term describes an item."""
        terms, _, bounds = self.rows.flat(first)
        return self._matrix(np.ones(len(terms), np.float32), terms, bounds)

    def mentions(self, first: int = 0) -> sparse.csr_matrix:
        """Items from `first` on by terms: 1 where an item mentions a term that does not describe it."""
        terms, _, bounds = self.mentioned.flat(first)
        return self._matrix(np.ones(len(terms), np.float32), terms, bounds)

    def said(self, first: int = 0) -> sparse.csr_matrix:
        """Items from `first` on by terms: how often an item says a term that describes it or that it mentions."""
        described, mentioned = self.rows.flat(first), self.mentioned.flat(first)
        matrices = [self._matrix(times, terms, bounds) for terms, times, bounds in (described, mentioned)]
        return sparse.csr_matrix(matrices[0] + matrices[1])

    def vectors(self, first: int = 0) -> sparse.csr_matrix:
        """Items from `first` on by words: tf-idf, each row of length 1 (or 0 where every idf is 0)."""
        terms, times, bounds = self.rows.flat(first)
        rare = np.where(self.phrases, 0.0, self.rarities())
        return unit_rows(self._matrix(weighed(times, rare[terms]), terms, bounds))

    def described(self, counts: Counts) -> dict[int, float]:
        """The vector of a text as if it were an item: its words of highest tf-idf, of length 1.

        Words that no item has count in the choice and in the length only.
        """
        counts = words_in(counts)
        names, numbers = list(counts), [self._number.get(term, -1) for term in counts]
        places, fresh = np.array(numbers, np.int64), [term for term in counts if term not in self._number]
        known = places >= 0
        usual, holders = np.zeros(len(names)), np.zeros(len(names))
        usual[known], usual[~known] = self._facts["usual"][places[known]], usual_shares(fresh)
        holders[known] = self.holders[places[known]]
        rare = rarity(holders, len(self), usual, self._ordinary)
        weights = weighed(np.fromiter(counts.values(), np.int64, len(counts)), rare)
        best = np.argsort(-weights, kind="stable")[: self._most].tolist()
        length = math.sqrt(sum(float(weights[place]) ** 2 for place in best))
        return {
            numbers[place]: float(weights[place]) / length
            for place in best
            if known[place] and weights[place] > 0
        }

    def labelled_by(self, counts: Counts) -> tuple[list[int], list[int]]:
        """The known terms that would describe a text if it were an item, and those that it would mention."""
        known = {number: times for term, times in counts.items() if (number := self.number(term)) is not None}
        numbers = np.fromiter((number for number in known if self.phrases[number]), np.int32)
        times = np.array([known[number] for number in numbers.tolist()], np.int32)
        phrases = numbers[self._best_terms(numbers, times, len(self))].tolist()
        often = (self._number.get(term) for term in self._often(counts))
        return [*self.described(counts), *phrases], [number for number in often if number is not None]

    def _often(self, counts: Counts) -> set[str]:
        """The terms that a text says often enough to mention them."""
        if not self._mentions:
            return set()
        least = max(self._mentions, sum(words_in(counts).values()) / SAID_ONCE_IN)
        return {term for term, times in said_alone(counts).items() if times >= least}

    def _mention(self, terms: Ints, counts: Counts, chosen: npt.NDArray[np.int64]) -> None:
        described, often = set(terms[chosen].tolist()), self._often(counts)
        found = [
            (number, times)
            for number, (term, times) in zip(terms.tolist(), counts.items(), strict=True)
            if term in often and number not in described
        ]
        self.mentioned.append([number for number, _ in found], [times for _, times in found])

    def _numbers(self, counts: Counts) -> Ints:
        fresh = [term for term in counts if term not in self._number]
        if fresh:
            first = self._facts.grow(len(fresh))
            self._facts["usual"][first:] = usual_shares(fresh)
            self._facts["phrase"][first:] = list(map(is_phrase, fresh))
            self._facts["generic"][first:] = list(map(names_nothing, fresh))
            self._number.update(zip(fresh, range(first, first + len(fresh)), strict=True))
            self.terms.extend(fresh)
            self._part(fresh)
        return np.fromiter(map(self._number.__getitem__, counts), np.int32, len(counts))

    def _part(self, terms: Iterable[str]) -> None:
        """Record the words of those of `terms` that are phrases."""
        for phrase in filter(is_phrase, terms):
            for part in phrase.split(JOINER):
                if (word := self.number(part)) is not None:
                    self._phrases_with.setdefault(word, []).append(self._number[phrase])

    def _best_terms(self, terms: Ints, times: Ints, items: int) -> npt.NDArray[np.int64]:
        """The places of the words, then of the phrases, with the highest tf-idf; among equals the older term first."""
        rare = rarity(self.holders[terms], items, self._facts["usual"][terms], self._ordinary)
        weights = weighed(times, rare)
        order = np.lexsort((terms, -weights))
        order, phrase = order[weights[order] > 0], self.phrases[terms]
        return np.concatenate((order[~phrase[order]][: self._most], order[phrase[order]][: self._phrases]))

    def _matrix(
        self, values: npt.NDArray[np.number], terms: Ints, bounds: npt.NDArray[np.int64]
    ) -> sparse.csr_matrix:
        return sparse.csr_matrix((values, terms, bounds), shape=(len(bounds) - 1, len(self.terms)))


def words_in(counts: Counts) -> Counts:
    """The terms that are words, without phrases."""
    return {term: times for term, times in counts.items() if not is_phrase(term)}


def said_alone(counts: Counts) -> dict[str, int]:
    """How often each term is said outside the phrases of the text: *pacific*, not as a part of *southern pacific*."""
    alone = dict(counts)
    for phrase, times in counts.items():
        for word in phrase.split(JOINER) if is_phrase(phrase) else ():
            alone[word] = alone.get(word, 0) - times
    return alone


def unit_rows(matrix: sparse.csr_matrix) -> sparse.csr_matrix:
    """The matrix with every row scaled to length 1; rows of zeros stay."""
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    lengths = np.sqrt(np.bincount(rows, matrix.data.astype(np.float64) ** 2, minlength=matrix.shape[0]))[rows]
    values = np.divide(matrix.data, lengths, out=np.zeros(len(rows)), where=lengths > 0)
    return sparse.csr_matrix((values, matrix.indices, matrix.indptr), shape=matrix.shape)


def merged(texts: Iterable[Counts]) -> dict[str, int]:
    """The terms of several texts as if they were one."""
    total: dict[str, int] = {}
    for counts in texts:
        for term, times in counts.items():
            total[term] = total.get(term, 0) + times
    return total


def weighed(times: npt.NDArray[np.integer[Any]], rarities: Floats) -> Floats:
    """tf-idf of terms that occur `times` times in an item: tf = 1 + ln(times)."""
    weights: Floats = (1.0 + log_counts(np.maximum(times, 1))) * rarities
    return weights
