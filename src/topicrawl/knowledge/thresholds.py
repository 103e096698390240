"""The numbers that say what is a term, a label, a broader label and a rule."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Published are the kinds of threshold; the values are ours but for n ≤ 10 and p ≤ 0.5.

    A corpus of fewer than `small` items can hardly have five items to a label: below that size the least number of
    items of a label shrinks in proportion, to 2 and no further; below a tenth of it every term counts; and below
    half of it no label is too common. `small=0` keeps all thresholds as they are.
    """

    term_least: int = 2
    """Items a term describes at least, to be in the model."""
    label_least: int = 5
    label_most: float = 0.5
    """Share of the items a label describes at most."""
    labels: int = 200
    broader: float = 0.8
    """t_t: x is broader than y when P(x|y) reaches it and P(y|x) does not."""
    alpha: float = 0.8
    beta: float = 0.5
    delta_share: float = 0.25
    """p: share of its β terms that an item must have."""
    beta_terms: int = 10
    """n: β terms of a rule, at most."""
    small: int = 100

    def at(self, items: int) -> Thresholds:
        """What holds for a corpus of so many items."""
        if items >= self.small:
            return self
        return replace(
            self,
            term_least=1 if 10 * items < self.small else self.term_least,
            label_least=min(self.label_least, max(2, math.ceil(self.label_least * items / self.small))),
            label_most=1.0 if 2 * items < self.small else self.label_most,
            small=0,
        )
