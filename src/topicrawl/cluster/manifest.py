"""What is in the store, as rows of PostgreSQL. A row is inserted after its file is there, and only by whoever holds the
shard: a file without a row does not count."""

from __future__ import annotations

from typing import NamedTuple

from topicrawl.cluster.database import Connection
from topicrawl.cluster.leases import GOES_ON, STORED, Lease, LostLeaseError
from topicrawl.store.log_pieces import Totals

PIECE = f"""
INSERT INTO piece (crawl, shard, first, last, epoch, name, bytes)
SELECT crawl, number, %(first)s, %(last)s, epoch, %(name)s, %(bytes)s FROM shard
WHERE crawl = %(crawl)s AND number = %(number)s AND epoch = %(epoch)s AND {GOES_ON} FOR UPDATE
ON CONFLICT (crawl, shard, first) DO UPDATE SET bytes = excluded.bytes WHERE piece.name = excluded.name
"""  # noqa: S608 - our own condition
COUNT = f"""
UPDATE shard SET {", ".join(f"{name} = %({name})s" for name in STORED)}
WHERE crawl = %(crawl)s AND number = %(number)s
""".encode()  # noqa: S608 - our own columns
SNAPSHOT = """
INSERT INTO snapshot (crawl, shard, seq, epoch, name, bytes)
SELECT crawl, number, %(seq)s, epoch, %(name)s, %(bytes)s FROM shard
WHERE crawl = %(crawl)s AND number = %(number)s AND epoch = %(epoch)s FOR SHARE
ON CONFLICT (crawl, shard, seq) DO UPDATE SET name = excluded.name, epoch = excluded.epoch, bytes = excluded.bytes
"""
"""The row of the shard is locked: nobody can take it over between the comparison and the insertion. A row that is there
already was inserted by ourselves, and PostgreSQL went away before it could say so."""

TOTALS = f"SELECT {', '.join(STORED)} FROM shard WHERE crawl = %s AND number = %s".encode()  # noqa: S608

FORGET = """
DELETE FROM snapshot WHERE crawl = %(crawl)s AND shard = %(number)s AND seq NOT IN (
  SELECT seq FROM snapshot WHERE crawl = %(crawl)s AND shard = %(number)s ORDER BY seq DESC LIMIT %(kept)s
) AND EXISTS (SELECT FROM shard WHERE crawl = %(crawl)s AND number = %(number)s AND epoch = %(epoch)s) RETURNING name
"""
KEPT = 2
"""Snapshots of a shard that stay in the store."""


class Piece(NamedTuple):
    """Events first to last of a shard's log, in the file `name`."""

    first: int
    last: int
    name: str
    bytes: int
    epoch: int
    """Of the holder that put it there."""


class Stored(NamedTuple):
    """A snapshot after event `seq`, in the file `name`."""

    seq: int
    name: str
    bytes: int


def add_piece(connection: Connection, lease: Lease, piece: Piece, totals: Totals) -> None:
    """Note a piece that is in the store, and the visits there with it; `LostLeaseError` if another holds the shard, or
    the crawl has ended."""
    with connection.transaction():
        _insert(connection, PIECE, lease, piece._asdict())
        connection.execute(COUNT, {**lease._asdict(), **totals._asdict()})


def add_snapshot(connection: Connection, lease: Lease, stored: Stored) -> None:
    """Note a snapshot that is in the store; `LostLeaseError` if another holds the shard."""
    _insert(connection, SNAPSHOT, lease, stored._asdict())


def forget_snapshots(connection: Connection, lease: Lease) -> list[str]:
    """Forget the snapshots of a shard but the latest ones; returns their names."""
    rows = connection.execute(FORGET, {**lease._asdict(), "kept": KEPT})
    return [str(name) for (name,) in rows]


def _insert(connection: Connection, statement: str, lease: Lease, values: dict[str, object]) -> None:
    if connection.execute(statement.encode(), {**lease._asdict(), **values}).rowcount != 1:
        raise LostLeaseError(
            f"shard {lease.number} of crawl {lease.crawl} was taken over by another node, or the crawl has ended"
        )


def totals_of(connection: Connection, crawl: str, shard: int) -> Totals:
    """The visits of a shard that are in the store."""
    row = connection.execute(TOTALS, (crawl, shard)).fetchone()
    return Totals(*row) if row else Totals()  # type: ignore[arg-type]


def pieces(connection: Connection, crawl: str, shard: int) -> list[Piece]:
    """The pieces of a shard's log, in order."""
    rows = connection.execute(
        "SELECT first, last, name, bytes, epoch FROM piece WHERE crawl = %s AND shard = %s ORDER BY first",
        (crawl, shard),
    )
    return [Piece(*row) for row in rows]  # type: ignore[arg-type]


def newest_snapshot(connection: Connection, crawl: str, shard: int) -> Stored | None:
    """The snapshot of a shard that is of the latest event."""
    row = connection.execute(
        "SELECT seq, name, bytes FROM snapshot WHERE crawl = %s AND shard = %s ORDER BY seq DESC LIMIT 1",
        (crawl, shard),
    ).fetchone()
    return None if row is None else Stored(*row)  # type: ignore[arg-type]
