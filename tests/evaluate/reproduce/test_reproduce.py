"""A reproduction from end to end, as people run it."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from topicrawl.cli import run


@pytest.fixture(scope="module")
def reproduced(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("repro")
    assert run(["reproduce", "ielp", "--out", str(out), "--scale", "0.05", "--repeats", "1"]) == 0
    return out


def test_every_crawler_that_exists_is_run_with_the_papers_proportions(reproduced: Path) -> None:
    with (reproduced / "results.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {"BFS", "OPS"} <= {row["crawler"] for row in rows}
    assert [int(row["pages"]) for row in rows if row["crawler"] == "BFS"] == [150, 300, 450, 600, 750]
    last = {row["crawler"]: row for row in rows if row["pages"] == "750"}
    assert float(last["BFS"]["HR"]) == pytest.approx(float(last["BFS"]["M"]) / 750, abs=1e-6)
    assert float(last["OPS"]["harvest_rate_truth"]) > float(last["BFS"]["harvest_rate_truth"])


def test_the_log_holds_as_many_pages_as_the_budget(reproduced: Path) -> None:
    log = (reproduced / "visits" / "rainstorm-disaster" / "OPS" / "0.jsonl").read_bytes().splitlines()
    assert sum(b'"fetched":true' in line for line in log) == 750


def test_the_report_has_ours_beside_theirs_and_a_judgement_of_each_claim(reproduced: Path) -> None:
    text = (reproduced / "report.html").read_text("utf-8")
    assert len(re.findall(r'class="verdict ', text)) == 5
    assert "11,976" in text  # what IELP's Table 2 prints for IELP
    assert "published s" in text
    assert not re.search(r'(src|href)="(https?:)?//', text)
    links = re.findall(r'href="(visits/[^"]+)"', text)
    assert links
    assert all((reproduced / link).is_dir() for link in links)
    summary = (reproduced / "summary.md").read_text("utf-8")
    assert "Best-first finds more than breadth-first | undecided" in summary  # one repeat proves nothing


def test_figures_are_files(reproduced: Path) -> None:
    names = {path.name for path in (reproduced / "plots").iterdir()}
    assert names == {f"rainstorm-disaster-{m}.{kind}" for m in ("M", "HR", "AR") for kind in ("svg", "png")}


def test_what_cannot_be_run_is_told_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["reproduce", "shark", "--out", str(tmp_path)]) == 2
    assert run(["reproduce", "ielp", "--out", str(tmp_path), "--scale", "7"]) == 2
    told = capsys.readouterr().err.splitlines()
    assert [line.partition(";")[0] for line in told] == [
        "error: there is no paper 'shark'",
        "error: --scale 7 is no share of the paper's budget",
    ]
