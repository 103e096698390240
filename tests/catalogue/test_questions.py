"""The pages of a run that are worth asking a person about."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pytest

import topicrawl
from topicrawl.catalogue import questions
from topicrawl.catalogue.questions import questions_of
from topicrawl.crawling.judged import relevance_now
from topicrawl.crawling.make import crawl_of
from topicrawl.model import Instruction, Mark
from topicrawl.store.run import Run
from topicrawl.web.invented import invented_web

WEB, ABOUT = "invented:5", "rainstorm disaster"


def begun(folder: Path, **more: object) -> Path:
    web = invented_web(WEB)
    given = {"topic": web.topic_spec(ABOUT), "seeds": tuple(web.seeds(ABOUT, 3)), "web": WEB, "pages": 40}
    list(topicrawl.crawl_sync(**given, concurrency=1, out=folder, **more))  # type: ignore[arg-type]
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return begun(tmp_path_factory.mktemp("questions") / "run")


def test_questions_are_about_pages_of_the_run_in_doubt_on_which_links_wait(folder: Path) -> None:
    with Run.open(folder, writable=False) as run:
        asked, now = questions_of(run, 5), relevance_now(run)
        visits = {visit.url: visit for visit in run.visits()}
    assert len({question.url for question in asked}) == len(asked) == 5
    for question in asked:
        visit = visits[question.url]
        assert question.title == visit.title
        assert question.probability == pytest.approx(now[visit.n], abs=1e-8)
        assert question.links_waiting > 0
        assert f"{question.links_waiting:,} of its links wait" in question.reason
        assert question.snippet
    mean = sum(abs(now[visit.n] - 0.5) for visit in visits.values()) / len(visits)
    assert sum(abs(question.probability - 0.5) for question in asked) / 5 < mean


def test_a_snapshot_and_a_replay_of_the_whole_log_give_the_same_questions(folder: Path) -> None:
    with Run.open(folder, writable=False) as run:
        crawl = crawl_of(run)
        for event in run.replay():
            crawl.replay(event)
        assert [*map(asdict, questions_of(run, 5))] == [*map(asdict, questions_of(run, 5, crawl))]


def test_pages_with_a_mark_are_not_asked_about_again_until_it_is_taken_back(tmp_path: Path) -> None:
    folder = begun(tmp_path / "run")
    with Run.open(folder, writable=False) as run:
        before = [question.url for question in questions_of(run, 4)]
        pages = [page for url in before[:2] if (page := run.page(url)) is not None]
    with Run.open(folder) as run:
        run.write([Instruction(marks=[Mark(page, relevant=True) for page in pages])])
        after = [question.url for question in questions_of(run, 4)]
        assert not {*before[:2]} & {*after}
        run.write([Instruction(marks=[Mark(page, relevant=None) for page in pages])])
        assert [question.url for question in questions_of(run, 4)] == before


def test_a_run_whose_judge_is_not_examples_has_questions_near_its_threshold(tmp_path: Path) -> None:
    folder = begun(tmp_path / "run", strategy="ops")
    with Run.open(folder, writable=False) as run:
        assert len(questions_of(run, 3)) == 3


def test_pages_of_a_large_run_are_judged_by_themselves(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Run.open(folder, writable=False) as run:
        usual = {question.url: question.probability for question in questions_of(run, 40)}
        monkeypatch.setattr(questions, "MANY", 10)
        alone = {question.url: question.probability for question in questions_of(run, 40)}
    common = usual.keys() & alone.keys()
    assert common
    assert all(usual[url] != alone[url] for url in common)
