"""A small site over HTTP that has a sitemap and changes between two crawls."""

from __future__ import annotations

import hashlib
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from topicrawl.cli import run
from topicrawl.setup.config import Config


class Site(BaseHTTPRequestHandler):
    """Serves `pages` with an ETag computed from the content, and answers conditional requests."""

    pages: dict[str, str]
    tag: str
    """An ETag for all pages, if any."""
    sent: list[tuple[str, int]]
    answers: dict[str, tuple[int, str]]
    """The status of certain paths, and the target of their redirects."""

    def do_GET(self) -> None:
        body = self.pages.get(self.path, "").encode()
        tag = self.tag or f'"{hashlib.sha1(body).hexdigest()}"'
        status = 404 if not body else 304 if self.headers["If-None-Match"] == tag else 200
        status, place = self.answers.get(self.path, (status, ""))
        self.sent.append((self.path, status))
        self.send_response(status)
        if place:
            self.send_header("Location", place)
        self.send_header("Content-Type", "text/xml" if self.path.endswith("xml") else "text/html")
        self.send_header("ETag", tag)
        self.send_header("Content-Length", str(len(body) if status == 200 else 0))
        self.end_headers()
        if status == 200:
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def site() -> Iterator[ThreadingHTTPServer]:
    Site.sent, Site.answers, Site.tag = [], {}, ""
    Site.pages = {
        "/": "<a href='/same'>rain</a> <a href='/other'>rain</a> <a href='/gone'>rain</a> rain",
        "/same": "<p>rain, as ever it fell upon this town since people remember",
        "/other": "<p>rain today, from the hills down to the harbour and the sea",
        "/gone": "<p>rain for now, but who knows what the next weeks will bring: umbrellas",
    }
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def crawl(*more: str) -> int:
    return run(["crawl", "--allow-net", "127.0.0.0/8", "--delay", "0", "--pages", "20", *more])


