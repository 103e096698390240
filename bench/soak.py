"""`make soak`: fifty crawls disturbed at random, then one long crawl whose memory, descriptors and disk are watched.

    SOAK_SEEDS=50      crawls that are disturbed, each by what its seed says, and resumed until they end
    SOAK_MINUTES=60    length of the long crawl
    SOAK_STRATEGY=ops  what it crawls with, instead of scout, the default of all crawls

The long crawl is of a served web, as slow as it must be to last, with a clock that jumps an hour back and a day
forward, hosts that all fall silent and come back, and a machine that sleeps for a while. Exits with 1 when a promise of
store/verify.py is broken, a log differs from that of an undisturbed crawl, or memory is not constant: both what is
resident and what of it the system could not take back (anonymous memory; Linux tells them apart), by the slope over
all samples after warm-up, those of the disturbances included.
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
DELAY_A_MINUTE = 0.9
"""Seconds between two requests to one of the 420 hosts, for each minute that the crawl shall take."""
CONSTANT = 1000
"""Bytes of memory a page, by the slope after warm-up, that pass for none: a page shows 45 links, whose URLs alone
have three times as many."""
MOST_DESCRIPTORS = 500
LONG_ENOUGH = 5
"""Minutes below which the slope of memory says nothing."""
WARM_UP = 0.2
"""Share of the long crawl before memory is looked at."""


def disturbed(seed: int, folder: Path) -> str:
    """Disturb one crawl as `seed` says, up to three times, then let it end; says what was done."""
    chance = random.Random(seed)
    args = command(folder, *OFFLINE)
    done = []
    for _ in range(chance.randint(1, 3)):
        kind = chance.choice(("kill", "moment", "disk", "term", "worker"))
        done.append(kind)
        if kind == "moment":
            run(args, fault=f"{chance.choice(MOMENTS)}:kill:{chance.randint(1, 4)}")
        elif kind == "disk":
            action = chance.choice(("enospc", "eio", "erofs"))
            run(args, fault=f"{chance.choice(MOMENTS)}:{action}:{chance.randint(1, 4)}")
        else:
            _interrupt(args, folder, kind, chance)
    ended = run(args)
    assert ended.returncode == 0, ended.stderr
    return ", ".join(done)


def _interrupt(args: list[str], folder: Path, kind: str, chance: random.Random) -> None:
    """Send a signal at a random visit: to the crawl, or to its parse worker."""
    at = chance.randrange(PAGES)
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


def storm(seeds: int) -> int:
    """Disturb so many crawls; returns how many did not end as if nothing had happened."""
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
            print(f"seed {seed} ({done}): {'; '.join(wrong) or 'as if nothing had happened'}", flush=True)
    return bad


def long_run(minutes: float, strategy: str) -> int:
    """Crawl for so long, disturb a little, print what it cost; returns the number of broken promises."""
    web = invented_web(WEB)
    with tempfile.TemporaryDirectory() as name, served(WEB) as port:
        out = Path(name) / "run"
        seeds = [flag for seed in web.seeds(TOPIC, 200) for flag in ("--seeds", seed)]
        flags = ["--topic", web.topic_spec(TOPIC), "--out", str(out), "--quiet", "--pages", "100000000"]
        flags += ["--strategy", strategy, "--concurrency", "64", "--max-time", f"{minutes}m"]
        flags += ["--delay", str(DELAY_A_MINUTE * minutes), "--allow-net", "127.0.0.0/8"]
        flags += ["--resolve", f"*.invented.test=127.0.0.1:{port}"]
        process = subprocess.Popen([sys.executable, str(NETWORK), "clock", "crawl", *flags, *seeds])
        server = next(child for child in _children(os.getpid()) if child != process.pid)
        samples = _watch(process, out, minutes * 60, server)
        code = process.wait()
        wrong = [
            each for each in complaints(out) if not each.startswith("gaps")
        ]  # the clock was set meanwhile
        failed = [line for line in (out / "visits.jsonl").read_text().splitlines() if '"connect"' in line]
        return _report(samples, code, wrong, len(failed))


def _watch(
    process: subprocess.Popen[bytes], out: Path, seconds: float, server: int
) -> list[tuple[float, ...]]:
    """Look at the crawl now and then; let all its hosts fall silent for a while, and later the machine itself."""
    samples: list[tuple[float, ...]] = []
    began = time.monotonic()
    naps = [(seconds / 4, server), (seconds / 2, process.pid)]
    while process.poll() is None:
        time.sleep(min(5.0, seconds / 60))
        passed = time.monotonic() - began
        if naps and passed > naps[0][0]:
            _, asleep = naps.pop(0)
            os.kill(asleep, signal.SIGSTOP)
            time.sleep(min(60.0, seconds / 10))
            os.kill(asleep, signal.SIGCONT)
        samples.append((passed, *_state(process.pid), _disk(out), count(out)))
    return [sample for sample in samples if sample[1]]


def _state(pid: int) -> tuple[float, float, float]:
    """Resident bytes of a process, those that are anonymous, and its open descriptors; zeros once it is gone."""
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
                "slope_bytes_per_page_allowed": CONSTANT,
                "descriptors": [int(descriptors[late].min()), int(descriptors.max())],
                "disk_bytes_per_page": round(disk[-1] / max(1, pages[-1])),
                "pages_lost_to_the_network": unreachable,
                "broken_promises": wrong,
            },
            indent=1,
        )
    )
    grows = times[-1] > 60 * LONG_ENOUGH and max(slopes.values()) > CONSTANT
    return len(wrong) + (code != 0) + bool(grows) + bool(descriptors.max() > MOST_DESCRIPTORS)


def main() -> None:
    """The storm, then the long crawl, unless it is to take no time."""
    bad = storm(int(os.environ.get("SOAK_SEEDS", "50")))
    if minutes := float(os.environ.get("SOAK_MINUTES", "60")):
        bad += long_run(minutes, os.environ.get("SOAK_STRATEGY", "scout"))
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
