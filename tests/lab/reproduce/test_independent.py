"""A topic and a judge from disjoint documents, and crawls with them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from topicrawl.crawling.offline import OfflinePages
from topicrawl.setup.inputs import open_topic
from topicrawl.web.invented import invented_web
from topicrawl_lab.reproduce import fcwseo
from topicrawl_lab.reproduce.experiment import Job, Scaled
from topicrawl_lab.reproduce.independent import (
    DOCUMENTS,
    Independent,
    best_threshold,
    independent,
    relevance,
    words_of,
)
from topicrawl_lab.reproduce.run import reproduce


@pytest.fixture(scope="module")
def found() -> Independent:
    return independent(1, "rainstorm disaster")


def test_topic_and_judge_have_no_word_in_common(found: Independent) -> None:
    assert len(found.judge.terms) > 20
    assert words_of(found.ontology).isdisjoint(words_of(found.judge))
    assert words_of(found.words) <= words_of(found.ontology)


def test_the_ontology_is_found_in_half_of_the_documents_which_are_of_another_web(found: Independent) -> None:
    sources = found.built.terms.documents
    assert len(sources) == DOCUMENTS // 2
    crawled = set(invented_web("invented:scale:1").seeds("rainstorm disaster", 200))
    assert crawled.isdisjoint(sources)
    assert found.built.context is not None
    assert found.built.context.documents == sources


def test_the_judge_agrees_with_the_labels_of_a_web_it_has_not_seen(found: Independent) -> None:
    web = invented_web("invented:scale:1")
    pages, value = OfflinePages(web), relevance(found.judge)
    right = []
    for topic in ("rainstorm disaster", "tourism", "cooking"):
        for url in web.seeds(topic, 20):
            page = pages.outcome(url).page
            assert page is not None
            right.append((value(page) > found.threshold) == web.relevant(url, "rainstorm disaster"))
    assert np.mean(right) > 0.9


@pytest.mark.parametrize(
    ("wanted", "unwanted", "threshold"),
    [([0.6, 0.8], [0.1, 0.2], 0.4), ([0.3, 0.8, 0.9], [0.1, 0.4], 0.6), ([0.5], [0.5], 0.0)],
)
def test_the_threshold_tells_both_groups_best_apart(
    wanted: list[float], unwanted: list[float], threshold: float
) -> None:
    assert best_threshold(np.array(wanted), np.array(unwanted)) == pytest.approx(threshold)


def test_from_documents_through_formal_concepts_to_a_crawl_that_resumes_after_an_interruption(
    tmp_path: Path, found: Independent
) -> None:
    """Interrupted after the first of two crawls; the second command runs the other only."""
    setup = replace(fcwseo.SETUP, measures=("HR",))  # fewer figures to draw
    scaled = Scaled(setup, 0.004, repeats=1, only=("FCWSEO",), only_parts=("tables", "independent"))

    def interrupt(job: Job, failed: object, left: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        reproduce(scaled, tmp_path, 1, interrupt)
    before = (tmp_path / "crawls.csv").read_text("utf-8")
    assert len(before.splitlines()) == 2
    ran: list[Job] = []
    reproduce(scaled, tmp_path, 1, lambda job, failed, left: ran.append(job))
    assert len(ran) == 1
    assert (tmp_path / "crawls.csv").read_text("utf-8").startswith(before)

    folder = tmp_path / "independent" / "topics" / "rainstorm-disaster" / "0"
    opened = open_topic(str(folder))
    assert (opened.terms, opened.weights) == (found.ontology.terms, found.ontology.weights)
    assert len((folder / "judge.csv").read_text("utf-8").splitlines()) == 1 + len(found.judge.terms)
    log = tmp_path / "independent" / "visits" / "rainstorm-disaster" / "FCWSEO" / "0.jsonl"
    pages, steered = OfflinePages("invented:scale:1"), relevance(found.ontology)
    judged = json.loads(log.with_suffix(".relevance.json").read_bytes())
    visits = [visit for visit in map(json.loads, log.read_bytes().splitlines()) if visit["fetched"]]
    for visit, value in list(zip(visits, judged, strict=True))[:5]:
        page = pages.outcome(visit["url"]).page
        assert page is not None
        assert value == pytest.approx(relevance(found.judge)(page), abs=1e-6)
        assert visit["relevance"] == pytest.approx(steered(page), abs=1e-6)
    text = (tmp_path / "report.html").read_text("utf-8")
    assert "this is circular" in text
    assert "Both ways of measuring" in text
    assert "11 h 38 min" in text  # FCWSEO in Table 3
    assert "| independent judge |" in (tmp_path / "summary.md").read_text("utf-8")
