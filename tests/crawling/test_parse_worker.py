"""The worker process by itself, spoken to through its pipes."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import IO

import msgspec
import pytest

from topicrawl.crawling.parsing.protocol import LENGTH, Answer, Job, Setup, frame
from topicrawl.model import Page

HUGE = b"<p><a href=/x>rain</a>" * 200_000


def start(setup: Setup) -> tuple[subprocess.Popen[bytes], IO[bytes], IO[bytes]]:
    worker = subprocess.Popen(
        [sys.executable, "-m", "topicrawl.crawling.parsing.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert worker.stdin
    assert worker.stdout
    worker.stdin.write(frame(setup))
    worker.stdin.flush()
    return worker, worker.stdin, worker.stdout


def answer(pipe: IO[bytes]) -> Answer:
    size = int.from_bytes(pipe.read(LENGTH), "little")
    return msgspec.msgpack.decode(pipe.read(size), type=Answer)


def job(content: bytes) -> bytearray:
    return frame(Job("http://a.test/", content, "text/html", "", truncated=False))


def test_jobs_are_answered_in_order_and_the_end_of_input_is_the_end() -> None:
    worker, jobs, answers = start(Setup(["rain"], 1 << 30, alarm=60))
    with worker:
        assert answer(answers) == Answer()
        for title in ("One", "Two"):
            jobs.write(job(f"<title>{title}</title>".encode()))
        jobs.close()
        titles = [msgspec.msgpack.decode(answer(answers).page, type=Page).title for _ in range(2)]
        assert titles == ["One", "Two"]
        assert answers.read() == b""
    assert worker.returncode == 0


def test_input_that_breaks_off_is_the_end_too() -> None:
    worker, jobs, answers = start(Setup([], 1 << 30, alarm=60))
    with worker:
        assert answer(answers) == Answer()
        jobs.write(job(b"<p>rain")[:-3])
        jobs.close()
        assert answers.read() == b""
    assert worker.returncode == 0


def test_an_answer_that_nobody_reads_is_no_trouble() -> None:
    worker, jobs, answers = start(Setup([], 1 << 30, alarm=60))
    with worker:
        assert answer(answers) == Answer()
        answers.close()
        jobs.write(job(b"<p>rain"))
        jobs.close()
    assert worker.returncode == 0


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs interval timers")
def test_a_worker_ends_itself_when_a_page_takes_far_too_long() -> None:
    worker, jobs, answers = start(Setup([], 1 << 30, alarm=0.01))
    with worker:
        assert answer(answers) == Answer()
        jobs.write(job(HUGE))
        jobs.close()
        assert answers.read() == b""
    assert worker.returncode == -signal.SIGALRM
