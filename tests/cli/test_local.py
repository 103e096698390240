"""`crawl --local` and the commands that read a crawl in shards."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from topicrawl.catalogue.questions import questions_of
from topicrawl.cli import run as topicrawl
from topicrawl.crawling.core import DIGITS
from topicrawl.crawling.judged import by_terms, relevance_now
from topicrawl.dashboard.runs import Runs
from topicrawl.judge import Seen
from topicrawl.judge.calibration import reconsidered
from topicrawl.judge.examples import ByExamples
from topicrawl.model import Topic
from topicrawl.setup.run_config import config_of
from topicrawl.store.merged_run import MergedRun
from topicrawl.store.run import Run
from topicrawl.web.invented import invented_web

WEB = invented_web("invented:7")


def crawl(out: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    seeds = [flag for seed in WEB.seeds("rainstorm disaster", 3) for flag in ("--seeds", seed)]
    given = [
        "--web",
        "invented:7",
        "--topic",
        "rainstorm",
        *seeds,
        "--split",
        "invented.test",
        "--out",
        str(out),
    ]
    return subprocess.run(
        [sys.executable, "-m", "topicrawl.cli", "crawl", *given, *flags],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def divided(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished crawl in two shards."""
    out = tmp_path_factory.mktemp("divided") / "run"
    ended = crawl(out, "--local", "2", "--strategy", "ops", "--pages", "30")
    assert ended.returncode == 0, ended.stderr
    assert "2/2 shards" in ended.stderr
    return out


def test_a_crawl_in_shards_is_read_as_one_run(
    divided: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    summary = json.loads((divided / "summary.json").read_text())
    assert (summary["fetches"], summary["shards"], summary["stop_reason"]) == (30, 2, "pages")
    with Run.open(divided, writable=False) as run:
        visits = list(run.visits())
        assert [visit.n for visit in visits] == list(range(1, run.last_n + 1))
        assert [n for n, _ in run.timings()] == [visit.n for visit in visits]
        asked = {visit.asked: visit.n for visit in visits}
        assert all(asked[visit.parent] < visit.n for visit in visits if visit.parent in asked)
        page = next(visit for visit in visits if visit.fetched and visit.depth)
        assert run.visit_of(page.url) == page
        assert run.record(page.n) is not None
        # A page that was handed over is in the archive of the shard that fetched it, with the redirect that led there.
        archived = {visit.url for visit in visits if visit.fetched and run.record(visit.n) is not None}
        assert run.page(page.url) is not None
    topicrawl(["status", str(divided)])
    assert "all pages asked for are fetched" in capsys.readouterr().out
    topicrawl(["export", str(divided), "--format", "jsonl", "--out", str(tmp_path / "pages.jsonl")])
    exported = [json.loads(line) for line in (tmp_path / "pages.jsonl").read_text().splitlines()]
    assert len(exported) == len({each["url"] for each in exported}) == 30
    for kind in ("warc", "wacz"):
        assert topicrawl(["export", str(divided), "--format", kind, "--out", str(tmp_path / kind)]) == 0
    assert topicrawl(["web", "info", str(tmp_path / "warc")]) == 0
    assert "30 pages on" in capsys.readouterr().out
    with zipfile.ZipFile(tmp_path / "wacz") as package:
        listed = package.read("pages/pages.jsonl").decode().splitlines()[1:]
    assert {json.loads(line)["url"] for line in listed} == archived
    topicrawl(["report", str(divided)])
    assert (divided / "report.html").exists()
    capsys.readouterr()
    topicrawl(["why", str(divided), page.url])
    assert "visited" in capsys.readouterr().out
    topicrawl(["search", str(divided), "rain"])
    assert "http" in capsys.readouterr().out
    topicrawl(["mark", str(divided), page.url, "--irrelevant"])
    topicrawl(["mark", str(divided), "--list"])
    assert page.url in capsys.readouterr().out
    assert [path.name for path in Runs(divided).paths().values()] == [divided.name, "000", "001"]
    topicrawl(["doctor", str(divided)])
    said = capsys.readouterr().out
    assert "WRONG" not in said
    assert "letters are taken, each once and as it was sent" in said


def test_a_folder_in_which_a_beginning_was_killed_can_be_begun_in(tmp_path: Path) -> None:
    for name in (
        "lock",
        "shards.toml",
        "shards.toml.part",
        "crawl.toml.part",
        "seeds.jsonl",
        "seeds.jsonl.part",
    ):
        (tmp_path / name).write_text("shards = 2\nsplit = []\n" if name == "shards.toml" else "")
    ended = crawl(tmp_path, "--local", "2", "--strategy", "bfs", "--pages", "10")
    assert ended.returncode == 0, ended.stderr


def test_questions_are_of_all_shards_in_turn(divided: Path) -> None:
    with Run.open(divided, writable=False) as run:
        assert isinstance(run, MergedRun)
        one, other = ([question.url for question in questions_of(shard, 4)] for shard in run.shards.values())
        asked = [question.url for question in questions_of(run, 4)]
    assert asked == [one[0], other[0], one[1], other[1]]


def test_the_last_judgement_is_that_of_one_judge_over_the_pages_of_all_shards(tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert crawl(out, "--local", "2", "--strategy", "scout", "--pages", "24").returncode == 0
    whole = json.loads((out / "summary.json").read_text())
    with Run.open(out, writable=False) as run:
        assert isinstance(run, MergedRun)
        topic = config_of(run).topic
        assert isinstance(topic, Topic)
        judge, terms, urls = ByExamples(topic), list[float](), list[str]()
        for visit, page in run.pages():
            judge.learn(Seen(page, by_terms(visit), is_seed=visit.depth == 0), None)
            terms.append(by_terms(visit))
            urls.append(visit.url)
        expected = dict(zip(urls, reconsidered(judge, np.array(terms)).round(DIGITS).tolist(), strict=True))
        assert whole["relevant"] == sum(said > 0.5 for said in expected.values())
        said: dict[str, float] = {}
        for shard in run.shards.values():
            now = relevance_now(shard)
            own = {visit.url: float(now[visit.n]) for visit in shard.visits() if visit.fetched}
            assert shard.summary is not None
            assert shard.summary["relevant"] == sum(each > 0.5 for each in own.values())
            said |= own
    assert said == expected
    (out / "relevance.bin").unlink()
    with Run.open(out, writable=False) as run:
        now = relevance_now(run)
        assert {visit.url: float(now[visit.n]) for visit in run.visits() if visit.fetched} == expected


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--local", "3"), "was begun with --local 2; resuming cannot change that to 3"),
        (("--local", "2", "--split", "example.org"), "was begun with another --split"),
    ],
)
def test_what_cannot_change_is_refused_with_a_line(
    divided: Path, capsys: pytest.CaptureFixture[str], flags: tuple[str, ...], words: str
) -> None:
    assert topicrawl(["crawl", "--out", str(divided), *flags]) == 2
    assert words in capsys.readouterr().err


