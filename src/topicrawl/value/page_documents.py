"""Pages as sparse vectors of four texts: all of it, its beginning, title and URL; and the latest of a crawl."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import Floats, Ids
from topicrawl.frontier.columns import Allocator, Columns
from topicrawl.model import Page
from topicrawl.value.tokens import Tokens
from topicrawl.value.vocabulary import NO_WORD

FIELDS = np.array([1.0, 0.5, 0.4, 0.2])
"""Weights of the fields: whole page, its beginning, title, URL."""
BEGINNING = 40
"""Tokens of a page's beginning."""


class Document(NamedTuple):
    """A page as a sparse vector: columns token × 4 + field, and counts. 8 bytes for each."""

    columns: npt.NDArray[np.int32]
    counts: npt.NDArray[np.int32]


class Latest:
    """The latest documents, at most `most`, concatenated in a few large arrays.

    Thousands of small arrays of different age would fragment the heap.
    """

    def __init__(self, most: int, allocator: Allocator) -> None:
        self._most = most
        self._cells = Columns(allocator, column=(np.int32, 0), count=(np.int32, 0))
        self._ends = [0]
        """The begin of the first document, then the end of each."""
        self._filled = 0

    def __len__(self) -> int:
        return len(self._ends) - 1

    def append(self, document: Document) -> None:
        """Add a document; the oldest is dropped beyond `most`."""
        end = self._filled + len(document.columns)
        if end > self._cells.size:
            self._move_up()
            end = self._filled + len(document.columns)
            self._cells.grow(max(0, end - self._cells.size))
        for name, values in zip(("column", "count"), document, strict=True):
            self._cells[name][self._filled : end] = values
        self._filled = end
        self._ends.append(end)
        del self._ends[: max(0, len(self) - self._most)]

    def __getitem__(self, place: int) -> Document:
        return self._between(self._ends[place], self._ends[place + 1])

    def all(self) -> tuple[Document, Ids]:
        """All concatenated, and where each ends, 0 first."""
        first = self._ends[0]
        return self._between(first, self._filled), np.array(self._ends) - first

    def _between(self, first: int, end: int) -> Document:
        return Document(self._cells["column"][first:end], self._cells["count"][first:end])

    def _move_up(self) -> None:
        """Move the documents over dropped ones, once these are half of all."""
        first = self._ends[0]
        if 2 * first < self._filled:
            return
        for name in ("column", "count"):
            self._cells[name][: self._filled - first] = self._cells[name][first : self._filled]
        self._filled -= first
        self._ends = [end - first for end in self._ends]


def document(tokens: Tokens, page: Page, text: Ids) -> Document:
    """`page` as a document; `text` are the tokens of its text."""
    body = text[text != NO_WORD]
    texts = (body, body[:BEGINNING], tokens.text(page.title), tokens.urls([page.url])[1])
    columns, counts = [], []
    for field, found in enumerate(texts):
        different, times = np.unique(found, return_counts=True)
        columns.append(different * len(FIELDS) + field)
        counts.append(times)
    return Document(np.concatenate(columns).astype(np.int32), np.concatenate(counts).astype(np.int32))


def joined(documents: Sequence[Document]) -> tuple[Document, Ids]:
    """Documents concatenated, and where each ends, 0 first."""
    none = np.zeros(0, np.int32)
    columns = np.concatenate([none, *(document.columns for document in documents)])
    counts = np.concatenate([none, *(document.counts for document in documents)])
    return Document(columns, counts), np.cumsum([0, *(len(document.columns) for document in documents)])


def tokens_of(document: Document) -> Ids:
    """The different tokens of the whole page, or of each of several concatenated pages."""
    whole = document.columns % len(FIELDS) == 0
    return np.compress(whole, document.columns).astype(np.int64) // len(FIELDS)


def repeated(joined: Document, ends: Ids, values: Floats) -> tuple[Ids, Floats]:
    """The different tokens of each of the documents, which end at `ends`, and for each the document's value."""
    before = np.append(0, np.cumsum(joined.columns % len(FIELDS) == 0))
    return tokens_of(joined), np.repeat(values, np.diff(before[ends]))
