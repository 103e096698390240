"""The dashboard: a run of 1,000,000 visits opened and paged through, ten browsers at once, what it costs a crawl.

    python -m bench.dashboard [--visits N] [--pages N]

The run is generated: visits of pages with a title, two hundred words and three links, on a thousand hosts.
"""

from __future__ import annotations

import argparse
import http.client
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from statistics import median
from urllib.parse import parse_qsl

from bench.process import topicrawl
from topicrawl.dashboard.opened import Opened
from topicrawl.dashboard.query import Wanted, find
from topicrawl.dashboard.views.pages import passages
from topicrawl.model import Ask, Event, Links, Outcome, Page, Timing, Told, Visit, pack_ints
from topicrawl.setup.config import Config
from topicrawl.setup.resolve import resolve
from topicrawl.store.run import Run
from topicrawl.web.invented import invented_web

HOSTS, AT_ONCE, BROWSERS, REPEATS, TURNED, THRESHOLD = 1_000, 2_000, 10, 3, 5, 0.5
WORDS = [
    f"{first}{second}"
    for first in ("rain", "storm", "flood", "wind", "snow")
    for second in map(str, range(400))
]


def main() -> None:
    """Measure all three."""
    parser = argparse.ArgumentParser(prog="python -m bench.dashboard", description=__doc__)
    parser.add_argument("--visits", type=int, default=1_000_000)
    parser.add_argument("--pages", type=int, default=3_000, help="pages of the crawl that is watched")
    parser.add_argument("--only", choices=("large", "crawl"))
    parser.add_argument("--keep", type=Path, help="a folder for the large run, to use it again")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if given.only != "crawl":
            large(given.keep or Path(folder, "large"), given.visits)
        if given.only != "large":
            watched(Path(folder), given.pages)


def large(folder: Path, visits: int) -> None:
    """A large run: opened without an index, then paged through."""
    if not (folder / "run").exists():
        generate(folder / "run", visits)
    shutil.rmtree(folder / "run" / "ui", ignore_errors=True)
    with served(folder) as browser:
        for view in ("", "run/run/live", "run/run/pages", "run/run/sites"):
            print(f"first look, without an index, at /{view}: {browser.timed('/' + view):.0f} ms", flush=True)
        began = time.perf_counter()
        while "the others follow" in browser.get("/run/run/pages?part=1"):
            time.sleep(1)
        spent = cpu_of(browser.process)
        print(
            f"index complete after {time.perf_counter() - began:.0f} s more; {spent:.0f} s of processor time",
            flush=True,
        )
        size = (folder / "run" / "ui" / "index.db").stat().st_size
        print(f"index: {size / 1e6:,.0f} MB", flush=True)
        for view in ("", "run/run/live", "run/run/pages", "run/run/sites", f"run/run/page/{visits // 2}"):
            print(f"/{view}: {median(browser.timed('/' + view) for _ in range(5)):.0f} ms", flush=True)
        for query in QUERIES:
            times = list(islice(browser.turned(f"/run/run/pages?part=1&{query}"), 5))
            print(
                f"pages?{query}: {median(times):.0f} ms, {max(times):.0f} at most of {len(times)} pages",
                flush=True,
            )
    alone(folder / "run")


def alone(path: Path) -> None:
    """Processor time of one page of the table, whatever else the machine does: in this process, without a server."""
    run = Opened(path, "run")
    for query in QUERIES:
        wanted, times = Wanted.read(dict(parse_qsl(query))), list[float]()
        while len(times) < TURNED and (not times or wanted.after):
            began = time.thread_time()
            with run.index() as connection:
                found = find(connection, wanted, THRESHOLD)
                passages(run, found, wanted)
            times.append((time.thread_time() - began) * 1000)
            wanted = replace(wanted, after=found.next)
        print(
            f"processor time of pages?{query}: {max(times):.0f} ms at most of {len(times)} pages", flush=True
        )


QUERIES = (
    "sort=doubt",
    "sort=best",
    "sort=newest",
    "sort=doubt&relevance=yes",
    "sort=best&relevance=no",
    "sort=doubt&host=h7.test",
    "sort=newest&host=h7.test",
    "sort=newest&status=failed",
    "sort=doubt&mark=none",
    "sort=doubt&mark=yes",
    "sort=doubt&words=rain1",
    "sort=newest&words=page",
    "sort=best&words=page+12345",
)