def test_strategies_that_need_one_frontier_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [
        "--web",
        "invented:7",
        "--topic",
        "rain",
        "--seeds",
        "http://a.test/",
        "--out",
        str(tmp_path / "run"),
    ]
    for strategy in ("fcits", "mcoa", "fcwse"):
        assert topicrawl(["crawl", *given, "--local", "2", "--strategy", strategy]) == 2
        assert "cannot crawl in shards; those that can: bfs, ops, scout" in capsys.readouterr().err
    assert topicrawl(["crawl", *given, "--local", "2", "--strategy", "ops", "--set", "priority=ielp"]) == 2
    assert not (tmp_path / "run").exists()


def test_a_run_without_shards_is_not_divided_later(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    given = [
        "--web",
        "invented:7",
        "--topic",
        "rain",
        "--seeds",
        WEB.seeds("rainstorm disaster", 1)[0],
        "--out",
        str(out),
    ]
    topicrawl(["crawl", *given, "--pages", "1", "--quiet", "--strategy", "ops"])
    assert topicrawl(["crawl", "--out", str(out), "--pages", "2", "--local", "2"]) == 2
    assert "was begun without --local" in capsys.readouterr().err


def test_a_shard_that_is_gone_is_missed(divided: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (divided / "shards" / "001").rename(divided / "elsewhere")
    assert topicrawl(["crawl", "--out", str(divided), "--pages", "31"]) == 2
    assert "shards/001 is missing, a shard of this crawl" in capsys.readouterr().err
    (divided / "elsewhere").rename(divided / "shards" / "001")


def test_what_cannot_be_told_to_shards_is_refused_with_a_line(
    divided: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert topicrawl(["tell", str(divided), "--example", "http://a.test/"]) == 2
    assert "no shard has visited http://a.test/" in capsys.readouterr().err
    assert topicrawl(["tell", str(divided), "--undo", "999"]) == 2
    assert "there is no such instruction" in capsys.readouterr().err
