from __future__ import annotations

import csv
import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lab.broken_strategies import install
from lab.labelled import task_fields, write_web
from topicrawl.cli import run
from topicrawl.cli.demo import served
from topicrawl.strategies import registry
from topicrawl.web.open import web_info
from topicrawl_lab.results import read_rows

COMPARE = ["compare", "tasks.json", "--jobs", "2"]


@pytest.fixture
def tasks(here: Path) -> Path:
    """tasks.json beside its web in the working folder."""
    return write_web(here)


@pytest.mark.usefixtures("tasks")
def test_a_comparison_ends_with_a_table_and_its_results(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    strategies = "bfs,ops,ops[topic=examples]"
    assert run([*COMPARE, "--strategies", strategies, "--repeats", "1", "--out", "results"]) == 0
    printed = capsys.readouterr()
    assert "share of the oracle" in printed.out
    assert "share of the oracle by requests: a failure costs as much as a page" in printed.out
    assert "ops[topic=examples]" in printed.out
    assert "3/3 cells · in " in printed.err
    assert f"report: {Path('results/report.html')}" in printed.err
    assert (here / "results/report.html").exists()
    assert [row.strategy for row in read_rows(here / "results/results.csv")] == strategies.split(",")
    assert (here / "results/visits/storms/ops~topic=examples/0.jsonl").exists()


@pytest.mark.usefixtures("tasks")
def test_a_strategy_that_raises_ends_in_exit_code_1_and_names_its_traceback(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "others").mkdir()
    install(here / "others")
    monkeypatch.syspath_prepend(here / "others")
    registry._places.cache_clear()
    try:
        assert run([*COMPARE, "--strategies", "raises,bfs", "--repeats", "1", "--out", "results"]) == 1
    finally:
        registry._places.cache_clear()
    printed = capsys.readouterr()
    trace = Path("results/visits/storms/raises/0.traceback.txt")
    assert "raises on storms, seed set 0: ValueError: no such luck" in printed.err
    assert f"the traceback of raises on storms is in {trace}" in printed.err
    assert "1 of 2 cells failed" in printed.err
    assert "in observe" in (here / trace).read_text("utf-8")
    assert "share of the oracle" in printed.out, "the other cell is finished and shown"
    assert (here / "results/report.html").exists()


@pytest.mark.usefixtures("tasks")
def test_a_topic_for_all_strategies_is_given_once(here: Path) -> None:
    words = ["--strategies", "bfs,ops", "--topic-from", "examples", "--repeats", "1", "--out", "results"]
    assert run([*COMPARE, *words]) == 0
    named = [row.strategy for row in read_rows(here / "results/results.csv")]
    assert named == ["bfs[topic=examples]", "ops[topic=examples]"]


@pytest.mark.usefixtures("tasks")
def test_a_killed_comparison_resumes_to_the_same_results(here: Path) -> None:
    words = ["compare", "tasks.json", "--strategies", "bfs,ops", "--jobs", "1", "--out"]
    assert run([*words, "whole"]) == 0
    with subprocess.Popen(
        [sys.executable, "-m", "topicrawl.cli", *words, "cut"], stderr=subprocess.DEVNULL
    ) as it:
        table, limit = here / "cut/results.csv", time.monotonic() + 30
        while it.poll() is None and time.monotonic() < limit:
            if table.exists() and table.read_bytes().count(b"\n") > 2:
                break
        it.kill()
    assert run([*words, "cut"]) == 0
    whole, cut = (
        [(row.key, row.fetches, row.relevant_truth) for row in read_rows(here / name / "results.csv")]
        for name in ("whole", "cut")
    )
    assert cut == whole
    for log in (here / "whole").rglob("*.jsonl"):
        assert (here / "cut" / log.relative_to(here / "whole")).read_bytes() == log.read_bytes()


@pytest.mark.usefixtures("tasks")
def test_logs_are_judged_again_on_demand(here: Path) -> None:
    words = [*COMPARE, "--strategies", "bfs", "--out", "results"]
    assert run(words) == 0
    before = read_rows(here / "results/results.csv")
    assert run([*words, "--rejudge", "--similarity", "0.99", "--threshold", "0.1"]) == 0
    after = read_rows(here / "results/results.csv")
    assert [row.seconds for row in after] == [row.seconds for row in before]
    assert after[0].average_similarity_relevant > before[0].average_similarity_relevant


@pytest.mark.usefixtures("tasks")
def test_a_sweep_writes_a_table(here: Path) -> None:
    assert run([*COMPARE, "--sweep", "ops.anchor_weight=0,0.5,1", "--repeats", "2", "--out", "results"]) == 0
    with (here / "results/sweep.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["anchor_weight"] for row in rows] == ["0.0", "0.5", "1.0"]
    assert {(row["strategy"], row["cells"], row["reached"]) for row in rows} == {("ops", "2", "1.0")}


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        (["--strategies", "opps"], "did you mean 'ops'"),
        ([], "no strategy is named"),
        (["--strategies", "bfs", "--only", "sunshine"], "there is no task 'sunshine'"),
        (["--strategies", "bfs", "--max-per-host", "5,few"], "--max-per-host 'few'"),
        (["--strategies", "bfs", "--topic-from", "air"], "'air' is unknown"),
        (["--strategies", "bfs", "--webs", "elsewhere"], "no task can be run"),
        (["--sweep", "ops.anchor_weight"], "--sweep 'ops.anchor_weight'"),
    ],
)
@pytest.mark.usefixtures("tasks")
def test_invalid_input_of_compare_is_an_error_of_one_line(
    words: list[str], printed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*COMPARE, *words, "--out", "results"]) == 2
    error = capsys.readouterr().err.splitlines()[-1]
    assert error.startswith("error: ")
    assert printed in error


