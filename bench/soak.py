"""`make soak`: fifty crawls disturbed at random, then one long crawl whose memory, descriptors and disk are watched.

    SOAK_SEEDS=50      crawls that are disturbed, as drawn by the seed of each, and resumed until they end
    SOAK_MINUTES=60    length of the long crawl
    SOAK_STRATEGY=ops  strategy of the long crawl, instead of scout, the default

The long crawl is of a served web, with a delay that makes it last. The clock jumps an hour back and a day forward, all
hosts stop answering for a while, and the crawler is suspended for a while. Exits with 1 when a check of store/verify.py
fails, a log differs from that of an undisturbed crawl, or memory grows: resident memory and its anonymous part (which
the system cannot reclaim), by the slope over all samples after warm-up, those of the disturbances included.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from faults.machine import OFFLINE, PAGES, command, complaints, count, resident, run, visits
from topicrawl.cli.demo import served
from topicrawl.store.failpoints import MOMENTS
from topicrawl.web.invented import invented_web

NETWORK = Path(__file__).resolve().parents[1] / "tests" / "faults" / "network.py"
WEB, TOPIC = "invented:scale", "rainstorm disaster"
DELAY_PER_MINUTE = 0.9
"""Delay between requests to one of the 420 hosts, in seconds for each minute of the crawl."""
LARGEST_SLOPE = 1000
"""Largest slope of memory after warm-up, in bytes per page, that counts as constant: the URLs of the 45 links of a page
alone are three times as large."""
MOST_DESCRIPTORS = 500
FEWEST_MINUTES = 5
"""Shortest crawl in minutes for which the slope of memory is checked."""
WARM_UP = 0.2
"""Share of the long crawl before memory is measured."""


def disturbed(seed: int, folder: Path) -> str:
    """Disturb one crawl up to three times, as drawn by `seed`, then let it end; returns the kinds of disturbance."""
    rng = random.Random(seed)
    args = command(folder, *OFFLINE)
    done = []
    for _ in range(rng.randint(1, 3)):
        kind = rng.choice(("kill", "moment", "disk", "term", "worker"))
        done.append(kind)
        if kind == "moment":
            run(args, fault=f"{rng.choice(MOMENTS)}:kill:{rng.randint(1, 4)}")
        elif kind == "disk":
            action = rng.choice(("enospc", "eio", "erofs"))
            run(args, fault=f"{rng.choice(MOMENTS)}:{action}:{rng.randint(1, 4)}")
        else:
            _interrupt(args, folder, kind, rng)
    ended = run(args)
    assert ended.returncode == 0, ended.stderr
    return ", ".join(done)


def _interrupt(args: list[str], folder: Path, kind: str, rng: random.Random) -> None:
    """Send a signal at a random visit: to the crawl, or to its parse worker."""
    at = rng.randrange(PAGES)
    with subprocess.Popen(args, stderr=subprocess.DEVNULL) as process:
        until = time.monotonic() + 60
        while count(folder) < at and process.poll() is None and time.monotonic() < until:
            time.sleep(0.002)
        if kind == "worker":
            for child in _children(process.pid):
                os.kill(child, signal.SIGKILL)
        else:
            process.send_signal(signal.SIGKILL if kind == "kill" else signal.SIGTERM)
        process.wait(120)


def _children(pid: int) -> list[int]:
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in path.read_text().split()] if path.exists() else []


def disturb_many(seeds: int) -> int:
    """Disturb `seeds` crawls; returns how many failed a check or have another log than an undisturbed one."""
    bad = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run(command(folder / "undisturbed", *OFFLINE))
        expected = visits(folder / "undisturbed")
        for seed in range(seeds):
            done = disturbed(seed, folder / str(seed))
            wrong = complaints(folder / str(seed))
            if visits(folder / str(seed)) != expected:
                wrong.append("the log differs from that of an undisturbed crawl")
            bad += bool(wrong)
            print(f"seed {seed} ({done}): {'; '.join(wrong) or 'same as undisturbed'}", flush=True)
    return bad


def long_run(minutes: float, strategy: str) -> int:
    """Crawl for `minutes` with disturbances and print the cost; returns the number of failed checks."""
    web = invented_web(WEB)
    with tempfile.TemporaryDirectory() as name, served(WEB) as port:
        out = Path(name) / "run"
        seeds = [flag for seed in web.seeds(TOPIC, 200) for flag in ("--seeds", seed)]
        flags = ["--topic", web.topic_spec(TOPIC), "--out", str(out), "--quiet", "--pages", "100000000"]
        flags += ["--strategy", strategy, "--concurrency", "64", "--max-time", f"{minutes}m"]
        flags += ["--delay", str(DELAY_PER_MINUTE * minutes), "--allow-net", "127.0.0.0/8"]
        flags += ["--resolve", f"*.invented.test=127.0.0.1:{port}"]
        process = subprocess.Popen([sys.executable, str(NETWORK), "clock", "crawl", *flags, *seeds])
        server = next(child for child in _children(os.getpid()) if child != process.pid)
        samples = _watch(process, out, minutes * 60, server)
        code = process.wait()
        wrong = [each for each in complaints(out) if not each.startswith("gaps")]  # the clock was changed
        failed = [line for line in (out / "visits.jsonl").read_text().splitlines() if '"connect"' in line]
        return _report(samples, code, wrong, len(failed))


def _watch(
    process: subprocess.Popen[bytes], out: Path, seconds: float, server: int
) -> list[tuple[float, ...]]:
    """Sample the crawl's state; suspend the server for a while, and later the crawler."""
    samples: list[tuple[float, ...]] = []
    began = time.monotonic()
    pauses = [(seconds / 4, server), (seconds / 2, process.pid)]
    while process.poll() is None:
        time.sleep(min(5.0, seconds / 60))
        passed = time.monotonic() - began
        if pauses and passed > pauses[0][0]:
            _, paused = pauses.pop(0)
            os.kill(paused, signal.SIGSTOP)
            time.sleep(min(60.0, seconds / 10))
            os.kill(paused, signal.SIGCONT)
        samples.append((passed, *_state(process.pid), _disk(out), count(out)))
    return [sample for sample in samples if sample[1]]


