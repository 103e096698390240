"""A short document for every link: the tokens of its texts on all visited pages, each once, with its best place.

One row of fixed width a link: tokens of better places replace others, and among equals the oldest stay. 5 bytes a
token.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from topicrawl.floats import norm
from topicrawl.frontier import Floats, Ids
from topicrawl.frontier.columns import Allocator, Columns, in_memory
from topicrawl.model import Page
from topicrawl.value.link_texts import anchors, headings
from topicrawl.value.sparse_rows import SparseRows
from topicrawl.value.tokens import Words

try:
    from topicrawl._native import add_link_texts, add_names, add_to_documents, weigh_documents
except ImportError:  # the same in Python, many times slower
    from topicrawl.value.document_rows import add_link_texts, add_names, add_to_documents, weigh_documents

WIDTH = 64
"""Tokens of a document, at most."""
AROUND, KIND, HEADING, ANCHOR = 1, 2, 3, 4
"""Places of tokens, the best last; words of the URL count as those of the anchor, parts of names as words around."""
WEIGHTS = np.array([0.0, 0.3, 0.5, 0.5, 1.0])
"""Weight of a token by its place."""
NAME = 16
"""Tokens of a name, at most."""
_AMOUNTS = np.stack((WEIGHTS, np.arange(len(WEIGHTS)) == ANCHOR), axis=1)
_MOST = np.array([WIDTH, NAME])
"""Amounts by place and number of tokens, of texts and of names."""
_TEXT_PLACES = np.array([ANCHOR, HEADING, AROUND], np.uint8)
NEVER = 0
"""The number of no weights."""
CHUNK = 4_000
"""Documents that are read at a time."""

Bytes = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]


def stacked(*weights: Floats) -> Floats:
    """Weights of tokens as the columns of a table; the last of each is for all later tokens."""
    table = np.empty((max(map(len, weights)), len(weights)))
    for column, each in zip(table.T, weights, strict=True):
        column[: len(each)], column[len(each) :] = each, each[-1]
    return table


class Name(NamedTuple):
    """A document that is no link's: its tokens, and the place of each."""

    tokens: Ids
    places: Ids