def test_tasks_are_checked(here: Path, tasks: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tasks", "check", "tasks.json"]) == 0
    assert "1 tasks, all sound" in capsys.readouterr().out
    tasks.write_text(json.dumps([task_fields(relevant=3)]))
    assert run(["tasks", "check", "tasks.json"]) == 2
    assert "task 'storms': relevant is 3, but the labels say 30" in capsys.readouterr().out


@pytest.mark.usefixtures("tasks")
def test_tasks_are_made_and_can_be_run(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["tasks", "make", "small.warc.gz", "small.labels.csv", "--out", "made.json"]
    assert run(words) == 2
    assert "--least" in capsys.readouterr().err
    assert run([*words, "--least", "25", "--largest-share", "0.5"]) == 0
    assert run(["tasks", "check", "made.json"]) == 0
    compare = [
        "compare",
        "made.json",
        "--strategies",
        "ops",
        "--repeats",
        "1",
        "--out",
        "results",
        "--jobs",
        "1",
    ]
    assert run(compare) == 0
    (row,) = read_rows(here / "results/results.csv")
    assert row.task == "weather"
    assert row.relevant_truth == 10


@pytest.mark.usefixtures("tasks")
def test_a_recorded_web_is_described(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["web", "info", "small.warc.gz"]) == 0
    printed = capsys.readouterr().out
    assert "120 pages on 24 hosts" in printed
    assert "200 120, 301 1" in printed
    assert run(["web", "info", "absent.warc.gz"]) == 2


def test_pages_are_recorded_into_a_web_that_can_be_crawled(
    here: Path, seeds: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with served("invented:7") as port:
        words = [
            "--resolve",
            f"*.invented.test=127.0.0.1:{port}",
            "--allow-net",
            "127.0.0.0/8",
            "--delay",
            "0.01",
        ]
        assert run(["web", "record", *seeds, *words, "--out", "few.warc.gz"]) == 0
        assert run(["web", "record", seeds[0], *words, "--pages", "15", "--out", "more.warc.gz"]) == 0
    assert "answers in more.warc.gz" in capsys.readouterr().out
    assert web_info("few.warc.gz").pages == len(seeds)
    assert web_info("more.warc.gz").pages == 15


def test_a_recording_needs_a_fitting_name(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["web", "record", "http://a.test/", "--out", "pages.zip"]) == 2
    assert "must end in .warc.gz" in capsys.readouterr().err
