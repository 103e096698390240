"""Runs crawls as processes with injected faults, and verifies the runs they leave."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from topicrawl.store.verify import examine
from topicrawl.web.invented import invented_web

WEB, TOPIC, PAGES = "invented:5", "rainstorm disaster", 80
OFFLINE = ("--web", WEB, "--concurrency", "1")


def command(out: Path, *flags: str, pages: int = PAGES) -> list[str]:
    """A crawl of the invented web, as a user starts it."""
    web = invented_web(WEB)
    seeds = [flag for seed in web.seeds(TOPIC, 3) for flag in ("--seeds", seed)]
    topic = ["--topic", web.topic_spec(TOPIC), "--pages", str(pages), "--out", str(out), "--quiet"]
    return [sys.executable, "-m", "topicrawl.cli", "crawl", *topic, *seeds, *flags]


def run(args: list[str], fault: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Run to the end, with a fault of store/failpoints.py."""
    return subprocess.run(
        args, env=with_fault(fault, environment), capture_output=True, text=True, timeout=120, check=False
    )


def with_fault(fault: str, more: Mapping[str, str]) -> dict[str, str]:
    return {**os.environ, **({"TOPICRAWL_FAULT": fault} if fault else {}), **more}


def kill_after(args: list[str], run_folder: Path, lines: int, later: float = 0.0) -> None:
    """Start a crawl and kill it (SIGKILL) `later` seconds after its log has `lines` lines."""
    with subprocess.Popen(args, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        until = time.monotonic() + 60
        while count(run_folder) < lines and process.poll() is None and time.monotonic() < until:
            time.sleep(0.002)
        time.sleep(later)
        process.kill()


def count(run_folder: Path) -> int:
    path = run_folder / "visits.jsonl"
    return path.read_bytes().count(b"\n") if path.exists() else 0


def resident(pid: int) -> dict[str, int]:
    """Bytes of memory of a process, by what Linux calls them: VmRSS all, RssAnon without mapped files."""
    lines = [line.split() for line in Path(f"/proc/{pid}/status").read_text().splitlines()]
    return {line[0].rstrip(":"): 1024 * int(line[1]) for line in lines if line[-1] == "kB"}


def resident_of_unnamed_files() -> int:
    """Resident bytes of mapped files without a name."""
    unnamed, size = False, 0
    for line in Path("/proc/self/smaps").read_text().splitlines():
        if re.match("[0-9a-f]+-", line):
            unnamed = line.endswith("(deleted)")
        elif unnamed and line.startswith("Rss:"):
            size += 1024 * int(line.split()[1])
    return size


def visits(run_folder: Path) -> bytes:
    return (run_folder / "visits.jsonl").read_bytes()


def complaints(run_folder: Path) -> list[str]:
    """What store/verify.py finds wrong with a finished run."""
    return [f"{finding.promise}: {finding.sentence}" for finding in examine(run_folder) if not finding.well]
