"""The model of a whole corpus at once, straight from its definition: the reference for incremental maintenance."""

from __future__ import annotations

import numpy as np

from topicrawl.knowledge.cooccurrence import Cooccurrence
from topicrawl.knowledge.hierarchy import broader_pairs
from topicrawl.knowledge.idf import Floats
from topicrawl.knowledge.model import Model, choose_labels, codes, make_rule
from topicrawl.knowledge.thresholds import Thresholds


def derive(counts: Cooccurrence, rarities: Floats, thresholds: Thresholds) -> Model:
    """The model of all items that were counted."""
    limits = thresholds.at(counts.items)
    labels = choose_labels(counts, rarities, limits)
    terms = np.flatnonzero(counts.df >= limits.term_least)
    rules = {
        label: make_rule(counts, label, codes(counts, label, terms, limits), terms, limits)
        for label in labels
    }
    return Model(
        terms=len(terms),
        labels=labels,
        broader=broader_pairs(counts, labels, limits.broader),
        rules={label: rule for label, rule in rules.items() if rule},
    )
