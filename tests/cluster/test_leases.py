"""PostgreSQL: schema, leases, and what a holder may write whose lease has run out."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from cluster.postgres import PASSWORD, Server
from topicrawl.cluster.control import status
from topicrawl.cluster.crawls import ENDED, RUNNING, set_state
from topicrawl.cluster.database import (
    Connection,
    Database,
    check_clock,
    check_schema,
    connect,
    migrate,
    migrations,
    patiently,
)
from topicrawl.cluster.leases import Counts, Keeper, Lease, LostLeaseError, release, renew, take
from topicrawl.cluster.manifest import (
    Piece,
    Stored,
    add_piece,
    add_snapshot,
    newest_snapshot,
    pieces,
    totals_of,
)
from topicrawl.errors import AwayError, BusyError, ConfigError
from topicrawl.store.log_pieces import Totals

pytestmark = pytest.mark.xdist_group("postgres")
COUNTS = Counts(asked=7, sent=5, taken=2)
TOTALS = Totals(pages=3, relevant=2, failed=1, bytes=999)


@pytest.fixture
def database(dsn: str) -> Iterator[Connection]:
    """A database with one crawl of two shards."""
    with connect(dsn) as connection:
        migrate(connection)
        connection.execute("INSERT INTO crawl (id, config, shards, version) VALUES ('c', '', 2, '0')")
        connection.execute("INSERT INTO shard (crawl, number) VALUES ('c', 0), ('c', 1)")
        yield connection


def piece(first: int, last: int, epoch: int) -> Piece:
    return Piece(first, last, f"log/{first}-{epoch}", 10, epoch)


def test_several_nodes_may_make_the_schema_together_and_again(dsn: str) -> None:
    def make(_: int) -> None:
        with connect(dsn) as connection:
            migrate(connection)
            check_schema(connection)

    with ThreadPoolExecutor(4) as nodes:
        list(nodes.map(make, range(8)))
    with connect(dsn) as connection:
        assert connection.execute("SELECT number FROM migration").fetchall() == [(n,) for n in migrations()]


def test_a_shard_has_one_holder(database: Connection) -> None:
    lease = take(database, "c", 0, "first")
    with pytest.raises(BusyError, match=r"shard 0 of crawl c is held by first for 1[45] s"):
        take(database, "c", 0, "second")
    assert take(database, "c", 1, "second").epoch == 1
    renew(database, lease, COUNTS)
    add_piece(database, lease, piece(1, 4, 1), TOTALS)
    release(database, lease)
    second = take(database, "c", 0, "second")
    assert second == Lease("c", 0, 2)
    renew(database, second, None)
    row = database.execute("SELECT asked, sent, taken FROM shard WHERE number = 0").fetchone()
    assert row == (7, 5, 2), "until the second has told something, what the first told stays"
    assert totals_of(database, "c", 0) == TOTALS


def test_whoever_lost_its_lease_can_write_nothing(database: Connection) -> None:
    zombie = take(database, "c", 0, "first", seconds=0)
    add_piece(database, zombie, piece(1, 4, 1), TOTALS)
    holder = take(database, "c", 0, "second")
    assert holder.epoch == zombie.epoch + 1
    with pytest.raises(LostLeaseError, match="taken over"):
        renew(database, zombie, COUNTS)
    with pytest.raises(LostLeaseError):
        add_piece(database, zombie, piece(5, 9, 1), Totals(pages=99))
    with pytest.raises(LostLeaseError):
        add_snapshot(database, zombie, Stored(4, "snapshot/4-1", 1))
    release(database, zombie)
    add_piece(database, holder, piece(5, 6, 2), TOTALS)
    add_piece(database, holder, piece(5, 6, 2), TOTALS)  # the answer to the first was lost
    with pytest.raises(LostLeaseError):
        add_piece(database, holder, piece(5, 6, 1), TOTALS)
    assert pieces(database, "c", 0) == [piece(1, 4, 1), piece(5, 6, 2)]
    assert totals_of(database, "c", 0) == TOTALS
    assert newest_snapshot(database, "c", 0) is None
    add_snapshot(database, holder, Stored(6, "snapshot/6-2", 1))
    add_snapshot(database, holder, Stored(6, "snapshot/6-2", 1))
    assert newest_snapshot(database, "c", 0) == Stored(6, "snapshot/6-2", 1)


def test_a_lease_outlives_a_restart_of_postgresql(database: Connection, dsn: str, postgres: Server) -> None:
    began = time.monotonic()
    keeper = Keeper(dsn, take(database, "c", 0, "first"), lambda: COUNTS, began, seconds=1.0)
    other = Database(dsn)

    def asked() -> int:
        with other.connection() as connection:
            row = connection.execute("SELECT asked FROM shard WHERE number = 0").fetchone()
        assert row is not None
        return int(str(row[0]))

    try:
        postgres.stop()
        with pytest.raises(AwayError):
            asked()
        while keeper.held():  # it cannot be renewed
            time.sleep(0.05)
        postgres.start()
        while not keeper.held():
            time.sleep(0.05)
        assert patiently(asked, lambda: True) == COUNTS.asked
        assert not keeper.is_lost
    finally:
        keeper.close()
        other.close()
    with connect(dsn) as connection:
        assert take(connection, "c", 0, "second").epoch == 2, "it was given back"


def test_a_holder_learns_that_another_has_its_shard(database: Connection, dsn: str) -> None:
    told: list[str] = []
    lease = take(database, "c", 0, "first", seconds=0)
    keeper = Keeper(
        dsn, lease, lambda: COUNTS, time.monotonic() - 9, seconds=0.2, lost=lambda: told.append("lost")
    )
    assert not keeper.held()
    take(database, "c", 0, "second")
    while not keeper.is_lost:
        time.sleep(0.01)
    keeper.close()
    assert told == ["lost"]
    assert not keeper.held()


def checked(dsn: str) -> None:
    with connect(dsn) as connection:
        check_schema(connection)


def test_bad_databases_are_refused_in_one_line(dsn: str, postgres: Server) -> None:
    guest = postgres.dsn("postgres", "guest")
    refusals = {
        "no connection string": lambda: connect("host"),
        "does not answer: No such file or directory;": lambda: connect("host=/nonexistent dbname=x"),
        "does not answer: Connection refused;": lambda: connect("host=127.0.0.1 port=1 dbname=x"),
        "refuses the login: password authentication failed for user": lambda: connect(
            f"{guest} password=wrong"
        ),
        'database "absent" does not exist': lambda: connect(postgres.dsn("absent")),
        "no tables of topicrawl": lambda: checked(dsn),
    }
    for words, refused in refusals.items():
        with pytest.raises(ConfigError, match=words) as error:
            refused()
        assert "\n" not in str(error.value)
        assert "wrong" not in str(error.value)
    connect(f"{guest} password='{PASSWORD}'").close()


def test_a_schema_of_another_version_is_refused(database: Connection) -> None:
    check_schema(database)
    database.execute("INSERT INTO migration VALUES (9999)")
    for refuses in (check_schema, migrate):
        with pytest.raises(ConfigError, match=r"later topicrawl \(migration 9999\)"):
            refuses(database)
    database.execute("DELETE FROM migration WHERE number IN (1, 9999)")
    with pytest.raises(ConfigError, match=r"older topicrawl \(migration 1 is missing\)"):
        check_schema(database)


@pytest.mark.parametrize(("apart", "words"), [(60.0, "60 s ahead of"), (-60.0, "60 s behind")])
def test_clocks_apart_are_refused(database: Connection, apart: float, words: str) -> None:
    check_clock(database)
    with pytest.raises(ConfigError, match=words):
        check_clock(database, lambda: time.time() + apart)


def test_nothing_is_added_to_a_crawl_that_has_ended(database: Connection) -> None:
    lease = take(database, "c", 0, "a/1")
    add_piece(database, lease, piece(1, 4, 1), TOTALS)
    set_state(database, "c", ENDED)
    with pytest.raises(LostLeaseError, match="or the crawl has ended"):
        add_piece(database, lease, piece(5, 9, 1), Totals(pages=8))
    with pytest.raises(BusyError, match="crawl c has ended"):
        take(database, "c", 1, "b/2")
    assert status(database, "c").total.pages == TOTALS.pages
    assert pieces(database, "c", 0) == [piece(1, 4, 1)]
    set_state(database, "c", RUNNING)
    add_piece(database, lease, piece(5, 9, 1), Totals(pages=8))
    assert take(database, "c", 1, "b/2").epoch == 1
    assert status(database, "c").total.pages == 8