def _state(pid: int) -> tuple[float, float, float]:
    """Resident bytes of a process, those that are anonymous, and its open descriptors; zeros once it has ended."""
    try:
        memory = resident(pid)
        return memory["VmRSS"], memory["RssAnon"], len(os.listdir(f"/proc/{pid}/fd"))  # noqa: PTH208
    except (OSError, KeyError):
        return 0.0, 0.0, 0.0


def _disk(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) if folder.exists() else 0


def _report(samples: list[tuple[float, ...]], code: int, wrong: list[str], unreachable: int) -> int:
    times, memory, anonymous, descriptors, disk, pages = np.array(samples).T
    late = times > WARM_UP * times[-1]
    slopes = {
        name: float(np.polyfit(pages[late], column[late], 1)[0])
        for name, column in (("resident", memory), ("anonymous", anonymous))
    }
    hour = np.polyfit(times, pages, 1)[0] * 3600
    print(
        json.dumps(
            {
                "minutes": round(times[-1] / 60, 1),
                "pages": int(pages[-1]),
                "exit_code": code,
                "resident_MiB": [round(memory[late].min() / 2**20), round(memory.max() / 2**20)],
                "anonymous_MiB": [round(anonymous[late].min() / 2**20), round(anonymous.max() / 2**20)],
                "slope_MiB_per_hour": {name: round(b * hour / 2**20, 1) for name, b in slopes.items()},
                "slope_bytes_per_page": {name: round(b) for name, b in slopes.items()},
                "slope_bytes_per_page_allowed": LARGEST_SLOPE,
                "descriptors": [int(descriptors[late].min()), int(descriptors.max())],
                "disk_bytes_per_page": round(disk[-1] / max(1, pages[-1])),
                "pages_lost_to_the_network": unreachable,
                "broken_promises": wrong,
            },
            indent=1,
        )
    )
    grows = times[-1] > 60 * FEWEST_MINUTES and max(slopes.values()) > LARGEST_SLOPE
    return len(wrong) + (code != 0) + bool(grows) + bool(descriptors.max() > MOST_DESCRIPTORS)


def main() -> None:
    """Run the disturbed crawls, then the long crawl unless SOAK_MINUTES is 0."""
    bad = disturb_many(int(os.environ.get("SOAK_SEEDS", "50")))
    if minutes := float(os.environ.get("SOAK_MINUTES", "60")):
        bad += long_run(minutes, os.environ.get("SOAK_STRATEGY", "scout"))
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
