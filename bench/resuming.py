"""Crawls of a known site that are disturbed and started again, by topicrawl and by Scrapy with a JOBDIR."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from topicrawl.cli.demo import served
from topicrawl.store.verify import examine
from topicrawl.web.invented import invented_web

WEB, SITE = "invented:site", 3006


@dataclass(frozen=True)
class Resumed:
    """The result of a fault and a resume."""

    well: bool
    sentence: str


@dataclass(frozen=True)
class Fault:
    """A fault, to be tested with both crawlers."""

    what: str
    disturb: Callable[[subprocess.Popen[bytes]], None]
    shares: tuple[float, ...] = (0.3,)
    """Shares of the site requested when the fault happens; one trial for each."""

    def ours(self) -> Resumed:
        """Disturb topicrawl."""
        return _judge(self, _own)

    def theirs(self) -> Resumed:
        """Disturb Scrapy."""
        return _judge(self, _scrapy)


def _judge(fault: Fault, command: Callable[[Path, int, str], list[str]]) -> Resumed:
    """Disturb a crawl, resume it, and read from the server's log which pages were requested."""
    totals, repeats, codes, complaints = [], [], [], []
    for share in fault.shares:
        with _site() as (port, seed, seen, folder):
            args = command(folder, port, seed)
            process = subprocess.Popen(args, stderr=subprocess.DEVNULL)
            while len(seen()) < SITE * share and process.poll() is None:
                time.sleep(0.25)
            fault.disturb(process)
            process.wait()
            codes.append(subprocess.run(args, stderr=subprocess.DEVNULL, check=False).returncode)
            pages = [url for url in seen() if not url.endswith("/robots.txt")]
            totals.append(len(set(pages)))
            repeats.append(len(pages) - len(set(pages)))
            if command is _own:
                complaints += [finding.sentence for finding in examine(folder / "run") if not finding.well]
    well = all(total >= SITE for total in totals) and not any(codes) and not complaints
    found = ", ".join(f"{total:,}" for total in totals)
    words = f"{found} of {SITE:,} pages after the resume; {repeats} fetched again; exit codes {codes}"
    return Resumed(well, "; ".join([words, *complaints]))


@contextmanager
def _site() -> Iterator[tuple[int, str, Callable[[], list[str]], Path]]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        log = folder / "log.jsonl"
        with served(WEB, "--log", str(log)) as port:
            seed = invented_web(WEB).seeds("rainstorm disaster", 1)[0]

            def seen() -> list[str]:
                lines = log.read_text().splitlines() if log.exists() else []
                return [json.loads(line)["url"] for line in lines]

            yield port, seed, seen, folder


def _own(folder: Path, port: int, seed: str) -> list[str]:
    flags = [
        "--topic",
        "rain",
        "--seeds",
        seed,
        "--out",
        str(folder / "run"),
        "--quiet",
        "--pages",
        "1000000",
    ]
    flags += ["--delay", "0", "--per-host", "8", "--allow-net", "127.0.0.0/8", "--strategy", "bfs"]
    return [
        sys.executable,
        "-m",
        "topicrawl.cli",
        "crawl",
        *flags,
        "--resolve",
        f"*.invented.test=127.0.0.1:{port}",
    ]


def _scrapy(folder: Path, port: int, seed: str) -> list[str]:
    return [sys.executable, "-m", "bench.resumable", seed, str(port), str(folder / "job")]


def _kill(process: subprocess.Popen[bytes]) -> None:
    process.kill()


def _terminate(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)


def _terminate_twice(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)
    time.sleep(0.3)
    process.send_signal(signal.SIGTERM)


RESUMING = {
    "f01": Fault("kill -9 when 15 and 45 % of the site had been requested", _kill, (0.15, 0.45)),
    "f05": Fault("SIGTERM once, at 30 %", _terminate),
    "f05b": Fault("SIGTERM twice, 0.3 s apart, at 30 %", _terminate_twice),
}
