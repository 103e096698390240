"""Messages between a shard's process and the one that holds coordinator and teacher: msgpack, never pickle.

    shard ─► Report        its offer, letters, lessons; all that it tells is in its log
    hub   ─► Order         what it may ask for, letters of others, a model, or that it is to stop
    shard ─► Failed        it cannot go on
    shard ─► Stopped       a person asked it to stop

A shard sends a report and waits for the order that answers it.
"""

from __future__ import annotations

import msgspec

from topicrawl.shards.coordinator import Grant, Offer


class Batch(msgspec.Struct, frozen=True, array_like=True):
    """Letters of one shard to another, packed; the first has this number."""

    first: int
    letters: list[bytes]


class Report(msgspec.Struct, frozen=True, tag=True):
    """What a shard tells in each turn."""

    offer: Offer
    letters: dict[str, Batch] = {}
    """By receiver."""
    lessons: bytes = b""
    said: list[str] = []
    """Sentences for the user."""
    hosts: int = 0
    """Hosts with pages."""
    addresses: list[str] | None = None
    """IP addresses that it asks; None where it has told them a moment ago."""


class Failed(msgspec.Struct, frozen=True, tag=True):
    """A shard cannot go on."""

    error: str
    kind: str
    """The class of the error, of errors.py; empty for any other."""


class Stopped(msgspec.Struct, frozen=True, tag=True):
    """A shard ends because a person asked it to: all others end too."""

    reason: str


class Order(msgspec.Struct, frozen=True):
    """What a shard is told in each turn."""

    grant: Grant = Grant()
    letters: dict[str, Batch] = {}
    """By sender."""
    taken: dict[str, int] = {}
    """The number of the last letter that each other shard has in its log, for those that were started since."""
    acknowledged: dict[str, int] = {}
    """The same for all others: their letters need not be kept."""
    model: bytes = b""
    lessons_after: int | None = None
    """The last page that the teacher knows of this shard, where that is other than the shard assumes."""
    stop: str = ""
    """Why the crawl ends."""
    shared: dict[str, int] | None = None
    """Its addresses that other shards ask too, and how many shards do; None where it has told none now."""
