"""The crawls of a cluster in PostgreSQL: submitted, asked to stop, ended; and what their shards tell."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from typing import NamedTuple, cast

import msgspec

from topicrawl.cluster.database import Connection
from topicrawl.cluster.leases import Counts
from topicrawl.errors import BusyError, RunError
from topicrawl.frontier.route import Route, shard_name

RUNNING, STOPPING, ENDED = "running", "stopping", "ended"
COUNTS = Counts.__struct_fields__


class Submitted(NamedTuple):
    """A crawl."""

    id: str
    config_toml: str
    route: Route
    version: str
    """Of topicrawl when it was submitted."""
    state: str
    reason: str


class ShardRow(msgspec.Struct, frozen=True):
    """What is known of a shard."""

    number: int
    epoch: int
    holder: str
    is_held: bool
    """Whether its lease lasts."""
    counts: Counts


def new_id() -> str:
    """A name for a crawl: when it was submitted, and something that no other has."""
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"


def add_crawl(connection: Connection, crawl: str, config_toml: str, route: Route, version: str) -> None:
    """Add a crawl and its shards."""
    with connection.transaction():
        connection.execute(
            "INSERT INTO crawl (id, config, shards, version) VALUES (%s, %s, %s, %s)",
            (crawl, config_toml, route.shards, version),
        )
        with connection.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO shard (crawl, number) VALUES (%s, %s)",
                [(crawl, number) for number in range(route.shards)],
            )
            cursor.executemany(
                "INSERT INTO route (crawl, site) VALUES (%s, %s)", [(crawl, s) for s in route.split]
            )


def get_crawl(connection: Connection, crawl: str) -> Submitted:
    """A crawl; `RunError` if there is none of that name."""
    row = connection.execute(
        "SELECT config, shards, version, state, reason FROM crawl WHERE id = %s", (crawl,)
    ).fetchone()
    if row is None:
        known = [
            str(name) for (name,) in connection.execute("SELECT id FROM crawl ORDER BY created DESC LIMIT 3")
        ]
        raise RunError(
            f"there is no crawl {crawl!r} in this cluster; the latest are: {', '.join(known) or 'none'}"
        )
    config, shards, version, state, reason = cast(tuple[str, int, str, str, str], row)
    sites = connection.execute("SELECT site FROM route WHERE crawl = %s ORDER BY site", (crawl,))
    return Submitted(crawl, config, Route(shards, tuple(str(s) for (s,) in sites)), version, state, reason)


def crawl_ids(connection: Connection, *, running: bool = False) -> list[str]:
    """The crawls, the latest first; only those that have not ended, if `running`."""
    rows = connection.execute(
        "SELECT id FROM crawl WHERE NOT %s OR state <> 'ended' ORDER BY created DESC, id DESC", (running,)
    )
    return [str(name) for (name,) in rows]


def set_state(connection: Connection, crawl: str, state: str, reason: str = "") -> None:
    """Note that a crawl goes on, is to stop, or has ended."""
    connection.execute("UPDATE crawl SET state = %s, reason = %s WHERE id = %s", (state, reason, crawl))


def shard_rows(connection: Connection, crawl: str) -> list[ShardRow]:
    """What the shards of a crawl told last."""
    rows = connection.execute(
        f"SELECT number, epoch, holder, until > clock_timestamp(), {', '.join(COUNTS)} FROM shard "  # noqa: S608
        "WHERE crawl = %s ORDER BY number".encode(),
        (crawl,),
    )
    return [ShardRow(*row[:4], Counts(*row[4:])) for row in rows]  # type: ignore[arg-type, call-arg]


class Unheld:
    """Which shards of a crawl that is to end have nothing to save.

    They were never held, or nobody has held them for the time of a lease.
    After a restart of PostgreSQL leases are renewed late, so one look is not enough.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._since: dict[int, float] = {}

    def look(self, rows: list[ShardRow], now: float) -> set[str]:
        """Their names, by the shards as they are at `now`."""
        unheld = [row for row in rows if not row.is_held]
        self._since = {row.number: self._since.get(row.number, now) for row in unheld}
        return {
            shard_name(row.number)
            for row in unheld
            if row.epoch == 0 or now - self._since[row.number] >= self._seconds
        }


def refuse_held(connection: Connection, crawl: str) -> None:
    """`BusyError` if a shard of the crawl is held."""
    if held := [shard for shard in shard_rows(connection, crawl) if shard.is_held]:
        raise BusyError(
            f"crawl {crawl} is under way: shard {held[0].number} is held by {held[0].holder}; "
            f"stop it first: topicrawl cluster stop {crawl}"
        )
