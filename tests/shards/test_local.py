"""`crawl --local`: shards as processes. Whatever is killed, no letter is lost or taken twice, no page fetched twice."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest

from counting_web import pages_of
from depth import depth
from topicrawl.cli.local import summed_up
from topicrawl.crawling.lifecycle import resume
from topicrawl.crawling.wishes import history
from topicrawl.crawling.wishing import wish
from topicrawl.errors import ConfigError, RunError, UsageError
from topicrawl.frontier.route import Route
from topicrawl.setup.config import Config
from topicrawl.shards.begin import Divided, begin_shards, resume_shards
from topicrawl.shards.check_letters import check_letters
from topicrawl.shards.hub import Hub
from topicrawl.shards.local import LocalCrawl
from topicrawl.store.merged_run import MergedRun
from topicrawl.store.run import Run
from topicrawl.store.wishes import DONE, Change, Example, Marks, Pause, Seeds, Stop, Undo

SITES, PAGES = 9, 5
"""Sites of the web, and pages of each."""


@pytest.fixture
def server() -> Iterator[tuple[int, Counter[str]]]:
    """A port, and how often each page was asked for."""
    web = pages_of(SITES, PAGES, seconds=0.01)
    with ThreadingHTTPServer(("127.0.0.1", 0), web) as serving:
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        yield serving.server_port, web.asked
        serving.shutdown()


def command(out: Path, port: int, *flags: str) -> list[str]:
    given = ["--topic", "rain, flood", "--seeds", "http://site00.test/00", "--pages", "900", "--delay", "1ms"]
    given += ["--resolve", f"*.test=127.0.0.1:{port}", "--allow-net", "127.0.0.0/8", "--strategy", "ops"]
    return [
        sys.executable,
        "-m",
        "topicrawl.cli",
        "crawl",
        "--out",
        str(out),
        "--quiet",
        "--no-warc",
        "--no-avoid-traps",
        *given,
        *flags,
    ]


def visits(out: Path) -> list[dict[str, object]]:
    files = sorted(out.glob("shards/*/visits.jsonl"))
    return [
        json.loads(line) for file in files for line in file.read_text().splitlines() if line.endswith("}")
    ]


def wait_for(count: int, out: Path, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    while len(visits(out)) < count and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)


def shard_process(out: Path, name: str = "") -> int:
    """The process of a shard that has visits, by its lock."""
    for lock in sorted(out.glob(f"shards/{name or '*'}/lock")):
        found = re.match(r"process (\d+)", lock.read_text())
        if found and (name or (lock.parent / "visits.jsonl").stat().st_size):
            return int(found[1])
    raise AssertionError("no shard runs")


def check(out: Path, asked: Counter[str], *, again: int = 0) -> None:
    """All pages were fetched, each once but for those in flight at a death; the letters of both sides agree."""
    fetched = Counter(str(visit["url"]) for visit in visits(out) if visit["fetched"])
    assert len(fetched) == SITES * PAGES
    assert set(fetched.values()) == {1}
    assert sum(asked.values()) - len(asked) <= again, {url: n for url, n in asked.items() if n > 1}
    with Run.open(out, writable=False) as run:
        findings = list(check_letters(run))  # type: ignore[arg-type]
        assert [well for well, _ in findings] == [True], findings
        assert run.last_n == len(visits(out))
    summary = json.loads((out / "summary.json").read_text())
    assert (summary["fetches"], summary["stop_reason"]) == (SITES * PAGES, "frontier empty")


def kill_shard(out: Path, process: subprocess.Popen[bytes]) -> None:
    os.kill(shard_process(out), signal.SIGKILL)


def kill_all(out: Path, process: subprocess.Popen[bytes]) -> None:
    found = {shard_process(out, lock.parent.name) for lock in out.glob("shards/*/lock")}
    process.kill()
    for number in found:
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)
    process.wait()


def kill_hub(out: Path, process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


def interrupt(out: Path, process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 0
    assert json.loads((out / "summary.json").read_text())["stop_reason"] == "interrupted"


@pytest.fixture
def ended() -> Iterator[contextlib.ExitStack]:
    """What is to be done at the end of a test, however it ends."""
    with contextlib.ExitStack() as stack:
        yield stack


def test_all_shards_do_what_a_person_asks(
    server: tuple[int, Counter[str]], tmp_path: Path, ended: contextlib.ExitStack
) -> None:
    port, asked = server
    out = tmp_path / "run"
    process = subprocess.Popen(command(out, port, "--local", "2", "--delay", "300ms"))
    ended.callback(process.kill)
    wait_for(4, out, process)
    assert [each.state for each in wish(out, Pause(), patience=60)] == [DONE]
    seen = len(visits(out))
    marked = next(str(visit["url"]) for visit in visits(out) if visit["fetched"])
    changes = Change({"pages": "30", "delay": "1ms"}), Change(add={"exclude": ["/04$"]})
    bodies = (Marks({marked: False}), *changes, Seeds(["http://site08.test/03"]))
    assert [each.state for each in wish(out, *bodies, patience=60)] == [DONE] * 4
    assert len(visits(out)) <= seen + 16  # those that were pending
    with Run.open(out, writable=False) as run:
        excluded = next(entry.seq for entry in history(run) if "exclude: added /04$" in entry.what)
        assert all(0 < entry.visits <= run.last_n for entry in history(run)), "as many as all shards had made"
    others = (Undo(seq=excluded), Example(next(str(each["url"]) for each in visits(out) if each["fetched"])))
    assert [each.state for each in wish(out, *others, patience=60)] == [DONE] * 2
    with pytest.raises(UsageError, match="no shard has visited"):
        wish(out, Example("http://site00.test/99"))
    assert [each.state for each in wish(out, Stop(), patience=60)] == [DONE]
    assert process.wait(60) == 0
    assert json.loads((out / "summary.json").read_text())["stop_reason"] == "stopped"
    with Run.open(out, writable=False) as run:
        assert isinstance(run, MergedRun)
        for shard in run.shards.values():
            (mark,) = [mark for each in shard.instructions() for mark in each.marks]
            assert mark.page is not None
            assert (mark.of, mark.relevant) == (marked, False)
        assert list(run.marks()) == [marked]
    with pytest.raises(UsageError, match="resume"):
        wish(out, Change({"pages": "31"}))
    before = json.loads((out / "summary.json").read_text())["relevant"]
    flip = next(str(visit["url"]) for visit in visits(out) if visit["fetched"] and visit["url"] != marked)
    wish(out, Marks({flip: False}))
    assert json.loads((out / "summary.json").read_text())["relevant"] == before - 1
    resumed = resume_shards(out, {}, None, (), print)
    assert isinstance(resumed, Divided)
    resumed.lock.release()
    assert resumed.limits == {"pages": 30}
    for folder in (out, *resumed.folders.values()):
        config = Config.from_toml((folder / "crawl.toml").read_text(), "crawl.toml")
        assert (config.pages, config.exclude) == (30, ())
        assert len(config.topic.examples) == 1  # type: ignore[union-attr]
        assert "http://site08.test/03" in config.seeds
    assert set(asked.values()) == {1}


def test_seeds_of_one_site_are_remarked_on_and_a_split_that_is_no_site_is_refused(tmp_path: Path) -> None:
    given = {"topic": "rain", "seeds": ["http://a.b.test/"], "web": "invented:7", "strategy": "ops"}
    for number, (split, expected) in enumerate((((), 1), (("b.test",), 0))):
        said: list[str] = []
        begin_shards(given, tmp_path / str(number), Route(2, split), said.append).lock.release()
        assert sum("--split b.test" in each for each in said) == expected
    for wrong in ("a.b.test", "B.test", "http://b.test/", ""):
        with pytest.raises(ConfigError, match="registrable domain"):
            begin_shards(given, tmp_path / "none", Route(2, (wrong,)), print)
    assert not (tmp_path / "none").exists()


def test_shards_that_do_not_belong_together_are_refused(tmp_path: Path) -> None:
    out = tmp_path / "run"
    given = {"topic": "rain", "seeds": ["http://a.test/"], "web": "invented:7", "strategy": "ops"}
    begin_shards(given, out, Route(3), lambda remark: None).lock.release()
    with pytest.raises(RunError, match="is a shard; resume the whole crawl"):
        resume(out / "shards" / "000", {}, print)
    (out / "shards.toml").write_text("shards = 2\nsplit = []\n")
    for opened in (lambda: Run.open(out, writable=False), lambda: resume_shards(out, {}, None, (), print)):
        with pytest.raises(RunError, match="do not agree"):
            opened()
    (out / "shards.toml").write_text("shards = 3\nsplit = []\n")
    (out / "shards" / "000" / "summary.json").write_text("{}")
    (out / "shards" / "001" / "crawl.toml").unlink()
    with pytest.raises(RunError, match="001 is missing"):
        Run.open(out, writable=False)


@pytest.mark.parametrize("at_the_end", depth([True], [True, False]))
def test_a_shard_that_says_nothing_is_killed_and_started_again(
    at_the_end: bool, server: tuple[int, Counter[str]], tmp_path: Path
) -> None:
    port, asked = server
    out, said, frozen = tmp_path / "run", list[str](), list[int]()
    given = {"topic": "rain, flood", "seeds": ["http://site00.test/00"], "strategy": "ops", "delay": 0.001}
    given |= {"resolve": [f"*.test=127.0.0.1:{port}"], "allow_net": ["127.0.0.0/8"], "warc": False}
    divided = begin_shards(given | {"avoid_traps": False}, out, Route(2), said.append)

    def freeze(hub: Hub) -> None:
        is_time = hub.coordinator.reason is not None if at_the_end else len(visits(out)) > 8
        if is_time and not frozen:
            frozen.append(shard_process(out))
            os.kill(frozen[0], signal.SIGSTOP)

    crawl = LocalCrawl(divided.folders, divided.limits, say=said.append, show=freeze, silence=2.0)
    try:
        reason = asyncio.run(asyncio.wait_for(crawl.run(), 60))
    finally:
        divided.lock.release()
    assert [each for each in said if "has said nothing for 2 s and is killed" in each]
    assert [each for each in said if "(signal 9) and is started again" in each]
    summary = summed_up(divided, reason, 1.0, used=10.0, earlier=5)
    assert summary["pages_per_cpu_second"] == (SITES * PAGES - 5) / 10
    check(out, asked, again=16)


DEEDS = depth(
    [(kill_shard, kill_hub)],
    [(kill_shard,), (kill_hub,), (kill_all,), (interrupt, kill_hub), (kill_shard, kill_all)],
)


@pytest.mark.parametrize("deeds", DEEDS, ids=lambda deeds: " ".join(deed.__name__ for deed in deeds))
def test_a_crawl_in_shards_survives(
    deeds: Sequence[Callable[[Path, subprocess.Popen[bytes]], None]],
    server: tuple[int, Counter[str]],
    tmp_path: Path,
) -> None:
    port, asked = server
    out = tmp_path / "run"
    process = subprocess.Popen(command(out, port, "--local", "2"))
    for number, deed in enumerate(deeds, 1):
        wait_for(8 * number, out, process)
        deed(out, process)
        if process.poll() is not None:
            assert len(visits(out)) < SITES * PAGES
            process = subprocess.Popen(command(out, port))
    assert process.wait(60) == 0
    check(out, asked, again=16)
