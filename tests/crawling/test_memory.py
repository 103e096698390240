"""A crawl that knows a hundred thousand links needs no more memory than one that knows a tenth of them."""

from __future__ import annotations

import subprocess
import sys
import time
import tracemalloc
from pathlib import Path
from statistics import median

import numpy as np
import pytest

from faults.machine import count, resident, resident_of_unnamed_files
from topicrawl.crawling.core import Crawl
from topicrawl.crawling.state import pack
from topicrawl.frontier import Frontier
from topicrawl.model import Ask, Outcome, Topic
from topicrawl.page.read import read
from topicrawl.scout.strategy import Scout
from topicrawl.store.allocator import MappedFiles
from topicrawl.web.invented import invented_web

linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")

WEB, TOPIC = "invented:scale", "rainstorm disaster"
EARLY, PAGES, SPAN = 1000, 3000, 500
CONSTANT = 4000
"""Bytes a page that pass for none in so short a crawl; its new links cost almost three times as many in memory."""

LINKS = 3000
"""On a page of the crawl that is weighed."""


@linux
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
    assert median(late) - median(early) < CONSTANT * (PAGES - SPAN - EARLY)


def test_to_weigh_all_links_anew_needs_no_more_memory_where_there_are_more(tmp_path: Path) -> None:
    scout = Scout()
    crawl = crawl_on_disk(scout, tmp_path)
    few, many = peak_of_a_look(crawl, scout, 100_000), peak_of_a_look(crawl, scout, 200_000)
    assert many - few < 100_000 * 8  # what one column of numbers would take


@linux
def test_a_snapshot_leaves_none_of_the_columns_in_memory(tmp_path: Path) -> None:
    before = resident_of_unnamed_files()  # of other tests
    crawl = crawl_on_disk(Scout(), tmp_path)
    go_on_until_known(crawl, 60_000)
    state = pack(crawl)
    assert state.nbytes > 20 << 20
    read = sum(int(np.count_nonzero(each)) for each in state.arrays())
    assert read > 0
    assert resident_of_unnamed_files() - before < 1 << 20


def crawl_on_disk(scout: Scout, folder: Path) -> Crawl:
    topic, frontier = Topic("storms", ("rainstorm",), (1.0,)), Frontier(MappedFiles(folder))
    return Crawl(topic, scout, ["http://a.test/"], frontier=frontier)


def go_on_until_known(crawl: Crawl, links: int) -> None:
    while len(crawl.frontier) < links:
        ask = crawl.ask()
        assert ask is not None
        crawl.tell(ask, page_of_links(ask))


def peak_of_a_look(crawl: Crawl, scout: Scout, links: int) -> int:
    """Bytes that weighing needs for a while, once so many links are known."""
    go_on_until_known(crawl, links)
    scout.features._link_words._fitted_at = 0  # so that a fit is due
    scout.features._summed = -1  # and sums over all pages are made anew
    tracemalloc.start()
    for _ in scout.features.rescore_all(crawl.frontier):
        pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


def page_of_links(ask: Ask) -> Outcome:
    named = [f"storm {number % 97} report {number % 89}" for number in range(LINKS)]
    listed = "".join(
        f'<li><a href="/{ask.link}/{number}">{name}</a></li>' for number, name in enumerate(named)
    )
    html = f"<title>{ask.link}</title><p>rainstorm flood river</p><ul>{listed}</ul>".encode()
    return Outcome(ask.url, 200, len(html), page=read(ask.url, html, "text/html"))
