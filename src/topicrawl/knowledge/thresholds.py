"""Thresholds for terms, labels, the hierarchy and rules."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The kinds of threshold are published, their values (except n ≤ 10 and p ≤ 0.5) are ours.

    For a corpus of fewer than `small` items `label_least` shrinks in proportion, but not below 2, and `term_least` is
    2 at most; below a tenth of it every term counts; below half of it `label_most` does not apply. `small=0` keeps all
    thresholds as they are.
    """

    term_least: int = 3
    """Items that a term of the model describes, at least: a rule seen in two items says little."""
    label_least: int = 5
    label_most: float = 0.5
    """Share of the items a label describes at most."""
    labels: int = 200
    broader: float = 0.8
    """t_t: x is broader than y when P(x|y) reaches it and P(y|x) does not."""
    alpha: float = 0.8
    beta: float = 0.5
    delta_share: float = 0.5
    """p: share of its β terms that an item must have."""
    delta_least: int = 2
    """β terms that an item must have, at least: one alone is wrong in up to half of the cases."""
    beta_terms: int = 10
    """n: β terms of a rule, at most."""
    own_term: bool = True
    """Whether a label is given by its own term too."""
    mentioned: bool = False
    """Whether an item must mention the label that a rule gives it."""
    small: int = 100

    def at(self, items: int) -> Thresholds:
        """The thresholds for a corpus of so many items."""
        if items >= self.small:
            return self
        return replace(
            self,
            term_least=1 if 10 * items < self.small else min(self.term_least, 2),
            label_least=min(self.label_least, max(2, math.ceil(self.label_least * items / self.small))),
            label_most=1.0 if 2 * items < self.small else self.label_most,
            small=0,
        )
