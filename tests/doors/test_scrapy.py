"""The scheduler for Scrapy, in real crawls of real spiders over loopback."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urlsplit

import pytest

from depth import depth
from topicrawl.cli import run as topicrawl
from topicrawl.cli.demo import served
from topicrawl.setup.run_config import config_of
from topicrawl.store.run import Run
from topicrawl.web.invented import invented_web

pytest.importorskip("scrapy", reason="Scrapy is not installed; make doors-test installs it")

SPIDERS = Path(__file__).with_name("spiders.py")
FOCUSED = "SCHEDULER=topicrawl.scrapy.FocusedScheduler"
TOPIC = "TOPICRAWL_TOPIC=rain: rain, flood 0.5"
PAGES = 40
IN_FULL = bool(os.environ.get("TOPICRAWL_DOORS_TESTS"))


LAUNCH = {"executable_path": shutil.which("chromium") or "", "args": ["--no-sandbox"], "timeout": 60_000}


class Site(BaseHTTPRequestHandler):
    """Forty pages, each leading to a few others; odd ones are about rain. Besides a form, JSON and a redirect."""

    asked: ClassVar[Counter[str]]
    seconds: ClassVar[float]
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.asked[self.path] += 1
        time.sleep(self.seconds)
        if self.path == "/moved":
            self.answer(302, "", [("location", "/target")])
        elif self.path == "/lost":
            self.answer(404, "nothing here")
        elif self.path == "/json":
            self.answer(200, '["/of-json"]', [("content-type", "application/json")])
        elif self.path == "/unsteady" and self.asked[self.path] < 2:
            self.answer(503, "later")
        elif self.path == "/scripted":
            link = "<a href=/of-script>rain of script</a>"
            self.answer(200, f"<title>rain</title><p id=p></p><script>p.innerHTML = {link!r}</script>")
        elif self.path.strip("/").isdigit():
            self.answer(200, self.html(int(self.path.strip("/"))))
        else:
            self.answer(200, f"<title>{self.path}</title><p>about rain")

    def do_POST(self) -> None:
        self.asked[f"POST {self.path}"] += 1
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.answer(200, "<p>rain, flood")

    def html(self, number: int) -> str:
        links = [(2 * number + step) % PAGES for step in (1, 2)] + [(number + 1) % PAGES]
        texts = [f"see <a href=/{link}>{'rain' if link % 2 else 'stones'} {link}</a> there" for link in links]
        more = "<a href=/unsteady>rain</a>" if number == 3 else ""
        said = "rain and flood" if number % 2 else "stones and sand"
        return f"<title>{said}</title><h1>{said} {number}</h1><p>{'<p>'.join(texts)}{more}"

    def answer(self, status: int, text: str, headers: list[tuple[str, str]] | None = None) -> None:
        self.send_response(status)
        for name, value in headers or [("content-type", "text/html")]:
            self.send_header(name, value)
        self.send_header("content-length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def site(request: pytest.FixtureRequest) -> Iterator[tuple[str, Counter[str]]]:
    """The URL of a site, and how often each path was asked for."""
    asked: Counter[str] = Counter()
    seconds = getattr(request, "param", 0.0)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Own", (Site,), {"asked": asked, "seconds": seconds}))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()
    thread.join()
    server.server_close()


def command(spider: str, seed: str, listed: Path, *settings: str) -> list[str]:
    return [sys.executable, str(SPIDERS), spider, seed, str(listed), *settings]


def crawl(
    spider: str, seed: str, listed: Path, *settings: str, **environment: str
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The stats of a crawl, and the pages that its spider got, in order."""
    done = subprocess.run(
        command(spider, seed, listed, *settings),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr
    assert not done.stderr, done.stderr
    return json.loads(done.stdout.splitlines()[-1]), pages(listed)


def pages(listed: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in listed.read_text().splitlines()] if listed.exists() else []


def test_a_spider_without_a_topic_ends_with_that_error(tmp_path: Path) -> None:
    ended = command("ordinary", "http://127.0.0.1:1/", tmp_path / "listed", FOCUSED)
    done = subprocess.run(ended, capture_output=True, text=True, check=False, timeout=120)
    assert "ConfigError: no topic; say what to look for: TOPICRAWL_TOPIC" in done.stderr.splitlines()[-1]
    assert "Engine slot" not in done.stderr


@pytest.mark.skipif(not IN_FULL, reason="make doors-test crawls this; it takes a while")
def test_the_same_spider_finds_more_about_the_topic_with_the_focused_scheduler(tmp_path: Path) -> None:
    web = invented_web("invented:7")
    seed = web.seeds("rainstorm disaster", 1)[0]
    limits = (
        "CLOSESPIDER_PAGECOUNT=120",
        "CONCURRENT_REQUESTS=4",
        "DOWNLOAD_TIMEOUT=3",
        "RETRY_TIMES=0",
        "LOG_LEVEL=CRITICAL",
    )
    found = {}
    with served("invented:7") as port:
        for name, more in (("before", ()), ("after", (FOCUSED, "TOPICRAWL_TOPIC=rainstorm"))):
            proxy = f"http://127.0.0.1:{port}"
            _, got = crawl("ordinary", seed, tmp_path / name, *limits, *more, http_proxy=proxy, no_proxy="")
            first = [page["url"] for page in got[:100]]
            found[name] = sum(web.truth(url).get("rainstorm disaster", 0) > 0.3 for url in first)
    assert found["after"] > 1.5 * found["before"], found


def test_callbacks_priorities_forms_redirects_and_failures_stay_as_the_spider_wants_them(
    site: tuple[str, Counter[str]], tmp_path: Path
) -> None:
    url, asked = site
    job = tmp_path / "job"
    stats, got = crawl(
        "by_hand", f"{url}/0", tmp_path / "list", FOCUSED, TOPIC, f"JOBDIR={job}", "CONCURRENT_REQUESTS=1",
        "RETRY_PRIORITY_ADJUST=0",
    )  # fmt: skip
    paths = [page["url"].removeprefix(url) for page in got]
    by_path = dict(zip(paths, got, strict=True))
    assert {f"/{number}" for number in range(PAGES)} <= set(paths)
    assert [path for path in paths if path == "/0"] == ["/0", "/0"]
    assert by_path["/0"]["how"] == "again"
    assert by_path["/high"]["how"] == "high"
    assert paths.index("/high") < 4
    assert paths[-1] == "/low"
    assert by_path["/form"]["how"] == "form"
    assert asked["POST /form"] == 1
    assert {"/of-form", "/of-json", "/target", "/unsteady"} <= set(paths)
    assert by_path["/lost"]["how"] == "lost"
    assert (asked["/moved"], asked["/target"], asked["/unsteady"]) == (1, 1, 2)
    assert by_path["/3"]["link_text"] == "rain 3"
    assert "see rain 3 there" in by_path["/3"]["link_context"]
    assert max(asked[f"/{number}"] for number in range(1, PAGES)) == 1
    with Run.open(job / "topicrawl", writable=False) as run:
        visits = [*run.visits()]
    told = Counter(visit.url.removeprefix(url) for visit in visits)
    assert told["/target"] == 1
    assert told["/0"] == 2
    assert [visit.status for visit in visits if visit.url.endswith("/lost")] == [404]
    assert len([visit for visit in visits if visit.fetched]) == stats["topicrawl/fetched"]
    assert topicrawl(["why", str(job / "topicrawl"), f"{url}/3"]) == 0
    assert topicrawl(["doctor", str(job / "topicrawl")]) == 0


def test_a_strategy_chooses_pages_about_the_topic_before_others(
    site: tuple[str, Counter[str]], tmp_path: Path
) -> None:
    url, _ = site
    settings = (FOCUSED, TOPIC, "TOPICRAWL_STRATEGY=ops", "CONCURRENT_REQUESTS=1")
    stats, got = crawl("ordinary", f"{url}/0", tmp_path / "list", *settings)
    order = [int(page["url"].rpartition("/")[2]) for page in got if page["url"][-1].isdigit()]
    first, last = order[: PAGES // 2], order[PAGES // 2 :]
    assert sum(number % 2 for number in first) > sum(number % 2 for number in last) + 4
    assert stats["topicrawl/harvest_rate"] == round(
        stats["topicrawl/relevant"] / stats["topicrawl/fetched"], 4
    )
    assert stats["scheduler/enqueued"] == stats["scheduler/dequeued"]


@pytest.mark.parametrize("site", [0.03], indirect=True)
def test_kill_9_and_resume_lose_no_page_and_no_item(site: tuple[str, Counter[str]], tmp_path: Path) -> None:
    url, asked = site
    job = tmp_path / "job"
    settings = (FOCUSED, TOPIC, f"JOBDIR={job}", "CONCURRENT_REQUESTS=2")
    listed = tmp_path / "list"
    for kill in range(depth(2, 8)):
        before = len(pages(listed))
        process = subprocess.Popen(command("seeded", f"{url}/0", listed, *settings), stderr=subprocess.PIPE)
        deadline = time.monotonic() + 60
        while len(pages(listed)) < before + 4 and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
        time.sleep(0.1 * kill)
        process.send_signal(signal.SIGKILL)
        _, errors = process.communicate()
        assert not errors, errors.decode()
        assert topicrawl(["doctor", str(job / "topicrawl")]) == 0
    _, got = crawl("seeded", f"{url}/0", listed, *settings)
    assert topicrawl(["doctor", str(job / "topicrawl"), "--replay"]) == 0
    with Run.open(job / "topicrawl", writable=False) as run:
        assert [urlsplit(seed).path for seed in config_of(run).seeds] == ["/0", "/1", "/2", "/1"]
    assert {page["url"] for page in got} >= {f"{url}/{number}" for number in range(PAGES)}
    assert sum(asked.values()) < 2 * PAGES
    if not IN_FULL:
        return
    total = sum(asked.values())
    stats, _ = crawl("seeded", f"{url}/0", listed, *settings)
    assert sum(asked.values()) == total, "a finished crawl has nothing left to fetch"
    assert "downloader/request_count" not in stats


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ((), "TOPICRAWL_TOPIC"),
        ((TOPIC, "TOPICRAWL_STRATEGI=ops"), "did you mean TOPICRAWL_STRATEGY"),
        ((TOPIC, "TOPICRAWL_STRATEGY=scot"), "did you mean 'scout'"),
        (
            (TOPIC, "TOPICRAWL_STRATEGY=fcwseo", "TOPICRAWL_PARAMETERS=target_relevance=peek"),
            "choose another",
        ),
    ],
)
def test_settings_that_cannot_be_used_are_named_with_a_remedy(settings: tuple[str, ...], said: str) -> None:
    from topicrawl.errors import ConfigError
    from topicrawl.scrapy.settings import given_settings, new_config

    with pytest.raises(ConfigError, match=said):
        new_config(given_settings(dict(pair.split("=", 1) for pair in settings)), "http://a.test/", 8)


