"""What people ask of a crawl from outside its process: wishes.db in the folder of its run.

    wishes   number · id · time · body · state · answer · seq

Any process may add a wish, at any time and without a lock. Only the crawl that holds the lock of the run carries wishes
out, and says what came of each: `done` (its instruction is event `seq` of the log) or `refused` (`answer` says why).
The log decides whether a wish was carried out: its instruction names the wish, so a crawl that dies between the two
files does not carry it out twice. Deleting wishes.db loses the wishes that wait, and nothing else.

The body is JSON with the kind of wish, readable with any SQLite tool.
"""

from __future__ import annotations

import sqlite3
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from topicrawl.errors import RunError
from topicrawl.store.disk import DISK, disk_errors
from topicrawl.store.failpoints import reach
from topicrawl.store.schema import connect_to_read

WISHES = "wishes.db"
WAITING, DONE, REFUSED = "waiting", "done", "refused"
TABLE = """
CREATE TABLE IF NOT EXISTS wishes (
  number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, time REAL NOT NULL, body TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting', answer TEXT NOT NULL DEFAULT '', seq INTEGER
)"""
TAKEN_BACK = "taken back before it was carried out"
"""The answer to a wish that somebody withdrew."""
ALL = "SELECT id, time, body, state, answer, seq FROM wishes ORDER BY number"
PATIENCE = 30.0
"""Seconds to wait for another process that writes a wish."""
LATEST = 253_402_300_799.0
"""The end of the year 9999, in seconds since 1970: a later time of a wish, or none, is read as unknown (0)."""


class Marks(msgspec.Struct, frozen=True, tag="marks", tag_field="kind"):
    """A person's verdicts on pages, by URL: relevant, not relevant, or (null) an earlier verdict taken back."""

    verdicts: dict[str, bool | None]


class Change(msgspec.Struct, frozen=True, tag="change", tag_field="kind", omit_defaults=True):
    """Settings of crawl.toml, by name: new values, and values to add to those that are lists."""

    settings: dict[str, Any] = {}
    add: dict[str, list[str]] = {}


class Seeds(msgspec.Struct, frozen=True, tag="seeds", tag_field="kind"):
    """Further seeds."""

    urls: list[str]


class Example(msgspec.Struct, frozen=True, tag="example", tag_field="kind"):
    """A page as a further example of the topic, or (not `relevant`) of what is not wanted."""

    url: str
    relevant: bool = True


class Pause(msgspec.Struct, frozen=True, tag="pause", tag_field="kind"):
    """Ask for nothing until `GoOn`."""


class GoOn(msgspec.Struct, frozen=True, tag="go on", tag_field="kind"):
    """End a pause."""


class Stop(msgspec.Struct, frozen=True, tag="stop", tag_field="kind"):
    """End the session; the run can be resumed."""


class Undo(msgspec.Struct, frozen=True, tag="undo", tag_field="kind", omit_defaults=True):
    """Take back an instruction: event `seq` of the log, or the one that carried out an earlier wish."""

    seq: int = 0
    wish: str = ""


Body = Marks | Change | Seeds | Example | Pause | GoOn | Stop | Undo


class Unknown(msgspec.Struct, frozen=True, tag="unknown", tag_field="kind"):
    """A wish that this version cannot read."""

    text: str


class Wish(NamedTuple):
    """A wish, and what came of it."""

    id: str
    time: float
    """When it was added, in seconds since 1970."""
    body: Body | Unknown
    state: str = WAITING
    answer: str = ""
    """Why it was refused."""
    seq: int | None = None
    """The number of the event in the log that carried it out."""


_decode = msgspec.json.Decoder(Body).decode
_encode = msgspec.json.Encoder().encode


def add(run: Path, *bodies: Body) -> list[str]:
    """Add wishes to a run, in one commit; returns their ids."""
    return add_to([run], *bodies)


def add_to(runs: Sequence[Path], *bodies: Body) -> list[str]:
    """Add the same wishes to each of these runs, the shards of a crawl; returns their ids."""
    rows = [(uuid.uuid4().hex, time.time(), _encode(body).decode()) for body in bodies]
    for run in runs:
        with _writing(run) as connection:
            connection.executemany("INSERT INTO wishes (id, time, body) VALUES (?, ?, ?)", rows)
    return [row[0] for row in rows]


def waiting(run: Path) -> list[Wish]:
    """The wishes that were not carried out or refused yet, in the order they were added."""
    return [wish for wish in wishes(run) if wish.state == WAITING]


def wishes(run: Path) -> list[Wish]:
    """All wishes of a run, in the order they were added; none where nobody had one."""
    path = run / WISHES
    if not path.exists():
        return []
    with _errors(run), closing(connect_to_read(path)) as connection:
        found = connection.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'wishes'").fetchone()
        rows = connection.execute(ALL).fetchall() if found[0] else []
    return [_wish(row) for row in rows]


def settle(run: Path, id: str, state: str, *, answer: str = "", seq: int | None = None) -> None:  # noqa: A002
    """Say what came of a wish."""
    reach("settle")
    with _writing(run) as connection:
        connection.execute(
            "UPDATE wishes SET state = ?, answer = ?, seq = ? WHERE id = ?", (state, answer, seq, id)
        )


def withdraw(run: Path, undo: Wish) -> bool:
    """Settle a wish that takes back another which still waits, together with that; False where there is none."""
    if not isinstance(undo.body, Undo) or not any(each.id == undo.body.wish for each in waiting(run)):
        return False
    settle(run, undo.body.wish, REFUSED, answer=TAKEN_BACK)
    settle(run, undo.id, DONE)
    return True


NO_STAMP = ((0, 0), (0, 0))
"""The stamp of a run for which nobody had a wish."""


def stamp(run: Path) -> tuple[tuple[int, int], tuple[int, int]]:
    """A value that changes whenever a wish is added: cheap, as nothing is opened."""
    return _touched(run / WISHES), _touched(run / (WISHES + "-wal"))


def _touched(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


def _wish(row: Sequence[Any]) -> Wish:
    id_, added, text, state, answer, seq = row
    try:
        body: Body | Unknown = _decode(text)
    except (msgspec.DecodeError, TypeError):
        body = Unknown(str(text))
    is_time = isinstance(added, int | float) and 0 <= added < LATEST
    return Wish(str(id_), float(added) if is_time else 0.0, body, str(state), str(answer), seq)


@contextmanager
def _writing(run: Path) -> Iterator[sqlite3.Connection]:
    """A connection for one commit."""
    with (
        _errors(run),
        closing(sqlite3.connect(run / WISHES, timeout=PATIENCE, isolation_level=None)) as connection,
    ):
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(TABLE)
        connection.execute("BEGIN IMMEDIATE")
        yield connection
        connection.execute("COMMIT")


@contextmanager
def _errors(run: Path) -> Iterator[None]:
    """A file that is no database, or not the one that we write, has its own remedy: it holds only wishes.

    A link is not followed: in a run from elsewhere it may lead to any file.
    """
    path = run / WISHES
    for each in (path, *(run / (WISHES + end) for end in ("-wal", "-shm", "-journal"))):
        if each.is_symlink() or (each.exists() and not each.is_file()):
            raise RunError(f"{each} is a link, or no file; remove it: nothing else is lost")
    with disk_errors(path):
        try:
            yield
        except sqlite3.DatabaseError as error:
            if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF in DISK:
                raise
            raise RunError(
                f"{path} cannot be read ({error}); delete it: only wishes that wait are lost"
            ) from error
