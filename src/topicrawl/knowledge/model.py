"""The classification model: labels, their hierarchy, and for each label the terms that give it.

Paper: Semantic HMC. Of the terms t of a corpus, P(L|t) ≥ α makes one an α term of the label L: an item with it has the
label. β ≤ P(L|t) < α makes it a β term: an item with δ = ⌈n p⌉ of the n best has the label. With both kinds either
suffices; with neither there is no rule.
Differs: how the two kinds combine is not published. A label is itself a term; an item that it describes has it, which
counts as no rule. An item must mention the label that a rule gives it (thresholds.py), or half of the labels given are
wrong. The β terms of a label are one rule, "δ of these"; the authors write a SWRL rule for each combination
of δ (20 terms in tens would be 184,756).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from topicrawl.knowledge.cooccurrence import Cooccurrence
from topicrawl.knowledge.hierarchy import Pair
from topicrawl.knowledge.idf import Floats
from topicrawl.knowledge.thresholds import Thresholds

NONE, BETA, ALPHA = range(3)
INSIDE = 0.8
"""Share of the occurrences of a word that are in phrases, from which on it is no label."""
Codes = npt.NDArray[np.uint8]
"""The kind of each term for a label: NONE, BETA or ALPHA."""


@dataclass(frozen=True, slots=True)
class Rule:
    """The terms that give one label; `beta` best first."""

    alpha: frozenset[int] = frozenset()
    beta: tuple[int, ...] = ()
    delta: int = 0
    """β terms that suffice; 0 where there are none."""

    def __len__(self) -> int:
        """One rule an α term, one for all β terms: their combinations are no knowledge of their own."""
        return len(self.alpha) + bool(self.beta)


@dataclass(frozen=True, slots=True)
class Model:
    """Labels, hierarchy and rules by term numbers. Each change increases the version."""

    version: int = 0
    terms: int = 0
    """Number of terms in the model."""
    labels: tuple[int, ...] = ()
    broader: frozenset[Pair] = frozenset()
    rules: Mapping[int, Rule] = field(default_factory=dict)
    own_term: bool = True
    """Whether an item that a label describes as a term has the label."""
    mentioned: bool = False
    """Whether rules give a label only to items that mention it."""

    @property
    def rule_count(self) -> int:
        return sum(map(len, self.rules.values()))


PhrasesWith = Callable[[int], Sequence[int]]
"""The phrases that a word is a part of, by number."""


def no_phrases(word: int) -> Sequence[int]:
    """The phrases with a word in a model without phrases."""
    return ()


def choose_labels(
    counts: Cooccurrence, rarities: Floats, limits: Thresholds, phrases_with: PhrasesWith = no_phrases
) -> tuple[int, ...]:
    """The terms that are labels, by number: common enough, not too common, of the highest summed tf-idf, above 0.

    A word that nearly always stands in phrases is none: *united*. Where that is one phrase, and it describes enough
    items for a rule, it is the label in its place: *sri lanka*, not *sri*.
    """
    df = counts.df
    fit = np.flatnonzero(
        (df >= limits.label_least) & (df <= limits.label_most * counts.items) & (rarities[: len(df)] > 0)
    )
    worth = np.round(counts.mass[fit] * rarities[fit], 6)
    best = fit[np.lexsort((fit, -worth))[: limits.labels]]
    labels = set(best.tolist())
    for word in best.tolist():
        said = {phrase: int(counts.said[phrase]) for phrase in phrases_with(word) if phrase < len(df)}
        mostly = INSIDE * int(counts.said[word])
        if sum(said.values()) < mostly or not said:
            continue
        labels.discard(word)
        phrase = max(said, key=lambda phrase: (said[phrase], -phrase))
        if said[phrase] >= mostly and df[phrase] >= limits.term_least:
            labels.add(phrase)
    return tuple(sorted(labels))


def codes(counts: Cooccurrence, label: int, terms: npt.NDArray[np.integer], limits: Thresholds) -> Codes:
    """The kind of each of `terms` for a label; NONE for terms in too few items, and for the label itself."""
    share = counts.proportion(label, terms)  # P(L|t)
    found = np.where(share >= limits.alpha, ALPHA, np.where(share >= limits.beta, BETA, NONE))
    found[(counts.df[terms] < limits.term_least) | (terms == label)] = NONE
    return found.astype(np.uint8)


def make_rule(
    counts: Cooccurrence, label: int, found: Codes, terms: npt.NDArray[np.integer], limits: Thresholds
) -> Rule:
    """The rule of a label from the kinds of `terms`."""
    beta = terms[found == BETA]
    share = counts.proportion(label, beta)
    best = beta[np.lexsort((beta, -share))[: limits.beta_terms]]
    alpha = frozenset(terms[found == ALPHA].tolist())
    if len(best) < limits.delta_least:
        return Rule(alpha)
    delta = max(limits.delta_least, math.ceil(len(best) * limits.delta_share))
    return Rule(alpha, tuple(best.tolist()), delta)