@pytest.mark.skipif(
    not IN_FULL, reason="make doors-test crawls this; it needs scrapy-playwright and Chromium"
)
def test_requests_of_scrapy_playwright_pass_through_and_rendered_links_are_followed(
    site: tuple[str, Counter[str]], tmp_path: Path
) -> None:
    pytest.importorskip("scrapy_playwright", reason="make doors-test installs it")
    url, _ = site
    handler = "scrapy_playwright.handler.ScrapyPlaywrightDownloadHandler"
    settings = (
        *(FOCUSED, TOPIC, f"JOBDIR={tmp_path / 'job'}", f'DOWNLOAD_HANDLERS={{"http": "{handler}"}}'),
        *("PLAYWRIGHT_BROWSER_TYPE=chromium", f"PLAYWRIGHT_LAUNCH_OPTIONS={json.dumps(LAUNCH)}"),
        "LOG_LEVEL=ERROR",
    )
    stats, got = crawl("rendered", f"{url}/scripted", tmp_path / "list", *settings)
    found = {page["url"].removeprefix(url): page for page in got}
    assert {"/scripted", "/of-script"} <= set(found)
    assert found["/of-script"]["link_text"] == "rain of script"
    assert stats["playwright/page_count"] == 1
    assert stats["topicrawl/fetched"] == 2
