"""The layer of the context graph an item belongs to, by naive Bayes over few terms, as in Diligenti et al.

Items are reduced to the terms of the highest weight in the relevant ones. An item belongs to the layer of the highest
posterior, unless the class of all other items has a higher one, or none reaches `SURE`: then it is in the class
"other", which comes last.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from topicrawl.floats import dot, exp, log
from topicrawl.knowledge.layers import Floats, Numbers
from topicrawl.knowledge.learner import Learner

FEATURES = 40
"""Terms that items are reduced to."""
SURE = 0.5
"""Posterior below which an item is in class "other"."""
SMOOTH = 0.1
"""Additive smoothing of term counts."""
TINY = 1e-12


class BayesLearner(Learner):
    """A learner whose layers are classes of a naive Bayes classifier; it keeps no labels."""

    def _study(self, vectors: sparse.csr_matrix, labels: sparse.csr_matrix, layers: list[Numbers]) -> None:
        """Select the terms of the highest weight in layer 0; estimate their likelihoods in each class."""
        weights = np.asarray(vectors[layers[0]].sum(axis=0)).ravel()
        best = np.argsort(-weights, kind="stable")[:FEATURES]
        self._features = best[weights[best] > 0]
        counts = self._reduced(vectors)
        outside = np.setdiff1d(np.arange(len(counts)), np.concatenate(layers))
        empty = [np.empty(0, np.int64)] * (self.settings.layers - len(layers))
        classes = [*layers, *empty, outside]
        self._likelihoods = np.stack([_likelihoods(counts[members]) for members in classes])
        self._present = np.array([len(members) > 0 for members in classes])
        self._present[-1] = True

    def _nearness(self, vectors: sparse.csr_matrix, labels: sparse.csr_matrix) -> Floats:
        nearness: Floats = self._posterior(vectors)[0]
        return nearness

    def _rank(self, vectors: sparse.csr_matrix, labels: sparse.csr_matrix) -> tuple[Floats, Numbers]:
        posterior = self._posterior(vectors)
        layer, score = posterior[:-1].argmax(axis=0), posterior[:-1].max(axis=0)
        other = (score < SURE) | (posterior[-1] >= score)
        return score, np.where(other, self.settings.layers, layer)

    def factors(self, item: int) -> dict[str, float]:
        return {"likelihood": float(self.score[item]), "layer": float(self.layer[item])}

    def _reduced(self, vectors: sparse.csr_matrix) -> Floats:
        counts: Floats = vectors[:, self._features].toarray()
        return counts

    def _posterior(self, vectors: sparse.csr_matrix) -> Floats:
        """P(class | item): a row a layer and a last one for all other items; 0 for layers without items.

        Likelihoods are geometric means over the terms of an item, so that they do not depend on its length. An item
        with none of the terms is in the last class.
        """
        counts = self._reduced(vectors)
        amounts = counts.sum(axis=1)
        sums = np.stack([dot(counts, likelihoods) for likelihoods in self._likelihoods])
        means = sums / np.maximum(amounts, TINY)
        likely = np.where(self._present[:, None], exp(means), 0.0)
        likely[:-1, amounts <= 0] = 0.0
        posterior: Floats = likely / likely.sum(axis=0)
        return posterior


def _likelihoods(counts: Floats) -> Floats:
    """The logarithm of each term's share in items of unit length, smoothed; the rest of them are other terms."""
    mass = counts.sum(axis=0)
    whole = max(float(mass.sum()), float(len(counts)))
    return log((mass + SMOOTH) / (whole + SMOOTH * (len(mass) + 1)))
