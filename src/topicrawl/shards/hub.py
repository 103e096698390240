"""What joins the shards of one crawl: coordinator, teacher, and the letters on their way. No file, no socket.

Who drives it hands in the reports of a turn and sends out the orders. A shard that was started again says by its first
report which letters it has; the others then send it those that follow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain

import msgspec

from topicrawl.shards.coordinator import Coordinator, Grant, Offer
from topicrawl.shards.messages import Batch, Order, Report


@dataclass
class _State:
    """What is known of one shard."""

    offer: Offer = field(default_factory=Offer)
    """Of its last report."""
    is_counted: bool = False
    """Whether `offer` has what it did in earlier sessions."""
    hosts: int = 0
    has_reported: bool = False
    """Since it was started."""
    granted: Grant = field(default_factory=Grant)
    most: int = 0
    """Asks that it may have made since its last report: until it hears of a grant it uses the one before."""
    letters: dict[str, Batch] = field(default_factory=dict)
    """On their way to it, by sender."""
    known: set[str] = field(default_factory=set)
    """Shards whose last letter taken it was told."""
    model: int = 0
    """The number of the model that it has."""
    is_new: bool = True
    """Whether it has had no order since it was started."""
    addresses: list[str] = field(default_factory=list)
    """IP addresses that it asks."""
    tells_addresses: bool = False
    """Whether its last report has them."""


class Hub:
    """Joins the shards of these names.

    `known` has what is known of shards before they report. As long as that of one is not known, nothing is granted: it
    may have used the budget in an earlier session.
    """

    def __init__(
        self, names: Iterable[str], coordinator: Coordinator, known: Mapping[str, Offer] | None = None
    ) -> None:
        self.coordinator, known = coordinator, known or {}
        self._states = {name: _State(known.get(name, Offer()), name in known) for name in names}
        self._models, self._model = 0, b""

    def started(self, name: str, granted: Grant | None = None) -> None:
        """A shard is started, or started again: what was on its way to it is lost.

        `granted` is what it has of another hub, whose place this one takes.
        """
        state = self._states[name]
        granted = granted or state.granted
        most = max(state.most, granted.asks)
        self._states[name] = _State(state.offer, state.is_counted, state.hosts, granted=granted, most=most)
        for other in self._states.values():
            other.known.discard(name)

    def reported(self, name: str, report: Report) -> None:
        """Take the report of a shard."""
        state = self._states[name]
        state.offer, state.hosts, state.has_reported = report.offer, report.hosts, True
        state.is_counted = True
        state.tells_addresses = report.addresses is not None
        state.addresses = state.addresses if report.addresses is None else report.addresses
        for receiver, batch in report.letters.items():
            held = self._states[receiver].letters
            before = held.get(name)
            follows = before is not None and before.first + len(before.letters) == batch.first
            held[name] = Batch(before.first, before.letters + batch.letters) if before and follows else batch

    def teach(self, model: bytes) -> None:
        """Send a model to all shards."""
        self._models, self._model = self._models + 1, model

    def turn(
        self, reported: Iterable[str], known_lessons: Mapping[str, int], busy: Iterable[str] = ()
    ) -> dict[str, Order]:
        """The orders that answer the reports of a turn; those of a crawl that has ended say why.

        `known_lessons` is the last page of each shard that the teacher knows; empty without a teacher. `busy` are
        shards that have reported a moment ago: links of theirs that are better are left to them.
        """
        names = list(reported)
        grants = self._grants(names, set(busy))
        if self.coordinator.reason is not None:
            return {name: Order(stop=self.coordinator.reason) for name in names}
        shared = self._shared(names)
        return {name: self._order(name, grants[name], known_lessons, shared.get(name)) for name in names}

    def has_reported(self, name: str) -> bool:
        """Whether a shard has reported since it was started."""
        return self._states[name].has_reported

    @property
    def alive(self) -> int:
        """Shards that have reported since they were started."""
        return sum(state.has_reported for state in self._states.values())

    @property
    def offers(self) -> dict[str, Offer]:
        """The last offer of each shard."""
        return {name: state.offer for name, state in self._states.items()}

    @property
    def hosts(self) -> int:
        """Hosts with pages."""
        return sum(state.hosts for state in self._states.values())

    @property
    def waiting_letters(self) -> int:
        """Letters that were sent and are not in the log of their receiver."""
        offers = self.offers.values()
        return max(sum(sum(offer.sent.values()) - sum(offer.taken.values()) for offer in offers), 0)

    def _grants(self, names: list[str], busy: set[str]) -> dict[str, Grant]:
        """What shards may ask for.

        Of those that have not reported in this turn the busy ones offer what they were not granted yet, others nothing.
        Whoever has not reported at all, or may have used its grant since, is not idle.
        """
        offers, all_unused = dict[str, Offer](), 0
        for name, state in self._states.items():
            offer = state.offer
            unused = max((state.granted.asks if name in names else state.most) - offer.asked, 0)
            all_unused += unused
            if name not in names:
                left = _after(offer.steps, unused) if name in busy else []
                pending = offer.pending if state.has_reported and not unused else max(offer.pending, 1)
                offer = msgspec.structs.replace(offer, steps=left, pending=pending)
            offers[name] = offer
        if not all(state.is_counted for state in self._states.values()):
            offers = {name: msgspec.structs.replace(offer, steps=[]) for name, offer in offers.items()}
        grants = self.coordinator.turn(offers, all_unused, names)
        for name in names:
            state, grant = self._states[name], grants.get(name, Grant())
            state.most, state.granted = max(state.granted.asks, grant.asks), grant
        return grants

    def _shared(self, names: list[str]) -> dict[str, dict[str, int]]:
        """For shards that have told their addresses: those that others ask too, and how many shards do."""
        told = [name for name in names if self._states[name].tells_addresses]
        if not told:
            return {}
        asking = Counter(chain.from_iterable(state.addresses for state in self._states.values()))
        return {
            name: {each: asking[each] for each in self._states[name].addresses if asking[each] > 1}
            for name in told
        }

    def _order(
        self, name: str, grant: Grant, known_lessons: Mapping[str, int], shared: dict[str, int] | None
    ) -> Order:
        state = self._states[name]
        letters, state.letters = state.letters, {}
        mine = {
            other: each.offer.taken.get(name, 0)
            for other, each in self._states.items()
            if other != name and each.has_reported
        }
        fresh = {other: taken for other, taken in mine.items() if other not in state.known}
        state.known |= fresh.keys()
        model = self._model if state.model != self._models else b""
        state.model = self._models
        after = known_lessons.get(name) if state.is_new else None
        state.is_new = False
        return Order(
            grant,
            letters,
            fresh,
            {other: taken for other, taken in mine.items() if other not in fresh},
            model,
            after,
            shared=shared,
        )


def _after(steps: list[tuple[float, int]], links: int) -> list[tuple[float, int]]:
    """The steps of an offer without so many links, the best ones."""
    left = list[tuple[float, int]]()
    for key, many in steps:
        taken = min(links, many)
        links -= taken
        if many > taken:
            left.append((key, many - taken))
    return left
