"""The commands from pages to a topic, from links to weights, from weights to a crawl."""

from __future__ import annotations

import csv
import json
import tomllib
from pathlib import Path

import pytest

from lab.labelled import write_web
from topicrawl.cli import run
from topicrawl.model import Topic
from topicrawl.setup.config import Config
from topicrawl.web.invented import invented_web

WEB = "invented:7"


@pytest.fixture
def topic(here: Path, seeds: list[str]) -> str:
    """A topic of eight pages."""
    urls = invented_web(WEB).seeds("rainstorm disaster", 13)[5:]
    (here / "top.txt").write_text("\n".join(urls))
    command = [
        "topic",
        "build",
        "--model",
        "pages",
        "--urls",
        "top.txt",
        "--web",
        WEB,
        "--out",
        "topics/storms",
    ]
    assert run(command) == 0
    return "topics/storms"


def test_a_topic_of_pages_learns_weights_that_a_crawl_takes(
    topic: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["--topic", topic, "--seeds", "seeds.txt", "--web", WEB]
    learn = ["weights", "learn", *command, "--set", "lengths=words"]
    assert run([*learn, "--links", "24", "--generations", "20"]) == 0
    printed = capsys.readouterr().out
    assert "better than equal quarters in" in printed
    learned = tomllib.loads((here / "weights.toml").read_text())
    assert learned["learned"]["training_links"] == learned["learned"]["test_links"] == 12
    crawl = ["crawl", *command, "--strategy", "svsm_mcoa", "--pages", "8", "--out", "run"]
    assert run([*crawl, "--weights", "weights.toml"]) == 0
    kept = Config.load(here / "run" / "crawl.toml")
    assert kept.parameters["full_weight"] == learned["full"]
    assert kept.parameters["lengths"] == "words", "the weights hold for texts compared like this"
    assert kept.weights is None
    assert isinstance(kept.topic, Topic)
    assert len(kept.topic.pages) == 8


def test_a_run_is_resumed_without_the_files_it_was_started_with(topic: str, here: Path) -> None:
    command = ["crawl", "--topic", topic, "--seeds", "seeds.txt", "--web", WEB, "--strategy", "svsm_mcoa"]
    assert run([*command, "--pages", "6", "--out", "run"]) == 0
    for file in (here / topic).iterdir():
        file.unlink()
    assert run(["crawl", "--out", "run", "--pages", "9"]) == 0
    assert len((here / "run" / "visits.jsonl").read_text().splitlines()) >= 9


def test_weights_of_all_tasks_are_written_as_a_table_and_two_figures(here: Path) -> None:
    tasks = write_web(here)
    command = ["--tasks", str(tasks), "--links", "40", "--by", "exact", "--jobs", "1", "--out", "weights"]
    assert run(["weights", "learn", *command]) == 0
    with (here / "weights" / "weights.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["task"] for row in rows] == ["storms"]
    assert 8 <= int(rows[0]["links"]) <= 40
    assert float(rows[0]["error"]) < float(rows[0]["error_equal_quarters"])
    assert float(rows[0]["fitness_of_optimum"]) == pytest.approx(1)
    assert {path.name for path in (here / "weights" / "plots").iterdir()} == {
        f"{name}.{kind}" for name in ("errors", "error-differences") for kind in ("svg", "png")
    }
    assert (here / "weights" / "storms.toml").exists()
    report = (here / "weights" / "report.html").read_text("utf-8")
    assert "Table 3" in report
    assert "<b>mean</b>" in report
    assert "paired permutation test" in report


def test_tasks_that_were_learned_are_not_learned_again(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tasks = write_web(here)
    command = ["weights", "learn", "--tasks", str(tasks), "--by", "exact", "--jobs", "1", "--out", "weights"]
    assert run([*command, "--links", "40"]) == 0
    first = {path.name: path.read_bytes() for path in (here / "weights").iterdir() if path.is_file()}
    for name in first:
        (here / "weights" / name).unlink()
    (here / "small.warc.gz").unlink()
    capsys.readouterr()
    assert run([*command, "--links", "40"]) == 0, "nothing is crawled, so nobody misses the web"
    assert "1 of 1 tasks were learned before" in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in (here / "weights").iterdir() if path.is_file()} == first
    another = json.loads(tasks.read_text())[0] | {"name": "rain"}
    tasks.write_text(json.dumps([another, *json.loads(tasks.read_text())]))
    assert run([*command, "--links", "40"]) == 1, "a task failed, the others are written"
    assert "task 'rain' teaches nothing" in capsys.readouterr().err, "only what is new is tried"
    assert run([*command, "--links", "41"]) == 2
    assert "by exact from 40 links, not of svsm_mcoa by exact from 41 links; give a new --out" in (
        capsys.readouterr().err
    )


def test_tasks_are_learned_with_the_parameters_given(here: Path) -> None:
    command = ["--tasks", str(write_web(here)), "--links", "40", "--by", "exact", "--jobs", "1"]
    assert run(["weights", "learn", *command, "--out", "whole", "--set", "lengths=words"]) == 0
    assert "svsm_mcoa[lengths=words]" in (here / "whole" / "report.html").read_text("utf-8")
    assert run(["weights", "learn", *command, "--set", "no_such=1"]) == 2


@pytest.mark.parametrize(
    ("more", "printed"),
    [
        (["--strategy", "bfs"], "--strategy 'bfs' is unknown; give mcoa or svsm_mcoa"),
        (["--by", "magic"], "--by 'magic' is unknown; give mcoa or exact"),
        (["--mutation", "none"], "--mutation 'none' is unknown; give literal or signed or gauss"),
        (["--tasks", "nowhere.json"], "nowhere.json"),
        ([], "no topic"),
    ],
)
def test_invalid_input_is_reported_before_anything_is_fetched(
    here: Path, capsys: pytest.CaptureFixture[str], more: list[str], printed: str
) -> None:
    assert run(["weights", "learn", *more]) == 2
    assert printed in capsys.readouterr().err


def test_weights_for_another_strategy_are_refused_or_warned_about(
    here: Path, seeds: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ['strategy = "mcoa"', *(f"{name} = 0.25" for name in ("full", "anchor", "title", "context"))]
    (here / "w.toml").write_text("\n".join(lines))
    command = [
        "crawl",
        "--topic",
        "storm",
        "--seeds",
        seeds[0],
        "--web",
        WEB,
        "--pages",
        "2",
        "--weights",
        "w.toml",
    ]
    assert run([*command, "--strategy", "ops", "--out", "a"]) == 2
    assert "'ops' takes none; crawl with mcoa or svsm_mcoa" in capsys.readouterr().err
    assert run([*command, "--strategy", "svsm_mcoa", "--out", "b"]) == 0
    assert "were learned for mcoa, not for svsm_mcoa" in capsys.readouterr().err
    assert run([*command[:-1], "gone.toml", "--strategy", "mcoa", "--out", "c"]) == 2
    assert "'gone.toml'" in capsys.readouterr().err
