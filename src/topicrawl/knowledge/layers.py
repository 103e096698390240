"""The context graph: relevant items (layer 0), items that link to them (1), items that link to those (2).

Paper: SemXDM §3.5, after Diligenti et al. 2000. The similarity of an item to a layer is its cosine with the layer's
centroid: of terms, or the mean of that of terms and of labels where that is larger.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse

from topicrawl.floats import norm

Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Belonging:
    """Similarities of items to layers: a row a layer, a column an item."""

    terms: Floats
    """cos of term vectors, Eq. (1)."""
    labels: Floats
    """cos of label vectors."""

    @property
    def degree(self) -> Floats:
        """d_i."""
        return (self.terms + self.labels) / 2  # Eq. (2)

    @property
    def relevance(self) -> Floats:
        """r_i: the larger one, so that items with few labels but similar terms rank high too."""
        return np.maximum(self.terms, self.degree)  # Eq. (3)


def belonging(
    centres: Floats, vectors: sparse.csr_matrix, label_centres: Floats, labels: sparse.csr_matrix
) -> Belonging:
    """Similarities of items, whose vectors have length 1, to layers with these centroids."""
    return Belonging(cosines(centres, vectors), cosines(label_centres, labels))


def centres(vectors: sparse.csr_matrix, layers: Sequence[Numbers]) -> Floats:
    """The mean vector of each layer's members, of length 1; zeros for an empty layer."""
    found = np.zeros((len(layers), vectors.shape[1]))
    for place, members in enumerate(layers):
        if len(members):
            mean = np.asarray(vectors[members].mean(axis=0)).ravel()
            length = norm(mean)
            found[place] = mean / length if length else mean
    return found


def grow_layers(relevant: Mask, owners: Numbers, targets: Numbers, layers: int) -> list[Numbers]:
    """The members of each layer, when `relevant` items are layer 0; item owners[e] links to item targets[e].

    An item belongs to the lowest layer it can.
    """
    taken, found = relevant.copy(), [np.flatnonzero(relevant)]
    for _ in range(1, layers):
        below = np.zeros(len(relevant), dtype=bool)
        below[found[-1]] = True
        linking = np.zeros(len(relevant), dtype=bool)
        linking[owners[below[targets]]] = True
        found.append(np.flatnonzero(linking & ~taken))
        taken |= linking
    return found


def cosines(directions: Floats, vectors: sparse.csr_matrix) -> Floats:
    """The cosine of each direction (a row) with each vector (a column), all of length 1."""
    found: Floats = np.asarray((vectors @ directions.T).T)
    return np.clip(found, 0.0, 1.0)
