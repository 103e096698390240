"""Three measures of how similar a text is to each page of a topic: VSM, SSRM and SVSM.

All three fall apart into sums over the words of the text. What a word adds to the sums depends on the topic only, so it
is worked out once a word (`shares`), and a text costs a sparse product (`similarities`).

Paper: SVSM is SVSM-MCOA Eq. (2)–(3), VSM and SSRM are the measures it is compared with.
Differs: in Eq. (2) the two vectors list their pairs in different orders; they are aligned here, or the worked example
of Fig. 2 would not give 0.96. The paper cites SSRM without its formula; this one agrees with what it says of it. As
published, SVSM does not see words of the text that are like no term of the topic: they lengthen neither vector.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from topicrawl.frontier import Floats
from topicrawl.model import Ints
from topicrawl.relevance.likeness import Alike


class Texts(NamedTuple):
    """Texts as rows of word weights: text i has `words[starts[i]:starts[i + 1]]`, each word once."""

    starts: Ints
    words: Ints
    """Rows of what the words add."""
    weights: Floats
    """TF*IDF of the words."""

    def summed(self, weights: Floats, shares: Floats) -> Floats:
        """Σ weight · share of the word, for each text (rows) and each column of `shares`."""
        size = (len(self.starts) - 1, len(shares))
        sums: Floats = csr_array((weights, self.words, self.starts), shape=size) @ shares
        return sums

    def totals(self, weights: Floats) -> Floats:
        """Σ weight of each text, as a column."""
        texts = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        return np.bincount(texts, weights, minlength=len(self.starts) - 1).astype(np.float64)[:, None]


class Measure(Protocol):
    """A similarity in [0, 1] that falls apart into shares of words."""

    def columns(self, topic: Floats) -> Floats:
        """What the shares are sums of, given the weights of terms (rows) in the topic's pages (columns)."""

    def likeness(self, alike: Alike) -> Floats:
        """How much of these sums a word takes, that is so much alike to the terms."""

    def similarities(self, texts: Texts, shares: Floats) -> Floats:
        """The similarity of each text (rows) to each page of the topic (columns); 0 for a text without words."""


class Vsm:
    """The cosine of two vectors of weights; meant for words that are like themselves only."""

    def columns(self, topic: Floats) -> Floats:
        return _divided(topic, np.sqrt((topic**2).sum(axis=0)))

    def likeness(self, alike: Alike) -> Floats:
        return alike.astype(np.float64)

    def similarities(self, texts: Texts, shares: Floats) -> Floats:
        lengths = np.sqrt(texts.totals(texts.weights**2))
        return _divided(texts.summed(texts.weights, shares), lengths)


class Ssrm:
    """The mean likeness of all pairs of words, weighed by both."""

    def columns(self, topic: Floats) -> Floats:
        return _divided(topic, topic.sum(axis=0))

    def likeness(self, alike: Alike) -> Floats:
        return alike.astype(np.float64)

    def similarities(self, texts: Texts, shares: Floats) -> Floats:
        return _divided(texts.summed(texts.weights, shares), texts.totals(texts.weights))


class Svsm:
    """The cosine of two vectors over all pairs of words, each weight times the likeness of its pair.

    The shares of a word are N = Σ t·sem², T = Σ t²·sem² and D = Σ sem² over the terms of each page, side by side.
    """

    def columns(self, topic: Floats) -> Floats:
        return np.hstack((topic, topic**2, topic > 0))

    def likeness(self, alike: Alike) -> Floats:
        return alike.astype(np.float64) ** 2

    def similarities(self, texts: Texts, shares: Floats) -> Floats:
        weights = texts.weights
        by_weight, by_word, by_square = np.hsplit(shares, 3)
        product = texts.summed(weights, by_weight)
        topic = texts.summed(np.ones_like(weights), by_word)
        text = texts.summed(weights**2, by_square)
        return _divided(product, np.sqrt(text * topic))  # Eq. (3)


def shares(likeness: Floats, columns: csr_array) -> Floats:
    """What each word adds: its likeness to the terms times what stands in their columns.

    Few of the topic's terms stand in any one of its pages, so the columns are sparse.
    """
    found: Floats = (columns @ likeness.T).T
    return found


def packed(columns: Floats) -> csr_array:
    """Columns as `shares` takes them."""
    return csr_array(columns.T)


MEASURES: dict[str, type[Measure]] = {"vsm": Vsm, "ssrm": Ssrm, "svsm": Svsm}


def _divided(values: Floats, by: npt.NDArray[np.floating]) -> Floats:
    """`values / by`, at most 1; 0 where that would be 0 / 0."""
    by = np.broadcast_to(by, values.shape)
    parts: Floats = np.minimum(np.divide(values, by, out=np.zeros(values.shape), where=by > 0), 1.0)
    return parts
