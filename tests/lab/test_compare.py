from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest

from lab.broken_strategies import install
from lab.labelled import task
from topicrawl.errors import RunError
from topicrawl.knowledge.terms import Read
from topicrawl.knowledge.training import trained
from topicrawl.setup.examples import write_training
from topicrawl.setup.run_config import TRAINING
from topicrawl.strategies import registry
from topicrawl.strategies.semxdm import SemXdm
from topicrawl_lab.cell import Cell
from topicrawl_lab.cell_runner import CellRunner, Thresholds
from topicrawl_lab.compare import Comparison
from topicrawl_lab.comparison.gather import gather
from topicrawl_lab.comparison.page import render
from topicrawl_lab.comparison.summary import summary
from topicrawl_lab.results import COLUMNS, Results, Row, read_rows
from topicrawl_lab.spec import parse_specs
from topicrawl_lab.tasks import Task, TaskError


def comparison(small: Path, strategies: str = "bfs,ops", **other: object) -> Comparison:
    given: dict[str, object] = {"tasks": [task()], "repeats": 2, "jobs": 2} | other
    return Comparison(specs=parse_specs(strategies), webs=small, **given)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("done") / "results"


@pytest.fixture
def finished(done: Path, small: Path) -> Results:
    """A comparison of bfs and ops from two seed sets, run once for all tests."""
    results = Results(done)
    comparison(small).run(results)
    return results


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Strategies `raises` and `dies` are installed."""
    folder = tmp_path / "others"
    folder.mkdir()
    install(folder)
    monkeypatch.syspath_prepend(folder)
    registry._places.cache_clear()
    yield
    registry._places.cache_clear()


def measures(row: Row) -> tuple[object, ...]:
    return (*row.key, row.fetches, row.failures, row.relevant_truth, row.oracle_share, row.hosts)


def test_every_cell_has_a_row_and_a_log(finished: Results) -> None:
    rows = read_rows(finished.table)
    keys = [("storms", name, n, n, "none") for name in ("bfs", "ops") for n in (0, 1)]
    assert [row.key for row in rows] == keys
    assert [row.error for row in rows] == [""] * 4
    assert all(
        row.fetches == 30 and row.stop_reason == "pages" and row.pages_per_cpu_second > 0 for row in rows
    )
    logs = sorted(path.relative_to(finished.folder).as_posix() for path in finished.folder.rglob("*.jsonl"))
    assert logs == [f"visits/storms/{name}/{n}.jsonl" for name in ("bfs", "ops") for n in (0, 1)]
    assert finished.table.read_text().splitlines()[0] == ",".join(COLUMNS)


def test_a_row_agrees_with_its_log(finished: Results, small: Path) -> None:
    row = finished.rows()["storms", "ops", 0, 0, "none"]
    cell = Cell(task(), parse_specs("ops")[0], 0, 0)
    visits, similarities = finished.read_log(cell)
    fetched = [visit for visit in visits if visit.fetched]
    hits = [visit for visit in fetched if int(visit.url.rpartition("/")[2]) % 4 == 0]
    found = sum(visit.url not in task().examples for visit in hits)
    assert (row.fetches, row.failures) == (len(fetched), len(visits) - len(fetched))
    assert row.relevant_truth == found
    assert row.oracle_share == pytest.approx(found / 27, abs=1e-6)
    assert row.recall == pytest.approx(found / 28, abs=1e-6)
    assert row.harvest_rate == pytest.approx(found / 30, abs=1e-6)
    assert len(similarities) == len(fetched)


def test_the_share_by_requests_counts_failures_against_the_budget(finished: Results) -> None:
    row = finished.rows()["storms", "ops", 0, 0, "none"]
    visits, _ = finished.read_log(Cell(task(), parse_specs("ops")[0], 0, 0))
    assert row.failures > 0
    hits = [v.url for v in visits[:30] if v.fetched and int(v.url.rpartition("/")[2]) % 4 == 0]
    found = len(set(hits) - set(task().examples))
    assert row.share_per_request == pytest.approx(found / 27, abs=1e-6)
    assert row.share_per_request < row.oracle_share


def test_results_of_an_older_version_open_and_rejudging_completes_them(
    finished: Results, small: Path, tmp_path: Path
) -> None:
    copytree(finished.folder, tmp_path / "old")
    old = Results(tmp_path / "old")
    lines = finished.table.read_text().splitlines()
    old.table.write_text("".join(f"{line.rpartition(',')[0]}\n" for line in lines))
    assert "share_per_request" not in old.table.read_text()
    assert {row.share_per_request for row in comparison(small).run(old)} == {None}
    before = gather(old.folder, small)
    assert "By requests" not in render(before, None)
    assert "by requests" not in summary(before, None)
    again = comparison(small).rejudge(old)
    shares = [row.share_per_request or 0.0 for row in finished.rows().values()]
    assert [row.share_per_request for row in again] == pytest.approx(shares, abs=1e-6)
    assert "By requests" in render(after := gather(old.folder, small), None)
    assert f"| mean | {(shares[0] + shares[1]) / 2:.3f} |" in summary(after, None)


def test_best_first_beats_breadth_first_where_anchors_are_informative(finished: Results) -> None:
    rows = finished.rows()
    for n in (0, 1):
        assert (
            rows["storms", "ops", n, n, "none"].oracle_share
            > rows["storms", "bfs", n, n, "none"].oracle_share
        )


def test_finished_cells_are_not_run_again(finished: Results, small: Path) -> None:
    before, run = finished.table.read_bytes(), list[Row]()
    rows = comparison(small).run(finished, on_row=lambda row, _: run.append(row))
    assert run == []
    assert len(rows) == 4
    assert finished.table.read_bytes() == before


def test_a_killed_comparison_resumes(finished: Results, small: Path, tmp_path: Path) -> None:
    copytree(finished.folder, tmp_path / "cut")
    cut = Results(tmp_path / "cut")
    lines = finished.table.read_bytes().splitlines(keepends=True)
    cut.table.write_bytes(b"".join(lines[:3]) + lines[3][:25])
    run = list[Row]()
    rows = comparison(small, repeats=2).run(cut, on_row=lambda row, _: run.append(row))
    assert sorted(row.key for row in run) == sorted(row.key for row in rows[2:])
    assert [*map(measures, read_rows(cut.table))] == [*map(measures, read_rows(finished.table))]


def test_a_cell_whose_log_is_gone_is_run_again(finished: Results, small: Path, tmp_path: Path) -> None:
    copytree(finished.folder, tmp_path / "copy")
    copy, run = Results(tmp_path / "copy"), list[Row]()
    copy.log(Cell(task(), parse_specs("bfs")[0], 1, 1)).unlink()
    comparison(small).run(copy, on_row=lambda row, _: run.append(row))
    assert [row.key for row in run] == [("storms", "bfs", 1, 1, "none")]


@pytest.mark.usefixtures("broken")
def test_a_crashing_strategy_has_rows_with_errors_and_the_others_finish(small: Path, tmp_path: Path) -> None:
    results = Results(tmp_path / "results")
    rows = comparison(small, "raises,dies,bfs").run(results)
    errors = {row.strategy: row.error for row in rows}
    assert errors == {
        "raises": "ValueError: no such luck",
        "dies": "the process of this cell ended with code 7",
        "bfs": "",
    }
    assert [row.fetches for row in rows] == [0, 0, 0, 0, 30, 30]
    traces = sorted(results.folder.rglob("*.traceback.txt"))
    assert traces == [results.folder / "visits/storms/raises" / f"{n}.traceback.txt" for n in (0, 1)]
    assert "in observe" in traces[0].read_text("utf-8")
    assert "ValueError: no such\nluck" in traces[0].read_text("utf-8")
    again, remarks = list[Row](), list[str]()
    comparison(small, "raises,bfs").run(results, remarks.append, on_row=lambda row, _: again.append(row))
    assert [row.strategy for row in again] == ["raises", "raises"]
    assert len(remarks) == 1, "one remark, not one for each cell"
    assert remarks[0] in {f"the traceback of raises on storms is in {trace}" for trace in traces}


@pytest.mark.usefixtures("broken")
def test_the_traceback_is_deleted_when_the_cell_succeeds(small: Path, tmp_path: Path) -> None:
    results = Results(tmp_path / "results")
    comparison(small, "raises", repeats=1).run(results)
    (trace,) = results.folder.rglob("*.traceback.txt")
    module = tmp_path / "others" / "broken_strategies_of_others.py"
    module.write_text(module.read_text().replace("raise ValueError", "return\n        raise ValueError"))
    comparison(small, "raises", repeats=1).run(results)
    assert not trace.exists()


def test_a_task_without_its_web_is_skipped_with_a_remark(small: Path, tmp_path: Path) -> None:
    remarks = list[str]()
    two = [task(name="lost", web="nowhere"), task()]
    rows = comparison(small, "bfs", tasks=two, repeats=1).run(Results(tmp_path / "r"), remarks.append)
    assert [row.task for row in rows] == ["storms"]
    assert len(remarks) == 1
    assert "'lost' is skipped" in remarks[0]
    assert "nowhere.warc.gz" in remarks[0]
    with pytest.raises(TaskError, match="no task can be run"):
        comparison(small, tasks=two[:1]).run(Results(tmp_path / "s"))


def test_a_task_that_differs_from_the_stored_one_of_that_name_is_refused(
    finished: Results, small: Path
) -> None:
    with pytest.raises(RunError, match="another task 'storms'"):
        comparison(small, tasks=[task(budget=31)]).run(finished)


def test_each_cap_has_its_own_rows_and_its_own_oracle(small: Path, tmp_path: Path) -> None:
    results = Results(tmp_path / "capped")
    rows = comparison(small, "bfs", repeats=1, caps=(1, None)).run(results)
    assert [row.cap for row in rows] == ["1", "none"]
    capped = rows[0]
    assert capped.fetches == capped.hosts <= 24
    assert (results.folder / "visits/storms/bfs~max_per_host=1/0.jsonl").exists()
    oracle = capped.relevant_truth / capped.oracle_share
    assert oracle == pytest.approx(round(oracle), abs=1e-3)
    assert oracle < 27


def test_caps_are_not_applied_to_a_web_with_few_hosts(
    tmp_path: Path, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("topicrawl_lab.compare.HOSTS_FOR_CAPS", 25)
    remarks = list[str]()
    cells = list(comparison(small, "bfs", repeats=1, caps=(5, 10)).cells(remarks.append))
    assert [cell.cap for cell in cells] == [None]
    assert "too few hosts (24)" in remarks[0]


def test_each_random_seed_has_its_own_log(small: Path) -> None:
    cells = list(comparison(small, "bfs", rng_repeats=2).cells())
    assert [(cell.seed_set, cell.rng_seed) for cell in cells] == [(0, 0), (0, 3), (1, 1), (1, 4)]
    results = Results(small / "unused")
    assert [results.log(cell).name for cell in cells] == ["0.jsonl", "0.3.jsonl", "1.jsonl", "1.4.jsonl"]


def judged(results: Results) -> dict[tuple[str, str], list[dict[str, str]]]:
    table: dict[tuple[str, str], list[dict[str, str]]] = {}
    for row in csv.DictReader((results.folder / "judges.csv").read_text().splitlines()):
        table.setdefault((row["strategy"], row["judge"]), []).append(row)
    return table


def test_rejudging_applies_new_thresholds_to_the_same_logs(small: Path, tmp_path: Path) -> None:
    results = Results(tmp_path / "results")
    rows = comparison(small).run(results)
    before = judged(results)
    assert set(before) == {
        (name, judge) for name in ("bfs", "ops") for judge in ("labels", "own", "similarity")
    }
    logs = {path: path.read_bytes() for path in results.folder.rglob("*.jsonl")}
    again = comparison(small, thresholds=Thresholds(relevance=0.999, similarity=0.0)).rejudge(results)
    after = judged(results)
    assert {path: path.read_bytes() for path in results.folder.rglob("*.jsonl")} == logs
    assert after["ops", "labels"] == before["ops", "labels"]
    assert [row["threshold"] for row in after["ops", "own"]] == ["0.999"] * 2
    assert [row["relevant"] for row in after["ops", "similarity"]] == ["30"] * 2
    assert [row.seconds for row in again] == pytest.approx([row.seconds for row in rows], abs=1e-6)
    assert again[0].average_similarity_relevant < rows[0].average_similarity_relevant


def test_rejudging_applies_another_label_to_the_same_logs(small: Path, tmp_path: Path) -> None:
    results = Results(tmp_path / "results")
    comparison(small, "bfs").run(results)
    other = task(relevant_label="kitchen", examples=[], oracle_at_budget=[30, 30, 30])
    rows = comparison(small, "bfs", tasks=[other]).rejudge(results)
    visits, _ = results.read_log(Cell(task(), parse_specs("bfs")[0], 0, 0))
    wanted = sum(visit.fetched and int(visit.url.rpartition("/")[2]) % 4 > 0 for visit in visits)
    assert rows[0].relevant_truth == wanted


def test_similarities_of_pages_are_cached(small: Path) -> None:
    runner = CellRunner(small, [task()])
    cell = Cell(task(), parse_specs("bfs")[0], 0, 0)
    visits = runner.crawl(cell).visits
    first = runner.similarities(cell.task, visits)
    reads = runner.task_web(cell.task).offline.reads
    assert runner.similarities(cell.task, visits) == first
    assert runner.task_web(cell.task).offline.reads == reads
    runner.close()


def test_the_training_set_of_a_web_overrides_the_common_one(small: Path, tmp_path: Path) -> None:
    runner, strategy = CellRunner(small, [task()]), SemXdm()
    write_training(trained([Read({"storm": 2}, {})]), tmp_path / TRAINING)
    write_training(trained([Read({"storm": 2}, {}), Read({"bread": 2}, {})]), tmp_path / "small" / TRAINING)
    for web, items in (("small", 2), ("another", 1)):
        runner._train(strategy, tmp_path, web)
        assert strategy.training is not None
        assert len(strategy.training) == items
    (spec,) = parse_specs(f"semxdm[train={tmp_path}]")
    assert (
        len([visit for visit in runner.crawl(Cell(task(), spec, 0, 0)).visits if visit.fetched])
        == task().budget
    )
    runner.close()


def test_tasks_are_stored_beside_the_results(finished: Results) -> None:
    from topicrawl_lab.tasks import read_tasks

    kept: list[Task] = read_tasks(finished.folder / "tasks.json")
    assert kept == [task()]


def test_a_table_of_an_older_version_is_read_and_one_with_unknown_columns_refused(tmp_path: Path) -> None:
    older = [name for name in COLUMNS if name != "generations"]
    values = ["storms", "ops", "0", "0", "none", *["0"] * (len(older) - 5)]
    path = tmp_path / "results.csv"
    path.write_text(f"{','.join(older)}\n{','.join(values)}\n")
    (row,) = read_rows(path)
    assert (row.key, row.generations) == (("storms", "ops", 0, 0, "none"), -1)
    path.write_text(f"{','.join(older)},colour\n{','.join(values)},red\n")
    with pytest.raises(RunError, match="other columns"):
        read_rows(path)
