"""Stories of a real cluster: `python ray_stories.py STORY FOLDER`, in a network namespace with only loopback.

Every story starts what it needs, PostgreSQL included, and asserts.
"""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import psycopg

from cluster.postgres import Server, start_postgres
from cluster.ray_faults import FAULTS, LEASE, all_held, kill, processes
from counting_web import Web, pages_of
from shards.test_local import visits

HEAD, OTHER = "127.0.0.1", "127.0.0.2"


def say(text: object) -> None:
    sys.stdout.write(f"{time.strftime('%X')} {text}\n")
    sys.stdout.flush()


class Cluster:
    """A cluster in a folder: `head/` and `node/` are what its machines keep."""

    def __init__(self, folder: Path, postgres: Server, web: type[Web], port: int) -> None:
        self.folder, self.postgres, self.web, self.port = folder, postgres, web, port
        self.dsn = postgres.new_database()

    def run(
        self, *words: object, machine: str = "head", check: bool = True
    ) -> subprocess.CompletedProcess[str]:
        """A command on a machine."""
        environment = os.environ | {
            "TOPICRAWL_CLUSTER": str(self.folder / machine),
            "TMPDIR": str(self.folder),
        }
        began = time.monotonic()
        ran = subprocess.run(
            [sys.executable, "-m", "topicrawl.cli", "cluster", *map(str, words)],
            check=False,
            capture_output=True,
            text=True,
            env=environment,
            timeout=150,
        )
        say(
            f"{' '.join(map(str, words))[:60]}: {ran.returncode} in {time.monotonic() - began:.1f} s {ran.stderr}"
        )
        assert ran.returncode == 0 or not check, ran.stderr
        return ran

    def start(self, *more: object) -> None:
        words = [
            "--store",
            self.folder / "store",
            "--postgres",
            self.dsn,
            "--cpus",
            4,
            "--lease",
            LEASE,
            "--turn",
            0.2,
        ]
        self.run("start", "--head", *words, "--work", self.folder / "work-head", *more)

    def join(self) -> None:
        """A second machine, with a copy of what the head keeps."""
        node = self.folder / "node"
        node.mkdir(mode=0o700, exist_ok=True)
        for name in ("token", "cluster.json"):
            (node / name).write_bytes((self.folder / "head" / name).read_bytes())
            (node / name).chmod(0o600)
        words = ["--listen", OTHER, "--cpus", 4, "--work", self.folder / "work-node"]
        self.run("join", f"{HEAD}:6390", *words, machine="node")

    def submit(self, shards: int = 3, strategy: str = "ops") -> str:
        (self.folder / "crawl.toml").write_text(f"""
[crawl]
topic = "rain, flood"
seeds = ["http://site00.test/00"]
pages = 100000
concurrency = 4
strategy = "{strategy}"
avoid_traps = false
[http]
delay = "1ms"
resolve = ["*.test=127.0.0.1:{self.port}"]
allow_net = ["127.0.0.0/8"]
""")
        ran = self.run("submit", self.folder / "crawl.toml", "--shards", shards, "--detach", "--quiet")
        return ran.stdout.strip()

    def status(self, crawl: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.run("status", crawl, "--json").stdout)
        return found

    def ended(self, crawl: str, seconds: float = 120) -> dict[str, Any]:
        """Wait until a crawl has ended."""
        until = time.monotonic() + seconds
        with psycopg.connect(self.dsn, autocommit=True) as connection:
            while connection.execute("SELECT state FROM crawl WHERE id = %s", (crawl,)).fetchone() != (
                "ended",
            ):
                assert time.monotonic() < until, self.status(crawl)
                time.sleep(0.2)
        return self.status(crawl)

    def check(self, crawl: str, again: int = 0) -> int:
        """Every page is there once, the letters of both sides agree; returns how many pages."""
        out = self.folder / f"out-{time.monotonic_ns()}"
        self.run("fetch", crawl, "--out", out)
        found = visits(out)
        fetched = Counter(str(visit["url"]) for visit in found if visit["fetched"])
        assert set(fetched.values()) == {1}
        asked = self.web.asked
        doubled = {url: n for url, n in asked.items() if n > 1}
        assert sum(asked.values()) - len(asked) <= again, doubled
        told = self.status(crawl)["total"]["pages"]
        assert told == len(fetched), "the status tells what is in the store"
        letters = self.doctor(out)
        say(f"{len(fetched):,} pages, {sum(asked.values()) - len(asked)} asked for again; {letters}")
        return len(fetched)

    def doctor(self, run: Path) -> str:
        """Nothing is wrong with a run; returns what is said of its letters."""
        words = [sys.executable, "-m", "topicrawl.cli", "doctor", str(run)]
        ran = subprocess.run(words, check=False, capture_output=True, text=True, timeout=600)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        [letters] = [line for line in ran.stdout.splitlines() if "letters are taken" in line]
        return letters

    def more(self, pages: int, seconds: float = 90) -> None:
        """Wait until the web was asked for so many more pages."""
        wanted, until = sum(self.web.asked.values()) + pages, time.monotonic() + seconds
        while sum(self.web.asked.values()) < wanted:
            assert time.monotonic() < until, "the crawl stands still"
            time.sleep(0.05)


