"""Three measures of the similarity of a text to each page of a topic: VSM, SSRM and SVSM; the last in two variants.

All are made of sums over the words of the text. What a word contributes depends on the topic only, so it is computed
once a word (`shares`), and a text costs a sparse product (`similarities`).

Paper: SVSM is SVSM-MCOA Eq. (2)–(3), VSM and SSRM are the measures it is compared with.
Differs: in Eq. (2) the two vectors list their pairs in different orders; they are aligned here, or the worked example
of Fig. 2 would not give 0.96. The paper cites SSRM without its formula; this one agrees with its description.
As published, SVSM depends neither on the level of word similarities (only on their distribution) nor on words of the
text that are similar to no term: a text of one word, of similarity 0.1 to one term, has similarity 1. `WholeSvsm` is
ours: every word also pairs with itself, so that unmatched words lengthen a vector. It is the VSM cosine where a word is
similar to itself only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from topicrawl.frontier import Floats
from topicrawl.model import Ints


class Texts(NamedTuple):
    """Texts as rows of word weights: text i has `words[starts[i]:starts[i + 1]]`, each word once."""

    starts: Ints
    words: Ints
    """The rows of their shares."""
    weights: Floats
    """TF*IDF of the words."""

    def summed(self, weights: Floats, shares: Floats) -> Floats:
        """Σ weight · share of the word, for each text (rows) and each page of the topic (columns of `shares`)."""
        size = (len(self.starts) - 1, len(shares))
        sums: Floats = csr_array((weights, self.words, self.starts), shape=size) @ shares
        return sums

    def totals(self, weights: Floats) -> Floats:
        """Σ weight of each text, as a column."""
        texts = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        return np.bincount(texts, weights, minlength=len(self.starts) - 1).astype(np.float64)[:, None]


class Measure(Protocol):
    """A similarity in [0, 1] to a topic, given by the weights of terms (rows) in its pages (columns)."""

    def __init__(self, topic: Floats) -> None: ...

    def shares(self, alike: Floats, own: Ints) -> list[Floats]:
        """What each word (rows) contributes for each page of the topic (columns), for each kind of share.

        `alike` is its similarity to other terms than itself, `own` its own term, −1 for none.
        """

    def similarities(self, texts: Texts, shares: Sequence[Floats]) -> Floats:
        """The similarity of each text (rows) to each page of the topic (columns); 0 for a text without words."""


class Vsm:
    """The cosine of two vectors of weights."""

    def __init__(self, topic: Floats) -> None:
        self._own = _with_none(_divided(topic, np.sqrt((topic**2).sum(axis=0))))

    def shares(self, alike: Floats, own: Ints) -> list[Floats]:
        return [self._own[own]]

    def similarities(self, texts: Texts, shares: Sequence[Floats]) -> Floats:
        lengths = np.sqrt(texts.totals(texts.weights**2))
        return _divided(texts.summed(texts.weights, shares[0]), lengths)


class Ssrm:
    """The mean similarity of all pairs of words, weighed by both."""

    def __init__(self, topic: Floats) -> None:
        columns = _divided(topic, topic.sum(axis=0))
        self._own, self._others = _with_none(columns), csr_array(columns.T)

    def shares(self, alike: Floats, own: Ints) -> list[Floats]:
        return [(self._others @ alike.T).T + self._own[own]]

    def similarities(self, texts: Texts, shares: Sequence[Floats]) -> Floats:
        return _divided(texts.summed(texts.weights, shares[0]), texts.totals(texts.weights))


class Svsm:
    """The cosine of two vectors over all pairs of words, each weight times the similarity of its pair.

    The shares of a word are N = Σ t·sem², T = Σ t²·sem² and D = Σ sem² over the terms of each page.
    """

    def __init__(self, topic: Floats) -> None:
        kinds = (topic, topic**2, (topic > 0).astype(np.float64))
        self._own, self._others = list(map(_with_none, kinds)), csr_array(np.hstack(kinds).T)

    def shares(self, alike: Floats, own: Ints) -> list[Floats]:
        others: Floats = self._others @ (alike**2).T
        return [mine[own] + part.T for mine, part in zip(self._own, np.vsplit(others, 3), strict=True)]

    def similarities(self, texts: Texts, shares: Sequence[Floats]) -> Floats:
        product, topic, text = self._sums(texts, shares)
        return _divided(product, np.sqrt(text * topic))  # Eq. (3)

    def _sums(self, texts: Texts, shares: Sequence[Floats]) -> tuple[Floats, Floats, Floats]:
        """Σ w·N, Σ T and Σ w²·D of each text."""
        weights = texts.weights
        by_weight, by_word, by_square = shares
        return (
            texts.summed(weights, by_weight),
            texts.summed(np.ones_like(weights), by_word),
            texts.summed(weights**2, by_square),
        )


class WholeSvsm(Svsm):
    """SVSM with words that also pair with themselves: T = Σ t² (1 + Σ sem²), D = 1 + Σ sem², over other words."""

    def __init__(self, topic: Floats) -> None:
        super().__init__(topic)
        for own in self._own[1:]:
            own[:] = 0.0  # the pair of a word with itself is counted below
        self._square = (topic**2).sum(axis=0)

    def similarities(self, texts: Texts, shares: Sequence[Floats]) -> Floats:
        product, topic, text = self._sums(texts, shares)
        return _divided(product, np.sqrt((text + texts.totals(texts.weights**2)) * (topic + self._square)))


MEASURES: dict[str, type[Measure]] = {"vsm": Vsm, "ssrm": Ssrm, "svsm": Svsm, "whole svsm": WholeSvsm}


def _with_none(columns: Floats) -> Floats:
    """Columns with a last row of zeros, for words that are no term."""
    return np.vstack((columns, np.zeros(columns.shape[1])))


def _divided(values: Floats, by: npt.NDArray[np.floating]) -> Floats:
    """`values / by`, at most 1; 0 where that would be 0 / 0."""
    by = np.broadcast_to(by, values.shape)
    parts: Floats = np.minimum(np.divide(values, by, out=np.zeros(values.shape), where=by > 0), 1.0)
    return parts
