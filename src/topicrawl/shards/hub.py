"""What joins the shards of one crawl: coordinator, teacher, and the letters on their way. No file, no socket.

Who drives it hands in the reports of a turn and sends out the orders. A shard that was started again says by its first
report which letters it has; the others then send it those that follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import msgspec

from topicrawl.shards.coordinator import Coordinator, Grant, Offer
from topicrawl.shards.messages import Batch, Order, Report


@dataclass
class _State:
    """What is known of one shard."""

    offer: Offer = field(default_factory=Offer)
    """Of its last report."""
    hosts: int = 0
    has_reported: bool = False
    """Since it was started."""
    granted: Grant = field(default_factory=Grant)
    letters: dict[str, Batch] = field(default_factory=dict)
    """On their way to it, by sender."""
    known: set[str] = field(default_factory=set)
    """Shards whose last letter taken it was told."""
    model: int = 0
    """The number of the model that it has."""
    is_new: bool = True
    """Whether it has had no order since it was started."""


class Hub:
    """Joins the shards of these names."""

    def __init__(self, names: Iterable[str], coordinator: Coordinator) -> None:
        self.coordinator = coordinator
        self._states = {name: _State() for name in names}
        self._models, self._model = 0, b""

    def started(self, name: str, granted: Grant | None = None) -> None:
        """A shard is started, or started again: what was on its way to it is lost.

        `granted` is what it has of another hub, whose place this one takes.
        """
        state = self._states[name]
        self._states[name] = _State(state.offer, state.hosts, granted=granted or state.granted)
        for other in self._states.values():
            other.known.discard(name)

    def reported(self, name: str, report: Report) -> None:
        """Take the report of a shard."""
        state = self._states[name]
        state.offer, state.hosts, state.has_reported = report.offer, report.hosts, True
        for receiver, batch in report.letters.items():
            held = self._states[receiver].letters
            before = held.get(name)
            follows = before is not None and before.first + len(before.letters) == batch.first
            held[name] = Batch(before.first, before.letters + batch.letters) if before and follows else batch

    def teach(self, model: bytes) -> None:
        """Send a model to all shards."""
        self._models, self._model = self._models + 1, model

    def turn(self, reported: Iterable[str], known_lessons: Mapping[str, int]) -> dict[str, Order]:
        """The orders that answer the reports of a turn; those of a crawl that has ended say why.

        `known_lessons` is the last page of each shard that the teacher knows; empty without a teacher.
        """
        names = list(reported)
        grants = self._grants(names)
        if self.coordinator.reason is not None:
            return {name: Order(stop=self.coordinator.reason) for name in names}
        return {name: self._order(name, grants[name], known_lessons) for name in names}

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

    def _grants(self, names: list[str]) -> dict[str, Grant]:
        """What shards may ask for. Those that have not reported in this turn offer nothing, and are not idle."""
        offers, unused = dict[str, Offer](), 0
        for name, state in self._states.items():
            offer = state.offer
            unused += max(state.granted.asks - offer.asked, 0)
            if name not in names:
                offer = msgspec.structs.replace(offer, steps=[], pending=max(offer.pending, 1))
            offers[name] = offer
        grants = self.coordinator.turn(offers, unused)
        for name in names:
            self._states[name].granted = grants.get(name, Grant())
        return grants

    def _order(self, name: str, grant: Grant, known_lessons: Mapping[str, int]) -> Order:
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
        )