@contextmanager
def cluster(folder: Path, sites: int, pages: int, seconds: float) -> Iterator[Cluster]:
    """A cluster that is not started, and a web that counts requests and answers each after so many seconds."""
    web = pages_of(sites, pages, seconds)
    with start_postgres() as postgres, ThreadingHTTPServer(("127.0.0.1", 0), web) as serving:
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        made = Cluster(folder, postgres, web, serving.server_port)
        try:
            yield made
        finally:
            for machine in ("node", "head"):
                if (folder / machine / "cluster.json").exists():
                    made.run("down", machine=machine, check=False)
            serving.shutdown()


def listening() -> dict[str, set[str]]:
    """The addresses that are listened on, each with the programs that do."""
    found: dict[str, set[str]] = {}
    text = subprocess.run(["ss", "-Hltnp"], check=True, capture_output=True, text=True).stdout
    for line in text.splitlines():
        words = line.split()
        address = words[3].rpartition(":")[0].removeprefix("[::ffff:").strip("[]")
        found.setdefault(address, set()).update(re.findall(r'\("([^"]+)"', words[-1]))
    return found


def whole(folder: Path) -> None:
    """Start, submit, kill a shard, to the end; Ray listens on loopback alone."""
    with cluster(folder, 9, 5, 0.01) as made:
        refuse_other_interfaces(made)
        made.start("--lease", 4)
        assert (folder / "head" / "token").stat().st_mode & 0o777 == 0o600
        crawl = made.submit(2)
        made.more(8)
        kill("^ray::Shard")
        assert set(listening()) == {HEAD}, listening()
        found = made.ended(crawl)
        assert found["reason"] == "frontier empty"
        assert found["total"]["pages"] == 45
        assert made.check(crawl, again=16) == 45


def refuse_other_interfaces(made: Cluster) -> None:
    """Where the machine has another address, one that Ray would not keep to is refused, and nothing listens."""
    addresses = ("10.9.8.7", "10.9.8.8")
    for address in addresses:
        subprocess.run(["ip", "address", "add", f"{address}/32", "dev", "lo"], check=True)
    words = ["--store", made.folder / "store", "--postgres", made.dsn, "--listen", addresses[0]]
    refused = made.run("start", "--head", *words, check=False)
    assert refused.returncode == 2
    assert f"would also listen on {addresses[1]}" in refused.stderr
    for address in addresses:
        subprocess.run(["ip", "address", "del", f"{address}/32", "dev", "lo"], check=True)
    assert set(listening()) == {HEAD}, "the web of the test"


