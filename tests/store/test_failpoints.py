"""Processes killed and disks filled at any moment: the run stays consistent and can be resumed."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from topicrawl.errors import StorageError
from topicrawl.model import Told
from topicrawl.store.line_files import visit_line
from topicrawl.store.run import Run

StartWriter = Callable[..., "subprocess.Popen[str]"]
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kills and limits of POSIX systems")


def assert_consistent(folder: Path, made: ModuleType, verifier: Any) -> int:
    """Open the run and check that all its parts hold the same first visits; returns their number."""
    with Run.open(folder) as run:
        assert run.repairs == []
        replayed = list(run.replay())
        last_n = run.last_n
    assert [event for event in replayed if isinstance(event, Told)] == [
        Told(told.ask, told.outcome, told.visit, told.timing) for told in map(made.told, range(1, last_n + 1))
    ]
    assert [event for event in replayed if not isinstance(event, Told)] == [
        made.ask(n) for n in range(1, last_n + 1)
    ]
    seen = verifier(folder)
    expected = b"".join(visit_line(made.told(n).visit) for n in range(1, last_n + 1))
    assert (folder / "visits.jsonl").read_bytes() == expected
    assert [line["n"] for line in seen.lines("timings.jsonl")] == list(range(1, last_n + 1))
    if (folder / "archive").exists():
        answers = [made.response(n) for n in range(1, last_n + 1) if n % 5 != 0]
        assert seen.archived_urls() == [url for a in answers for url in (*(hop.url for hop in a.hops), a.url)]
        assert seen.warcio_check() == 0
    return last_n


def test_a_run_killed_repeatedly_is_consistent_each_time(
    tmp_path: Path, made: ModuleType, verifier: Any, start_writer: StartWriter
) -> None:
    chance = random.Random(7)
    lengths = [0]
    for _ in range(8):
        writer = start_writer(tmp_path / "run", "--batch", str(chance.randint(1, 9)))
        time.sleep(0.05 + chance.random() * 0.2)
        writer.kill()
        writer.wait()
        lengths.append(assert_consistent(tmp_path / "run", made, verifier))
    assert lengths == sorted(lengths)
    assert lengths[-1] > 0


@pytest.mark.parametrize(("step", "kept"), [("archive", 7), ("commit", 14)])
def test_a_kill_between_two_steps_of_writing_leaves_nothing_partial_or_duplicate(
    tmp_path: Path, made: ModuleType, verifier: Any, start_writer: StartWriter, step: str, kept: int
) -> None:
    folder = tmp_path / "run"
    start_writer(folder, "--until", "7").wait()
    start_writer(folder, "--die", step).wait()
    assert made.url(8) in verifier(folder).archived_urls()
    assert len(verifier(folder).lines()) == 7
    assert assert_consistent(folder, made, verifier) == kept
    start_writer(folder, "--until", "30").wait()
    assert assert_consistent(folder, made, verifier) >= 28


@pytest.mark.parametrize(
    ("limit", "create", "resume", "culprit"),
    [
        (4_000, [], [], "crawl.db"),
        (15_000, [], [], "crawl.db"),
        (150_000, [], [], "crawl.db"),
        (70_000, ["--no-warc"], ["--batch", "40"], "crawl.db"),
        (100_000, [], ["--pad", "120000"], "archive"),
    ],
)
def test_a_full_disk_stops_the_run_and_loses_nothing(
    tmp_path: Path,
    made: ModuleType,
    verifier: Any,
    start_writer: StartWriter,
    limit: int,
    create: list[str],
    resume: list[str],
    culprit: str,
) -> None:
    folder = tmp_path / "run"
    start_writer(folder, "--until", "3", "--batch", "3", *create).wait()
    writer = start_writer(folder, "--limit", str(limit), *resume)
    _, errors = writer.communicate(timeout=60)
    assert errors.startswith(f"StorageError: {folder / culprit}: ")
    kept = assert_consistent(folder, made, verifier)
    start_writer(folder, "--until", str(kept + 20)).wait()
    assert assert_consistent(folder, made, verifier) > kept


def test_after_a_failure_nothing_is_written_until_the_run_is_opened_again(
    tmp_path: Path, made: ModuleType
) -> None:
    with Run.create(tmp_path / "run", "") as run:
        (tmp_path / "run" / "archive").rmdir()
        (tmp_path / "run" / "archive").write_text("not a folder")
        with pytest.raises(StorageError, match="archive"):
            run.write(made.events(1, 2))
        (tmp_path / "run" / "archive").unlink()
        with pytest.raises(StorageError, match="failed before"):
            run.write(made.events(1, 2))
    with Run.open(tmp_path / "run") as run:
        run.write(made.events(1, 2))
        assert run.last_n == 2
