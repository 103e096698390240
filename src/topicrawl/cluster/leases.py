"""Who holds a shard. A lease ends by itself, by the clock of PostgreSQL; each new holder gets a higher epoch.

A holder whose lease ran out may still be running and not know it. So all that it writes for its shard carries its
epoch, and is refused once another has taken over (manifest.py). Once a crawl has ended nobody can take its shards, and
nothing is added to them: `status` tells what `fetch` brings.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import NamedTuple

import msgspec

from topicrawl.cluster.database import Connection, Database
from topicrawl.errors import AwayError, BusyError, TopicrawlError

SECONDS = 15.0
"""For how long a lease is given."""
RENEWALS = 5
"""How often it is renewed in that time."""

GOES_ON = "EXISTS (SELECT FROM crawl WHERE id = %(crawl)s AND state <> 'ended')"
TAKE = f"""
UPDATE shard SET epoch = epoch + 1, holder = %(holder)s, until = clock_timestamp() + make_interval(secs => %(seconds)s)
WHERE crawl = %(crawl)s AND number = %(number)s AND (holder = '' OR until < clock_timestamp())
AND {GOES_ON} RETURNING epoch
""".encode()  # noqa: S608 - our own condition
RELEASE = """
UPDATE shard SET holder = '', until = '-infinity'
WHERE crawl = %(crawl)s AND number = %(number)s AND epoch = %(epoch)s
"""
HELD_BY = f"""
SELECT holder, greatest(extract(epoch FROM greatest(until, now()) - clock_timestamp()), 0)::float8, {GOES_ON} FROM shard
WHERE crawl = %(crawl)s AND number = %(number)s
""".encode()  # noqa: S608 - our own condition


class LostLeaseError(TopicrawlError):
    """Another has taken the shard over: its former holder ends and writes nothing more."""


class Lease(NamedTuple):
    """A shard that is held."""

    crawl: str
    number: int
    epoch: int


class Counts(msgspec.Struct, frozen=True):
    """What is known of a shard; absolute numbers."""

    granted: int = 0
    """Asks that the coordinator allows in all."""
    asked: int = 0
    pages: int = 0
    relevant: int = 0
    failed: int = 0
    bytes: int = 0
    waiting: int = 0
    in_flight: int = 0
    hosts: int = 0
    """Hosts with pages."""
    sent: int = 0
    """Letters to other shards."""
    taken: int = 0
    """Letters from other shards."""


STORED = ("pages", "relevant", "failed", "bytes")
"""Counts of the visits in the store: written with each piece of the log (manifest.py), so they are exact also where the
holder is gone. A shard tells the other counts with every renewal."""
TOLD = tuple(name for name in Counts.__struct_fields__ if name not in STORED)

RENEW = f"""
UPDATE shard SET until = clock_timestamp() + make_interval(secs => %(seconds)s),
{", ".join(f"{name} = coalesce(%({name})s::bigint, {name})" for name in TOLD)}
WHERE crawl = %(crawl)s AND number = %(number)s AND epoch = %(epoch)s
""".encode()  # noqa: S608 - our own columns


def take(connection: Connection, crawl: str, number: int, holder: str, seconds: float = SECONDS) -> Lease:
    """Take a shard that nobody holds; `BusyError` if another holds it, with who and for how long yet, or if the crawl
    has ended."""
    values = {"crawl": crawl, "number": number, "holder": holder, "seconds": seconds}
    row = connection.execute(TAKE, values).fetchone()
    if row is not None:
        return Lease(crawl, number, int(str(row[0])))
    held = connection.execute(HELD_BY, values).fetchone()
    if held is None:
        raise BusyError(f"crawl {crawl} has no shard {number}")
    if not held[2]:
        raise BusyError(f"crawl {crawl} has ended")
    raise BusyError(f"shard {number} of crawl {crawl} is held by {held[0]} for {held[1]:.0f} s yet")


def renew(connection: Connection, lease: Lease, counts: Counts | None, seconds: float = SECONDS) -> None:
    """Hold a shard for longer; `LostLeaseError` if another has it. Without counts those of the last holder stay."""
    told = dict.fromkeys(TOLD) if counts is None else msgspec.structs.asdict(counts)
    values = {**lease._asdict(), **told, "seconds": seconds}
    if connection.execute(RENEW, values).rowcount != 1:
        raise LostLeaseError(f"shard {lease.number} of crawl {lease.crawl} was taken over by another node")


def release(connection: Connection, lease: Lease) -> None:
    """Give a shard back, so that another need not wait; nothing if another has it already."""
    connection.execute(RELEASE, lease._asdict())


class Keeper:
    """Renews a lease in a thread of its own. While PostgreSQL is away it tries on; `held` says whether it is too late.

    The lease counts from before the request that renewed it, by the monotonic clock of this machine, so that it ends
    here no later than in PostgreSQL.
    """

    def __init__(
        self,
        dsn: str,
        lease: Lease,
        counts: Callable[[], Counts | None],
        taken_at: float,
        seconds: float = SECONDS,
        lost: Callable[[], None] = lambda: None,
    ) -> None:
        """`taken_at` is `time.monotonic()` before the lease was taken; `lost` is called when another has the shard."""
        self._database, self._lease, self._counts, self._lost = Database(dsn), lease, counts, lost
        self._seconds, self._until = seconds, taken_at + seconds
        self._is_lost = False
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._keep, name="lease", daemon=True)
        self._thread.start()

    def held(self) -> bool:
        """Whether the shard is surely held by us."""
        return not self._is_lost and time.monotonic() < self._until

    @property
    def is_lost(self) -> bool:
        """Whether another has taken the shard."""
        return self._is_lost

    def close(self, *, release_it: bool = True) -> None:
        """Renew no more, and give the shard back."""
        self._stop.set()
        self._thread.join()
        if release_it and not self._is_lost:
            try:
                self._renew()
                with self._database.connection() as connection:
                    release(connection, self._lease)
            except (AwayError, LostLeaseError):
                pass  # it ends by itself
        self._database.close()

    def _keep(self) -> None:
        while not self._stop.wait(self._seconds / RENEWALS):
            try:
                self._renew()
            except AwayError:
                continue
            except LostLeaseError:
                self._is_lost = True
                self._lost()
                return

    def _renew(self) -> None:
        asked_at = time.monotonic()
        with self._database.connection() as connection:
            renew(connection, self._lease, self._counts(), self._seconds)
        self._until = asked_at + self._seconds
