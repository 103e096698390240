"""The tables of `ui/index.db`, made from the log of a run and removed with the folder `ui/` at any time.

    about      run · form · last_n · read_n · marks · judged · threshold    one row: how far it is
    pages      n · kind · host · section · language · now · mark    a row a visit: what it is filtered and sorted by
    sites      id · host · section · pages · relevant · failed      a row a host (section '') and a row a folder
    kinds      id · name       -1: seen later again, or gone; 0: a page, 1: a peek, from 2 on kinds of failure
    languages  id · name
    addresses  key · n         visits by a hash of their URL, and of the URL that was asked for
    curve      pages · relevant · n    points of the harvest curve
    titles     words of titles and URLs, searched as they are typed
    texts      the same of page texts; filled when somebody searches, because every page must be read for it

Titles and URLs themselves are read from the log.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

FORM = 7
"""Raised by each change of the tables: an index of another form is made anew."""
EARLIER, PAGE, PEEK = -1, 0, 1
"""Of `kinds`."""
TABLES = """
CREATE TABLE about (run TEXT, form INTEGER, last_n INTEGER, read_n INTEGER, marks TEXT, judged TEXT, threshold REAL);
CREATE TABLE pages (
  n INTEGER PRIMARY KEY, kind INTEGER NOT NULL, host INTEGER NOT NULL, section INTEGER NOT NULL,
  language INTEGER NOT NULL DEFAULT 0, now REAL NOT NULL, mark INTEGER
);
CREATE INDEX pages_by_kind ON pages (kind, now, n);
CREATE INDEX pages_by_host ON pages (host, kind, now, n, section);
CREATE INDEX pages_by_language ON pages (language, kind, now, n) WHERE language > 0;
CREATE INDEX pages_by_mark ON pages (mark, now, n) WHERE mark IS NOT NULL;
CREATE TABLE sites (
  id INTEGER PRIMARY KEY, host TEXT NOT NULL, section TEXT NOT NULL, pages INTEGER NOT NULL DEFAULT 0,
  relevant INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0, UNIQUE (host, section)
);
CREATE TABLE kinds (id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL);
INSERT INTO kinds VALUES (-1, 'earlier'), (0, 'page'), (1, 'peek');
CREATE TABLE languages (id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL);
INSERT INTO languages VALUES (0, '');
CREATE TABLE addresses (key INTEGER NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (key, n)) WITHOUT ROWID;
CREATE TABLE curve (pages INTEGER PRIMARY KEY, relevant INTEGER NOT NULL, n INTEGER NOT NULL);
CREATE VIRTUAL TABLE titles USING fts5 (
  words, content = '', prefix = '2 3 4', tokenize = "unicode61 remove_diacritics 2"
);
CREATE VIRTUAL TABLE texts USING fts5 (
  words, content = '', tokenize = "unicode61 remove_diacritics 2"
);
"""


def open_index(path: Path, run: str) -> sqlite3.Connection:
    """The index at `path` for writing; an absent or damaged one, or one of another run or form, is made anew."""
    if not _fits(path, run):
        fresh = path.with_name(path.name + ".new")
        remove(fresh)
        with closing(sqlite3.connect(fresh, isolation_level=None)) as connection:
            connection.executescript("BEGIN;" + TABLES)
            connection.execute("INSERT INTO about VALUES (?, ?, 0, 0, '', '', NULL)", (run, FORM))
            connection.execute("COMMIT")
        remove(path)
        fresh.replace(path)  # so that no reader finds an index without tables
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=30)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = OFF")  # it can be made again
    return connection


def _fits(path: Path, run: str) -> bool:
    """Whether an index of this form and run is there."""
    if not path.exists():
        return False
    try:
        with closing(sqlite3.connect(path, timeout=30)) as connection:
            known: tuple[str, int] = connection.execute("SELECT run, form FROM about").fetchone()
    except sqlite3.DatabaseError:
        return False
    return known == (run, FORM)


def read_index(path: Path, log: str) -> sqlite3.Connection:
    """The index for reading, with the log of the run (the URI `log`) beside it as `run`."""
    address = f"{path.resolve().as_uri()}?mode=ro"
    connection = sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False, timeout=5)
    try:
        connection.execute("ATTACH ? AS run", (log,))
        connection.execute("BEGIN")  # one moment of both
    except BaseException:
        connection.close()
        raise
    return connection


def remove(path: Path) -> None:
    """Remove a database and what SQLite keeps beside it."""
    for end in ("", "-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)
