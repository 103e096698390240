"""A ridge regression over the tokens of visited links, to predict the relevance of links that wait.

Rows are the documents of visited links (link_documents.py), targets the relevance of the page behind each, minus the
mean. The titles of the examples are additional rows of target 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from topicrawl.frontier import Floats, Ids
from topicrawl.frontier.columns import Columns
from topicrawl.scout.document_rows import NEVER
from topicrawl.scout.link_documents import LinkDocuments, Name, stack
from topicrawl.scout.ridge import ridge
from topicrawl.text.sparse_rows import SparseRows

PENALTY = 1.0
FEW = 15
"""Pages between two fits, at least; later a twentieth of all."""
MEMORY = 20_000
"""Latest pages used for a fit, which takes 12 bytes for each token of their documents."""
SPARE = 8
"""A part of the table of weights, one by this, that is added to it, so that it need not be made anew each time."""


class LinkWords:
    """Regression weights of tokens, the last for all later ones; `names` are the examples' titles."""

    not_stored: ClassVar = ("_stacked", "_memory", "_table", "_number")

    def __init__(self, names: Sequence[Name]) -> None:
        self.names = names
        self.relevance: Floats = np.zeros(1)
        self._fitted_at = 0
        self._is_taught = False
        self._stacked: tuple[Floats | None, ...] = (None,) * 3
        self._memory: Floats = np.zeros((0, 3))
        self._table: Floats = self._memory
        """The weights that were used last, and as a table: one place in memory for each token. It has more rows."""
        self._number = NEVER
        """The number of these weights."""

    def due(self, pages: int) -> bool:
        """Whether a fit is due after so many pages."""
        if self._is_taught:
            return False
        return not self._fitted_at or pages - self._fitted_at >= max(FEW, pages // 20)

    def take(self, relevance: Floats) -> None:
        """Use weights that were fitted elsewhere, from now on instead of fits of its own."""
        self._is_taught, self.relevance = True, relevance

    def forget_fit(self) -> None:
        """Have a fit be due: what was fitted to has changed."""
        self._fitted_at = 0

    def fit(self, visited: int, documents: SparseRows, relevances: Floats) -> None:
        """Fit after `visited` pages: to the documents of the latest links (rows), their relevances, and the names."""
        self._fitted_at = visited
        targets = np.append(relevances - relevances.mean(), np.ones(len(self.names)))
        self.relevance = np.append(ridge(documents, targets, PENALTY, self.relevance), 0.0)

    def predict(
        self, documents: LinkDocuments, links: Ids, text: Floats, names: Floats, columns: Columns
    ) -> None:
        """Set the columns `text` and `company` of links, and the relevance predicted in their documents.

        They are similarity by the token weights `text`, and similarity of names by the token weights `names`. Links
        that were weighed by the same weights, and whose document is the same, are left out.
        """
        weights = text, self.relevance, names
        if any(one is not other for one, other in zip(weights, self._stacked, strict=True)):
            self._stack(weights)
            self._number += 1
        documents.predict(links, self._table, self._number, columns)

    def _stack(self, weights: tuple[Floats, ...]) -> None:
        """Set the table; columns whose weights are the same stay as they are."""
        rows, before = max(map(len, weights)), self._stacked
        if len(self._memory) < rows:
            self._memory, before = np.empty((rows + rows // SPARE, len(weights))), (None,) * len(weights)
        for column, each, other in zip(self._memory.T, weights, before, strict=True):
            if each is not other:
                stack(column, each)
        self._stacked, self._table = weights, self._memory[:rows]
