"""Stories of a real cluster: `python ray_stories.py STORY FOLDER DSN`, in a network namespace with only loopback.

Every story starts what it needs, and asserts.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import psycopg

from shards.test_local import PAGES, SITES, Pages, visits
from topicrawl.shards.check_letters import check_letters
from topicrawl.store.run import Run

HEAD, OTHER = "127.0.0.1", "127.0.0.2"
TOTAL = SITES * PAGES


def say(text: object) -> None:
    sys.stdout.write(f"{time.strftime('%X')} {text}\n")
    sys.stdout.flush()


class Cluster:
    """A cluster in a folder: `head/` and `node/` are what its machines keep."""

    def __init__(self, folder: Path, dsn: str) -> None:
        self.folder, self.dsn = folder, dsn
        self.asked: Counter[str] = Counter()
        self.slow = 0.01

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
        words = ["--store", self.folder / "store", "--postgres", self.dsn, "--cpus", 4]
        self.run("start", "--head", *words, "--work", self.folder / "work-head", *more)

    def join(self) -> None:
        """A second machine, with a copy of what the head keeps."""
        node = self.folder / "node"
        node.mkdir(mode=0o700)
        for name in ("token", "cluster.json"):
            (node / name).write_bytes((self.folder / "head" / name).read_bytes())
            (node / name).chmod(0o600)
        words = ["--listen", OTHER, "--cpus", 4, "--work", self.folder / "work-node"]
        self.run("join", f"{HEAD}:6390", *words, machine="node")

    def submit(self, shards: int = 3) -> str:
        (self.folder / "crawl.toml").write_text(f"""
[crawl]
topic = "rain, flood"
seeds = ["http://site0.test/0"]
pages = 900
strategy = "ops"
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

    def check(self, crawl: str, again: int = 0) -> None:
        """All pages are there once; the letters of both sides agree."""
        out = self.folder / "out"
        self.run("fetch", crawl, "--out", out)
        fetched = Counter(str(visit["url"]) for visit in visits(out) if visit["fetched"])
        assert len(fetched) == TOTAL, sorted(fetched)
        assert set(fetched.values()) == {1}
        doubled = {url: n for url, n in self.asked.items() if n > 1}
        assert sum(self.asked.values()) - len(self.asked) <= again, doubled
        with Run.open(out, writable=False) as run:
            findings = list(check_letters(run))  # type: ignore[arg-type]
        assert [well for well, _ in findings] == [True], findings
        say(f"{TOTAL} pages, {len(doubled)} asked for again; {findings[0][1]}")

    def processes(self, pattern: str) -> list[int]:
        """The processes whose name or command line matches."""
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    words = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                except OSError:
                    continue
                if re.search(pattern, words):
                    found.append(int(entry.name))
        return sorted(found)


@contextmanager
def cluster(folder: Path, dsn: str) -> Iterator[Cluster]:
    """A cluster that is not started, and a web that counts requests."""
    made = Cluster(folder, dsn)
    handler = type("Counting", (Pages,), {"asked": made.asked})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as serving:
        made.port = serving.server_port
        threading.Thread(target=serving.serve_forever, daemon=True).start()
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


def whole(folder: Path, dsn: str) -> None:
    """Start, submit, kill the process of a shard and an actor, to the end."""
    with cluster(folder, dsn) as made:
        made.start()
        assert (folder / "head" / "token").stat().st_mode & 0o777 == 0o600
        assert set(listening()) == {HEAD}, listening()
        crawl = made.submit()
        while sum(made.asked.values()) < 8:
            time.sleep(0.05)
        [actor, *_] = made.processes("^ray::Shard")
        os.kill(actor, signal.SIGKILL)
        assert set(listening()) == {HEAD}, listening()
        found = made.ended(crawl)
        assert found["reason"] == "frontier empty"
        assert found["total"]["pages"] == TOTAL
        made.check(crawl, again=16)


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


def tokens(folder: Path, dsn: str) -> None:
    """Who has no token is refused."""
    with cluster(folder, dsn) as made:
        made.start()
        refuse_without_token(folder)


STORIES = {"whole": whole, "tokens": tokens}

if __name__ == "__main__":
    STORIES[sys.argv[1]](Path(sys.argv[2]), sys.argv[3])
    say("done")
