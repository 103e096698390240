"""F01–F09, F15, F19: processes killed and disks failing at named moments; the log ends as if nothing had happened."""

from __future__ import annotations

import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from faults.machine import OFFLINE, PAGES, command, complaints, count, kill_after, run, visits
from topicrawl.store.disk import LOOK_SECONDS, Room, wait_for_room
from topicrawl.store.failpoints import MOMENTS
from topicrawl.store.run import Run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kills of POSIX systems")


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("undisturbed") / "run"
    assert run(command(folder, *OFFLINE)).returncode == 0
    assert complaints(folder) == []
    return folder


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_run_killed_at_any_failpoint_is_the_same_once_resumed(
    moment: str, undisturbed: Path, tmp_path: Path
) -> None:
    args = command(tmp_path / "run", *OFFLINE)
    once = moment == "finish" or moment.startswith("snapshot")
    nth = 1 if once else random.Random(moment).randint(2, 3)
    assert run(args, fault=f"{moment}:kill:{nth}").returncode == -signal.SIGKILL
    assert run(args).returncode == 0
    assert visits(tmp_path / "run") == visits(undisturbed)
    assert complaints(tmp_path / "run") == []


def test_a_run_killed_before_its_first_commit_is_not_finished(undisturbed: Path, tmp_path: Path) -> None:
    args = command(tmp_path / "run", *OFFLINE)
    assert run(args, fault="archive:kill:1").returncode == -signal.SIGKILL
    assert count(tmp_path / "run") == 0
    assert run(args).returncode == 0
    assert visits(tmp_path / "run") == visits(undisturbed)


def test_too_few_open_files_are_said_to_be_so(tmp_path: Path) -> None:
    args = ["sh", "-c", 'ulimit -n 20; exec "$@"', "sh", *command(tmp_path / "run", *OFFLINE)]
    ended = run(args, TOPICRAWL_CACHE=str(tmp_path / "cache"))
    assert ended.returncode == 3, ended.stderr
    assert "oo many open files" in ended.stderr
    assert "ulimit -n 1024" in ended.stderr


def test_kills_during_replay_lose_nothing(undisturbed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    kill_after(command(folder, *OFFLINE), folder, 40)
    for later in (0.4, 0.8):
        kill_after(command(folder, *OFFLINE), folder, 0, later)
    assert run(command(folder, *OFFLINE)).returncode == 0
    assert visits(folder) == visits(undisturbed)
    assert complaints(folder) == []


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("archive:enospc:2", "No space left"),
        ("commit:eio:2", "Input/output error"),
        ("follow:erofs:2", "Read-only"),
    ],
)
def test_a_disk_failure_stops_the_run_with_an_error_and_loses_nothing(
    fault: str, said: str, undisturbed: Path, tmp_path: Path
) -> None:
    args = command(tmp_path / "run", *OFFLINE)
    failed = run(args, fault=fault)
    assert failed.returncode == 3
    assert said in failed.stderr
    assert len(failed.stderr.strip().splitlines()) == 1
    assert run(args).returncode == 0
    assert visits(tmp_path / "run") == visits(undisturbed)
    assert complaints(tmp_path / "run") == []


def test_a_disk_that_stalls_at_every_commit_only_takes_longer(undisturbed: Path, tmp_path: Path) -> None:
    assert run(command(tmp_path / "run", *OFFLINE), fault="commit:stall:1").returncode == 0
    assert visits(tmp_path / "run") == visits(undisturbed)
    assert complaints(tmp_path / "run") == []


def test_a_crawl_waits_for_disk_space_and_continues_by_itself() -> None:
    free = iter([5, 5, 50])
    said: list[str] = []
    wait_for_room(Path("run"), 10, lambda: False, said.append, lambda folder: next(free))
    assert len(said) == 1
    assert next(free, None) is None


def test_a_disk_without_room_is_named_once_for_each_time_that_it_fills() -> None:
    free = iter([50, 5, 5, 50, 5])
    said: list[str] = []
    room = Room(Path("run"), said.append, lambda folder: next(free))
    has = []
    for _ in range(5):
        has.append(room.has(10))
        time.sleep(LOOK_SECONDS)
    assert has == [True, False, False, True, False]
    assert len(said) == 2


def test_a_crawl_that_waits_for_disk_space_can_be_stopped(tmp_path: Path) -> None:
    args = command(tmp_path / "run", *OFFLINE)
    assert "--quiet" in args
    with subprocess.Popen(
        [*args, "--min-free", "1000000GB"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        assert any("waiting for disk space" in line for line in process.stdout)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    assert run([*args, "--min-free", "1"]).returncode == 0


def test_missing_last_lines_are_written_even_if_nothing_is_left_to_fetch(
    undisturbed: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(undisturbed, tmp_path / "run")
    (folder / "summary.json").unlink()
    (folder / "visits.jsonl").write_bytes(visits(undisturbed)[:-500])
    assert run(command(folder, *OFFLINE)).returncode == 0
    assert visits(folder) == visits(undisturbed)
    assert (folder / "summary.json").exists()
    assert complaints(folder) == []


def test_a_write_ahead_log_cut_at_any_byte_is_a_shorter_log(undisturbed: Path, tmp_path: Path) -> None:
    killed = tmp_path / "killed"
    assert run(command(killed, *OFFLINE), fault="written:kill:4").returncode == -signal.SIGKILL
    size = (killed / "crawl.db-wal").stat().st_size
    chance, whole, lengths = random.Random(5), visits(undisturbed), set()
    for trial in range(30):
        folder = shutil.copytree(killed, tmp_path / f"cut-{trial}")
        with (folder / "crawl.db-wal").open("r+b") as file:
            file.truncate(chance.randrange(size))
        Run.open(folder).close()
        assert whole.startswith(visits(folder))
        assert complaints(folder) == []
        lengths.add(count(folder))
    assert len(lengths) > 1


def test_a_flipped_bit_is_found_and_cut_off_and_the_run_resumes(undisturbed: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(undisturbed, tmp_path / "run")
    doctor = [sys.executable, "-m", "topicrawl.cli", "doctor", str(folder)]
    flip(folder / "crawl.db", 50)
    found = run(doctor)
    assert found.returncode == 4
    assert "damaged" in found.stdout
    mended = run([*doctor, "--repair"])
    assert mended.returncode == 0, mended.stdout + mended.stderr
    assert "cut there" in mended.stdout
    assert (folder / "crawl.db.damaged").exists()
    assert 0 < count(folder) < 60
    assert run(command(folder, *OFFLINE)).returncode == 0
    assert visits(folder) == visits(undisturbed)
    assert complaints(folder) == []


def flip(database: Path, n: int) -> None:
    """Change one bit of the packed answer of visit n."""
    with sqlite3.connect(database) as log:
        [packed] = log.execute("SELECT packed FROM log WHERE n = ?", (n,)).fetchone()
        damaged = bytearray(packed)
        damaged[len(damaged) // 2] ^= 16
        log.execute("UPDATE log SET packed = ? WHERE n = ?", (bytes(damaged), n))
    log.close()


def test_a_second_process_on_one_run_is_refused_and_the_first_continues(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    args = command(folder, *OFFLINE)
    with subprocess.Popen(args, env=None) as first:
        while not count(folder) and first.poll() is None:
            time.sleep(0.01)
        second = run([*args, "--pages", str(PAGES)])
        assert first.wait(60) == 0
    assert second.returncode in (0, 2), "0 only if the first had ended meanwhile"
    assert second.returncode == 0 or "is being written by process" in second.stderr
    assert complaints(folder) == []
