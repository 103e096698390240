"""A shard in the store: uploaded piece by piece while it crawls, brought back where its folder is gone."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from crawling.test_listening import GIVEN, complete, opened
from topicrawl.cluster.database import Connection, Database, connect, migrate
from topicrawl.cluster.leases import Lease, LostLeaseError, release, take
from topicrawl.cluster.manifest import newest_snapshot, pieces, totals_of
from topicrawl.cluster.pieces import Uploader, bring
from topicrawl.cluster.store import MARK, Folder, Store, open_store
from topicrawl.errors import AwayError, ConfigError, ReplayError
from topicrawl.store.log_pieces import LogPiece, Totals, make_run, next_piece, read_span
from topicrawl.store.run import Run
from topicrawl.store.snapshots import paths
from topicrawl.store.verify import examine

pytestmark = pytest.mark.xdist_group("postgres")
THRESHOLD = 0.62
WITH_ARCHIVE = {**GIVEN, "warc": True, "segment_size": 60_000}


@pytest.fixture
def database(dsn: str) -> Iterator[Connection]:
    with connect(dsn) as connection:
        migrate(connection)
        connection.execute("INSERT INTO crawl (id, config, shards, version) VALUES ('c', '', 1, '0')")
        connection.execute("INSERT INTO shard (crawl, number) VALUES ('c', 0)")
        yield connection


def crawled(out: Path, pages: int) -> None:
    """A run of so many pages, with an archive of several segments; resumed where it exists."""
    given = {} if out.exists() else WITH_ARCHIVE
    complete(opened(out, **{**given, "pages": pages}))


def upload(run: Path, store: Store, dsn: str, lease: Lease, durable: int = 0) -> int:
    with closing(Database(dsn)) as database:
        uploader = Uploader(run, store, database, lease, durable, THRESHOLD)
        while uploader.upload():
            pass
        uploader.upload_snapshot()
    return uploader.durable


def a_store(path: Path) -> Folder:
    store = Folder(path)
    store.mark()
    return store


def visits_of(run: Path) -> Totals:
    """The counts of a run, by its lines."""
    visits = [msgspec.json.decode(line) for line in (run / "visits.jsonl").read_bytes().splitlines()]
    pages = [visit for visit in visits if visit["fetched"]]
    relevant = sum(visit["relevance"] > THRESHOLD for visit in pages)
    return Totals(len(pages), relevant, len(visits) - len(pages), sum(visit["bytes"] for visit in visits))


def same_runs(one: Path, other: Path) -> None:
    for name in ("visits.jsonl", "timings.jsonl"):
        assert (one / name).read_bytes() == (other / name).read_bytes(), name
    for segment in sorted((one / "archive").iterdir()):
        assert segment.read_bytes() == (other / "archive" / segment.name).read_bytes(), segment.name
    with Run.open(one, writable=False) as left, Run.open(other, writable=False) as right:
        assert left.id == right.id
        assert list(left.replay()) == list(right.replay())


def test_a_run_is_made_again_from_its_pieces(tmp_path: Path) -> None:
    run = tmp_path / "run"
    crawled(run, 30)
    found: list[LogPiece] = []
    while piece := next_piece(run, found[-1].last if found else 0, most=11):
        found.append(LogPiece.unpack(piece.pack()))
    assert len(found) > 4
    assert {span.segment for piece in found for span in piece.spans} > {0}, "several segments"
    (tmp_path / "again.part").mkdir()
    (tmp_path / "again.part" / "left").touch()  # of an interrupted call
    make_run(tmp_path / "again", found, lambda piece, span: read_span(run, span))
    with Run.open(tmp_path / "again"):
        pass  # lines are written from the log
    same_runs(run, tmp_path / "again")
    assert not list((tmp_path / "again").glob("left"))
    with pytest.raises(ReplayError, match=f"events {found[0].last + 1} and on is missing"):
        make_run(tmp_path / "gap", [found[0], *found[2:]], lambda piece, span: read_span(run, span))
    assert not (tmp_path / "gap").exists()
    with pytest.raises(ReplayError, match="damaged"):
        LogPiece.unpack(found[0].pack()[:-9])


def test_a_shard_goes_on_where_its_folder_is_gone(tmp_path: Path, database: Connection, dsn: str) -> None:
    here, there = tmp_path / "here" / "000", tmp_path / "there" / "000"
    store = a_store(tmp_path / "store")
    lease = take(database, "c", 0, "first")
    assert bring(here, store, database, lease) == 0
    assert not here.exists(), "a new shard begins by itself"
    crawled(here, 20)
    durable = upload(here, store, dsn, lease)
    crawled(here, 30)
    durable = upload(here, store, dsn, lease, durable)
    release(database, lease)
    second = take(database, "c", 0, "second")
    assert bring(there, store, database, second) == durable
    assert len(pieces(database, "c", 0)) == 2
    assert (snapshot := newest_snapshot(database, "c", 0)) is not None
    assert paths(there)[0].read_bytes() == store.get(snapshot.name)
    crawled(there, 30)  # complete: nothing is fetched
    same_runs(here, there)
    crawled(there, 40)
    assert [check for check in examine(there) if check.well is False] == []
    durable_there = upload(there, store, dsn, second, durable)
    crawled(there, 60)
    upload(there, store, dsn, second, durable_there)
    assert totals_of(database, "c", 0) == visits_of(there), "also after another has taken it over"
    kept = sorted(path.name for path in (tmp_path / "store" / "c" / "shard-000" / "snapshot").iterdir())
    assert len(kept) == 2, "older snapshots are deleted"
    # the first has slept all the time, and wakes
    crawled(here, 35)
    with pytest.raises(LostLeaseError):
        upload(here, store, dsn, lease, durable)
    release(database, second)
    bring(here, store, database, take(database, "c", 0, "first again"))
    with Run.open(here):
        pass
    same_runs(there, here)


def test_a_folder_that_nobody_else_wrote_to_is_kept(tmp_path: Path, database: Connection, dsn: str) -> None:
    run, store = tmp_path / "000", a_store(tmp_path / "store")
    lease = take(database, "c", 0, "first", seconds=0)
    bring(run, store, database, lease)
    crawled(run, 10)
    durable = upload(run, store, dsn, lease)
    crawled(run, 15)  # killed before it could upload these
    again = take(database, "c", 0, "first again", seconds=0)
    assert bring(run, store, database, again) == durable
    with Run.open(run, writable=False) as opened_:
        assert opened_.last_n >= 15
    take(database, "c", 0, "another", seconds=0)
    assert bring(run, store, database, take(database, "c", 0, "first")) == durable
    with Run.open(run, writable=False) as opened_:
        assert opened_.last_seq == durable


def test_a_folder_that_lost_commits_by_a_power_cut_is_replaced(
    tmp_path: Path, database: Connection, dsn: str
) -> None:
    run, store = tmp_path / "000", a_store(tmp_path / "store")
    lease = take(database, "c", 0, "first", seconds=0)
    bring(run, store, database, lease)
    crawled(run, 8)
    shutil.copytree(run, tmp_path / "before")
    crawled(run, 12)
    durable = upload(run, store, dsn, lease)
    shutil.rmtree(run)
    (tmp_path / "before").rename(run)
    assert bring(run, store, database, take(database, "c", 0, "first again", seconds=0)) == durable
    with Run.open(run, writable=False) as opened_:
        assert opened_.last_seq == durable


def test_a_store_that_is_away_for_a_while(tmp_path: Path, database: Connection, dsn: str) -> None:
    run, store = tmp_path / "000", a_store(tmp_path / "store")
    lease = take(database, "c", 0, "first")
    crawled(run, 10)
    uploader = Uploader(run, store, connected := Database(dsn), lease, 0, THRESHOLD)
    (tmp_path / "store").rename(tmp_path / "elsewhere")
    with pytest.raises(AwayError, match="store"):
        uploader.upload()
    (tmp_path / "store").mkdir()  # where it was mounted
    with pytest.raises(AwayError, match="store"):
        uploader.upload()
    assert list((tmp_path / "store").iterdir()) == []
    crawled(run, 12)
    assert uploader.durable == 0
    (tmp_path / "store").rmdir()
    (tmp_path / "elsewhere").rename(tmp_path / "store")
    while uploader.upload():
        pass
    connected.close()
    bring(tmp_path / "again", store, database, lease)
    with Run.open(tmp_path / "again"):
        pass
    same_runs(run, tmp_path / "again")


def test_a_store_that_cannot_be_used_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ConfigError, match=r"--store .*file/x cannot be used here: .*Not a directory"):
        open_store(str(tmp_path / "file" / "x")).mark()
    with pytest.raises(ConfigError, match="nosuch"):
        open_store("nosuch://bucket")
    store = open_store(str(tmp_path / "new"))
    with pytest.raises(ConfigError, match=r"--store .*new cannot be used here: .*No such file"):
        store.check("")  # not mounted on this node
    mark = store.mark()
    assert store.mark() == mark
    store.check(mark)
    assert [path.name for path in (tmp_path / "new").iterdir()] == [MARK]
    other = open_store(str(tmp_path / "other")).mark()
    with pytest.raises(ConfigError, match="is of another one"):
        store.check(other)


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A bucket of a server that behaves like S3."""
    for package in ("moto", "flask", "s3fs"):
        pytest.importorskip(package, reason=f"{package} is not installed; `make cluster-test` installs it")
    for name, value in {
        "ACCESS_KEY_ID": "x",
        "SECRET_ACCESS_KEY": "x",
        "DEFAULT_REGION": "us-east-1",
    }.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    script = """if True:
        import sys, boto3
        from moto.server import ThreadedMotoServer
        server = ThreadedMotoServer("127.0.0.1", 0); server.start()
        address = "http://%s:%d" % server.get_host_and_port()
        boto3.client("s3", endpoint_url=address).create_bucket(Bucket="crawls")
        print(address, flush=True)
        sys.stdin.read()
    """
    server = subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert server.stdout is not None
    with server:
        address = next(line.strip() for line in server.stdout if line.startswith("http://"))
        monkeypatch.setenv("AWS_ENDPOINT_URL_S3", address)
        yield address
        server.terminate()


def test_a_shard_in_an_object_store(s3: str, tmp_path: Path, database: Connection, dsn: str) -> None:
    store = open_store("s3://crawls/topic")
    store.check(store.mark())
    lease = take(database, "c", 0, "first")
    crawled(tmp_path / "000", 12)
    upload(tmp_path / "000", store, dsn, lease)
    bring(tmp_path / "again", store, database, lease)
    with Run.open(tmp_path / "again"):
        pass
    same_runs(tmp_path / "000", tmp_path / "again")
    with pytest.raises(AwayError):
        store.get("absent")
    with pytest.raises(ConfigError, match="cannot be used here"):
        open_store("s3://no-such-bucket/topic").mark()