def watched(folder: Path, pages: int) -> None:
    """The processor time of a crawl, with and without a dashboard that ten browsers look at."""
    web = invented_web("invented:scale")
    seeds = folder / "seeds.txt"
    seeds.write_text("\n".join(web.seeds("rainstorm disaster", 20)))
    plan = ["--web", "invented:scale", "--topic", web.topic_spec("rainstorm disaster"), "--seeds", str(seeds)]
    plan += ["--pages", str(pages), "--no-avoid-traps", "--quiet", "--strategy", "scout"]
    alone, beside, dashboard, shares = [], [], [], []
    topicrawl("crawl", *plan, "--out", str(folder / "first"))  # fills the cache of pages
    for number in range(REPEATS):
        alone.append(topicrawl("crawl", *plan, "--out", str(folder / f"alone{number}")).cpu)
        runs = folder / f"beside{number}"
        runs.mkdir()
        with served(runs) as browser:
            time.sleep(3)  # it has started
            used = cpu_of(browser.process)
            looking = [
                threading.Thread(target=browser.look, args=(runs,), daemon=True) for _ in range(BROWSERS)
            ]
            for each in looking:
                each.start()
            cost = topicrawl("crawl", *plan, "--out", str(runs / "run"))
            beside.append(cost.cpu)
            dashboard.append(cpu_of(browser.process) - used)
            shares.append(dashboard[-1] / cost.wall)
            print(
                f"ten browsers: {browser.events} events, {browser.timed('/run/run/pages'):.0f} ms for a page",
                flush=True,
            )
        print(
            f"crawl alone {alone[-1]:.2f} s, watched {beside[-1]:.2f} s + {dashboard[-1]:.2f} s in {cost.wall:.0f} s",
            flush=True,
        )
    more = median(beside) + median(dashboard)
    print(
        f"{pages:,} pages: {median(alone):.2f} s alone, {median(beside):.2f} s watched and {median(dashboard):.2f} s of"
        f" the dashboard: {more / median(alone) - 1:+.1%}; the dashboard takes {median(shares):.1%} of a processor"
    )


class Browser:
    """Asks the dashboard as a browser does."""

    def __init__(self, address: str, process: int) -> None:
        found = re.search(r"http://127\.0\.0\.1:(\d+)(/\?token=\S+)", address)
        assert found, address
        self.process, self.events = process, 0
        self._port = int(found[1])
        self._cookie = ""
        answer, _ = self._ask(found[2])
        self._cookie = (answer.getheader("set-cookie") or "").partition(";")[0]

    def get(self, path: str) -> str:
        """The text of a page."""
        return self._ask(path)[1]

    def timed(self, path: str) -> float:
        """Milliseconds until a page is there."""
        began = time.perf_counter()
        answer, _ = self._ask(path)
        assert answer.status in (200, 303), answer.status
        return (time.perf_counter() - began) * 1000

    def turned(self, path: str) -> Iterator[float]:
        """Milliseconds for each page of a table, as one goes on."""
        while True:
            began = time.perf_counter()
            text = self.get(path)
            yield (time.perf_counter() - began) * 1000
            more = re.search(r'href="([^"]+)" data-more', text)
            if not more:
                return
            path = more[1].replace("&amp;", "&") + "&part=1"

    def look(self, runs: Path) -> None:
        """Listen to Live of the run in a folder, from when it is there."""
        while not (runs / "run" / "crawl.db").exists():
            time.sleep(0.1)
        while True:
            connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
            try:
                connection.request("GET", "/run/run/events", headers={"Cookie": self._cookie})
                answer = connection.getresponse()
                while answer.status == 200 and (line := answer.readline()):
                    self.events += line.startswith(b"event:")
            except OSError:
                return
            time.sleep(0.2)

    def _ask(self, path: str) -> tuple[http.client.HTTPResponse, str]:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=300)
        connection.request("GET", path, headers={"Cookie": self._cookie})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer, text


@contextmanager
def served(folder: Path) -> Iterator[Browser]:
    """The dashboard of a folder, as a process."""
    command = [sys.executable, "-m", "topicrawl.cli", "ui", str(folder), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            yield Browser(server.stdout.readline(), server.pid)
        finally:
            server.terminate()


def cpu_of(process: int) -> float:
    """Processor seconds of a process so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def generate(path: Path, visits: int) -> None:
    """A run with so many visits, a tenth of them failures."""
    config = resolve(
        Config(
            web="invented:7",
            topic="storm: rain1, storm1",
            seeds=("http://h0.test/",),
            pages=visits,
            strategy="bfs",
        )
    )
    draw = random.Random(7)
    path.parent.mkdir(parents=True)
    with Run.create(path, config.to_toml(), warc=False) as run:
        for first in range(1, visits + 1, AT_ONCE):
            events: list[Event] = []
            for n in range(first, min(first + AT_ONCE, visits + 1)):
                events += _visit(n, draw)
            run.write(events)


def _visit(n: int, draw: random.Random) -> list[Event]:
    host = f"h{n % HOSTS}.test"
    url = f"http://{host}/part{n % 17}/page-{n}.html"
    failed = n % 10 == 0
    ask = Ask(n, url, 1.0, n % 6)
    title = f"Page {n} of {draw.choice(WORDS)} and {draw.choice(WORDS)}"
    visit = Visit(
        n, url, url, 404 if failed else 200, not failed, False, 0.0 if failed else draw.random(), 1.0, host, n % 6,
        None, "" if failed else title, 2_000, "http: 404" if failed else None,
    )  # fmt: skip
    text = f"{title}\n{' '.join(draw.choices(WORDS, k=200))}"
    links = Links(
        [f"http://h{(n + k) % HOSTS}.test/part{(n + k) % 17}/page-{n + k}.html" for k in (1, 7, 99)],
        ["one", "two", "three"], [""] * 3, pack_ints([0, 0, 0]), pack_ints([0, 0, 0]), bytes(3),
    )  # fmt: skip
    page = (
        None if failed else Page(url, title, "en", text, pack_ints([0]), b"\0", links, "utf-8", "text/html")
    )
    outcome = Outcome(url, visit.status, 2_000, visit.error, page)
    return [ask, Told(ask, outcome, visit, Timing(1.7e9 + n))]


if __name__ == "__main__":
    main()
