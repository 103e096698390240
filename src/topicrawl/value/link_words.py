"""What the words of links have taught: which lead to relevant pages, and which to pages that show good links.

Two regressions over the documents of links that were followed. The first predicts how much more relevant than the
mean the page behind a link is; what the examples are called counts as links to relevant pages. The second predicts a
page's yield: how much the links that it was first to show promise, or have kept, beyond what is usual of late.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array

from topicrawl.frontier import Floats, Ids
from topicrawl.value.link_documents import LinkDocuments
from topicrawl.value.ridge import ridge

PENALTY, YIELD_PENALTY = 1.0, 2.0
FEW = 15
"""Pages between two lessons, at least; later it is a twentieth of all."""
TOO_FEW = 10
"""Pages that say nothing yet about what is a good yield."""
MEMORY = 20_000
"""Pages that are learnt from, the latest: a lesson takes 12 bytes for each token of their documents."""
ENOUGH = 2.0
"""Promise of a page's links that is as good as any more."""


class LinkWords:
    """Weights of tokens, the last for all later ones; `names` are the tokens of what the examples are called."""

    def __init__(self, names: Sequence[Ids]) -> None:
        self.names = names
        self.relevance: Floats = np.zeros(1)
        self.yields: Floats = np.zeros(1)
        self.usual_yield = 0.0
        self._learnt = 0

    def due(self, pages: int) -> bool:
        """Whether it is time to learn, after so many pages."""
        return not self._learnt or pages - self._learnt >= max(FEW, pages // 20)

    def learn(self, told: int, known: csr_array, relevances: Floats, promises: Floats) -> None:
        """Learn, after `told` pages, from the documents of links followed, the latest `MEMORY` being enough: what came
        of each, and the promise of what each showed. The names stand below the documents.
        """
        pages = len(relevances)
        self._learnt = told
        targets = np.append(relevances - relevances.mean(), np.ones(len(self.names)))
        self.relevance = np.append(ridge(known, targets, PENALTY, self.relevance), 0.0)
        if pages <= TOO_FEW:
            return
        yields = np.minimum(promises / ENOUGH, 1.0)
        self.usual_yield = float(yields.mean())
        yielded = ridge(_first_rows(known, pages), yields - self.usual_yield, YIELD_PENALTY, self.yields)
        self.yields = np.append(yielded, 0.0)

    def predict(self, documents: LinkDocuments, links: Ids, text: Floats) -> tuple[Floats, Floats, Floats]:
        """For each link: similarity by the weights of tokens in `text`, relevance beyond the mean, and yield."""
        similar, relevance, yields = documents.weigh(links, text, self.relevance, self.yields)
        return similar, relevance, yields + self.usual_yield


def _first_rows(rows: csr_array, count: int) -> csr_array:
    """The first rows, not copied."""
    ends = rows.indptr[: count + 1]
    return csr_array(
        (rows.data[: ends[-1]], rows.indices[: ends[-1]], ends), shape=(count, rows.shape[1]), copy=False
    )
