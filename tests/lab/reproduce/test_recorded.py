"""The crawlers of a paper on recorded webs, judged by labels."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from lab.labelled import task_fields, url
from topicrawl.cli import run
from topicrawl_lab.judges import Verdict
from topicrawl_lab.reproduce.design import Claim
from topicrawl_lab.reproduce.experiment import Crawled, Scaled, specs
from topicrawl_lab.reproduce.papers import setup_of
from topicrawl_lab.reproduce.recorded import Recorded, for_tasks
from topicrawl_lab.results import read_rows

SCALED = Scaled(setup_of("fcwseo"))


def crawled(task: str, crawler: str, found: list[int], oracle: int, generations: int = -1) -> Crawled:
    hits = np.array(found, dtype=bool)
    verdict = Verdict(hits / oracle, hits)
    return Crawled(task, crawler, 0, verdict, verdict, 1.0, generations)


def recorded(first: str, second: str, generations: int = -1) -> Recorded:
    """Seven tasks of 10 to 70 pages: `first` finds the first half of the pages, `second` the last fifth."""
    crawls = []
    for n in range(1, 8):
        size, name = 10 * n, f"task{n}"
        crawls.append(crawled(name, first, [1] * (size // 2) + [0] * (size // 2), size, generations))
        crawls.append(crawled(name, second, [0] * (size - size // 5) + [1] * (size // 5), size))
    return Recorded(crawls, {f"task{n}": 10 * n for n in range(1, 8)})


def verdict(done: Recorded, claim: Claim) -> str | None:
    judged = done.judge(claim, SCALED)
    return judged.verdict if judged else None


def test_claims_are_tested_over_tasks_by_the_share_of_the_oracle() -> None:
    done = recorded("OPS", "BFS")
    assert done.share("OPS") == pytest.approx(0.5)
    assert done.share("BFS") == pytest.approx(0.2)
    judged = done.judge(Claim("", "OPS", ("BFS",), "M", subject="tourism"), SCALED)
    assert judged is not None
    (pair,) = judged.pairings
    assert (judged.verdict, pair.pairs, pair.difference) == ("reproduced", 7, pytest.approx(0.3))
    assert verdict(done, Claim("", "BFS", ("OPS",), "M")) == "not reproduced"


def test_a_part_of_the_crawl_is_a_part_of_each_tasks_budget() -> None:
    done = recorded("early", "late")
    assert verdict(done, Claim("", "late", ("early",), "HR", since=0.8)) == "reproduced"
    assert verdict(done, Claim("", "early", ("late",), "M", 0.1)) == "reproduced"


def test_labels_say_nothing_about_values_of_pages_times_and_parameters() -> None:
    done = recorded("OPS", "BFS")
    for measure in ("AR", "SD", "AS", "seconds", "rules"):
        assert verdict(done, Claim("", "OPS", ("BFS",), measure)) is None
    assert verdict(done, Claim("", "OPS", ("BFS",), "HR", search=True)) is None


def test_a_claim_of_less_and_one_of_reaching_the_budget_are_judged_by_the_tasks() -> None:
    done = recorded("OPS", "BFS")
    assert verdict(done, Claim("", "BFS", ("OPS",), "M", less=True)) == "reproduced"
    assert verdict(done, Claim("", "OPS", ("BFS",), "M", reaching=True)) == "reproduced"


def test_a_crawler_that_did_not_evolve_is_not_judged() -> None:
    claim = Claim("", "FCWSEO", ("BFS",), "M")
    assert verdict(recorded("FCWSEO", "BFS", generations=0), claim) == "not yet"
    assert verdict(recorded("FCWSEO", "BFS", generations=1), claim) == "reproduced"


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six tasks on the small web, each with another seed."""
    path = tmp_path_factory.mktemp("tasks") / "tasks.json"
    given = [
        task_fields(name=f"storms{n}", seed_sets=[[url(8 + 4 * n)]], oracle_at_budget=[27]) for n in range(6)
    ]
    path.write_text(json.dumps(given))
    return path


def test_a_paper_is_judged_by_labels_of_recorded_webs(
    small: Path, tasks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    command = ["reproduce", "fcwseo", "--out", str(out), "--parts", "labels", "--tasks", str(tasks)]
    command += ["--webs", str(small), "--only", "BFS,OPS,FCWSEO", "--jobs", "1"]
    assert run(command) == 0
    shown = capsys.readouterr().out
    assert "Best-first finds more than breadth-first (reproduced by people's labels)" in shown
    rows = read_rows(out / "labels" / "results.csv")
    assert {row.strategy for row in rows} == {
        "bfs[topic=ontology]",
        "ops[priority=fcwseo]",
        "fcwseo[topic=ontology]",
    }
    assert len(rows) == 18
    evolved = {row.generations for row in rows if row.strategy.startswith("fcwseo")}
    assert -1 not in evolved
    best = sum(row.oracle_share for row in rows if row.strategy.startswith("ops")) / 6
    summary = (out / "summary.md").read_text("utf-8")
    assert f"| OPS | {best:.3f} |" in summary
    assert "| claim | as the paper measures | people's labels |" in summary
    assert "By what, people's labels" in (out / "report.html").read_text("utf-8").replace(
        "&#39;", "'"
    ).replace("&#x27;", "'")


def test_without_tasks_the_part_is_skipped_with_a_note_or_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [
        "reproduce",
        "semxdm",
        "--out",
        str(tmp_path),
        "--scale",
        "0.002",
        "--repeats",
        "1",
        "--jobs",
        "1",
    ]
    assert run([*command, "--parts", "labels"]) == 2
    assert "--parts labels has no tasks" in capsys.readouterr().err
    assert run([*command, "--parts", "tables", "--tasks", "tasks.json"]) == 2
    assert "--tasks belongs to the part labels" in capsys.readouterr().err
    assert run([*command, "--only", "BFS"]) == 0
    assert "the part labels is skipped; name a file of tasks" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("paper", "crawler", "spec"),
    [
        ("fcwseo", "FCWSEO", "fcwseo[topic=ontology]"),
        ("fcwseo", "FCWSE", "fcwse"),
        ("ielp", "IELP", "ielp"),
        ("semxdm", "SemXDM", "semxdm[query=first]"),
    ],
)
def test_crawlers_have_the_kind_of_topic_that_they_have_in_the_paper(
    paper: str, crawler: str, spec: str
) -> None:
    setup = setup_of(paper)
    known = specs(setup)[crawler]
    assert known is not None
    (named,) = (each for each in setup.crawlers if each.name == crawler)
    assert str(for_tasks(known, named, setup)) == spec