class LinkDocuments:
    """Documents by link number.

    It is kept by which weights a document was last weighed: as long as neither changes, its sums stay the same.
    """

    not_stored: ClassVar = ("_weighed",)

    def __init__(self, allocator: Allocator = in_memory) -> None:
        tokens, places = (np.int32, (WIDTH,)), (np.uint8, (WIDTH,))
        self._documents = Columns(allocator, tokens=(tokens, 0), places=(places, 0), size=(np.uint8, 0))
        self._weighed = Columns(allocator, by=(np.int32, NEVER), token=(np.float32, 0.0))
        """The number of the weights, and the predicted relevance (link_words.py)."""

    def add(self, links: Ids, tokens: Ids, places: Ids) -> None:
        """Add tokens[i] at places[i] to the document of links[i]; a link may occur many times."""
        if len(links):
            self._grow(int(links.max()) + 1)
            add_to_documents(*self._rows, links, tokens, places)
            self._weighed["by"][links] = NEVER

    def add_names(self, links: Ids, names: list[bytes]) -> None:
        """Add the tokens of names[i] to the document of links[i] (document_rows.py)."""
        self._grow(int(links.max(initial=-1)) + 1)
        add_names(*self._rows, links, names)
        self._weighed["by"][links] = NEVER

    def add_texts(
        self, page: Page, rows: Ids, links: Ids, waits: Flags, text: Words, topic: Bytes
    ) -> tuple[Ids, Bytes]:
        """Add anchors, headings and words around the links in `rows` of a page to the documents of those that wait.

        Returns the number of the heading above each, 0 for none, and flags `ABOUT_ANCHOR` and `ABOUT_HEADING`. `topic`
        says of the first tokens which are words of the topic.
        """
        below, about = np.zeros(len(links), np.int64), np.zeros(len(links), np.uint8)
        if len(links):
            self._grow(int(links.max()) + 1)
            on_page = *anchors(page, rows), *text, *headings(page)
            add_link_texts(*self._rows, links, waits, *on_page, topic, _TEXT_PLACES, below, about)
            self._weighed["by"][links] = NEVER
        return below, about

    def of(self, link: int) -> tuple[npt.NDArray[np.int32], Bytes]:
        """The tokens of a link's document, and their places."""
        self._grow(link + 1)
        tokens, places, sizes = self._rows
        return tokens[link, : sizes[link]], places[link, : sizes[link]]

    def not_weighed(self, links: Ids, by: int) -> Ids:
        """Those of these links that were not weighed by these weights as they are now; from here on they are."""
        self._grow(int(links.max(initial=-1)) + 1)
        weighed = self._weighed["by"]
        others: Ids = links[weighed[links] != by]
        weighed[others] = by
        return others

    @property
    def predicted(self) -> npt.NDArray[np.float32]:
        """The relevance predicted for each link, minus the mean."""
        column: npt.NDArray[np.float32] = self._weighed["token"]
        return column

    def weigh(self, links: Ids, table: Floats, *, names: int = 0) -> Floats:
        """For each column of `table`, weights of tokens, a row: its dot product with each link's document of length 1.

        The last row of the table is for all tokens beyond the end. The last `names` columns weigh names: tokens of
        anchor and URL alone.
        """
        self._grow(int(links.max(initial=-1)) + 1)
        texts = table.shape[1] - names
        found = np.zeros((texts + names, len(links)))
        amounts = np.repeat(_AMOUNTS, [texts, names], axis=1)
        most = np.repeat(_MOST, [texts, names])
        weigh_documents(*self._rows, amounts, most, links, found, table)
        return found

    @property
    def _rows(self) -> tuple[npt.NDArray[np.int32], Bytes, Bytes]:
        return self._documents["tokens"], self._documents["places"], self._documents["size"]

    def rows(self, links: Ids, tokens: int, more: Sequence[Name] = ()) -> SparseRows:
        """The documents of links as rows of length 1, followed by `more` documents.

        `tokens` is the number of columns.
        """
        width, sizes = (
            self._longest(links),
            [*self._sizes_of(links).tolist(), *(len(each.tokens) for each in more)],
        )
        ends = np.append(0, np.cumsum(sizes, dtype=np.int64))
        values, columns = np.zeros(ends[-1]), np.zeros(ends[-1], np.int32)
        for at in range(0, len(links), CHUNK):
            amounts, found = self._amounts(links[at : at + CHUNK], width)
            filled = slice(ends[at], ends[min(at + CHUNK, len(links))])
            values[filled], columns[filled] = amounts[amounts > 0], found[amounts > 0]
        for row, given in enumerate(more, len(links)):
            filled = slice(ends[row], ends[row + 1])
            amounts = WEIGHTS.take(given.places)
            values[filled], columns[filled] = amounts / max(norm(amounts), 1e-12), given.tokens
        return SparseRows(values, columns, ends, tokens)

    def _amounts(self, links: Ids, width: int) -> tuple[Floats, npt.NDArray[np.int32]]:
        """Amounts and tokens of these documents, the first `width` of each."""
        amounts = WEIGHTS.take(self._documents["places"][links, :width])
        lengths = np.sqrt(np.einsum("ij,ij->i", amounts, amounts))
        amounts *= (1 / np.maximum(lengths, 1e-12))[:, None]
        return amounts, self._documents["tokens"][links, :width]

    def _longest(self, links: Ids) -> int:
        return int(self._sizes_of(links).max(initial=0))

    def _sizes_of(self, links: Ids) -> npt.NDArray[np.uint8]:
        self._grow(int(links.max(initial=-1)) + 1)
        sizes: npt.NDArray[np.uint8] = self._documents["size"][links]
        return sizes

    def _grow(self, links: int) -> None:
        self._documents.grow(max(0, links - self._documents.size))
        self._weighed.grow(max(0, links - self._weighed.size))
