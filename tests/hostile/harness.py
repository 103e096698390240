"""Runs a crawler as a process against the hostile web and collects the server's log.

The same harness runs topicrawl and, for docs/reliability.md, Scrapy: both get the same seeds, limits, memory and
time, and are judged by the same log.
"""

from __future__ import annotations

import itertools
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from topicrawl_lab.hostile import Asked, Hostile, resolve_map

MIB = 1 << 20
ADDRESS_SPACE = 6 << 30
"""Limit of the crawler's address space in bytes; peak resident memory is judged apart."""
TOPIC = "rain: rainstorm 1.0, rain 0.8, storm 0.6, flood 0.6"
SPIDER, LAUNCHER = (Path(__file__).with_name(name) for name in ("spider.py", "launcher.py"))


@dataclass(frozen=True)
class Plan:
    """The settings of a crawl that both crawlers have."""

    pages: int = 400
    delay: float = 0.01
    in_flight: int = 16
    deadline: float = 3.0
    silence: float = 1.0
    seconds: float = 40.0
    """Time limit of the crawl; it is killed some time later."""
    cookies: bool = False
    sitemaps: bool = False
    secret: str = ""
    """An Authorization header for the seeds' origin."""
    flags: tuple[str, ...] = ()
    """More flags for topicrawl, such as shorter waits."""


@dataclass
class Evidence:
    """The results of a crawl. `log`, `code`, `seconds` and `peak` are measured; `pages` is the crawler's own list."""

    own: bool
    log: list[Asked]
    code: int
    seconds: float
    peak: int
    pages: list[str]
    errors: Counter[tuple[str, str]] = field(default_factory=Counter)
    """(host, error) of topicrawl's visits."""
    out: Path = Path()
    stderr: str = ""

    def requests(self, row: str, host: str | None = None) -> list[Asked]:
        """The requests to a row, or to one of its hosts."""
        return [a for a in self.log if a.row == row and (host is None or a.host.partition(":")[0] == host)]

    def asked(self, row: str, path: str, host: str | None = None) -> int:
        """How often a path was requested."""
        return sum(a.path == path for a in self.requests(row, host))

    def paths(self, row: str, host: str | None = None) -> list[str]:
        """The paths requested, robots.txt left out."""
        return [a.path for a in self.requests(row, host) if a.path != "/robots.txt"]

    def sent(self, row: str, host: str | None = None) -> int:
        """Bytes sent before the crawler closed the connection."""
        return sum(a.sent for a in self.requests(row, host))

    def longest(self, row: str) -> float:
        """Seconds of the longest exchange."""
        ends = [(a.ended or time.monotonic()) - a.at for a in self.requests(row)]
        return max(ends, default=0.0)

    def gaps(self, row: str, host: str | None = None) -> list[float]:
        """Seconds between the starts of successive requests."""
        times = [a.at for a in self.requests(row, host)]
        return [later - earlier for earlier, later in itertools.pairwise(times)]

    def vault(self) -> int:
        """Number of connections to the internal service."""
        return sum(a.row == "vault" for a in self.log)


def crawl(seeds: Sequence[str], plan: Plan, out: Path, *, scrapy: bool = False) -> Evidence:
    """Crawl the hostile web from `seeds`, by topicrawl or by Scrapy, with a fresh server."""
    out.mkdir(parents=True, exist_ok=True)
    with Hostile() as web:
        command = scrapy_command(web, seeds, plan, out) if scrapy else own_command(web, seeds, plan, out)
        code, seconds, peak, stderr = run(command, plan.seconds)
        time.sleep(0.1)  # for the server to see the last connections close
        log = list(web.log)
    evidence = Evidence(not scrapy, log, code, seconds, peak, [], out=out / "run", stderr=stderr)
    if scrapy:
        listed = out / "pages.txt"
        evidence.pages = listed.read_text().split() if listed.exists() else []
    else:
        visits = [json.loads(line) for line in lines(out / "run" / "visits.jsonl")]
        evidence.pages = [visit["url"] for visit in visits if visit["fetched"]]
        evidence.errors = Counter((visit["host"], visit["error"]) for visit in visits if visit["error"])
    return evidence


