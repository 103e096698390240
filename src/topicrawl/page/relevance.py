"""Relevance of a page to a topic, from the tag groups in which its terms occur.

A term in the title says more than one in a footer, so each term is weighted by the tag groups it occurs in, relative
to the group where it is most frequent; the relevance is the cosine between these weights and the topic's.

Paper: FCWSEO, Table 2 and Eq. (4)–(5); FCITS_OH Eq. (3)–(4) and IELP Eq. (1)–(2) are the same.
Differs: a page without any term of the topic has relevance 0, where the cosine is undefined.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from topicrawl.floats import dot, norm
from topicrawl.model import GROUPS, TermCounts, Topic, ints
from topicrawl.page.cosine import unit

Floats = npt.NDArray[np.float64]

TAG_WEIGHTS = (2.0, 1.5, 1.2, 1.0, 0.2)
"""W_k of the five tag groups (FCWSEO Table 2)."""
_TAG_WEIGHTS = np.array(TAG_WEIGHTS)


class PageRelevance:
    """Relevance of pages to `topic`, in [0, 1]."""

    def __init__(self, topic: Topic) -> None:
        self._terms = topic.terms
        self._direction = unit(topic.weights)

    def __call__(self, counts: TermCounts) -> float:
        """The relevance of the page whose terms were counted."""
        weights = _tag_weighted(counts)
        length = norm(weights)
        if not length:
            return 0.0
        cosine = dot(weights, self._direction[ints(counts.terms)]) / length  # Eq. (5)
        return min(float(cosine), 1.0)

    def explain(self, counts: TermCounts) -> dict[str, float]:
        """The weight of each term present (w_dk of Eq. 4), in the order of the topic."""
        return {
            self._terms[term]: float(weight)
            for term, weight in zip(ints(counts.terms), _tag_weighted(counts), strict=True)
        }


def _tag_weighted(counts: TermCounts) -> Floats:
    frequencies = ints(counts.groups).reshape(-1, GROUPS)
    highest = np.maximum(frequencies.max(axis=1, keepdims=True, initial=0), 1)
    return dot(frequencies / highest, _TAG_WEIGHTS)  # Eq. (4)
