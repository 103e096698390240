"""A digest of the log up to an event: that of the event's row together with the digest before it.

It tells whether a snapshot belongs to this log, also after a repair has cut the log and a crawl has continued it
otherwise. Digests are stored where snapshots were taken, so that resuming reads only the rows after the last of them.
A log that was written anew has none, and they are computed from its rows.
"""

from __future__ import annotations

import sqlite3
from hashlib import blake2b

BYTES = 16
BEGIN = bytes(BYTES)
"""The digest of a log without events."""
TABLE = "TABLE IF NOT EXISTS digests (seq INTEGER PRIMARY KEY, digest BLOB NOT NULL)"


def digest_at(connection: sqlite3.Connection, seq: int) -> bytes:
    """The digest of the events up to number `seq`."""
    known, digest = _last_stored(connection, seq)
    rows = connection.execute(
        "SELECT seq, kind, version, packed FROM log WHERE seq > ? AND seq <= ? ORDER BY seq", (known, seq)
    )
    for number, kind, version, packed in rows:
        row = blake2b(digest, digest_size=BYTES)
        row.update(f"{number} {kind} {version} {len(packed)} ".encode())
        row.update(packed)
        digest = row.digest()
    return digest


def store_digest(connection: sqlite3.Connection, seq: int, digest: bytes) -> None:
    """Store the digest of the events up to number `seq`."""
    connection.execute(f"CREATE {TABLE}")
    connection.execute("INSERT OR REPLACE INTO digests VALUES (?, ?)", (seq, digest))


def _last_stored(connection: sqlite3.Connection, seq: int) -> tuple[int, bytes]:
    """The last stored digest up to number `seq`, and its number."""
    if not connection.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'digests'").fetchone()[0]:
        return 0, BEGIN
    found = "SELECT seq, digest FROM digests WHERE seq <= ? ORDER BY seq DESC LIMIT 1"
    row: tuple[int, bytes] | None = connection.execute(found, (seq,)).fetchone()
    return row or (0, BEGIN)
