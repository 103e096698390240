"""Pages judged once more with all that was learned: in summary, report and exports, never in visits.jsonl."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import numpy as np
import pytest

import topicrawl
from topicrawl.cli import run as command
from topicrawl.crawling.judged import relevance_now
from topicrawl.crawling.lifecycle import start
from topicrawl.crawling.session import Session
from topicrawl.judge import page_documents, rocchio
from topicrawl.judge.examples import ByExamples
from topicrawl.model import Instruction, Mark
from topicrawl.store.run import Run
from topicrawl.web.invented import invented_web

WEB, ABOUT = "invented:5", "rainstorm disaster"


def settings(**more: object) -> dict[str, object]:
    web = invented_web(WEB)
    given = {"topic": web.topic_spec(ABOUT), "seeds": tuple(web.seeds(ABOUT, 3)), "web": WEB, "pages": 60}
    return {**given, "concurrency": 1, **more}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of scout with the judge `examples`."""
    place = tmp_path_factory.mktemp("judged") / "run"
    list(topicrawl.crawl_sync(**settings(out=place)))  # type: ignore[arg-type]
    return place


def logged(folder: Path) -> list[dict[str, float]]:
    return [json.loads(line) for line in (folder / "visits.jsonl").read_text().splitlines()]


def test_what_is_said_now_differs_from_what_was_said_at_the_visit_and_only_the_latter_is_logged(
    folder: Path,
) -> None:
    with Run.open(folder, writable=False) as run:
        now = relevance_now(run)
    at_visit = {line["n"]: line["relevance"] for line in logged(folder)}
    assert len(now) == max(at_visit) + 1
    assert any(abs(now[n] - said) > 0.01 for n, said in at_visit.items())
    assert not any("relevance_now" in line for line in logged(folder))
    assert all(now[line["n"]] == 0 for line in logged(folder) if not line["fetched"])


def test_summary_and_report_count_by_what_is_said_now(folder: Path) -> None:
    summary = json.loads((folder / "summary.json").read_text())
    with Run.open(folder, writable=False) as run:
        now = relevance_now(run)
    assert summary["threshold"] == 0.5
    assert summary["relevant"] == (now > 0.5).sum()
    assert summary["relevant_at_visit"] == sum(line["relevance"] > 0.5 for line in logged(folder))
    chosen = now[now > 0.5]
    can_be_known = len(chosen) >= 20 and len(chosen) <= 0.8 * summary["fetches"]
    assert summary["expected_precision"] == (pytest.approx(chosen.mean()) if can_be_known else None)
    report = (folder / "report.html").read_text()
    assert f"{summary['relevant']} relevant pages" in report
    assert "In doubt" in report


def test_relevant_only_exports_what_is_relevant_now(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "pages.jsonl"
    assert command(["export", str(folder), "--relevant-only", "--out", str(out)]) == 0
    with Run.open(folder, writable=False) as run:
        now = relevance_now(run)
    with topicrawl.Run(folder) as opened:
        assert opened.relevance_now() == {
            line["n"]: now[line["n"]] for line in logged(folder) if line["fetched"]
        }
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["n"] for row in rows] == np.flatnonzero(now > 0.5).tolist()
    assert all(row["relevance_now"] == now[row["n"]] for row in rows)


@pytest.mark.parametrize("memory", [rocchio.MEMORY, 20])
def test_the_judge_of_the_crawl_and_one_made_from_the_log_say_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, memory: int
) -> None:
    """With a small memory most pages are compressed."""
    for module in (rocchio, page_documents):
        monkeypatch.setattr(module, "MEMORY", memory)
    monkeypatch.setattr(page_documents, "BLOCK", 8)
    session = start(settings(), tmp_path / "run", print)
    assert isinstance(session, Session)
    assert isinstance(session.crawl.judge, ByExamples)
    with session.run as run:  # type: ignore[union-attr]
        asyncio.run(session.drive())
        fits = session.crawl.judge.model.fits
        at_hand, anew = relevance_now(run, session.crawl.judge), relevance_now(run)
        assert session.crawl.judge.model.fits == fits
    assert at_hand.tolist() == pytest.approx(anew.tolist(), abs=1e-8)  # by terms: not rounded, and rounded
    assert len(set(anew.tolist())) > len(anew) / 2


def test_a_persons_verdict_is_what_is_said_now(tmp_path: Path) -> None:
    list(topicrawl.crawl_sync(**settings(out=tmp_path / "run", pages=20)))  # type: ignore[arg-type]
    with Run.open(tmp_path / "run") as run:
        before = relevance_now(run)
        (best, page), *_ = sorted(run.pages(), key=lambda pair: -before[pair[0].n])
        run.write([Instruction(marks=[Mark(page, False)])])
        now = relevance_now(run)
    assert before[best.n] > 0.5
    assert now[best.n] == 0


@pytest.mark.parametrize(
    "more", [{"judge": "terms"}, {"strategy": "ops"}, {"judge": lambda seen: [0.7 for _ in seen]}]
)
def test_the_word_of_terms_and_of_a_judge_from_outside_is_final(
    tmp_path: Path, more: dict[str, object]
) -> None:
    list(topicrawl.crawl_sync(**settings(out=tmp_path / "run", pages=10, **more)))  # type: ignore[arg-type]
    with Run.open(tmp_path / "run", writable=False) as run:
        now = relevance_now(run)
    assert [now[line["n"]] for line in logged(tmp_path / "run")] == [
        line["relevance"] for line in logged(tmp_path / "run")
    ]


def test_the_stop_rule_counts_what_was_said_at_the_visit(tmp_path: Path) -> None:
    list(topicrawl.crawl_sync(**settings(out=tmp_path / "run", relevant=5)))  # type: ignore[arg-type]
    summary = json.loads((tmp_path / "run" / "summary.json").read_text())
    assert summary["stop_reason"] == "relevant"
    assert summary["relevant_at_visit"] == 5
    assert list(topicrawl.crawl_sync(out=tmp_path / "run")) == []
