"""What can be saved of a log that is damaged in the middle: everything before the damage.

The damaged database is set aside as `crawl.db.damaged`, never deleted. The rest of the run follows when it is next
opened: archive and lines are cut back to the new end of the log, and the crawl fetches again what is missing.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from topicrawl.store.disk import disk_errors, sync_folder
from topicrawl.store.schema import open_to_write

DAMAGED = ".damaged"


def cut_log(path: Path, last: int) -> int:
    """Keep the entries of the log at `path` up to number `last`; returns how many visits are left."""
    rescued, aside = path.with_name(path.name + ".rescued"), path.with_name(path.name + DAMAGED)
    with disk_errors(path), closing(sqlite3.connect(path)) as damaged:
        rescued.unlink(missing_ok=True)
        warc, segment_bytes = damaged.execute("SELECT warc, segment_bytes FROM run").fetchone()
        with closing(open_to_write(rescued, warc=bool(warc), segment_bytes=segment_bytes)) as new:
            left = _copy(damaged, new, last)
        damaged.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    path.replace(aside)
    for side in ("-wal", "-shm"):
        path.with_name(path.name + side).unlink(missing_ok=True)
        rescued.with_name(rescued.name + side).unlink(missing_ok=True)
    rescued.replace(path)
    sync_folder(path.parent)
    return left


def _copy(damaged: sqlite3.Connection, new: sqlite3.Connection, last: int) -> int:
    new.execute("BEGIN IMMEDIATE")
    new.execute("DELETE FROM run")
    new.executemany("INSERT INTO run VALUES (?, ?, ?, ?)", damaged.execute("SELECT * FROM run"))
    for table, condition in (("log", "seq <= ?"), ("visits", "seq <= ?"), ("captures", "n <= ?")):
        bound = last if table != "captures" else _last_visit(new)
        columns = len(new.execute(f"PRAGMA table_info({table})").fetchall())
        marks = ", ".join("?" * columns)
        with suppress(sqlite3.DatabaseError):  # what cannot be read is what we came to leave behind
            for row in damaged.execute(f"SELECT * FROM {table} WHERE {condition}", (bound,)):  # noqa: S608
                new.execute(f"INSERT INTO {table} VALUES ({marks})", row)  # noqa: S608
    left = _last_visit(new)
    new.execute("COMMIT")
    return left


def _last_visit(log: sqlite3.Connection) -> int:
    last: int = log.execute("SELECT coalesce(max(n), 0) FROM visits").fetchone()[0]
    return last
