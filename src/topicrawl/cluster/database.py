"""PostgreSQL: the connection, the schema, and errors in one line.

The schema is made by the files of migrations/, in the order of their numbers; the table `migration` has those that were
applied. Each is applied once, in one transaction, under a lock, so that several nodes may start together.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.resources import files
from typing import TypeVar, cast

import psycopg
from psycopg.conninfo import conninfo_to_dict

from topicrawl.credentials import kept_text, used_text
from topicrawl.errors import AwayError, ConfigError

T = TypeVar("T")

CONNECT_SECONDS = 10
LOCK = 0x746F7063
"""The number of the advisory lock under which migrations are applied."""
CLOCKS_APART = 10.0
"""Seconds that the clock of a node may differ from PostgreSQL's: a report merges the visits of shards by time."""
URL_PASSWORD = re.compile(r"://[^:/@?]*:([^?]*)@")
MISREAD = re.compile(r"[@/]|%(?![0-9A-Fa-f]{2})")
"""In the password of a URL: PostgreSQL would take what follows for a host, and errors would quote it."""
AWAY = (psycopg.OperationalError, psycopg.InterfaceError)
"""What is raised when PostgreSQL does not answer, or has been restarted."""
FLAG = "--postgres"
Connection = psycopg.Connection[tuple[object, ...]]


def kept_dsn(dsn: str) -> str:
    """A connection string as cluster.json keeps it; `ConfigError` where it has a password, and does not name one."""
    has_password = URL_PASSWORD.search(dsn) is not None
    with suppress(psycopg.ProgrammingError):
        has_password = has_password or "password" in conninfo_to_dict(dsn)
    if has_password:
        raise ConfigError(
            "--postgres: its password would be stored in cluster.json; keep it in ~/.pgpass, or put the whole string "
            "into an environment variable or a file and name that: --postgres env:NAME, or --postgres file:PATH"
        )
    return kept_text(dsn)


def connect(dsn: str) -> Connection:
    """A connection in which each statement is its own transaction. `ConfigError` says what is wrong in one line.

    The connection string may be named as a secret: `env:NAME` or `file:PATH`.
    """
    given, dsn = dsn, used_text(dsn, FLAG)
    if (found := URL_PASSWORD.search(dsn)) and MISREAD.search(found[1]):
        raise ConfigError(
            "the password in --postgres has characters with a meaning in a URL; keep it in ~/.pgpass, or write @ as "
            "%40, / as %2F, % as %25"
        )
    try:
        return psycopg.connect(dsn, autocommit=True, connect_timeout=CONNECT_SECONDS)
    except (psycopg.ProgrammingError, UnicodeDecodeError) as error:  # no connection string
        why = (
            "" if "password" in dsn or given != dsn else f" ({_line(error)})"
        )  # it may quote a part of the password
        raise ConfigError(
            f"--postgres is no connection string{why}; such as postgresql://name@host/database"
        ) from None
    except psycopg.OperationalError as error:
        raise ConfigError(_why_not(dsn, error)) from None


def _why_not(dsn: str, error: Exception) -> str:
    where, said = shown(dsn), _line(error)
    if "password" in said or "authentication" in said or "no pg_hba.conf entry" in said:
        return f"PostgreSQL at {where} refuses the login: {said}; correct --postgres, or the password in ~/.pgpass"
    if "does not exist" in said:
        return f"PostgreSQL at {where}: {said}; create it, or correct --postgres"
    return f"PostgreSQL at {where} does not answer: {said}; start it, or correct --postgres"


