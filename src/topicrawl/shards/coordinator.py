"""How many links each shard may ask for, and when the crawl ends.

In each turn every shard offers the priorities of its best links. The coordinator grants the best ones of all shards: to
each shard as many asks as it has links among them, and the priority of the last as a threshold, because those of a
shard change while it asks. Links of equal priority are granted in turn. Numbers of asks are absolute, so that a grant
may be repeated or lost. All that a coordinator knows is in the next offers: it may be replaced at any time.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import msgspec

from topicrawl.crawling.core import Tally
from topicrawl.report.stop_rules import LIMITS

NO_LINK_LEFT = "frontier empty"


class Offer(msgspec.Struct, frozen=True):
    """What a shard has to offer, and what it has done so far."""

    steps: list[tuple[float, int]] = []
    """Priorities of the best links that it may ask for now, falling: each of so many links, those since the last."""
    asked: int = 0
    """Links asked so far."""
    pending: int = 0
    """Those that are not answered."""
    waiting: int = 0
    """Links that wait, also those that may not be asked for now."""
    visits: int = 0
    fetched: int = 0
    relevant: int = 0
    failed: int = 0
    bytes: int = 0
    on_their_way: int = 0
    """Pages handed over to other shards, less those that others handed over to it."""
    sent: dict[str, int] = {}
    """The number of the last letter to each other shard."""
    taken: dict[str, int] = {}
    """The number of the last letter from each other shard that is in the log."""

    @property
    def is_idle(self) -> bool:
        """Whether it has nothing to do until a letter arrives."""
        return not self.steps and not self.pending


class Grant(msgspec.Struct, frozen=True):
    """What a shard may ask for."""

    asks: int = 0
    """Links that it may have asked for, of all its life."""
    threshold: float = math.inf
    """Only links of this priority or more."""


@dataclass
class Coordinator:
    """Divides a budget between shards, `at_once` asks in each turn."""

    limits: Mapping[str, int]
    """By the reasons of report/stop_rules.py, over the whole crawl; an absent one means no limit."""
    at_once: int
    reason: str | None = None
    """Why the crawl has ended; None as long as it has not."""
    _turns: int = 0
    _quiet: tuple[int, int] | None = None
    """Letters sent and visits so far, if all was quiet in the turn before."""
    _still_quiet: set[str] = field(default_factory=set)
    """Shards that have reported since then."""

    def turn(
        self, offers: Mapping[str, Offer], unused: int = 0, reported: Iterable[str] | None = None
    ) -> dict[str, Grant]:
        """The grants of the next turn; none if the crawl ends, and `reason` says why.

        `unused` are asks that were granted before, and that shards may have made since they offered. `reported` are
        those whose offers are new, None for all.
        """
        self._turns += 1
        tally = total(offers.values())
        self.reason = self._spent(tally)
        if self.reason is None and self._is_quiet(offers, tally, offers if reported is None else reported):
            self.reason = NO_LINK_LEFT
        if self.reason is not None:
            return {}
        return self._grants(offers, self._room(offers, tally, unused))

    def _spent(self, tally: Tally) -> str | None:
        """The reason to stop, if a limit is reached."""
        reached = (
            limit.reason
            for limit in LIMITS
            if limit.reason in self.limits and getattr(tally, limit.tally) >= self.limits[limit.reason]
        )
        return next(reached, None)

    def _is_quiet(self, offers: Mapping[str, Offer], tally: Tally, reported: Iterable[str]) -> bool:
        """Whether all shards are idle and every letter was taken, and each has said so once more since."""
        sent = sum(sum(offer.sent.values()) for offer in offers.values())
        taken = sum(sum(offer.taken.values()) for offer in offers.values())
        is_idle = all(offer.is_idle for offer in offers.values()) and sent == taken
        before, self._quiet = self._quiet, (sent, tally.visits) if is_idle else None
        if self._quiet is None or self._quiet != before:
            self._still_quiet = set()
            return False
        self._still_quiet.update(reported)
        return self._still_quiet.issuperset(offers)

    def _room(self, offers: Mapping[str, Offer], tally: Tally, unused: int) -> int:
        """How many links may be asked for in this turn: asks count, not pages."""
        pending = unused + sum(offer.pending + offer.on_their_way for offer in offers.values())
        room = self.at_once
        if "pages" in self.limits:
            room = min(room, self.limits["pages"] - tally.fetched - pending)
        if "requests" in self.limits:
            room = min(room, self.limits["requests"] - tally.visits - pending)
        return max(room, 0)

    def _grants(self, offers: Mapping[str, Offer], room: int) -> dict[str, Grant]:
        steps = [(key, name, many) for name, offer in offers.items() for key, many in offer.steps]
        granted, threshold = dict.fromkeys(offers, 0), -math.inf
        for key in sorted({key for key, _, _ in steps}, reverse=True):
            if room <= 0:
                break
            threshold = key
            here = dict.fromkeys(offers, 0)
            for _, name, many in (step for step in steps if step[0] == key):
                here[name] += many
            for name, many in in_turn(here, room, self._turns).items():
                granted[name] += many
                room -= many
        return {
            name: Grant(offer.asked + granted[name], threshold if granted[name] else math.inf)
            for name, offer in offers.items()
        }


def in_turn(wanted: Mapping[str, int], room: int, first: int) -> dict[str, int]:
    """Divide `room` between those who want: one each in turn, beginning with another one each time."""
    names = [name for name, many in wanted.items() if many]
    given = dict.fromkeys(names, 0)
    names = [*names[first % max(len(names), 1) :], *names[: first % max(len(names), 1)]]
    while room > 0 and names:
        share = max(room // len(names), 1)
        for name in names:
            more = min(share, wanted[name] - given[name], room)
            given[name] += more
            room -= more
        names = [name for name in names if given[name] < wanted[name]]
    return given


def total(offers: Iterable[Offer]) -> Tally:
    """The counts of all shards together."""
    tally = Tally()
    for offer in offers:
        tally.visits += offer.visits
        tally.fetched += offer.fetched
        tally.relevant += offer.relevant
        tally.failed += offer.failed
        tally.bytes += offer.bytes
    return tally
