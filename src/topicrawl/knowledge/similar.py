"""Items similar to one text, by Eq. (3): the text is all of layer 0.

Here every label counts, as published, and weighs as much as the square root of how often its item says it: a page about
earthquakes says *earthquake* sixty times and *plate* three times. A crawl asks more of labels (`Settings.proof`),
because what it ranks first decides what it finds next.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from topicrawl.knowledge.classify import label_matrix
from topicrawl.knowledge.items import Counts, Items, unit_rows
from topicrawl.knowledge.layers import Belonging, Floats, belonging
from topicrawl.knowledge.model import Model

if TYPE_CHECKING:
    from topicrawl.knowledge.learner import Learner

Weigh = Callable[[Floats], Floats]


def similar_items(learner: Learner, counts: Counts, weigh: Weigh = np.sqrt) -> Belonging:
    """Eq. (1) to (3) for the items from `learner.first` on, as if an item of these terms were all of layer 0.

    `weigh` gives the weight of labels that an item says so many times.
    """
    items, model = learner.items, learner.model
    vector = items.described(counts)
    centre = np.zeros((1, len(items.terms)))
    centre[0, list(vector)] = list(vector.values())
    held = learner.counted_labels(learner.first)
    asked = labels_of(counts, items, model)
    said = np.array([[counts.get(items.terms[label], 0) for label in model.labels]])
    return belonging(
        centre,
        items.vectors(learner.first),
        _weighed(asked, sparse.csr_matrix(said), weigh).toarray(),
        _weighed(held, items.said(learner.first)[:, np.array(model.labels, np.int64)], weigh),
    )


def labels_of(counts: Counts, items: Items, model: Model) -> sparse.csr_matrix:
    """The labels of a text that is no item, as a matrix of one row."""
    described, mentioned = np.zeros((2, len(items.terms)), np.float32)
    terms, often = items.labelled_by(counts)
    described[terms], mentioned[often] = 1, 1
    return label_matrix(model, sparse.csr_matrix(described), sparse.csr_matrix(mentioned))


def _weighed(held: sparse.csr_matrix, said: sparse.csr_matrix, weigh: Weigh) -> sparse.csr_matrix:
    """Label vectors of length 1 of items that have the labels `held` and say labels so many times."""
    once = sparse.csr_matrix(held, dtype=np.float64)
    weights = sparse.csr_matrix(once.multiply(said).maximum(once))
    weights.data = weigh(weights.data)
    return unit_rows(weights)