def refuse_without_token(folder: Path) -> None:
    """A program with another token is refused by Ray."""
    (folder / "other").write_text("f" * 64)
    script = f"import ray; ray.init(address='{HEAD}:6390', log_to_driver=False)"
    ran = subprocess.run(
        [sys.executable, "-c", script],
        check=False,
        capture_output=True,
        text=True,
        env=os.environ | {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN_PATH": str(folder / "other")},
        timeout=60,
    )
    assert ran.returncode != 0
    say(f"another token: {ran.stderr.strip().splitlines()[-1]}")


def nodes(folder: Path) -> None:
    """Two nodes; who has no token is refused; stopped, taken down, started again, resumed to the end."""
    with cluster(folder, 16, 8, 1.0) as made:
        made.start()
        made.join()
        refuse_without_token(folder)
        crawl = made.submit(4)
        made.more(8)
        all_held(made)
        assert len(list(folder.glob("work-*/*/*/crawl.db"))) == 4
        assert len(list(folder.glob("work-node/*/*/crawl.db"))) in (1, 2, 3), "shards are on both nodes"
        busy = made.run("resume", crawl, check=False)
        assert (busy.returncode, busy.stderr.count("\n")) == (2, 1), busy.stderr
        assert "is under way" in busy.stderr
        made.run("stop", crawl)
        assert made.status(crawl)["reason"] == "stopped"
        other = made.run("resume", crawl, "--shards", 5, check=False)
        assert "was submitted with --shards 4" in other.stderr
        for machine in ("node", "head"):
            made.run("down", machine=machine)
        assert processes("gcs_server|raylet|ray::|shards.process") == []
        made.start()
        made.run("resume", crawl, "--detach")
        assert made.ended(crawl)["total"]["pages"] == 128
        assert made.check(crawl, again=16) == 128


def head(folder: Path) -> None:
    """The head dies; it is started again, the other node joins again, and the crawl is resumed to the end."""
    with cluster(folder, 16, 8, 1.0) as made:
        made.start()
        made.join()
        crawl = made.submit(4)
        made.more(8)
        all_held(made)
        for part in ("gcs_server", "raylet/raylet .*node_ip_address=127.0.0.1"):
            kill(part)
        for machine in ("head", "node"):
            made.run("down", machine=machine)
        made.start()
        made.join()
        made.run("stop", crawl)  # waits until nobody holds a shard
        made.run("resume", crawl, "--detach")
        assert made.ended(crawl)["total"]["pages"] == 128
        assert made.check(crawl, again=32) == 128


def faults(folder: Path) -> None:
    """Each fault once, then on to the end of the web."""
    with cluster(folder, 30, 30, 0.4) as made:
        made.start()
        made.join()
        crawl = made.submit(4, "scout")
        for name, fault in FAULTS.items():
            made.more(10)
            say(name)
            fault(made)
        made.more(10)
        found = made.ended(crawl, 400)
        assert found["total"]["pages"] == 900, found
        assert made.check(crawl, again=16 * (len(FAULTS) + 4)) == 900


def soak(folder: Path) -> None:
    """Faults drawn at random for $SOAK_MINUTES (ten) minutes, 20 at least; then the crawl is stopped and verified.

    They are drawn like cards: each kind once before one comes again.
    """
    minutes, seed = float(os.environ.get("SOAK_MINUTES", "10")), int(os.environ.get("SOAK_SEED", "1"))
    draw, drawn, cards = random.Random(seed), Counter[str](), list[str]()
    with cluster(folder, 60, 95, 0.7) as made:
        made.start()
        made.join()
        crawl = made.submit(4, "scout")
        until = time.monotonic() + 60 * minutes
        while time.monotonic() < until or sum(drawn.values()) < 20:
            made.more(draw.randrange(5, 30), 240)
            cards = cards or draw.sample(list(FAULTS), len(FAULTS))
            name = cards.pop()
            say(name)
            FAULTS[name](made)
            drawn[name] += 1
        made.more(10, 240)
        made.run("stop", crawl)
        pages = made.check(crawl, again=16 * sum(drawn.values()))
        say(f"{sum(drawn.values())} faults ({dict(drawn)}), {pages:,} pages")


STORIES: dict[str, Callable[[Path], None]] = {
    "whole": whole, "nodes": nodes, "head": head, "faults": faults, "soak": soak,
}  # fmt: skip

if __name__ == "__main__":
    STORIES[sys.argv[1]](Path(sys.argv[2]))
    say("done")
