"""Snapshots of runs: resuming goes on from the newest valid one, and is the same as without any."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from faults.machine import OFFLINE, PAGES, command, complaints, run, visits
from topicrawl.crawling.make import make_crawl, present_of, version_of
from topicrawl.crawling.session import Session
from topicrawl.crawling.snapshots import Restored, Snapshots, restored
from topicrawl.crawling.state import pack
from topicrawl.frontier.columns import Array
from topicrawl.model import Version
from topicrawl.setup.run_config import config_of
from topicrawl.store.run import Run
from topicrawl.store.snapshots import FOLDER, KEPT, Header, Part, Position, paths
from topicrawl.store.snapshots import snapshots as stored_in

MORE = PAGES + 10
VERSION = Version("0.0.1", "scout", 1)


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that ended well, with its last snapshot."""
    folder = tmp_path_factory.mktemp("stopped") / "run"
    assert run(command(folder, *OFFLINE)).returncode == 0
    for older in paths(folder)[1:]:
        older.unlink()
    return folder


@pytest.fixture(scope="module")
def longer(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The visits of a longer one, not interrupted."""
    folder = tmp_path_factory.mktemp("longer") / "run"
    assert run(command(folder, *OFFLINE, pages=MORE)).returncode == 0
    return visits(folder)


@pytest.fixture
def copy(stopped: Path, tmp_path: Path) -> Path:
    shutil.copytree(stopped, tmp_path / "run")
    return tmp_path / "run"


DTYPES = st.sampled_from([np.uint8, np.bool_, np.int32, np.int64, np.float32, np.float64])


@given(
    st.binary(max_size=200),
    st.lists(arrays(DTYPES, array_shapes(min_dims=0, max_dims=3, min_side=0)), max_size=5),
)
@settings(max_examples=40)
def test_whatever_is_stored_can_be_read_at_once_and_later(values: bytes, stored: list[Array]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        part = Part(Path(folder))
        part.write(values, stored)
        part.complete(Header("a run", VERSION, 1, Position(1, b"digest")))
        (found,) = stored_in(Path(folder))
        assert found.header.position == Position(1, b"digest")
        for later in (False, True):
            for snapshot in stored_in(Path(folder)):
                assert snapshot.is_whole()
                read, rest = snapshot.read(later=later)
                again = [np.empty_like(each) for each in stored]
                for each in again:
                    rest.read(each)
                assert read == values
                assert [each.tobytes() for each in again] == [each.tobytes() for each in stored]


def seen_by(folder: Path) -> int:
    """The last event in the snapshot that a resume would go on from; 0 for none."""
    with Run.open(folder, writable=False) as opened:
        return loaded(opened).seq


def loaded(opened: Run) -> Restored:
    """What a resume would go on from."""
    config = config_of(opened)
    crawl = make_crawl(config)
    return restored(opened, version_of(config, crawl.strategy), crawl, lambda: make_crawl(config))


def last_event(folder: Path) -> int:
    with Run.open(folder, writable=False) as opened:
        return opened.last_seq


def test_a_run_that_ended_well_is_resumed_without_a_replay(copy: Path, longer: bytes) -> None:
    assert seen_by(copy) == last_event(copy)
    events: list[int] = []
    with Run.open(copy) as opened:
        session = Session(config_of(opened), opened, on_replay=events.append)
        asyncio.run(session.drive())
    assert events == []
    assert run(command(copy, *OFFLINE, pages=MORE)).returncode == 0
    assert visits(copy) == longer
    assert complaints(copy) == []


def test_the_state_loaded_is_that_of_a_replay(copy: Path) -> None:
    with Run.open(copy, writable=False) as opened:
        crawl = loaded(opened).crawl
        replayed = make_crawl(config_of(opened))
        for event in opened.replay():
            replayed.replay(event)
    crawl.agreement = replayed.agreement  # only a replay compares
    one, other = pack(crawl), pack(replayed)
    assert one.values == other.values
    for mine, theirs in zip(one.arrays(), other.arrays(), strict=True):
        assert mine.tobytes() == theirs.tobytes()


def test_a_question_reads_what_it_uses_even_after_the_snapshot_is_deleted(copy: Path) -> None:
    with Run.open(copy, writable=False) as opened:
        whole, asked = loaded(opened).crawl, present_of(opened).crawl
    for path in paths(copy):
        path.unlink()
    assert asked.frontier.columns._later.keys() == asked.frontier.columns.fills().keys()
    assert asked.frontier.number("http://nobody.test/") is None
    assert asked.frontier.columns._later
    one, other = pack(whole), pack(asked)
    assert one.values == other.values
    for mine, theirs in zip(one.arrays(), other.arrays(), strict=True):
        assert mine.tobytes() == theirs.tobytes()


def test_without_snapshots_the_log_is_replayed(copy: Path, longer: bytes) -> None:
    shutil.rmtree(copy / FOLDER)
    assert seen_by(copy) == 0
    assert run(command(copy, *OFFLINE, pages=MORE)).returncode == 0
    assert visits(copy) == longer
    assert seen_by(copy) == last_event(copy)


def test_two_snapshots_are_kept(copy: Path) -> None:
    for pages in range(PAGES + 1, PAGES + 5):
        assert run(command(copy, *OFFLINE, pages=pages)).returncode == 0
        assert seen_by(copy) == last_event(copy)
    assert len(list((copy / FOLDER).iterdir())) == KEPT


def torn(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:10])


def changed(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def made_otherwise(**other: object) -> Callable[[Path], None]:
    """Writes the same snapshot as of another run, version or form."""

    def rewrite(path: Path) -> None:
        (snapshot,) = stored_in(path.parents[1])
        header = snapshot.header
        own = {name: value for name, value in other.items() if name in Header.__struct_fields__}
        version = {name: value for name, value in other.items() if name not in own}
        made = msgspec.structs.replace(
            header, version=msgspec.structs.replace(header.version, **version), **own
        )
        body = path.read_bytes()[: snapshot.size]
        end = 8 + int.from_bytes(body[:8], "little")
        part = Part(path.parents[1])
        part.write(body[8:end], [np.frombuffer(body[end:], np.uint8)])
        path.unlink()
        part.complete(made)

    return rewrite


@pytest.mark.parametrize(
    "damage",
    [
        torn,
        cut_short,
        changed,
        emptied,
        made_otherwise(run="another"),
        made_otherwise(topicrawl="0.0.1"),
        made_otherwise(behaviour=0),
        made_otherwise(strategy="bfs"),
        made_otherwise(parameters={"kinds": False}),
        made_otherwise(form=0),
    ],
    ids=lambda damage: damage.__qualname__,
)
def test_a_snapshot_that_does_not_fit_is_ignored(
    damage: Callable[[Path], None], copy: Path, longer: bytes
) -> None:
    (path,) = paths(copy)
    damage(path)
    assert seen_by(copy) == 0
    assert run(command(copy, *OFFLINE, pages=MORE)).returncode == 0
    assert visits(copy) == longer


def test_the_same_maker_fits(copy: Path) -> None:
    (path,) = paths(copy)
    made_otherwise()(path)
    assert seen_by(copy) == last_event(copy)


def test_the_one_before_serves_where_the_newest_is_torn(copy: Path, longer: bytes) -> None:
    before = last_event(copy)
    assert run(command(copy, *OFFLINE, pages=PAGES + 5)).returncode == 0
    torn(paths(copy)[0])
    assert seen_by(copy) == before
    assert run(command(copy, *OFFLINE, pages=MORE)).returncode == 0
    assert visits(copy) == longer


def test_a_snapshot_beyond_the_end_of_the_log_is_ignored(copy: Path) -> None:
    with closing(sqlite3.connect(copy / "crawl.db")) as log:
        log.execute("DELETE FROM log WHERE seq > 100")
        log.execute("DELETE FROM visits WHERE seq > 100")
        log.commit()
    assert seen_by(copy) == 0


def test_a_snapshot_of_another_branch_is_ignored(copy: Path, tmp_path: Path) -> None:
    """The log was written anew, as a repair does, and went another way: it is as long, and not the same."""
    end = last_event(copy)
    with closing(sqlite3.connect(copy / "crawl.db")) as log:
        log.execute("DROP TABLE digests")
        log.commit()
    assert seen_by(copy) == end
    with closing(sqlite3.connect(copy / "crawl.db")) as log:
        (first, second) = log.execute(
            "SELECT seq FROM log WHERE kind = 'ask' ORDER BY seq LIMIT 2"
        ).fetchall()
        other = "UPDATE log SET packed = (SELECT packed FROM log WHERE seq = ?) WHERE seq = ?"
        log.execute(other, (*first, *second))
        assert log.total_changes == 1
        log.commit()
    assert seen_by(copy) == 0


def test_after_a_repair_snapshots_of_what_was_cut_are_ignored(copy: Path, longer: bytes) -> None:
    with closing(sqlite3.connect(copy / "crawl.db")) as log:
        log.execute("UPDATE log SET packed = x'00' WHERE n = 50")
        log.commit()
    doctor = [*command(copy)[:3], "doctor", str(copy), "--repair"]
    assert "cut there" in run(doctor).stdout
    assert last_event(copy) < 110
    assert seen_by(copy) == 0
    assert run(command(copy, *OFFLINE, pages=MORE)).returncode == 0
    assert visits(copy) == longer


def test_a_crawl_killed_while_a_snapshot_is_written_ends_the_same(tmp_path: Path, longer: bytes) -> None:
    for moment in ("snapshot", "snapshot-end"):
        folder = tmp_path / moment
        assert run(command(folder, *OFFLINE), fault=f"{moment}:kill").returncode < 0
        assert not paths(folder)
        assert run(command(folder, *OFFLINE, pages=MORE)).returncode == 0
        assert visits(folder) == longer
        assert complaints(folder) == []


@pytest.mark.parametrize("moment", ["snapshot", "snapshot-end"])
def test_a_crawl_goes_on_where_the_disk_has_no_room_for_a_snapshot(
    moment: str, tmp_path: Path, stopped: Path
) -> None:
    loud = [word for word in command(tmp_path / "run", *OFFLINE) if word != "--quiet"]
    full = run(loud, fault=f"{moment}:enospc")
    assert full.returncode == 0
    assert (full.stdout + full.stderr).count("no snapshot is kept (") == 1
    assert visits(tmp_path / "run") == visits(stopped)
    assert not list((tmp_path / "run" / FOLDER).iterdir())


def test_a_state_that_cannot_be_stored_is_said_once(copy: Path) -> None:
    said: list[str] = []
    with Run.open(copy) as opened:
        config = config_of(opened)
        crawl = make_crawl(config)
        crawl.tally.helper = open  # type: ignore[attr-defined]
        for path in paths(copy):
            path.unlink()
        snapshots = Snapshots(opened, VERSION, Restored(crawl), said.append)
        assert snapshots.take() is None
        snapshots.finish()
    assert len(said) == 1
    assert "Tally.helper" in said[0]
    assert not paths(copy)


def test_one_is_taken_when_the_crawl_has_grown_by_a_tenth_and_there_is_time_for_it(copy: Path) -> None:
    now = [0.0]
    with Run.open(copy) as opened:
        config = config_of(opened)
        crawl = make_crawl(config)
        snapshots = Snapshots(opened, VERSION, Restored(crawl), print, clock=lambda: now[0])
        crawl.tally.visits = 2_000
        assert not snapshots.due(), "no time has passed"
        now[0] = 1000.0
        assert snapshots.due()
        stored = snapshots.take()
        assert stored is not None
        stored()
        snapshots.close()
        assert not snapshots.due()
        crawl.tally.visits = 2_200
        assert not snapshots.due(), "less than a tenth"
        crawl.tally.visits = 2_300
        assert snapshots.due()


def test_none_is_taken_while_the_events_of_the_last_one_wait_for_the_disk(copy: Path) -> None:
    now = [1000.0]
    with Run.open(copy) as opened:
        crawl = make_crawl(config_of(opened))
        snapshots = Snapshots(opened, VERSION, Restored(crawl), print, clock=lambda: now[0])
        crawl.tally.visits, now[0] = 2_000, 2000.0
        stored = snapshots.take_if_due()
        assert stored is not None
        crawl.tally.visits, now[0] = 3_000, 3000.0
        assert snapshots.take_if_due() is None, "it would be written over the last one, under its position"
        stored()
        snapshots.close()
        assert snapshots.take_if_due() is not None