def _line(error: Exception) -> str:
    """Why the last address that was tried failed; further lines guess at causes."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    failed = [line for line in lines if "failed:" in line]
    said = (failed or lines or [type(error).__name__])[-1]
    return re.sub(r"^.*\b(FATAL|failed):\s*", "", said)


def shown(dsn: str) -> str:
    """What may be printed of a connection string: no password."""
    with suppress(psycopg.ProgrammingError):
        parts = conninfo_to_dict(dsn)
        user, host, port = parts.get("user", ""), parts.get("host", "localhost"), parts.get("port", "")
        return f"{f'{user}@' if user else ''}{host}{f':{port}' if port else ''}/{parts.get('dbname', '')}"
    return "the given address"


def migrations() -> dict[int, str]:
    """The statements of each migration, by number."""
    folder = files("topicrawl.cluster") / "migrations"
    found = {int(file.name[:4]): file for file in folder.iterdir() if file.name.endswith(".sql")}
    return {number: found[number].read_text(encoding="utf-8") for number in sorted(found)}


def migrate(connection: Connection) -> None:
    """Bring the schema to this version. `ConfigError` if a later topicrawl has changed it."""
    try:
        _migrate(connection)
    except (psycopg.errors.InsufficientPrivilege, psycopg.errors.ReadOnlySqlTransaction) as error:
        raise ConfigError(
            f"this login may not make tables in this database ({error.diag.message_primary}); give it one of its own: "
            "createdb --owner USER DATABASE"
        ) from None


def _migrate(connection: Connection) -> None:
    wanted = migrations()
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (LOCK,))
        connection.execute("CREATE TABLE IF NOT EXISTS migration (number integer PRIMARY KEY)")
        done = _applied(connection)
        _refuse_later(done, wanted)
        for number, statements in wanted.items():
            if number not in done:
                connection.execute(statements.encode())
                connection.execute("INSERT INTO migration VALUES (%s)", (number,))


def check_schema(connection: Connection) -> None:
    """`ConfigError` if the schema is not that of this version."""
    wanted = migrations()
    try:
        done = _applied(connection)
    except psycopg.errors.UndefinedTable:
        raise ConfigError(
            "this database has no tables of topicrawl; begin with: topicrawl cluster start --head"
        ) from None
    except psycopg.errors.InsufficientPrivilege:
        raise ConfigError(
            "this login may not read the tables of topicrawl in this database; use the login that `cluster start` used"
        ) from None
    _refuse_later(done, wanted)
    if missing := sorted(wanted.keys() - done):
        raise ConfigError(
            f"the tables in this database are of an older topicrawl (migration {missing[0]} is missing); "
            "run on the head: topicrawl cluster start --head"
        )


def _applied(connection: Connection) -> set[int]:
    return {cast(int, number) for (number,) in connection.execute("SELECT number FROM migration")}


def _refuse_later(done: set[int], wanted: dict[int, str]) -> None:
    if later := sorted(done - wanted.keys()):
        raise ConfigError(
            f"the tables in this database are of a later topicrawl (migration {later[-1]}); install that version"
        )


def check_clock(connection: Connection, now: Callable[[], float] = time.time) -> None:
    """`ConfigError` if the clock of this machine and that of PostgreSQL are apart."""
    row = connection.execute("SELECT extract(epoch FROM clock_timestamp())::float8").fetchone()
    assert row is not None
    apart = now() - cast(float, row[0])
    if abs(apart) > CLOCKS_APART:
        raise ConfigError(
            f"the clock of this machine is {abs(apart):.0f} s {'ahead of' if apart > 0 else 'behind'} PostgreSQL's; "
            "set both by the same time service (NTP)"
        )


class Database:
    """A connection that is made again after PostgreSQL was restarted. For one thread."""

    def __init__(self, dsn: str) -> None:
        self._dsn = used_text(dsn, FLAG)
        self._connection: Connection | None = None

    @contextmanager
    def connection(self) -> Iterator[Connection]:
        """The connection; after an error that ended it, the next call makes another. `StorageError` if it is away."""
        try:
            if self._connection is None or self._connection.closed:
                self._connection = psycopg.connect(
                    self._dsn, autocommit=True, connect_timeout=CONNECT_SECONDS
                )
            yield self._connection
        except AWAY as error:
            self.close()
            raise AwayError(f"PostgreSQL at {shown(self._dsn)} is away: {_line(error)}") from error

    def __del__(self) -> None:
        self.close()  # a thread that was under way when it was closed may have made another

    def close(self) -> None:
        """Close the connection; the next use makes another."""
        if self._connection is not None:
            with suppress(psycopg.Error):
                self._connection.close()
            self._connection = None


def patiently(work: Callable[[], T], may_go_on: Callable[[], bool], seconds: float = 0.5) -> T:
    """Try `work` again while what it needs is away and `may_go_on` says so."""
    while True:
        try:
            return work()
        except AwayError:
            if not may_go_on():
                raise
            time.sleep(seconds)
