"""Weights in comparisons: from other tasks, from the crawl's own first pages, or given."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from lab.labelled import write_web
from topicrawl_lab.cell_runner import CellRunner
from topicrawl_lab.compare import Comparison
from topicrawl_lab.comparison import write_comparison
from topicrawl_lab.results import Results
from topicrawl_lab.spec import parse_specs
from topicrawl_lab.tasks import Task, read_tasks
from topicrawl_lab.training import Lesson, learn, weights_from


@pytest.fixture
def tasks(tmp_path: Path) -> list[Task]:
    """One task under three names."""
    (storms,) = read_tasks(write_web(tmp_path))
    return [msgspec.structs.replace(storms, name=name) for name in ("a", "b", "c")]


def test_the_weights_of_a_task_are_learned_on_the_other_tasks(tasks: list[Task], tmp_path: Path) -> None:
    (spec,) = parse_specs("mcoa")
    folder = tmp_path / "weights" / "mcoa"
    folder.mkdir(parents=True)
    similar_text = {"a": (1.0, 0.0, 0.0, 0.0), "b": (0.0, 1.0, 0.0, 0.0), "c": (0.0, 1.0, 0.0, 0.0)}
    for (
        name,
        text,
    ) in similar_text.items():  # in task a pages are as similar as full texts, in b and c as anchors
        rows = [
            (*(other / 9 if on else (n % 3) / 9 for on in text), other / 9)
            for n, other in enumerate(range(9))
        ]
        (folder / f"{name}.json").write_bytes(msgspec.json.encode(rows))
    remarks: list[str] = []
    learned = learn(tasks, [spec], CellRunner(tmp_path, tasks), tmp_path, 1, remarks.append)
    assert learned["a", "mcoa"] == pytest.approx((0, 1, 0, 0), abs=1e-6)
    assert learned["b", "mcoa"] != pytest.approx((0, 1, 0, 0), abs=1e-3)
    assert not remarks, "samples in the folder are not collected again"


def test_a_resumed_comparison_has_the_same_weights(tasks: list[Task], tmp_path: Path) -> None:
    specs, runner = parse_specs("svsm_mcoa"), CellRunner(tmp_path, tasks)
    first, again = (
        learn(tasks, specs, runner, tmp_path / "results", 1, lambda text: None) for _ in ("first", "again")
    )
    assert first == again


def test_results_have_the_source_of_weights(tasks: list[Task], tmp_path: Path) -> None:
    specs = parse_specs("bfs,vsm,mcoa,mcoa[weights=exact,training_pages=10],mcoa[full_weight=1]")
    comparison = Comparison([tasks[0]], specs, tmp_path, all_tasks=tasks, repeats=1)
    remarks: list[str] = []
    results = Results(tmp_path / "results")
    rows = comparison.run(results, remarks.append)
    assert [row.error for row in rows] == [""] * 5
    assert [row.weights_from for row in rows] == [
        "",
        "",
        "other tasks",
        "first 10 pages of the crawl",
        "given",
    ]
    report = write_comparison(results.folder, tmp_path).read_text("utf-8")
    assert "Weights of links&#x27; texts in mcoa: other tasks." in report
    summary = (results.folder / "summary.md").read_text("utf-8")
    assert "in mcoa[training_pages=10,weights=exact]: first 10 pages of the crawl." in summary
    assert any("learned on other tasks: 3 short crawls" in remark for remark in remarks)
    assert {path.stem for path in (results.folder / "weights" / "mcoa").iterdir()} == {"a", "b", "c"}


def test_with_one_task_the_published_weights_are_used() -> None:
    (spec,) = parse_specs("svsm_mcoa")
    assert weights_from(spec, others=False) == "mean of the published"


def test_lessons_of_different_specs_have_different_keys(tasks: list[Task]) -> None:
    one, other = parse_specs("svsm_mcoa,svsm_mcoa[lengths=words]")
    assert Lesson(tasks[0], one).key != Lesson(tasks[0], other).key