def test_a_recrawl_sends_conditional_requests_and_lists_new_changed_unchanged_and_gone(
    site: ThreadingHTTPServer, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = f"http://127.0.0.1:{site.server_port}"
    assert crawl("--topic", "rain", "--seeds", home, "--out", "run", "--quiet") == 0
    del Site.pages["/gone"], Site.sent[:]
    Site.pages |= {
        "/other": "<p>rain tomorrow <a href='/new'>rain</a>",
        "/new": "<p>rain at last, after weeks of drought",
    }
    assert crawl("--recrawl", "run", "--out", "again") == 0
    counts = "1 new, 1 changed, 2 unchanged, 0 moved, 1 gone, 0 failed, 0 unlinked, 0 not visited"
    assert counts in capsys.readouterr().err
    changes = [json.loads(line) for line in (here / "again" / "changes.jsonl").read_text().splitlines()]
    assert {each["url"].removeprefix(home): each["change"] for each in changes} == {
        **{"/": "unchanged", "/same": "unchanged", "/other": "changed", "/new": "new", "/gone": "gone"}
    }
    pages = {path: status for path, status in Site.sent if path != "/robots.txt"}
    assert pages == {"/": 304, "/same": 304, "/other": 200, "/new": 200, "/gone": 404}


def test_every_page_of_the_earlier_run_is_listed_once(
    site: ThreadingHTTPServer, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = f"http://127.0.0.1:{site.server_port}"
    links = ("same", "deleted", "dropped", "broken", "moved", "later")
    Site.pages = {f"/{name}": f"<p>rain of the page {name}, and of no other" for name in links}
    Site.pages["/"] = "rain " + " ".join(f"<a href='/{name}'>rain</a>" for name in links)
    words = ["--topic", "rain", "--seeds", home, "--strategy", "bfs", "--no-avoid-traps", "--quiet"]
    assert crawl(*words, "--out", "run") == 0
    first = [json.loads(line)["url"] for line in (here / "run" / "visits.jsonl").read_text().splitlines()]
    assert len(first) == 7
    del Site.pages["/deleted"]  # the link to it is gone too, so it is not fetched
    Site.answers = {"/broken": (500, ""), "/moved": (301, "/here")}
    Site.pages |= {
        "/": "rain "
        + " ".join(f"<a href='/{name}'>rain</a>" for name in ("same", "broken", "moved", "extra", "later")),
        "/here": "<p>rain in another place",
        "/extra": "<p>rain that is new",
    }
    assert crawl("--recrawl", "run", "--out", "again", "--retries", "0", "--pages", "4") == 0
    counts = "2 new, 1 changed, 1 unchanged, 1 moved, 0 gone, 1 failed, 2 unlinked, 1 not visited"
    assert counts in capsys.readouterr().err
    changes = [json.loads(line) for line in (here / "again" / "changes.jsonl").read_text().splitlines()]
    assert sorted(each["url"] for each in changes if each["change"] != "new") == sorted(first)
    assert {each.pop("url").removeprefix(home): each for each in changes} == {
        "/": {"change": "changed"},
        "/same": {"change": "unchanged"},
        "/broken": {"change": "failed", "error": "http"},
        "/moved": {"change": "moved", "to": f"{home}/here"},
        "/here": {"change": "new"},
        "/extra": {"change": "new"},
        "/deleted": {"change": "unlinked"},
        "/dropped": {"change": "unlinked"},
        "/later": {"change": "not visited"},
    }
    listed = here / "unlinked.txt"
    listed.write_text(f"{home}/deleted\n{home}/dropped\n")
    assert crawl("--recrawl", "run", "--seeds", str(listed), "--out", "asked", "--quiet") == 0
    changes = [json.loads(line) for line in (here / "asked" / "changes.jsonl").read_text().splitlines()]
    became = {each["url"].removeprefix(home): each["change"] for each in changes}
    assert (became["/deleted"], became["/dropped"]) == ("gone", "unchanged"), "the remedy of docs/runs.md"


def test_a_recrawl_of_a_folder_that_is_no_run_is_refused(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert crawl("--recrawl", "absent", "--out", "again") == 2
    assert "absent" in capsys.readouterr().err
    assert not (here / "again").exists()


def test_sitemaps_give_further_seeds_that_the_run_keeps(site: ThreadingHTTPServer, here: Path) -> None:
    home = f"http://127.0.0.1:{site.server_port}"
    Site.pages["/hidden"] = "<p>rain nobody links to"
    Site.pages["/sitemap.xml"] = f"<?xml version='1.0'?><urlset><url><loc>{home}/hidden</loc></url></urlset>"
    words = ["--topic", "rain", "--seeds", f"{home}/same", "--sitemaps", "--quiet", "--out", "run"]
    assert crawl(*words) == 0
    assert Config.load(here / "run" / "crawl.toml").seeds == (f"{home}/same", f"{home}/hidden")
    assert ("/hidden", 200) in Site.sent
    assert crawl(*words) == 0, "the same words again are no other crawl"


def test_sitemaps_of_a_web_without_any_are_refused(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "--topic",
        "rain",
        "--seeds",
        "http://a.test/",
        "--web",
        "invented:7",
        "--sitemaps",
        "--out",
        "run",
    ]
    assert crawl(*words) == 2
    assert "--sitemaps needs --web http" in capsys.readouterr().err
    assert not (here / "run").exists()


def test_a_quiet_crawl_says_why_it_can_fetch_nothing_for_now(site: ThreadingHTTPServer, here: Path) -> None:
    Site.answers["/robots.txt"] = (500, "")
    home = f"http://127.0.0.1:{site.server_port}"
    flags = [
        "--allow-net",
        "127.0.0.0/8",
        "--topic",
        "rain",
        "--seeds",
        home,
        "--out",
        "run",
        "--retries",
        "0",
    ]
    command = [sys.executable, "-m", "topicrawl.cli", "crawl", "--quiet", *flags]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        said = process.stderr.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
    assert said == (
        f"note: waiting for {home} (--patience 300s): robots-unreachable: status 500; asked again in 60 s\n"
    )
