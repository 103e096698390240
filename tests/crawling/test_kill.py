"""Kill a crawl with -9 at a random visit and resume it: the log is the one an undisturbed run writes, to the byte."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from depth import depth
from topicrawl.cli.demo import served
from topicrawl.web.invented import invented_web

WEB, TOPIC, PAGES = "invented:5", "rainstorm disaster", 80
MODES = {"one in flight": ("--concurrency", "1"), "eight, ordered": ("--concurrency", "8", "--ordered")}
KILLS, AT_ONCE = depth(4, 10), 4
"""Kills in each mode, and runs at once."""


def command(out: Path, *flags: str) -> list[str]:
    web = invented_web(WEB)
    seeds = [flag for seed in web.seeds(TOPIC, 3) for flag in ("--seeds", seed)]
    topic = ["--topic", web.topic_spec(TOPIC), "--pages", str(PAGES), "--out", str(out), "--quiet"]
    return [sys.executable, "-m", "topicrawl.cli", "crawl", *topic, *seeds, *flags]


def lines(run: Path) -> int:
    log = run / "visits.jsonl"
    return log.read_bytes().count(b"\n") if log.exists() else 0


def kill_at(visit: int, args: list[str], run: Path) -> None:
    """Start a crawl and kill it without mercy once its log has `visit` lines."""
    process = subprocess.Popen(args)
    deadline = time.monotonic() + 60
    while lines(run) < visit and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.002)
    process.kill()
    process.wait()


def archived(run: Path) -> Counter[str]:
    """How often each URL was archived, as an independent reader sees it."""
    urls: Counter[str] = Counter()
    for segment in sorted((run / "archive").glob("*.warc.gz")):
        with segment.open("rb") as stream:
            records = ArchiveIterator(stream, check_digests="raise")
            urls.update(r.rec_headers["WARC-Target-URI"] for r in records if r.rec_type == "response")
    return urls


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with served(WEB, "--slow", "0.1") as port:
        yield port


@pytest.mark.parametrize("mode", MODES)
def test_kills_over_http_leave_no_trace_in_the_log(mode: str, port: int, tmp_path: Path) -> None:
    flags = (
        *MODES[mode],
        "--delay",
        "5ms",
        "--resolve",
        f"*.invented.test=127.0.0.1:{port}",
        "--allow-net",
        "127.0.0.0/8",
    )
    undisturbed = tmp_path / "undisturbed"
    subprocess.run(command(undisturbed, *flags), check=True)
    expected = (undisturbed / "visits.jsonl").read_bytes()
    assert expected.count(b"\n") >= PAGES
    moments = random.Random(mode)
    trials = [(tmp_path / f"killed-{trial}", moments.randrange(1, PAGES)) for trial in range(KILLS)]

    def disturbed(run: Path, visit: int) -> tuple[bytes, Counter[str]]:
        args = command(run, *flags)
        kill_at(visit, args, run)
        subprocess.run(args, check=True)
        return (run / "visits.jsonl").read_bytes(), archived(run)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        for log, answers in pool.map(disturbed, *zip(*trials, strict=True)):
            assert log == expected
            assert answers == archived(undisturbed)


def test_a_run_killed_again_and_again_still_ends_the_same(tmp_path: Path) -> None:
    flags = ("--web", WEB, "--concurrency", "1")
    subprocess.run(command(tmp_path / "undisturbed", *flags), check=True)
    run = tmp_path / "killed"
    for visit in (0, 1, 40, 41, 70):
        kill_at(visit, command(run, *flags), run)
    subprocess.run(command(run, *flags), check=True)
    assert (run / "visits.jsonl").read_bytes() == (tmp_path / "undisturbed" / "visits.jsonl").read_bytes()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_crawl_well_and_it_resumes(number: signal.Signals, port: int, tmp_path: Path) -> None:
    flags = (
        "--delay",
        "20ms",
        "--resolve",
        f"*.invented.test=127.0.0.1:{port}",
        "--allow-net",
        "127.0.0.0/8",
    )
    process = subprocess.Popen(command(tmp_path / "run", *flags))
    while lines(tmp_path / "run") < 10:
        time.sleep(0.01)
    process.send_signal(number)
    process.send_signal(number)
    assert process.wait(timeout=10) == 0
    assert b'"stop_reason": "interrupted"' in (tmp_path / "run" / "summary.json").read_bytes()
    before = lines(tmp_path / "run")
    assert before < PAGES
    subprocess.run(command(tmp_path / "run", *flags), check=True)
    assert lines(tmp_path / "run") >= PAGES
    urls = archived(tmp_path / "run")
    assert sum(urls.values()) > before
