"""Incremental maintenance of the model: changes are sensed, requested, applied, checked and committed.

    sensors ─► modification requests ─► draft ─► check ─► resolve ─► commit

Paper: the adaptive learning of SemXDM §3.4: new and vanishing terms (feature evolution), labels (concept evolution) and
shifting proportions (concept drift). Each new item changes the document frequency of its terms, hence their proportion
to every label; only these are recomputed.
Differs: the table of requests is not available; ours has the four kinds below. The model always equals that of a batch
over the same items.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from topicrawl.knowledge.cooccurrence import Cooccurrence
from topicrawl.knowledge.hierarchy import Pair, broader_pairs
from topicrawl.knowledge.idf import Floats
from topicrawl.knowledge.model import (
    BETA,
    NONE,
    Codes,
    Model,
    PhrasesWith,
    Rule,
    choose_labels,
    codes,
    make_rule,
    no_phrases,
)
from topicrawl.knowledge.thresholds import Thresholds
from topicrawl.model import Ints


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes of one commit. Terms and labels by number."""

    terms_added: tuple[int, ...] = ()
    terms_removed: tuple[int, ...] = ()
    labels_added: tuple[int, ...] = ()
    labels_removed: tuple[int, ...] = ()
    broader_added: tuple[Pair, ...] = ()
    broader_removed: tuple[Pair, ...] = ()
    rules_added: int = 0
    rules_removed: int = 0
    resolved: int = 0
    """Rules left over from removed labels, which the check removed."""

    def __bool__(self) -> bool:
        return any(getattr(self, name) for name in self.__slots__)


@dataclass
class Requests:
    """Requested modifications: labels to add and remove, labels whose terms changed, and pairs of the hierarchy."""

    add: set[int] = field(default_factory=set)
    remove: set[int] = field(default_factory=set)
    moved: set[int] = field(default_factory=set)
    pairs: frozenset[Pair] = frozenset()


class Maintenance:
    """A model and the counts it is derived from."""

    def __init__(self, counts: Cooccurrence, thresholds: Thresholds) -> None:
        self.model = Model(own_term=thresholds.own_term, mentioned=thresholds.mentioned)
        self._counts = counts
        self._thresholds = thresholds
        self._codes: dict[int, Codes] = {}
        self._terms = np.zeros(0, dtype=bool)
        self._limits: Thresholds | None = None

    def restore(self, model: Model, rarities: Floats, phrases_with: PhrasesWith = no_phrases) -> None:
        """Restore the state from all items at once and the model they gave."""
        self._counts.catch_up()
        self.commit(rarities, phrases_with)
        self.model = model

    def commit(self, rarities: Floats, phrases_with: PhrasesWith = no_phrases) -> Changes:
        """Update the model by all items counted since the last commit, as one transaction."""
        limits = self._thresholds.at(self._counts.items)
        changed = self._sense(limits)
        terms, fresh = self._kept_terms(changed, limits)
        requests = self._request(changed, choose_labels(self._counts, rarities, limits, phrases_with), limits)
        draft = self._apply(requests, limits)
        faults = leftovers(draft)
        draft = resolve(draft, faults)
        before, self.model = self.model, replace(draft, terms=terms)
        changes = _difference(before, self.model, fresh, len(faults))
        self.model = replace(self.model, version=before.version + bool(changes))
        return changes

    def _sense(self, limits: Thresholds) -> Ints:
        """The terms whose proportions may have changed: those in new items; all, when thresholds have changed."""
        changed = self._counts.touched()
        if limits != self._limits:
            changed = np.arange(len(self._counts.df), dtype=np.int32)
        self._limits = limits
        return changed

    def _kept_terms(self, changed: Ints, limits: Thresholds) -> tuple[int, tuple[Ints, Ints]]:
        """How many terms are in the model now, and which were added and removed."""
        missing = len(self._counts.df) - len(self._terms)
        self._terms = np.concatenate((self._terms, np.zeros(max(0, missing), dtype=bool)))
        now = self._counts.df[changed] >= limits.term_least
        came, went = changed[now & ~self._terms[changed]], changed[~now & self._terms[changed]]
        self._terms[changed] = now
        return int(self._terms.sum()), (came, went)

    def _request(self, changed: Ints, wanted: tuple[int, ...], limits: Thresholds) -> Requests:
        old, new = set(self.model.labels), set(wanted)
        self._counts.watch(wanted)
        requests = Requests(add=new - old, remove=old - new)
        for label in old & new:
            if self._recode(label, changed, limits):
                requests.moved.add(label)
        requests.pairs = broader_pairs(self._counts, wanted, limits.broader)
        return requests

    def _recode(self, label: int, changed: Ints, limits: Thresholds) -> bool:
        """Update the codes of changed terms for a label; True when its rule may have changed."""
        known = self._codes[label] = _as_long(self._codes.get(label), len(self._counts.df))
        now = codes(self._counts, label, changed, limits)
        before = known[changed]
        known[changed] = now
        return bool(((now != before) | (now == BETA)).any())

    def _apply(self, requests: Requests, limits: Thresholds) -> Model:
        """The model with labels added and removed and rules derived again; it may contain leftover rules."""
        every = np.arange(len(self._counts.df), dtype=np.int32)
        for label in requests.add:
            self._recode(label, every, limits)
        for label in requests.remove:
            del self._codes[label]
        rules = dict(self.model.rules)
        for label in requests.add | requests.moved:
            rules[label] = self._rule(label, limits)
        labels = set(self.model.labels) - requests.remove | requests.add
        return replace(self.model, labels=tuple(sorted(labels)), broader=requests.pairs, rules=rules)

    def _rule(self, label: int, limits: Thresholds) -> Rule:
        terms = np.flatnonzero(self._codes[label] != NONE)
        return make_rule(self._counts, label, self._codes[label][terms], terms, limits)


def leftovers(draft: Model) -> list[int]:
    """Labels with a rule although they were removed, or with an empty rule."""
    labels = set(draft.labels)
    return [label for label, rule in draft.rules.items() if label not in labels or not rule]


def resolve(draft: Model, faults: Iterable[int]) -> Model:
    """The draft without the leftover rules."""
    wrong = set(faults)
    return replace(draft, rules={label: rule for label, rule in draft.rules.items() if label not in wrong})


def _difference(before: Model, after: Model, fresh: tuple[Ints, Ints], resolved: int) -> Changes:
    was, now = set(before.labels), set(after.labels)
    return Changes(
        terms_added=tuple(fresh[0].tolist()),
        terms_removed=tuple(fresh[1].tolist()),
        labels_added=tuple(sorted(now - was)),
        labels_removed=tuple(sorted(was - now)),
        broader_added=tuple(sorted(after.broader - before.broader)),
        broader_removed=tuple(sorted(before.broader - after.broader)),
        rules_added=_surplus(after, before),
        rules_removed=_surplus(before, after),
        resolved=resolved,
    )


def _surplus(one: Model, other: Model) -> int:
    """Rules that `one` has and `other` has not: α terms, and the β terms of a label where these differ."""
    count = 0
    for label, rule in one.rules.items():
        counterpart = other.rules.get(label, Rule())
        count += len(rule.alpha - counterpart.alpha)
        count += bool(rule.beta) and (rule.beta, rule.delta) != (counterpart.beta, counterpart.delta)
    return count


def _as_long(known: Codes | None, size: int) -> Codes:
    if known is None:
        return np.zeros(size, np.uint8)
    return known if len(known) >= size else np.concatenate((known, np.zeros(size - len(known), np.uint8)))