def own_command(web: Hostile, seeds: Sequence[str], plan: Plan, out: Path) -> list[str]:
    """topicrawl as a user starts it, with `ops`, a strategy that does not learn."""
    flags = [
        "--topic",
        TOPIC,
        "--strategy",
        "ops",
        "--out",
        str(out / "run"),
        "--quiet",
        "--retries",
        "0",
        "--patience",
        "1s",
    ]
    flags += ["--pages", str(plan.pages), "--delay", str(plan.delay), "--concurrency", str(plan.in_flight)]
    flags += [
        "--deadline",
        str(plan.deadline),
        "--first-byte",
        str(plan.silence),
        "--connect",
        str(plan.silence),
    ]
    flags += ["--max-time", str(plan.seconds), "--allow-net", "127.0.0.1/32"]
    flags += [flag for seed in seeds for flag in ("--seeds", seed)]
    flags += [flag for name in resolve_map(web.ports) for flag in ("--resolve", name)]
    flags += ["--cookies"] * plan.cookies + ["--sitemaps"] * plan.sitemaps
    if plan.secret:
        (out / "secret").write_text(plan.secret)
        flags += ["--header", f"Authorization@http://h08.test: file:{out / 'secret'}"]
        flags += ["--header", f"Authorization@https://secure.h08.test: file:{out / 'secret'}"]
    if web.authority:
        (out / "ca.pem").write_bytes(web.authority.pem)
        flags += ["--ca-file", str(out / "ca.pem")]
    return [sys.executable, "-m", "topicrawl.cli", "crawl", *flags, *plan.flags]


def scrapy_command(web: Hostile, seeds: Sequence[str], plan: Plan, out: Path) -> list[str]:
    """Scrapy with its defaults, except for the same limits; see spider.py."""
    settings = {
        "CLOSESPIDER_PAGECOUNT": plan.pages,
        "CLOSESPIDER_TIMEOUT": plan.seconds,
        "DOWNLOAD_DELAY": plan.delay,
        "RANDOMIZE_DOWNLOAD_DELAY": False,
        "CONCURRENT_REQUESTS": plan.in_flight,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
        "DOWNLOAD_TIMEOUT": plan.deadline,
        "COOKIES_ENABLED": plan.cookies,
    }
    given = {
        "settings": settings,
        "seeds": list(seeds),
        "sitemaps": plan.sitemaps,
        "secret": plan.secret,
        "ports": asdict(web.ports),
        "listed": str(out / "pages.txt"),
    }
    return [sys.executable, str(SPIDER), json.dumps(given)]


def run(
    command: Sequence[str], seconds: float, limits: dict[int, int] | None = None
) -> tuple[int, float, int, str]:
    """Run a program under limits; returns exit code, wall seconds, peak resident bytes and standard error.

    It is killed after 1.5 times `seconds` and 5 more.
    """
    bounds = json.dumps({resource.RLIMIT_AS: ADDRESS_SPACE, **(limits or {})})
    began = time.monotonic()
    with tempfile.NamedTemporaryFile() as result:
        launched = [sys.executable, "-S", "-E", str(LAUNCHER), result.name, bounds, *command]
        with subprocess.Popen(
            launched, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
        ) as child:
            killer = threading.Timer(seconds * 1.5 + 5, os.killpg, (child.pid, signal.SIGKILL))
            killer.start()
            assert child.stderr is not None
            stderr = child.stderr.read().decode(errors="replace")
            child.wait()
            killer.cancel()
        code, peak = json.loads(Path(result.name).read_text() or f"[{-signal.SIGKILL}, 0]")
    return code, time.monotonic() - began, peak, stderr


def lines(path: Path) -> list[str]:
    """The lines of a file, none if it is absent."""
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []
