"""`topicrawl watch` and `topicrawl changes`, over HTTP on a site that changes, and on an invented web with time."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cli.test_changing_site import Site, site
from cli.test_changing_site import crawl as crawl_site
from topicrawl.cli import run
from topicrawl.cli.search import opened
from topicrawl.crawling.publishing import live_state_of
from topicrawl.dashboard import query
from topicrawl.dashboard.opened import Opened as Dashboard
from topicrawl.dashboard.runs import Runs
from topicrawl.model import Ask, Event, Revisit, Turn, Turned
from topicrawl.store.run import Run
from topicrawl.watching.own_pages import TRUSTED
from topicrawl.web.invented import InventedWeb
from web.browser.rig import usable_browser

__all__ = ["site"]
ATOM = "{http://www.w3.org/2005/Atom}"
TURN = ["watch", "run", "--once", "--fetches", "10"]


def noticed(capsys: pytest.CaptureFixture[str], *more: str) -> dict[str, str]:
    """What `changes` lists: the change of each page, by its path."""
    capsys.readouterr()
    assert run(["changes", "run", "--all", "--json", *more]) == 0
    lines = map(json.loads, capsys.readouterr().out.splitlines())
    return {each["url"].partition("127.0.0.1")[2].partition("/")[2]: each["change"] for each in lines}


@pytest.fixture
def crawled(site: ThreadingHTTPServer, here: Path) -> str:
    """The home page of the site, which was crawled into run/."""
    home = f"http://127.0.0.1:{site.server_port}/"
    assert crawl_site("--topic", "rain", "--seeds", home, "--out", "run", "--quiet", "--strategy", "ops") == 0
    return home


def test_a_turn_notices_new_changed_and_gone_pages_and_asks_with_conditions(
    crawled: str, capsys: pytest.CaptureFixture[str]
) -> None:
    del Site.pages["/gone"], Site.sent[:]
    Site.pages |= {
        "/": Site.pages["/"].replace("/gone", "/new"),
        "/other": "<p>rain tomorrow, from the hills down to the harbour and the sea",
        "/new": "<p>rain at last, after weeks of drought",
    }
    assert run([*TURN, "-q"]) == 0
    assert ("/same", 304) in Site.sent
    assert noticed(capsys) == {"other": "changed", "gone": "gone", "new": "new"}
    assert run(["changes", "run", "--all", "--diff"]) == 0
    shown = capsys.readouterr().out
    assert "    - rain today, from the hills down to the harbour and the sea" in shown
    assert "    + rain tomorrow, from the hills down to the harbour and the sea" in shown
    assert run([*TURN, "-q"]) == 0
    assert len(noticed(capsys)) == 3, "the second turn noticed nothing"
    assert noticed(capsys, "--since", "2199-01-01") == {}
    assert len(noticed(capsys, "--since", "1h")) == 3
    assert run(["doctor", "run", "--replay"]) == 0
    assert run(["export", "run", "--format", "jsonl", "--out", "pages.jsonl"]) == 0
    exported = [json.loads(line) for line in Path("pages.jsonl").read_text().splitlines()]
    assert sorted(each["url"] for each in exported) == sorted(
        f"{crawled}{name}" for name in ("", "same", "other", "new")
    )
    report = Path("run/report.html").read_text()
    assert "What changed" in report
    assert "rain tomorrow, from the hills" in report
    summary = json.loads(Path("run/summary.json").read_text())
    assert summary["watch"]["turns"] == 2
    assert summary["watch"]["pages"] == 4


def test_an_etag_that_says_nothing_hides_no_page_that_moved_and_a_change_not_for_ever(
    site: ThreadingHTTPServer, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Site.tag = '"all"'
    home = f"http://127.0.0.1:{site.server_port}/"
    assert crawl_site("--topic", "rain", "--seeds", home, "--out", "run", "--quiet", "--strategy", "ops") == 0
    Site.answers["/gone"] = (301, "/same")
    Site.pages["/other"] = "<p>rain tomorrow, from the hills down to the harbour and the sea"
    del Site.sent[:]
    assert run([*TURN, "-q"]) == 0
    assert ("/other", 304) in Site.sent
    assert noticed(capsys) == {"gone": "moved"}
    for _ in range(TRUSTED):
        assert run([*TURN, "-q"]) == 0
    assert noticed(capsys) == {"gone": "moved", "other": "changed"}
    assert [status for path, status in Site.sent if path == "/other"] == [304] * TRUSTED + [200]


def test_search_and_dashboard_have_each_page_once_as_last_seen(crawled: str) -> None:
    words = {"/other": "harbour", "/gone": "umbrellas"}

    def found(word: str) -> list[str]:
        """The paths that searches of the catalogue and of the dashboard find."""
        with opened(Path("run")) as catalogue:
            paths = sorted(hit.found.url.removeprefix(crawled[:-1]) for hit in catalogue.search(word))
        assert paths == sorted(path for path in listed(words=word))
        return paths

    def listed(**wanted: str) -> list[str]:
        seen = Dashboard(Path("run"), "rain")
        seen.refresh(texts=True)
        seen.complete()
        with seen.index() as connection:
            rows = query.find(connection, query.Wanted.read(wanted), 0.0).rows
        return sorted(row.url.removeprefix(crawled[:-1]) for row in rows)

    assert [found(word) for word in words.values()] == [["/other"], ["/gone"]]
    del Site.pages["/gone"]
    Site.pages["/other"] = "<p>rain tomorrow, from the mountains down to the valley and the lake"
    assert run([*TURN, "-q"]) == 0
    assert found("harbour") == found("umbrellas") == []
    assert found("valley") == ["/other"]
    assert listed() == ["/", "/other", "/same"]
    (shown,) = Runs(Path()).cards()
    with Run.open(Path("run"), writable=False) as log:
        summary, live = log.summary, live_state_of(log)
    assert summary is not None
    assert shown.pages == 3 < summary["fetches"]
    assert live.pages > 3
    assert live.limits == [], "those of the crawl do not bind a watch"


def test_a_turn_says_what_it_begins_with_what_failed_and_keeps_titles_of_what_is_gone(
    crawled: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Site.pages["/gone"] = "<title>Umbrellas</title><p>rain for now, but not for long"
    Path("run/summary.json").unlink()  # as after kill -9
    assert run([*TURN]) == 0
    said = capsys.readouterr().err
    assert "watching run: 4 pages known; 10 requests now\n" in said
    assert "4 requests (4 known pages)  1 changed\n" in said
    del Site.pages["/gone"]
    Site.answers["/same"] = (500, "")
    assert run([*TURN, "--log-json"]) == 0
    told = {each["event"]: each for each in map(json.loads, capsys.readouterr().err.splitlines())}
    assert told["watching"]["turns"] == 1
    assert told["turn"]["failed"] == {"http-500": 1}
    assert told["turn"]["gone"] == 1
    assert run(["changes", "run", "--json"]) == 0
    gone = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (gone["change"], gone["title"]) == ("gone", "Umbrellas")
    assert gone["text"].endswith("rain for now, but not for long")
    assert "<title>Gone: Umbrellas</title>" in Path("run/feed.atom").read_text()


@pytest.mark.browser
def test_a_page_that_scripts_fill_has_changed_when_what_it_shows_has(
    site: ThreadingHTTPServer, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    usable_browser()
    Site.pages = {
        "/": "<div id=app></div><script>fetch('/level').then(answer => answer.text()).then(text =>"
        " { document.getElementById('app').innerHTML = text })</script>",
        "/level": "<p>rain and more rain: the gauge at the bridge shows 402 centimetres",
    }
    home = f"http://127.0.0.1:{site.server_port}/"
    flags = ["--strategy", "ops", "--render", "auto", "--out", "run", "-q"]
    assert crawl_site("--topic", "rain", "--seeds", home, *flags) == 0
    Site.pages["/level"] = "<p>rain and more rain: the gauge at the bridge shows 517 centimetres"
    assert run([*TURN, "-q"]) == 0
    assert noticed(capsys) == {"": "changed"}
    assert run(["changes", "run", "--diff"]) == 0
    assert "+ rain and more rain: the gauge at the bridge shows 517" in capsys.readouterr().out
    assert run([*TURN, "-q"]) == 0
    assert len(noticed(capsys)) == 1


RSS = """<rss><channel><item><link>/from-feed</link><pubDate>{new}</pubDate></item>
<item><link>/old</link><pubDate>Mon, 01 Jan 2024 00:00:00 GMT</pubDate></item>"""
"""A feed that is cut short."""


def test_a_sink_of_a_watched_run_has_a_row_a_fetch(crawled: str, here: Path) -> None:
    assert run(["sink", "run", "--to", "jsonl:tables", "--tables", "visits,pages"]) == 0
    before = {path: path.read_bytes() for path in Path("tables").glob("pages/*/*")}
    Site.pages["/other"] = "<p>rain tomorrow, from the mountains down to the valley and the lake"
    assert run([*TURN, "-q"]) == 0
    assert run(["sink", "run", "--to", "jsonl:tables", "--tables", "visits,pages"]) == 0
    with Run.open(Path("run"), writable=False) as watched:
        visits = [visit.n for visit in watched.visits()]
    rows = {
        table: [
            json.loads(line)
            for path in sorted(Path("tables").glob(f"{table}/*/*"))
            for line in path.read_text().splitlines()
        ]
        for table in ("visits", "pages")
    }
    assert sorted(row["n"] for row in rows["visits"]) == visits
    other = [row["text"] for row in rows["pages"] if row["url"] == f"{crawled}other"]
    assert len(other) == 2
    assert "harbour" in other[0]
    assert "valley" in other[1]
    assert all(path.read_bytes().startswith(content) for path, content in before.items())


def test_a_broken_feed_tells_of_new_pages_up_to_where_it_breaks(
    crawled: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*TURN, "-q"]) == 0
    head = "<link rel='alternate' type='application/rss+xml' href='/news'>"
    Site.pages |= {
        "/": head + Site.pages["/"],
        "/news": RSS.format(new=format_datetime(datetime.now(UTC) + timedelta(hours=1))),
        "/from-feed": "<p>rain at last, after weeks of drought",
        "/old": "<p>rain of old",
    }
    assert run([*TURN, "-q"]) == 0
    assert noticed(capsys) == {"from-feed": "new"}
    assert run([*TURN, "-q", "--no-sitemaps"]) == 0
    del Site.sent[:]
    assert run([*TURN, "-q"]) == 0
    assert ("/news", 200) in Site.sent


def test_the_feed_has_an_entry_a_page_with_what_rfc_4287_requires(crawled: str, here: Path) -> None:
    Site.pages["/other"] = "<p>rain & \x0b<b>hail</b> tomorrow, 中文, from the hills"
    assert run([*TURN, "-q"]) == 0
    Site.pages["/other"] = "<p>rain again"
    assert run([*TURN, "-q"]) == 0
    root = ElementTree.parse(here / "run" / "feed.atom").getroot()
    assert root.tag == f"{ATOM}feed"
    for parent in (root, *root.iter(f"{ATOM}entry")):
        for name in ("id", "title", "updated"):
            assert [bool(each.text) for each in parent.findall(f"{ATOM}{name}")] == [True]
    entries = root.findall(f"{ATOM}entry")
    ids = [entry.findtext(f"{ATOM}id") for entry in entries]
    assert len(set(ids)) == len(ids)
    [entry] = [entry for entry in entries if entry.findtext(f"{ATOM}id") == f"{crawled}other"]
    assert "+ rain again" in (entry.findtext(f"{ATOM}summary") or "")
    link = entry.find(f"{ATOM}link")
    assert link is not None
    assert link.get("href") == f"{crawled}other"
    assert root.find(f"{ATOM}author/{ATOM}name") is not None


def listener(here: Path, script: str) -> str:
    """The command line of a program that is told."""
    program = here / "told.py"
    program.write_text(script)
    return f"{sys.executable} {program}"


def test_a_command_is_told_of_pages_and_told_again_if_it_failed(
    crawled: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = listener(here, "import sys; print('no room', file=sys.stderr); sys.exit(3)")
    Site.pages["/other"] = "<p>rain one"
    assert run([*TURN, "--on-new", command]) == 0
    assert "note: --on-new failed (exit code 3: no room); 1 pages are told again" in capsys.readouterr().err
    Site.pages["/same"] = "<p>rain two"
    listener(here, "import sys; open('told', 'a').write(sys.stdin.read())")
    assert run([*TURN, "-q", "--on-new", command]) == 0
    told = [json.loads(line) for line in (here / "told").read_text().splitlines()]
    assert [each["url"] for each in told] == [f"{crawled}other", f"{crawled}same"]
    assert told[0]["change"] == "changed"
    assert run([*TURN, "-q", "--on-new", command]) == 0
    assert len((here / "told").read_text().splitlines()) == 2, "nothing is told twice"


def begun(site_met: Callable[[], bool], *more: str) -> subprocess.Popen[bytes]:
    """A watch in a process of its own, once it has reached a page."""
    words = [sys.executable, "-m", "topicrawl.cli", *TURN, *more]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    patience = time.monotonic() + 90
    while not site_met() and process.poll() is None and time.monotonic() < patience:
        time.sleep(0.02)
    return process


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_a_turn_that_was_killed_is_completed_by_the_next_watch(
    crawled: str, end: signal.Signals, capsys: pytest.CaptureFixture[str]
) -> None:
    Site.pages["/other"] = "<p>rain one"
    Site.pages["/same"] = "<p>rain two"
    held = {"/same", "/other"}
    Site.answers |= dict.fromkeys(held, (503, ""))  # tried again for a while
    del Site.sent[:]
    process = begun(lambda: bool(held & {path for path, _ in Site.sent}))
    process.send_signal(end)
    assert process.wait(30) == (0 if end == signal.SIGTERM else -end)
    Site.answers.clear()
    with Run.open(Path("run"), writable=False) as stopped:
        assert stopped.turn_under_way is not None
        began = stopped.last_turn
    assert run([*TURN, "-q"]) == 0
    assert noticed(capsys) == {"other": "changed", "same": "changed"}
    with Run.open(Path("run"), writable=False) as done:
        assert done.turn_under_way is None
        assert done.last_turn == began, "no second turn was begun"
    assert run(["doctor", "run", "--replay"]) == 0


BAD = [
    (["watch", "nothing"], "nothing is not a folder"),
    (["watch", "run", "--every", "soon"], "--every 'soon' is no time; write 90m, 6h or 1d"),
    (["watch", "run", "--every", "0"], "turns are at least a minute apart"),
    (["watch", "run", "--fetches", "0"], "'--fetches': Input should be greater than or equal to 1"),
    (["watch", "run", "--on-new", ""], "--on-new is empty"),
    (
        ["watch", "run", "--on-new", "no-such-program --now"],
        "'no-such-program' is no program that can be started",
    ),
    (["watch", "run", "--on-new", "'x"], "quote the command as for a shell"),
    (["changes", "run"], "run was not watched so far; begin with: topicrawl watch run --every 6h"),
    (["changes", "nothing"], "nothing is not a folder"),
]


def test_what_cannot_work_is_refused_in_one_line(
    crawl: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert crawl("-q", "--pages", "2") == 0
    for words, message in BAD:
        capsys.readouterr()
        assert run(words) == 2
        said = capsys.readouterr().err
        assert message in said
        assert said.count("\n") == 1


@pytest.fixture(scope="module")
def old_web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of an invented web with time, watched for five days."""
    folder = tmp_path_factory.mktemp("days")
    seeds = InventedWeb(7).seeds("tourism", 3)
    words = ["crawl", "--web", "invented:7@day=0", "--topic", "tourism", "--pages", "30", "--strategy", "ops"]
    words += ["--concurrency", "1", "--out", str(folder / "run"), "-q", "--no-warc"]
    assert run([*words, *(word for seed in seeds for word in ("--seeds", seed))]) == 0
    assert run(["watch", str(folder / "run"), "--every", "1d", "--fetches", "15", "--turns", "5", "-q"]) == 0
    return folder / "run"


