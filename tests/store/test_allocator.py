"""Columns in mapped files behave like columns in memory."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from faults.machine import OFFLINE, command, complaints, resident, resident_of_unnamed_files, run
from topicrawl.errors import StorageError
from topicrawl.frontier import VISITED, Frontier
from topicrawl.frontier.columns import Columns, pieces
from topicrawl.store.allocator import MappedFiles

linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

pages = st.lists(
    st.tuples(
        st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3000)), max_size=700),
        st.floats(0, 1),
        st.booleans(),
    ),
    min_size=1,
    max_size=8,
)


def test_columns_without_names_need_no_file(tmp_path: Path) -> None:
    columns = Columns(MappedFiles(tmp_path))
    columns.replace({"depth": (np.int16, 0)}, 3, 8)
    assert columns["depth"].tolist() == [0, 0, 0]


def told(frontier: Frontier, number: int, urls: list[str], relevance: float, *, hold: bool) -> list[object]:
    """Adds a page to a frontier and returns the frontier's visible state."""
    new = [url for url, known in zip(urls, frontier.numbers(urls), strict=True) if known is None]
    frontier.add(new, 1, number)
    links = np.array(frontier.numbers(urls), dtype=np.int64)
    frontier.contained(links, relevance)
    frontier.graph.add(number, links, len(urls))
    frontier.prioritise(links, frontier.parents_mean(links))
    best = frontier.best()
    if best is not None:
        frontier.settle(best, VISITED)
        (frontier.hold if hold else frontier.release)(int(frontier.columns["host"][best]))
    hosts = [frontier.hosts.links(host).tolist() for host in range(len(frontier.hosts))]
    columns = [frontier.columns[name].tolist() for name in ("host", "state", "parent", "priority", "key")]
    return [best, list(frontier.urls), hosts, columns, frontier.graph.targets(number).tolist()]


@given(pages)
def test_a_frontier_on_the_disk_behaves_as_one_in_memory(
    pages: list[tuple[list[tuple[int, int]], float, bool]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        allocator = MappedFiles(Path(folder))
        here, there = Frontier(), Frontier(allocator)
        for number, (places, relevance, hold) in enumerate(pages):
            urls = [f"http://h{host}.test/é/{page}" for host, page in dict.fromkeys(places)]
            seen = told(here, number, urls, relevance, hold=hold)
            assert told(there, number, urls, relevance, hold=hold) == seen
            allocator.release_memory(busy=False)
        assert os.listdir(folder) == []  # noqa: PTH208


@linux
def test_released_memory_is_not_resident_and_not_lost(tmp_path: Path) -> None:
    allocator = MappedFiles(tmp_path)
    (numbers,) = allocator([np.int64], 4 << 20)
    numbers[:] = np.arange(len(numbers))
    before = resident(os.getpid())["VmRSS"]
    allocator.release_memory(busy=False)
    assert before - resident(os.getpid())["VmRSS"] > 24 << 20
    assert (numbers == np.arange(len(numbers))).all()


@linux
def test_a_pass_over_long_columns_has_one_part_of_them_in_memory(tmp_path: Path) -> None:
    allocator, bound = (
        MappedFiles(tmp_path),
        resident_of_unnamed_files() + (4 << 20),
    )  # other tests left theirs
    columns, part = Columns(allocator, wide=((np.int64, (64,)), 0)), 1 << 12
    columns.grow(32 * part)  # 64 MiB, 2 MiB a part
    assert resident_of_unnamed_files() < bound
    for some in pieces(allocator, columns.size, part):
        columns["wide"][some] += 1
        assert resident_of_unnamed_files() < bound
    columns.grow(part)  # all rows are copied
    assert resident_of_unnamed_files() < bound
    assert (columns["wide"][: 32 * part : 16 * part, 0] == 1).all()


@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX systems")
def test_a_full_disk_is_an_error_and_does_not_kill_the_process(tmp_path: Path) -> None:
    script = """if True:
        import resource, sys
        from pathlib import Path
        import numpy as np
        from topicrawl.errors import StorageError
        from topicrawl.store.allocator import MappedFiles
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
        allocator = MappedFiles(Path(sys.argv[1]))
        allocator([np.int64], 1 << 16)
        try:
            allocator([np.int64], 1 << 20)
        except StorageError as error:
            print(error)
    """
    ended = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert ended.stdout.startswith(f"{tmp_path}: File too large")


def test_a_folder_that_is_gone_is_a_storage_error(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="gone"):
        MappedFiles(tmp_path / "gone")([np.int64], 10)


@pytest.mark.skipif(sys.platform == "win32", reason="kills of POSIX systems")
def test_a_killed_crawl_leaves_no_mapped_file(tmp_path: Path) -> None:
    killed = run(command(tmp_path / "run", *OFFLINE, "--strategy", "ops"), fault="room:kill:18")
    assert killed.returncode == -signal.SIGKILL
    left = {path.name for path in (tmp_path / "run").iterdir()} - {"crawl.db-wal", "crawl.db-shm"}
    assert left <= {"crawl.toml", "crawl.db", "archive", "visits.jsonl", "timings.jsonl", "lock"}


@pytest.mark.skipif(sys.platform == "win32", reason="kills of POSIX systems")
@pytest.mark.parametrize("nth", [1, 18])  # before the first page, and during the crawl
def test_a_disk_that_fills_during_the_crawl_stops_it_with_a_one_line_error(tmp_path: Path, nth: int) -> None:
    args = command(tmp_path / "run", *OFFLINE, "--strategy", "ops")
    failed = run(args, fault=f"room:enospc:{nth}")
    assert failed.returncode == 3
    assert "No space left" in failed.stderr
    assert len(failed.stderr.strip().splitlines()) == 1
    assert run(args).returncode == 0
    assert complaints(tmp_path / "run") == []
