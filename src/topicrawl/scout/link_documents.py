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
from topicrawl.model import Ints, Page, ints
from topicrawl.scout.document_rows import NEVER
from topicrawl.text.sparse_rows import SparseRows
from topicrawl.text.tokens import Words

try:
    from topicrawl._native import (
        add_link_texts,
        add_names,
        add_to_documents,
        predict_links,
        weigh_documents,
    )
except ImportError:  # the same in Python, many times slower
    from topicrawl.scout.document_rows import (
        add_link_texts,
        add_names,
        add_to_documents,
        predict_links,
        weigh_documents,
    )

WIDTH = 64
"""Tokens of a document, at most."""
AROUND, KIND, HEADING, ANCHOR = 1, 2, 3, 4
"""Places of tokens, the best last; words of the URL count as those of the anchor."""
WEIGHTS = np.array([0.0, 0.3, 0.5, 0.5, 1.0])
"""Weight of a token by its place."""
NAME = 16
"""Tokens of a name, at most."""
_AMOUNTS = np.stack((WEIGHTS, np.arange(len(WEIGHTS)) == ANCHOR), axis=1)
_MOST = np.array([WIDTH, NAME])
"""Amounts by place and number of tokens, of texts and of names."""
_PREDICTED_AMOUNTS, _PREDICTED_MOST = np.repeat(_AMOUNTS, [2, 1], axis=1), np.repeat(_MOST, [2, 1])
"""Amounts of what `predict` weighs: two texts and a name."""
_TEXT_PLACES = np.array([ANCHOR, HEADING, AROUND], np.uint8)
CHUNK = 4_000
"""Documents that are read at a time."""

Bytes = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]


def stacked(*weights: Floats) -> Floats:
    """Weights of tokens as the columns of a table; the last of each is for all later tokens."""
    table = np.empty((max(map(len, weights)), len(weights)))
    for column, each in zip(table.T, weights, strict=True):
        stack(column, each)
    return table


def stack(column: Floats, weights: Floats) -> None:
    """Set a column of such a table."""
    column[: len(weights)], column[len(weights) :] = weights, weights[-1]


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

    def know(self, links: int) -> None:
        """Make room for the documents of so many links."""
        size = max(links, self._documents.size)
        if self._weighed.size < size:  # it is not stored, so it may be the shorter one
            self._documents.grow(size - self._documents.size)
            self._weighed.grow(size - self._weighed.size)

    def add(self, links: Ids, tokens: Ids, places: Ids) -> None:
        """Add tokens[i] at places[i] to the document of links[i]; a link may occur many times."""
        if len(links):
            self.know(int(links.max()) + 1)
            add_to_documents(*self._rows, links, tokens, places)

    def add_names(self, links: Ids, names: list[bytes]) -> None:
        """Add the tokens of names[i] to the document of links[i], which is known (document_rows.py)."""
        add_names(*self._rows, links, names)

    def add_texts(self, page: Page, links: Ids, rows: Ids, waits: Flags, text: Words) -> None:
        """Add anchors, headings and words around the links in `rows` of a page to the documents of those that wait."""
        if len(links):
            add_link_texts(
                *self._rows,
                links,
                rows,
                waits,
                ints(page.links.starts),
                ints(page.links.ends),
                *text,
                ints(page.segment_starts),
                ints(page.segment_groups),
                np.array([len(page.text)]),
                _TEXT_PLACES,
            )

    def of(self, link: int) -> tuple[npt.NDArray[np.int32], Bytes]:
        """The tokens of a link's document, and their places."""
        self.know(link + 1)
        tokens, places, sizes, _ = self._rows
        return tokens[link, : sizes[link]], places[link, : sizes[link]]

    def predict(self, links: Ids, table: Floats, number: int, columns: Columns) -> None:
        """Set what follows from the documents of links, all known: `predicted`, and columns `text` and `company`.

        The columns of `table` are weights: for `text`, `predicted`, and the names of links. `number` is that of these
        weights: links are left out that were weighed by them as they are.
        """
        predict_links(
            *(*self._rows, _PREDICTED_AMOUNTS, _PREDICTED_MOST, links, table, np.array([number])),
            *(self._weighed["token"], columns["text"], columns["company"]),
        )

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
        self.know(int(links.max(initial=-1)) + 1)
        texts = table.shape[1] - names
        found = np.zeros((texts + names, len(links)))
        amounts = np.repeat(_AMOUNTS, [texts, names], axis=1)
        most = np.repeat(_MOST, [texts, names])
        weigh_documents(*self._rows, amounts, most, links, found, table)
        return found

    @property
    def _rows(self) -> tuple[Ints, Bytes, Bytes, Ints]:
        documents = self._documents
        return documents["tokens"], documents["places"], documents["size"], self._weighed["by"]

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
        self.know(int(links.max(initial=-1)) + 1)
        sizes: npt.NDArray[np.uint8] = self._documents["size"][links]
        return sizes
