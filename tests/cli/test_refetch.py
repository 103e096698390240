"""`crawl --refetch-missing`, and everything that reads an archive with records missing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from topicrawl.cli import run
from topicrawl.store.run import Run


class Site(BaseHTTPRequestHandler):
    """Serves `pages`; a path in `silent` is not answered until `awake`."""

    pages: dict[str, str]
    asked: list[str]
    silent: set[str]
    awake: threading.Event
    met: threading.Event

    def do_GET(self) -> None:
        self.asked.append(self.path)
        if self.path in self.silent:
            self.met.set()
            self.awake.wait(30)
        body = self.pages.get(self.path, "").encode()
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/plain" if self.path == "/robots.txt" else "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def site(here: Path) -> Iterator[str]:
    links = "".join(f"<a href='/{name}'>rain</a> " for name in "abcd")
    Site.pages = {"/": f"{links} rain"} | {
        f"/{name}": f"<p>rain of the kind {name * 9}, seen from the hill {name * 5}" for name in "abcd"
    }
    Site.asked, Site.silent, Site.awake, Site.met = [], set(), threading.Event(), threading.Event()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    Site.awake.set()
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def crawled(site: str) -> Path:
    """A finished run of five pages whose archive is gone."""
    words = ["--topic", "rain", "--seeds", site, "--strategy", "bfs", "--allow-net", "127.0.0.0/8"]
    assert run(["crawl", *words, "--delay", "0", "--concurrency", "1", "--out", "run", "-q"]) == 0
    for segment in Path("run/archive").iterdir():
        segment.unlink()
    Site.asked.clear()
    return Path("run")


def kept(folder: Path) -> list[bytes]:
    names = ("visits.jsonl", "timings.jsonl", "summary.json", "crawl.toml")
    with Run.open(folder, writable=False) as opened:
        log = repr(list(opened.replay())).encode()
    return [log, *((folder / name).read_bytes() for name in names)]


def refetch(*more: str) -> int:
    return run(["crawl", "--out", "run", "--refetch-missing", *more])


def test_missing_records_are_fetched_again_and_the_log_is_unchanged(
    crawled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = kept(crawled)
    assert run(["doctor", "run"]) == 4
    assert "answers of 5 visits are damaged or gone" in capsys.readouterr().out
    assert refetch() == 0
    assert "got back the records of 5 of 5 visits" in capsys.readouterr().err
    assert sorted(Site.asked) == ["/", "/a", "/b", "/c", "/d", "/robots.txt"]
    assert kept(crawled) == before
    assert (crawled / "index.cdxj").read_text().count("\n") == 5
    assert run(["doctor", "run"]) == 0
    assert "5 visits of them fetched again after a loss" in capsys.readouterr().out


def test_a_second_time_nothing_is_missing_and_nothing_is_fetched(
    crawled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refetch("-q") == 0
    Site.asked.clear()
    segment = (crawled / "archive" / "00000.warc.gz").read_bytes()
    assert refetch() == 0
    assert "nothing is missing" in capsys.readouterr().err
    assert Site.asked == []
    assert (crawled / "archive" / "00000.warc.gz").read_bytes() == segment


def test_pages_that_are_gone_or_forbidden_by_now_stay_missing(
    crawled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    del Site.pages["/a"]
    Site.pages["/robots.txt"] = "User-agent: *\nDisallow: /b\n"
    assert refetch() == 0
    printed = capsys.readouterr().err
    assert "got back the records of 3 of 5 visits; 2 are still missing" in printed
    assert "it now answers 404 1" in printed
    assert "robots 1" in printed
    assert "/b" not in Site.asked
    assert run(["doctor", "run"]) == 4
    assert "has lost the records of 2 visits" in capsys.readouterr().out
    assert (crawled / "index.cdxj").read_text().count("\n") == 3
    assert run(["status", "run"]) == 0
    assert "has lost the records of 2 visits" in " ".join(capsys.readouterr().out.split())
    assert "has lost the records of 2 visits" in (crawled / "report.html").read_text()
    assert run(["crawl", "--out", "run"]) == 0
    assert "has lost the records of 2 visits" in capsys.readouterr().err


def test_log_json_has_an_event_per_visit_and_one_at_the_end(
    crawled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    del Site.pages["/a"]
    assert refetch("--log-json") == 0
    events = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [event["problem"] for event in events if event["event"] == "refetch"].count(None) == 4
    assert events[-1]["event"] == "refetched"
    assert (events[-1]["wanted"], events[-1]["got"], events[-1]["missing"]) == (5, 4, 1)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX systems")
def test_an_interruption_keeps_what_was_fetched(crawled: Path) -> None:
    Site.silent = {"/c"}
    command = [sys.executable, "-m", "topicrawl.cli", "crawl", "--out", "run", "--refetch-missing"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=dict(os.environ)) as process:
        assert Site.met.wait(60)
        process.send_signal(signal.SIGINT)
        _, printed = process.communicate(timeout=60)
        assert process.returncode == 0, printed
    Site.awake.set()
    assert "got back the records of 3 of 5 visits; 2 are still missing" in printed
    assert "go on with: topicrawl crawl --out run --refetch-missing" in printed
    assert (crawled / "index.cdxj").read_text().count("\n") == 3
    assert refetch("-q") == 0
    assert run(["doctor", "run"]) == 0


def test_a_record_damaged_in_the_middle_of_a_segment_is_fetched_again(
    crawled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refetch("-q") == 0
    with Run.open(crawled, writable=False) as opened:
        [place] = opened.captures(3)
    path = crawled / "archive" / "00000.warc.gz"
    content = bytearray(path.read_bytes())
    content[place.offset + place.length // 2] ^= 255
    path.write_bytes(content)
    assert refetch() == 0
    assert "got back the records of 1 of 1 visits" in capsys.readouterr().err
    assert run(["doctor", "run"]) == 0


def test_without_an_archive_other_commands_still_work(
    crawled: Path, site: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["doctor", "run", "--repair"]) == 4
    assert run(["export", "run", "--out", "-"]) == 0
    assert run(["export", "run", "--format", "wacz"]) == 0
    assert "has lost the records of 5 visits" in capsys.readouterr().err
    assert run(["search", "run", "rain"]) == 0
    assert run(["why", "run", site]) == 0
    assert run(["report", "run"]) == 0
    Site.asked.clear()
    assert run(["crawl", "--recrawl", "run", "--out", "again", "-q"]) == 0
    assert "/a" in Site.asked


@pytest.mark.parametrize("more", [(), ("--out", "nowhere")])
def test_refetching_without_a_run_is_refused(
    here: Path, capsys: pytest.CaptureFixture[str], more: tuple[str, ...]
) -> None:
    assert run(["crawl", "--refetch-missing", *more]) == 2
    assert "is no run" in capsys.readouterr().err
