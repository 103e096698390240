"""Everything that reads a run, beside a crawl, a watch and shards that write it: each is answered, none is harmed."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from depth import depth
from faults.machine import command, run, with_fault
from faults.reading import ask_all
from topicrawl.cli import run as ask
from topicrawl.errors import RunError
from topicrawl.store.run import Run

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes of POSIX systems")

ROUNDS = depth(1, 10)
MANY = 1_000_000
"""Pages: more than the writer fetches before it is ended."""
WRITERS = {
    "crawl": ("--web", "invented:5"),
    "shards": ("--web", "invented:5", "--local", "2", "--split", "invented.test", "--strategy", "ops"),
    "watch": ("--web", "invented:5@day=0"),
}


@contextmanager
def writer(args: list[str], folder: Path, visits: int) -> Iterator[subprocess.Popen[bytes]]:
    """A process that writes the run in `folder`, from when it has so many visits, on a slow disk: few at a time."""
    process = subprocess.Popen(
        args,
        env=with_fault("commit:stall", {}),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        until = time.monotonic() + 60
        while seen(folder) < visits and process.poll() is None and time.monotonic() < until:
            time.sleep(0.02)
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0


def seen(folder: Path) -> int:
    """Visits that a reader sees; a run that is being made has none."""
    try:
        with Run.open(folder, writable=False) as opened:
            return opened.last_n
    except RunError:
        return 0


@pytest.mark.parametrize("kind", depth(("crawl",), ("crawl", "watch", "shards")))
def test_every_question_is_answered_while_a_run_is_written(
    kind: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder, given = tmp_path / "run", WRITERS[kind]
    args = command(folder, *given, pages=MANY)
    begun = 40
    if kind == "watch":
        assert run(command(folder, *given, pages=60)).returncode == 0
        args = [
            sys.executable,
            "-m",
            "topicrawl.cli",
            "watch",
            str(folder),
            "--every",
            "1d",
            "--fetches",
            "40",
        ]
        begun = seen(folder) + 1
    with writer(args, folder, begun) as process:
        before, rounds, until = seen(folder), 0, time.monotonic() + 60
        while (rounds < ROUNDS or seen(folder) == before) and time.monotonic() < until:
            ask_all(folder, tmp_path, lambda: capfd.readouterr().err)
            assert ask(["doctor", str(folder)]) == 0, capfd.readouterr().out
            rounds += 1
        assert process.poll() is None, "it was written all the time"
        assert seen(folder) > before
