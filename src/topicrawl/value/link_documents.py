"""A short document for every link: the tokens of its texts on all visited pages, each once, with its best place.

One row of fixed width a link: tokens of better places replace others, and among equals the oldest stay. 5 bytes a
token.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from topicrawl.frontier import Floats, Ids
from topicrawl.frontier.columns import Allocator, Columns, in_memory
from topicrawl.value.sparse_rows import SparseRows

WIDTH = 64
"""Tokens of a document, at most."""
AROUND, KIND, HEADING, ANCHOR = 1, 2, 3, 4
"""Places of tokens, the best last; words of the URL count as those of the anchor."""
WEIGHTS = np.array([0.0, 0.3, 0.5, 0.5, 1.0])
"""Weight of a token by its place."""
NAME = 16
"""Tokens of anchor and URL used by `weigh_names`, at most."""
BREADTHS = (16, 32, WIDTH)
"""Row widths used for reading: the smallest that holds the document, to avoid reading empty cells."""
CHUNK = 4_000
"""Documents that are read at a time."""


class LinkDocuments:
    """Documents by link number."""

    def __init__(self, allocator: Allocator = in_memory) -> None:
        tokens, places = (np.int32, (WIDTH,)), (np.uint8, (WIDTH,))
        self._documents = Columns(allocator, tokens=(tokens, 0), places=(places, 0), size=(np.uint8, 0))

    def add(self, links: Ids, tokens: Ids, places: Ids) -> None:
        """Add tokens[i] at places[i] to the document of links[i]; a link may occur many times."""
        if not len(links):
            return
        self._grow(int(links.max()) + 1)
        known_tokens, known_places = self._documents["tokens"], self._documents["places"]
        touched, row = np.unique(links, return_inverse=True)
        row = np.concatenate((np.repeat(np.arange(len(touched)), WIDTH), row))
        token = np.concatenate((known_tokens[touched].ravel().astype(np.int64), tokens))
        place = np.concatenate((known_places[touched].ravel().astype(np.int64), places))
        row, token, place = _best_places(row[place > 0], token[place > 0], place[place > 0])
        rank = np.arange(len(row)) - np.searchsorted(row, row)
        kept = rank < WIDTH
        known_tokens[touched], known_places[touched] = 0, 0
        known_tokens[touched[row[kept]], rank[kept]] = token[kept]
        known_places[touched[row[kept]], rank[kept]] = place[kept]
        self._documents["size"][touched] = np.bincount(row[kept], minlength=len(touched))

    def weigh(self, links: Ids, *weights: Floats) -> Floats:
        """For each of the `weights` of tokens a row: its dot product with the unit vector of each link's document.

        The last weight is for all tokens beyond the end.
        """
        found = np.zeros((len(weights), len(links)))
        for breadth, some in _by_breadth(self._sizes_of(links)):
            amounts, tokens = self._amounts(links[some], breadth)
            for number, weight in enumerate(weights):
                found[number, some] = np.einsum("ij,ij->i", weight.take(tokens, mode="clip"), amounts)
        return found

    def weigh_names(self, links: Ids, weights: Floats) -> Floats:
        """The same of the tokens of anchor and URL alone."""
        self._grow(int(links.max(initial=-1)) + 1)
        mean = np.zeros(len(links))
        for at in range(0, len(links), CHUNK):
            some = links[at : at + CHUNK]
            named = self._documents["places"][some, :NAME] == ANCHOR
            tokens = self._documents["tokens"][some, :NAME]
            total = np.einsum("ij,ij->i", weights.take(tokens, mode="clip"), named)
            mean[at : at + CHUNK] = total / np.sqrt(np.maximum(named.sum(axis=1), 1))
        return mean

    def rows(self, links: Ids, tokens: int, more: Sequence[Ids] = ()) -> SparseRows:
        """The documents of links as rows of length 1, followed by `more` documents of equally weighted tokens.

        `tokens` is the number of columns.
        """
        width, sizes = self._longest(links), [*self._sizes_of(links).tolist(), *map(len, more)]
        ends = np.append(0, np.cumsum(sizes, dtype=np.int64))
        values, columns = np.zeros(ends[-1]), np.zeros(ends[-1], np.int32)
        for at in range(0, len(links), CHUNK):
            amounts, found = self._amounts(links[at : at + CHUNK], width)
            filled = slice(ends[at], ends[min(at + CHUNK, len(links))])
            values[filled], columns[filled] = amounts[amounts > 0], found[amounts > 0]
        for row, given in enumerate(more, len(links)):
            filled = slice(ends[row], ends[row + 1])
            values[filled], columns[filled] = 1 / np.sqrt(max(len(given), 1)), given
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


def _by_breadth(sizes: npt.NDArray[np.uint8]) -> Iterator[tuple[int, Ids]]:
    """Row widths for documents of these sizes, each with the places of its documents, at most `CHUNK` at a time.

    The last bits of a sum depend on the width; so the width depends on the document's own size alone.
    """
    breadth_of = np.searchsorted(BREADTHS, sizes)
    for number, breadth in enumerate(BREADTHS):
        places = np.flatnonzero(breadth_of == number)
        for at in range(0, len(places), CHUNK):
            yield breadth, places[at : at + CHUNK]


def _best_places(row: Ids, token: Ids, place: Ids) -> tuple[Ids, Ids, Ids]:
    """Each token of a row once, at its best place; the best first, among equals the oldest first."""
    order = np.lexsort((-place, token, row))
    row, token, place = row[order], token[order], place[order]
    fresh = np.append(True, (np.diff(row) != 0) | (np.diff(token) != 0))
    order, row, token, place = order[fresh], row[fresh], token[fresh], place[fresh]
    ranked = np.lexsort((order, -place, row))
    return row[ranked], token[ranked], place[ranked]
