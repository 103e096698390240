"""The requests of a spider that are not done: in a file of the JOBDIR, or in memory where there is none.

A request leaves the file when its page is in the log of the crawl, so that a killed process loses none. It is stored
as Scrapy stores it, pickled: like every JOBDIR, the file must come from somebody you trust. What cannot be
pickled stays in memory, as with Scrapy's own scheduler.
"""

from __future__ import annotations

import pickle
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from scrapy import Request, Spider
from scrapy.utils.request import request_from_dict

SCHEMA = """
CREATE TABLE IF NOT EXISTS requests (
  id INTEGER PRIMARY KEY, url TEXT, own INTEGER NOT NULL, seed INTEGER NOT NULL, priority INTEGER NOT NULL,
  depth INTEGER NOT NULL, data BLOB);
CREATE INDEX IF NOT EXISTS by_url ON requests (url);
CREATE TABLE IF NOT EXISTS seen (fingerprint BLOB PRIMARY KEY) WITHOUT ROWID;
"""


class Entry(NamedTuple):
    """A request that is not done."""

    id: int
    url: str | None
    """Canonical; None where it is no page that the crawl could visit, such as the answer to a POST."""
    own: bool
    """Whether the spider's priority decides when it is fetched, not the strategy."""
    seed: bool
    """Whether no page led to it."""
    priority: int
    depth: int


class RequestStore:
    """The open requests, and the fingerprints of all. Nothing is durable before `commit`."""

    def __init__(self, path: Path | None, spider: Spider) -> None:
        self._spider = spider
        self._kept: dict[int, Request] = {}
        """Requests that are in memory only."""
        self.is_durable = path is not None
        self.changes = 0
        """Since the last commit."""
        self._db = sqlite3.connect(":memory:" if path is None else path, isolation_level=None)
        if path is not None:
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=FULL")
        self._db.executescript(SCHEMA)
        self._db.execute("DELETE FROM requests WHERE data IS NULL")  # these were in the memory of a process
        self.seen: set[bytes] = {row[0] for row in self._db.execute("SELECT fingerprint FROM seen")}
        self._last = int(self._db.execute("SELECT coalesce(max(id), 0) FROM requests").fetchone()[0])
        self._db.execute("BEGIN")

    def add(self, request: Request, url: str | None, *, own: bool, seed: bool) -> tuple[Entry, str]:
        """Keep a request; returns its entry, and why it could not be stored (empty if it was)."""
        self._last += 1
        self.changes += 1
        depth = int(request.meta.get("depth", 0))
        entry = Entry(self._last, url, own, seed, request.priority, depth)
        data, fault = self._packed(request) if self.is_durable else (None, "")
        if data is None:
            self._kept[entry.id] = request
        self._db.execute("INSERT INTO requests VALUES (?, ?, ?, ?, ?, ?, ?)", (*entry, data))
        return entry, fault

    def _packed(self, request: Request) -> tuple[bytes | None, str]:
        try:
            return pickle.dumps(request.to_dict(spider=self._spider), protocol=5), ""
        except Exception as error:  # whatever the objects in its meta raise
            return None, str(error) or repr(error)

    def request(self, entry: Entry) -> Request:
        """The request of an entry."""
        if entry.id in self._kept:
            return self._kept[entry.id]
        (data,) = self._db.execute("SELECT data FROM requests WHERE id = ?", (entry.id,)).fetchone()
        return request_from_dict(pickle.loads(data), spider=self._spider)  # noqa: S301 - see above

    def waiting(self, url: str) -> list[Entry]:
        """The open requests for a page, in the order they came, those handed out included."""
        return [*self._entries("WHERE url = ? ORDER BY id", url)]

    def all(self) -> Iterator[Entry]:
        """All open requests, in the order they came."""
        return self._entries("ORDER BY id")

    def _entries(self, where: str, *values: str) -> Iterator[Entry]:
        rows = self._db.execute(f"SELECT id, url, own, seed, priority, depth FROM requests {where}", values)  # noqa: S608
        for number, url, own, seed, priority, depth in rows.fetchall():
            yield Entry(number, url, bool(own), bool(seed), priority, depth)

    def __len__(self) -> int:
        return int(self._db.execute("SELECT count(*) FROM requests").fetchone()[0])

    def see(self, fingerprint: bytes) -> bool:
        """Note a fingerprint; whether it was known."""
        if fingerprint in self.seen:
            return True
        self.seen.add(fingerprint)
        self._db.execute("INSERT OR IGNORE INTO seen VALUES (?)", (fingerprint,))
        return False

    def forget(self, done: Iterable[int]) -> None:
        """Remove requests that are done."""
        for number in done:
            self._kept.pop(number, None)
            self._db.execute("DELETE FROM requests WHERE id = ?", (number,))

    def commit(self) -> None:
        """Make all of it durable."""
        if self._db.in_transaction:
            self._db.execute("COMMIT")
        self._db.execute("BEGIN")
        self.changes = 0

    def close(self) -> None:
        """Commit and close."""
        self._db.execute("COMMIT")
        self._db.close()