def events(path: Path) -> list[Event]:
    with Run.open(path, writable=False) as opened:
        return list(opened.replay())


def test_a_web_with_time_is_watched_without_waiting(old_web: Path) -> None:
    log = events(old_web)
    times = [event.time for event in log if isinstance(event, Turn)]
    assert [later - before for before, later in pairwise(times)] == [86400.0] * 4
    assert [event.visits for event in log if isinstance(event, Turned)] == [15] * 5
    assert sum(isinstance(event, Revisit) for event in log) > 4
    assert sum(isinstance(event, Ask) for event in log) > 30, "new links are fetched, too"
    assert any(each.change == "new" for event in log if isinstance(event, Turned) for each in event.noticed)


def test_a_watch_that_is_resumed_makes_the_same_visits(old_web: Path, tmp_path: Path) -> None:
    """Turn by turn, each in a watch of its own."""
    other = tmp_path / "run"
    shutil.copytree(old_web, other)
    assert run(["watch", str(old_web), "--every", "1d", "--fetches", "15", "--turns", "2", "-q"]) == 0
    for _ in range(2):
        assert run(["watch", str(other), "--every", "1d", "--fetches", "15", "--turns", "1", "-q"]) == 0
    assert (other / "visits.jsonl").read_bytes() == (old_web / "visits.jsonl").read_bytes()
    assert run(["doctor", str(other), "--replay"]) == 0


def test_two_watches_of_one_run_are_refused(old_web: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from topicrawl.store.lock import Lock

    lock = Lock(old_web / "watch-lock")
    try:
        process = subprocess.run(
            [sys.executable, "-m", "topicrawl.cli", "watch", str(old_web), "--once"],
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        lock.release()
    assert process.returncode == 2
    assert f"process {os.getpid()}" in process.stderr or str(os.getpid()) in process.stderr
