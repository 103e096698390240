"""Letters on their way between nodes: a box for each shard of a node, and what makes up for letters that got lost.

Nothing here is durable. Letters that are lost are missed by their receiver, whose acknowledgements then stand still,
and the sender sends them again from its log.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import msgspec

from topicrawl.shards.messages import Batch, Order

MOST_HELD = 5_000
"""Letters of one shard to another that a box holds; more are lost, and sent again."""
RESEND_SECONDS = 5.0
"""Seconds without progress after which letters are sent again."""


class Envelope(msgspec.Struct, frozen=True, array_like=True):
    """Letters of one shard to another."""

    sender: str
    receiver: str
    batch: Batch


class Boxes:
    """The letters to the shards of one node."""

    def __init__(self) -> None:
        self._held: dict[str, dict[str, Batch]] = {}

    def put(self, envelopes: Iterable[Envelope]) -> None:
        """Take letters. Those that do not follow the ones in the box replace them."""
        for each in envelopes:
            box = self._held.setdefault(each.receiver, {})
            before = box.get(each.sender)
            if before is None or before.first + len(before.letters) != each.batch.first:
                box[each.sender] = each.batch
            elif len(before.letters) + len(each.batch.letters) <= MOST_HELD:
                box[each.sender] = Batch(before.first, before.letters + each.batch.letters)

    def collect(self, receiver: str) -> dict[str, Batch]:
        """The letters to a shard, by sender; the box is empty then."""
        return self._held.pop(receiver, {})


@dataclass
class Resending:
    """Notices that the letters of one shard to another are not taken, and has them sent again."""

    clock: Callable[[], float] = time.monotonic
    _progress: dict[str, tuple[int, float]] = field(default_factory=dict)
    """By receiver: the last letter that it has acknowledged, and since when."""

    def checked(self, order: Order, sent: dict[str, int]) -> Order:
        """The order; a receiver that has taken nothing for long is told as new, so that letters are sent again."""
        now, again = self.clock(), dict[str, int]()
        for receiver, taken in order.acknowledged.items():
            known, since = self._progress.get(receiver, (-1, now))
            if taken != known or taken >= sent.get(receiver, 0):
                self._progress[receiver] = taken, now
            elif now - since >= RESEND_SECONDS:
                self._progress[receiver] = taken, now
                again[receiver] = taken
        if not again:
            return order
        rest = {name: taken for name, taken in order.acknowledged.items() if name not in again}
        return msgspec.structs.replace(order, taken=order.taken | again, acknowledged=rest)
