"""F10–F12, F14: clocks that jump, names that do not resolve, a network that goes and comes back, few descriptors."""

from __future__ import annotations

import gc
import json
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from faults.machine import complaints, count
from hostile.harness import TOPIC, run
from topicrawl_lab.hostile import Hostile, resolve_map

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX systems")
NETWORK = [sys.executable, str(Path(__file__).with_name("network.py"))]
PLAIN = [sys.executable, "-m", "topicrawl.cli"]


def crawl(program: list[str], out: Path, seeds: Sequence[str], *flags: str) -> list[str]:
    given = [flag for seed in seeds for flag in ("--seeds", seed)]
    nets = [
        "--allow-net",
        "127.0.0.1/32",
        "--topic",
        TOPIC,
        "--out",
        str(out),
        "--quiet",
        "--delay",
        "0.05",
        "--no-avoid-traps",
    ]
    return [*program, "crawl", *nets, *given, *flags]


def mapped(web: Hostile) -> list[str]:
    return [flag for name in resolve_map(web.ports) for flag in ("--resolve", name)]


def visits(out: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (out / "visits.jsonl").read_text(encoding="utf-8").splitlines()]


def test_the_delay_holds_when_the_clock_jumps(tmp_path: Path) -> None:
    with Hostile() as web:
        args = crawl(
            [*NETWORK, "clock"], tmp_path / "run", ["http://h53.test/"], *mapped(web), "--delay", "0.3"
        )
        code, *_ = run(args, 40)
        times = [asked.at for asked in web.requests("h53")]
    assert code == 0
    assert len(times) == 22
    assert min(later - earlier for earlier, later in pairwise(times)) >= 0.3


def test_names_that_do_not_resolve_delay_no_other_host_and_may_recover(tmp_path: Path) -> None:
    with Hostile() as web:
        port = web.ports.http
        faults = ("unknown", "hangs", "later", "many")
        seeds = [f"http://{fault}.h10.test:{port}/" for fault in faults] + [f"http://h53.test:{port}/"]
        args = crawl([*NETWORK, "names"], tmp_path / "run", seeds, "--max-time", "30s", "--patience", "2s")
        code, seconds, *_ = run(args, 40)
        asked = {a.host.partition(":")[0] for a in web.log}
    assert code == 0
    assert "h53.test" in asked
    assert "many.h10.test" in asked
    errors = {str(visit["host"]).partition(".")[0]: visit["error"] for visit in visits(tmp_path / "run")}
    assert errors["unknown"] == "dns"
    assert seconds < 30


def test_an_outage_of_the_network_loses_no_page(tmp_path: Path) -> None:
    out = tmp_path / "run"
    with Hostile() as web:
        port = web.ports.http
        flags = ["--resolve", f"*.test=127.0.0.1:{port}", "--retries", "0", "--delay", "0.2"]
        process = subprocess.Popen(crawl(PLAIN, out, ["http://h53.test/"], *flags))
        while count(out) < 5:
            time.sleep(0.02)
    time.sleep(3)
    before = count(out)
    assert process.poll() is None
    with Hostile(port) as web:
        assert process.wait(60) == 0
        assert web.requests("h53")
    assert before < 21
    assert [visit for visit in visits(out) if visit["error"]] == []
    assert len(visits(out)) == 21
    assert complaints(out) == []
    gc.collect()  # report sockets left open here, not in another test


def test_sixty_four_descriptors_are_enough_for_sixty_hosts(tmp_path: Path) -> None:
    with Hostile() as web:
        args = crawl(
            PLAIN, tmp_path / "run", ["http://h52.test/"], *mapped(web), "--concurrency", "64", "--delay", "0"
        )
        code, _, _, said = run(args, 60, {resource.RLIMIT_NOFILE: 64})
        hosts = {asked.host for asked in web.requests("h52")}
    assert code == 0, said
    assert len(hosts) == 61
    assert [visit["error"] for visit in visits(tmp_path / "run") if visit["error"]] == []
