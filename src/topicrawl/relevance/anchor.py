"""How much anchors are about a topic: the cosine between the terms counted in them and the topic.

Paper: FCWSEO Eq. (6)–(7), IELP Eq. (3), with every idf equal to 1.
Differs: an anchor without any term of the topic has relevance 0, where the cosine is undefined.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from topicrawl.model import Ints, Topic
from topicrawl.relevance.cosine import unit


class AnchorRelevance:
    """Relevance of anchors to `topic`, in [0, 1]."""

    def __init__(self, topic: Topic) -> None:
        self._direction = unit(topic.weights)

    def __call__(self, rows: Ints, terms: Ints, counts: Ints, links: int) -> npt.NDArray[np.float64]:
        """The relevance of each of `links` links.

        The counts are given as triples: `counts[i]` times stands term `terms[i]` in the anchor of link
        `rows[i]`. A pair of link and term stands at most once, as in `TermCounts`.
        """
        weights = counts.astype(np.float64)
        along = np.bincount(rows, weights * self._direction[terms], minlength=links)
        lengths = np.sqrt(np.bincount(rows, weights * weights, minlength=links))
        cosine = np.divide(along, lengths, out=np.zeros(links), where=lengths > 0)  # Eq. (7)
        return np.minimum(cosine, 1.0)
