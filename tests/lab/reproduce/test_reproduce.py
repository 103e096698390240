"""A reproduction from end to end, by the command line."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lab.broken_strategies import install
from topicrawl.cli import run
from topicrawl.crawling.offline import OfflinePages
from topicrawl.page.relevance import PageRelevance
from topicrawl.setup.inputs import open_topic
from topicrawl.strategies import registry
from topicrawl.web.invented import invented_web
from topicrawl_lab.judges import Verdict
from topicrawl_lab.process_pool import Failed
from topicrawl_lab.reproduce import fcits_oh, fcwseo, ielp
from topicrawl_lab.reproduce.design import Crawler
from topicrawl_lab.reproduce.experiment import Crawled, Scaled
from topicrawl_lab.reproduce.page import ended_early
from topicrawl_lab.reproduce.run import reproduce

TINY = ("--scale", "0.004", "--jobs", "1", "--parts", "tables")


@pytest.fixture(scope="module")
def reproduced(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("repro")
    small = ["--scale", "0.05", "--repeats", "1", "--parts", "tables"]
    assert run(["reproduce", "ielp", "--out", str(out), *small]) == 0
    return out


def test_every_implemented_crawler_is_run_at_the_given_scale(reproduced: Path) -> None:
    with (reproduced / "results.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {"BFS", "OPS"} <= {row["crawler"] for row in rows}
    assert [int(row["pages"]) for row in rows if row["crawler"] == "BFS"] == [150, 300, 450, 600, 750]
    last = {row["crawler"]: row for row in rows if row["pages"] == "750"}
    assert float(last["BFS"]["HR"]) == pytest.approx(float(last["BFS"]["M"]) / 750, abs=1e-6)
    assert float(last["OPS"]["harvest_rate_truth"]) > float(last["BFS"]["harvest_rate_truth"])


def test_the_log_has_as_many_pages_as_the_budget(reproduced: Path) -> None:
    log = (reproduced / "visits" / "rainstorm-disaster" / "OPS" / "0.jsonl").read_bytes().splitlines()
    assert sum(b'"fetched":true' in line for line in log) == 750


def test_the_report_shows_our_numbers_beside_the_published_ones_and_a_verdict_on_each_claim(
    reproduced: Path,
) -> None:
    text = (reproduced / "report.html").read_text("utf-8")
    assert len(re.findall(r'class="verdict ', text)) == 8
    assert "11,976" in text  # IELP in IELP's Table 2
    assert "published s" in text
    assert not re.search(r'(src|href)="(https?:)?//', text)
    links = re.findall(r'href="(visits/[^"]+)"', text)
    assert links
    assert all((reproduced / link).is_dir() for link in links)
    summary = (reproduced / "summary.md").read_text("utf-8")
    # one repeat is too few for a test
    assert "| Best-first finds more than breadth-first | undecided |\n" in summary
    assert "| claim | as the paper measures |\n|---|---|\n" in summary, "no column for a judge there is not"


def test_figures_are_written_as_svg_and_png(reproduced: Path) -> None:
    names = {path.name for path in (reproduced / "plots").iterdir()}
    assert names == {f"rainstorm-disaster-{m}.{kind}" for m in ("M", "HR", "AR") for kind in ("svg", "png")}


def test_finished_crawls_are_not_run_again_and_more_repeats_are_added(tmp_path: Path) -> None:
    small = ["reproduce", "ielp", "--out", str(tmp_path), *TINY]
    assert run([*small, "--repeats", "1"]) == 0
    table = tmp_path / "crawls.csv"
    before = table.read_text("utf-8")
    assert run([*small, "--repeats", "2"]) == 0
    assert table.read_text("utf-8").startswith(before)
    assert len(table.read_text("utf-8").splitlines()) == 2 * len(before.splitlines()) - 1


def test_a_crawl_with_an_incomplete_line_is_run_again(tmp_path: Path) -> None:
    small = ["reproduce", "ielp", "--out", str(tmp_path), *TINY, "--repeats", "1"]
    assert run(small) == 0
    whole = (tmp_path / "results.csv").read_text("utf-8")
    table = tmp_path / "crawls.csv"
    lines = table.read_text("utf-8").splitlines(keepends=True)
    table.write_text("".join(lines[:-1]) + lines[-1][:20], "utf-8")
    assert run(small) == 0
    assert _without_seconds((tmp_path / "results.csv").read_text("utf-8")) == _without_seconds(whole)


def test_crawls_with_another_budget_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = ["reproduce", "ielp", "--out", str(tmp_path), *TINY, "--repeats", "1"]
    assert run(small) == 0
    assert run([*small, "--scale", "0.005"]) != 0
    assert "holds crawls of 60 pages, not 75; give a new --out" in capsys.readouterr().err


def test_a_crawl_steered_by_words_is_judged_by_the_ontology(tmp_path: Path) -> None:
    reproduce(Scaled(fcits_oh.SETUP, 0.002, repeats=1, only=("FCITS",), only_parts=("tables",)), tmp_path)
    log = tmp_path / "visits" / "tourism" / "FCITS" / "0.jsonl"
    steered = [json.loads(line)["relevance"] for line in log.read_bytes().splitlines()]
    judged = json.loads(log.with_suffix(".relevance.json").read_bytes())
    web = invented_web("invented:scale:1")
    first = next(json.loads(line) for line in log.read_bytes().splitlines())
    topic, offline = open_topic("tourism"), OfflinePages(web)
    page = offline.outcome(first["url"]).page
    assert page is not None
    assert judged[0] == pytest.approx(PageRelevance(topic)(offline.counter(topic)(page)), abs=1e-6)
    assert judged != [round(value, 6) for value in steered]


def test_the_report_says_that_nothing_evolved_and_which_crawlers_are_not_in_the_paper(tmp_path: Path) -> None:
    crawlers = ("BFS", "FCWSEO", "FCWSEO-peek")
    reproduce(Scaled(fcwseo.SETUP, 0.004, repeats=1, only=crawlers, only_parts=("tables",)), tmp_path)
    text = (tmp_path / "report.html").read_text("utf-8")
    assert (
        "ended before the first generation did: FCWSEO (1 of 1 crawls), FCWSEO-peek (1 of 1 crawls)." in text
    )
    cells = re.findall(r"<tr>.*?crawler (FCWSEO(?:-peek)?)</t[dh]>\s*<td[^>]*>(.*?)</td>", text, re.DOTALL)
    assert dict(cells) == {"FCWSEO": "FCWSEO", "FCWSEO-peek": "—"}


def test_a_crawl_that_has_evolved_is_not_reported_as_one_that_has_not() -> None:
    one = np.array([0.9])
    verdict = Verdict(one, one > 0.7)
    crawls = [
        Crawled("s", name, 0, verdict, verdict, 1.0, generations)
        for name, generations in (("OPS", -1), ("FCWSEO", 3), ("FCWSE", 0))
    ]
    (note,) = ended_early(crawls)
    assert "did: FCWSE (1 of 1 crawls)." in note
    assert ended_early(crawls[:2]) == []


def test_a_table_of_an_older_version_without_generations_is_resumed(tmp_path: Path) -> None:
    scaled = Scaled(ielp.SETUP, 0.004, repeats=1, only=("BFS",), only_parts=("tables",))
    reproduce(scaled, tmp_path)
    table = tmp_path / "crawls.csv"
    older = [",".join(line.split(",")[:6]) for line in table.read_text().splitlines()]
    table.write_text("\n".join(older) + "\n")
    reproduce(replace(scaled, only=("BFS", "OPS")), tmp_path)
    assert [line.split(",")[1] for line in table.read_text().splitlines()] == ["crawler", "BFS", "OPS"]
    reproduce(replace(scaled, only=("BFS", "OPS")), tmp_path)
    assert len(table.read_text().splitlines()) == 3, "nothing was run again"


def _without_seconds(table: str) -> list[str]:
    return [",".join(line.split(",")[:-2]) for line in table.splitlines()]


def test_a_usage_error_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["reproduce", "shark", "--out", str(tmp_path)]) == 2
    assert run(["reproduce", "ielp", "--out", str(tmp_path), "--scale", "7"]) == 2
    assert run(["reproduce", "ielp", "--out", str(tmp_path), "--only", "IELP,SHARK"]) == 2
    assert run(["reproduce", "ielp", "--out", str(tmp_path), "--parts", "grid"]) == 2
    errors = capsys.readouterr().err.splitlines()
    assert [line.partition(";")[0] for line in errors] == [
        "error: there is no paper 'shark'",
        "error: --scale 7 is no share of the paper's budget",
        "error: the paper has no crawler 'SHARK'",
        "error: an experiment has no part 'grid'",
    ]


def test_when_a_crawler_raises_its_traceback_is_kept_and_the_others_finish(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "others").mkdir()
    install(tmp_path / "others")
    monkeypatch.syspath_prepend(tmp_path / "others")
    registry._places.cache_clear()
    crawlers = (Crawler("BFS", ("bfs",)), Crawler("Raises", ("raises",)))
    setup = replace(ielp.SETUP, crawlers=crawlers, claims=(), subjects=ielp.SETUP.subjects[:1])
    ended: dict[str, Failed | None] = {}
    try:
        reproduce(
            Scaled(setup, 0.002, repeats=1, only_parts=("tables",)),
            tmp_path / "out",
            on_crawl=lambda job, failed, left: ended.update({job.crawler.name: failed}),
        )
    finally:
        registry._places.cache_clear()
    assert ended["BFS"] is None
    assert ended["Raises"] is not None
    (trace,) = (tmp_path / "out").rglob("*.traceback.txt")
    assert trace.parent.name == "Raises"
    assert "in observe" in trace.read_text("utf-8")
