"""A crawl that knows a hundred thousand links needs no more memory than one that knows a tenth of them."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from faults.machine import count, resident
from topicrawl.web.invented import invented_web

WEB, TOPIC = "invented:scale", "rainstorm disaster"
EARLY, PAGES, SPAN = 1000, 3000, 500
CONSTANT = 4000
"""Bytes a page that pass for none in so short a crawl; its new links cost almost three times as many in memory."""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_memory_does_not_grow_with_the_links_of_a_crawl(tmp_path: Path) -> None:
    web, out = invented_web(WEB), tmp_path / "run"
    seeds = [flag for seed in web.seeds(TOPIC, 20) for flag in ("--seeds", seed)]
    flags = ["--web", WEB, "--topic", web.topic_spec(TOPIC), "--strategy", "ops", "--pages", str(PAGES)]
    args = [sys.executable, "-m", "topicrawl.cli", "crawl", "--out", str(out), "--quiet", "--no-warc"]
    samples: list[tuple[int, int]] = []
    with subprocess.Popen([*args, *flags, *seeds]) as crawl:
        while crawl.poll() is None:
            if (pages := count(out)) >= EARLY and (memory := resident(crawl.pid).get("RssAnon")):
                samples.append((pages, memory))
            time.sleep(0.05)
    assert crawl.returncode == 0
    early = [memory for pages, memory in samples if pages < EARLY + SPAN]
    late = [memory for pages, memory in samples if PAGES - SPAN < pages < PAGES]
    assert min(late) - min(early) < CONSTANT * (PAGES - SPAN - EARLY)
