from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from topicrawl.errors import RunError
from topicrawl.store.lock import Lock, is_locked, writer_of
from topicrawl.store.run import Run

StartWriter = Callable[..., "subprocess.Popen[str]"]


def test_a_second_writer_is_refused_and_the_error_names_the_holder(
    tmp_path: Path, start_writer: StartWriter
) -> None:
    first = start_writer(tmp_path / "run")
    with pytest.raises(RunError, match=f"process {first.pid} on {socket.gethostname()}"):
        Run.open(tmp_path / "run")


def test_a_second_writer_in_the_same_process_is_refused(tmp_path: Path) -> None:
    with Run.create(tmp_path / "run", ""), pytest.raises(RunError, match=f"process {os.getpid()} on"):
        Run.open(tmp_path / "run")
    Run.open(tmp_path / "run").close()


def test_a_run_being_created_is_refused_to_a_second_creator(tmp_path: Path) -> None:
    lock = Lock(tmp_path / "lock")
    with pytest.raises(RunError, match="is being written by"):
        Run.create(tmp_path, "")
    lock.release()
    Run.create(tmp_path, "").close()


def test_reading_needs_no_lock(tmp_path: Path, start_writer: StartWriter) -> None:
    start_writer(tmp_path / "run")
    with Run.open(tmp_path / "run", writable=False) as run:
        assert run.config_toml == "pages = 3\n"


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path, start_writer: StartWriter) -> None:
    first = start_writer(tmp_path / "run")
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    assert f"process {first.pid}" in (tmp_path / "run" / "lock").read_text()
    Run.open(tmp_path / "run").close()


def test_the_lock_says_who_writes_and_not_the_name_that_a_killed_process_left(
    tmp_path: Path, start_writer: StartWriter
) -> None:
    first = start_writer(tmp_path)
    assert writer_of(tmp_path) == f"process {first.pid} on {socket.gethostname()}"
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    for left in (f"process {os.getpid()} on {socket.gethostname()}", "process 7 on another-machine"):
        (tmp_path / "lock").write_text(left)
        assert writer_of(tmp_path) is None


def test_two_who_ask_whether_it_is_locked_do_not_take_each_other_for_a_holder(tmp_path: Path) -> None:
    import fcntl

    (tmp_path / "lock").touch()
    with (tmp_path / "lock").open() as other:
        fcntl.flock(other, fcntl.LOCK_SH)
        assert not is_locked(tmp_path / "lock")


def test_a_released_lock_names_no_holder_and_can_be_released_again(tmp_path: Path) -> None:
    lock = Lock(tmp_path / "lock")
    lock.release()
    lock.release()
    assert (tmp_path / "lock").read_text() == ""
    Lock(tmp_path / "lock").release()


FORKING_HOLDER = """
import os, sys, time
from pathlib import Path
from topicrawl.store.lock import Lock, is_locked, writer_of
lock = Lock(Path(sys.argv[1]))
if os.fork() == 0:
    print(os.getpid(), flush=True)
    time.sleep(60)
    os._exit(0)
time.sleep(60)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_child_does_not_keep_its_dead_parents_run_locked(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FORKING_HOLDER, str(tmp_path / "lock")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        child = int(parent.stdout.readline())
        try:
            with pytest.raises(RunError):
                Lock(tmp_path / "lock")
            parent.kill()
            parent.wait()
            Lock(tmp_path / "lock").release()
        finally:
            os.kill(child, signal.SIGKILL)
