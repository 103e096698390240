"""What the judge `llm` has spent, and the answers that it got: a file of the run, so that a resume goes on with both.

A call is entered before it is made, at its estimated cost, and corrected by what the server says: a killed process has
never spent more than is written here.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import NamedTuple

FILE = "llm.db"
SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (digest BLOB PRIMARY KEY, probability REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS spent (calls INTEGER NOT NULL, tokens INTEGER NOT NULL);
"""


class Spent(NamedTuple):
    """Calls and tokens so far."""

    calls: int
    tokens: int


class Ledger:
    """An open ledger, for one thread at a time."""

    def __init__(self, folder: Path | None) -> None:
        path = ":memory:" if folder is None else folder / FILE
        self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._db.executescript(SCHEMA)
        if self._db.execute("SELECT count(*) FROM spent").fetchone()[0] == 0:
            self._db.execute("INSERT INTO spent VALUES (0, 0)")

    @property
    def spent(self) -> Spent:
        """Calls and tokens so far."""
        return Spent(*self._db.execute("SELECT calls, tokens FROM spent").fetchone())

    def enter(self, calls: int, tokens: int) -> None:
        """Add to what was spent, durably; may be negative, to correct an estimate."""
        self._db.execute("UPDATE spent SET calls = calls + ?, tokens = tokens + ?", (calls, tokens))

    def answer(self, digest: bytes) -> float | None:
        """What was answered to a question before."""
        row = self._db.execute("SELECT probability FROM answers WHERE digest = ?", (digest,)).fetchone()
        return None if row is None else float(row[0])

    def keep(self, digest: bytes, probability: float) -> None:
        """Keep an answer, durably."""
        self._db.execute("INSERT OR REPLACE INTO answers VALUES (?, ?)", (digest, probability))
