"""Marks in a run on disk: they survive kill -9, show in `why`, count in summary and exports, and travel."""

from __future__ import annotations

import asyncio
import csv
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from topicrawl.cli import run as command
from topicrawl.crawling.judged import relevance_now
from topicrawl.crawling.lifecycle import start
from topicrawl.crawling.make import crawl_of
from topicrawl.crawling.marks import marking
from topicrawl.crawling.session import Session
from topicrawl.model import Instruction, Mark, Topic
from topicrawl.setup.config import Config
from topicrawl.store.run import Run
from topicrawl.web.invented import invented_web

WEB, ABOUT = "invented:5", "rainstorm disaster"
TIME = 1_800_000_000.0
SEEDS = tuple(invented_web(WEB).seeds(ABOUT, 3))
KILLED = """
import asyncio, os, signal, sys, time
from pathlib import Path
from topicrawl.crawling.lifecycle import start
from topicrawl.crawling.marks import marking
from topicrawl.crawling.session import Session
from topicrawl.store.run import Run
from topicrawl.web.invented import invented_web

web, about, out = sys.argv[1:]
invented = invented_web(web)
given = {"topic": invented.topic_spec(about), "seeds": tuple(invented.seeds(about, 3)), "web": web, "concurrency": 1}
session = start({**given, "pages": 40}, Path(out), print)
assert isinstance(session, Session)
urls = []

def visited(visit, page):
    urls.append(visit.url)
    if len(urls) == 22:
        with Run.open(Path(out), writable=False) as run:
            session.instruct(marking(run, [(urls[2], True), (urls[3], False)], 1_800_000_000.0))
    if len(urls) == 30:
        while not Run.open(Path(out), writable=False).marks():
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGKILL)

session.on_visit = visited
asyncio.run(session.complete())
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with two marks, killed and resumed."""
    place = tmp_path_factory.mktemp("marks") / "run"
    done = subprocess.run([sys.executable, "-c", KILLED, WEB, ABOUT, str(place)], check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL
    assert command(["crawl", "--out", str(place), "--pages", "40", "-q"]) == 0
    return place


def marked(folder: Path) -> list[tuple[str, bool | None]]:
    with Run.open(folder, writable=False) as run:
        return [(url, mark.relevant) for url, mark in run.marks().items()]


def test_marks_survive_a_kill_and_replay(folder: Path) -> None:
    [(good, yes), (bad, no)] = marked(folder)
    assert (yes, no) == (True, False)
    with Run.open(folder, writable=False) as run:
        crawl = crawl_of(run)
        for event in run.replay():
            crawl.replay(event)
        assert crawl.agreement.exact, crawl.agreement.first
        now, numbers = relevance_now(run), {visit.url: visit.n for visit in run.visits()}
        relevant = int(sum(relevance > crawl.threshold for relevance in now))
    assert (now[numbers[good]], now[numbers[bad]]) == (1.0, 0.0)
    verdict = crawl.verdicts.of(good)
    assert verdict is not None
    assert verdict.visit >= 21
    assert json.loads((folder / "summary.json").read_text())["relevant"] == relevant


def test_why_tells_what_a_person_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for (url, _), word in zip(marked(folder), ("relevant", "irrelevant"), strict=True):
        history = ["--history"] if word == "relevant" else []
        assert command(["why", str(folder), url, *history]) == 0
        assert f"you said it is {word} on 2027-01-15, at visit 2" in capsys.readouterr().out


def test_exports_follow_and_marks_travel_to_the_next_crawl(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    [(good, _), (bad, _)] = marked(folder)
    assert command(["export", str(folder), "--relevant-only", "--out", "pages.jsonl"]) == 0
    urls = [json.loads(line)["url"] for line in Path("pages.jsonl").read_text().splitlines()]
    assert good in urls
    assert bad not in urls
    assert command(["export", str(folder), "--format", "marks"]) == 0
    with Path("marks.csv").open(newline="") as file:
        assert list(csv.reader(file)) == [["url", "relevant"], [good, "1"], [bad, "0"]]
    spec = invented_web(WEB).topic_spec(ABOUT)
    arguments = ["crawl", "--topic", spec, "--seeds", SEEDS[0], "--web", WEB, "--pages", "3", "-q"]
    for given, out in (("marks.csv", "next"), (os.fspath(folder), "after")):
        assert command([*arguments, "--examples", given, "--out", out]) == 0
        topic = Config.load(Path(out, "crawl.toml")).topic
        assert isinstance(topic, Topic)
        assert [page.url for page in topic.examples] == [good]
        assert [page.url for page in topic.unwanted] == [bad]


def test_irrelevant_pages_alone_are_examples_of_what_not_to_find(folder: Path, tmp_path: Path) -> None:
    bad = marked(folder)[1][0]
    (tmp_path / "marks.csv").write_text(f"url,relevant\n{bad},0\n")
    spec = invented_web(WEB).topic_spec(ABOUT)
    arguments = ["crawl", "--topic", spec, "--seeds", SEEDS[0], "--web", WEB, "--pages", "3", "-q"]
    out = tmp_path / "run"
    assert command([*arguments, "--examples", str(tmp_path / "marks.csv"), "--out", str(out)]) == 0
    topic = Config.load(out / "crawl.toml").topic
    assert isinstance(topic, Topic)
    assert ([page.url for page in topic.examples], [page.url for page in topic.unwanted]) == ([], [bad])


def test_a_mark_on_a_link_that_was_not_visited_has_no_page(folder: Path) -> None:
    with Run.open(folder, writable=False) as run:
        [mark] = marking(run, [("HTTP://Other.test:80/x", True)], TIME).marks
        [known] = marking(run, [(SEEDS[0], None)]).marks
    assert mark == Mark(None, True, "http://other.test/x", TIME)
    assert known.page is not None


def test_a_strategy_that_does_not_use_marks_says_so_once() -> None:
    spec = invented_web(WEB).topic_spec(ABOUT)
    given = {"topic": spec, "seeds": SEEDS[:1], "web": WEB, "pages": 6, "strategy": "bfs", "concurrency": 1}
    session = start(given, None, print)
    assert isinstance(session, Session)
    said: list[str] = []
    session.say = said.append
    session.on_visit = lambda visit, page: session.instruct(
        Instruction(marks=[Mark(page, visit.n % 2 == 1, visit.url)])
    )
    asyncio.run(session.complete())
    assert [sentence for sentence in said if "marks" in sentence] == [
        "bfs does not choose links by marks; report, exports and judge follow them"
    ]
    assert session.crawl.verdicts.of(SEEDS[0]) is not None
