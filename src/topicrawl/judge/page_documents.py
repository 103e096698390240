"""The pages of a crawl as sparse vectors: the latest as arrays, which are fitted to again and again, earlier ones
compressed, which are read once more at the end of a crawl: 1 to 2 KB a page instead of 6.

Documents are concatenated in a few large arrays, because thousands of small ones of different age would fragment the
heap.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import zstandard

from topicrawl.frontier import Floats, Ids
from topicrawl.frontier.columns import Allocator, Columns

MEMORY = 2_000
"""Latest documents, at most."""
BLOCK = 256
"""Earlier documents that are compressed together."""
LEVEL = 1
ROOM = 1 << 15
"""Cells by which there is more room, at least."""


class Document(NamedTuple):
    """A page as a sparse vector: columns token × 4 + field, and counts. 8 bytes for each."""

    columns: npt.NDArray[np.int32]
    counts: npt.NDArray[np.int32]

    def is_among(self, others: Iterable[Document]) -> bool:
        """Whether one of these documents has the same words."""
        return any(
            np.array_equal(self.columns, other.columns) and np.array_equal(self.counts, other.counts)
            for other in others
        )


class Weights(NamedTuple):
    """Weights of tokens (page_vectors.py): amounts by count, idf by token."""

    amounts: Floats
    idf: Floats


class Documents:
    """The documents of a crawl in the order of its pages; its length is that of the latest ones."""

    def __init__(self, allocator: Allocator) -> None:
        self._cells = Columns(allocator, column=(np.int32, 0), count=(np.int32, 0))
        self._ends = [0]
        """The begin of the first document that is not compressed, then the end of each."""
        self._filled = 0
        self._packed = Columns(allocator, byte=(np.uint8, 0))
        self._blocks = [0]
        """The begin of the first block of compressed documents, then the end of each."""

    def __len__(self) -> int:
        return min(len(self._ends) - 1, MEMORY)

    def append(self, document: Document) -> None:
        """Add a document. The oldest are compressed once there are `BLOCK` beyond `MEMORY`."""
        if len(self._ends) > MEMORY + BLOCK:
            self._pack_oldest()
        end = self._filled + len(document.columns)
        if end > self._cells.size:
            self._move_up()
            end = self._filled + len(document.columns)
            if end > self._cells.size:
                self._cells.grow(max(ROOM, end - self._cells.size))
        for name, values in zip(("column", "count"), document, strict=True):
            self._cells[name][self._filled : end] = values
        self._filled = end
        self._ends.append(end)

    def __getitem__(self, place: int) -> Document:
        """A document by its place among the latest."""
        place += self._older
        return self._between(self._ends[place], self._ends[place + 1])

    def replace(self, place: int, document: Document) -> None:
        """Put a document that says less in place of one of the latest; the rest is a token of no word, 0 times."""
        place += self._older
        begin, end = self._ends[place], self._ends[place + 1]
        spare = end - begin - len(document.columns)
        for name, values in zip(("column", "count"), document, strict=True):
            self._cells[name][begin : begin + spare] = 0
            self._cells[name][begin + spare : end] = values

    def latest(self) -> tuple[Document, Ids]:
        """The latest concatenated, and where each ends, 0 first."""
        return self._some(self._older, len(self._ends) - 1)

    def some(self, first: int, end: int) -> tuple[Document, Ids]:
        """Some of the latest concatenated, and where each ends, 0 first."""
        return self._some(self._older + first, self._older + end)

    def earlier(self) -> Iterator[tuple[Document, Ids]]:
        """The documents before the latest, in order, some at a time."""
        for first, end in zip(self._blocks, self._blocks[1:], strict=False):
            yield _unpacked(self._packed["byte"][first:end].tobytes())
        if self._older:
            yield self._some(0, self._older)

    @property
    def nbytes(self) -> int:
        """Bytes of the compressed documents."""
        return self._packed.size

    @property
    def _older(self) -> int:
        """Documents that are neither compressed nor among the latest."""
        return max(0, len(self._ends) - 1 - MEMORY)

    def _some(self, first: int, last: int) -> tuple[Document, Ids]:
        begin = self._ends[first]
        return self._between(begin, self._ends[last]), np.array(self._ends[first : last + 1]) - begin

    def _between(self, first: int, end: int) -> Document:
        return Document(self._cells["column"][first:end], self._cells["count"][first:end])

    def _pack_oldest(self) -> None:
        content = np.frombuffer(_packed(*self._some(0, BLOCK)), np.uint8)
        first = self._packed.grow(len(content))
        self._packed["byte"][first:] = content
        self._blocks.append(self._packed.size)
        del self._ends[:BLOCK]

    def _move_up(self) -> None:
        """Move the documents over compressed ones, once these are half of all."""
        first = self._ends[0]
        if 2 * first < self._filled:
            return
        for name in ("column", "count"):
            self._cells[name][: self._filled - first] = self._cells[name][first : self._filled]
        self._filled -= first
        self._ends = [end - first for end in self._ends]


def concatenated(documents: Sequence[Document]) -> tuple[Document, Ids]:
    """Documents concatenated, and where each ends, 0 first."""
    none = np.zeros(0, np.int32)
    columns = np.concatenate([none, *(document.columns for document in documents)])
    counts = np.concatenate([none, *(document.counts for document in documents)])
    return Document(columns, counts), np.cumsum([0, *(len(document.columns) for document in documents)])


def _packed(joined: Document, ends: Ids) -> bytes:
    """Lengths, differences of columns, which are small because columns are sorted, and counts; compressed."""
    parts = np.diff(ends), np.diff(joined.columns, prepend=0), joined.counts
    content = np.concatenate([[len(ends) - 1], *parts]).astype(np.int32)
    return zstandard.ZstdCompressor(level=LEVEL).compress(content.tobytes())


def _unpacked(content: bytes) -> tuple[Document, Ids]:
    values = np.frombuffer(zstandard.ZstdDecompressor().decompress(content), np.int32)
    ends = np.append(0, np.cumsum(values[1 : 1 + values[0]], dtype=np.int64))
    steps, counts = np.split(values[1 + values[0] :], 2)
    return Document(np.cumsum(steps, dtype=np.int32), counts), ends
