from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lab.labelled import STORM, task, url
from topicrawl.crawling.offline import OfflinePages
from topicrawl.model import Visit
from topicrawl.strategies.registry import strategy_names
from topicrawl_lab.cell import Cell, crawl
from topicrawl_lab.spec import make_spec, parse_specs
from topicrawl_lab.topics import task_topic


@pytest.fixture
def offline(small: Path) -> Iterator[OfflinePages]:
    opened = OfflinePages(small / "small.warc.gz")
    yield opened
    opened.close()


@pytest.mark.parametrize("name", strategy_names())
def test_a_strategy_reads_only_the_pages_it_fetches(name: str, offline: OfflinePages) -> None:
    for _ in range(2):  # the second time from the cache
        cell = Cell(task(), make_spec(name, {}), 1, 1)
        crawled = crawl(cell, offline, task_topic(cell.task, "words", offline))
        fetched = [visit for visit in crawled.visits if visit.fetched]
        assert len(fetched) == 30 == crawled.reads
        assert crawled.stop_reason == "pages"


def test_failures_are_in_the_log_and_cost_no_budget(offline: OfflinePages) -> None:
    crawled = crawl(Cell(task(), make_spec("bfs", {}), 0, 0), offline, task_topic(task(), "words", offline))
    failures = [visit for visit in crawled.visits if not visit.fetched]
    assert failures
    assert {(visit.status, visit.error) for visit in failures} == {(404, "http")}


def test_a_cap_limits_the_pages_of_every_host(offline: OfflinePages) -> None:
    cell = Cell(task(budget=1000), make_spec("bfs", {}), 0, 0, cap=2)
    crawled = crawl(cell, offline, task_topic(cell.task, "words", offline))
    hosts = [visit.host for visit in crawled.visits if visit.fetched]
    assert max(map(hosts.count, hosts)) == 2
    assert crawled.stop_reason == "frontier empty"


def test_a_redirect_is_one_page_under_its_final_url(offline: OfflinePages) -> None:
    found = offline.outcome("http://h0.test/old")
    assert (found.url, found.status) == (url(0), 200)
    assert found.page is not None


BY_TRUTH = (
    "fcwseo[target_relevance=peek,target_weight=1,parents_weight=0,anchor_weight=0,rank_weight=0,"
    "link_threshold=0.7,discarded=never]"
)
"""E(l) = R(p_l), so that τ compares the true relevance of each child-link."""


def test_the_pages_taken_are_those_that_step_6_of_fcwseo_counts(offline: OfflinePages) -> None:
    """Algorithm 1, step 6: N counts a child-link when E > τ; it was looked at before, since E holds R(p_l)."""
    cell = Cell(task(budget=1000), parse_specs(BY_TRUTH)[0], 0, 0)
    crawled = crawl(cell, offline, task_topic(cell.task, "words", offline), peeks_are_free=True)
    seeds = set(cell.task.seed_sets[0])
    fetched = [visit for visit in crawled.visits if visit.fetched and visit.asked not in seeds]
    taken = {visit.url for visit in crawled.taken if visit.asked not in seeds}
    assert crawled.stop_reason == "frontier empty"
    assert taken == {visit.url for visit in fetched if visit.relevance > 0.7}
    assert 0 < len(taken) < len(fetched)


def test_pages_that_were_only_peeked_at_are_charged_unless_they_are_free(offline: OfflinePages) -> None:
    cell = Cell(task(budget=10), parse_specs(BY_TRUTH)[0], 0, 0)
    topic = task_topic(cell.task, "words", offline)
    charged, free = crawl(cell, offline, topic), crawl(cell, offline, topic, peeks_are_free=True)
    assert sum(visit.fetched for visit in charged.visits) == 10 > len(charged.taken)
    assert sum(visit.fetched for visit in free.visits) > 10 == len(free.taken)


def test_without_peeks_every_page_fetched_is_taken(offline: OfflinePages) -> None:
    crawled = crawl(
        Cell(task(), make_spec("fcwseo", {}), 0, 0), offline, task_topic(task(), "words", offline)
    )
    assert crawled.taken == [visit for visit in crawled.visits if visit.fetched]


def test_the_same_cell_gives_the_same_log(offline: OfflinePages) -> None:
    cell = Cell(task(), parse_specs("ops[topic=examples]")[0], 2, 5)
    topic = task_topic(cell.task, cell.spec.topic, offline)
    assert crawl(cell, offline, topic).visits == crawl(cell, offline, topic).visits


def test_a_topic_from_examples_has_the_terms_of_the_examples(offline: OfflinePages) -> None:
    topic = task_topic(task(), "examples", offline)
    words = {word for term in topic.terms for word in term.replace("|", " ").split()}
    assert {"hurricane", "rainfall"} <= words & set(STORM.split())
    assert topic.source == "examples"


def test_an_ontology_from_examples_has_the_first_topic_word_as_its_root(offline: OfflinePages) -> None:
    topic = task_topic(task(), "ontology", offline)
    assert topic.terms[0].split("|")[0] == "storm"
    assert topic.weights[0] == 1.0 > max(topic.weights[1:])
    words = {word for term in topic.terms for word in term.replace("|", " ").split()}
    assert {"hurricane", "rainfall"} <= words
    assert topic.source == "ontology"


def test_a_cell_scales_parameters_that_count_pages_of_the_whole_crawl(offline: OfflinePages) -> None:
    def log(**settings: str) -> list[Visit]:
        cell = Cell(task(), make_spec("fcits_oh", {"link_threshold": "0.8", **settings}), 1, 1)
        return crawl(cell, offline, task_topic(cell.task, "words", offline)).visits

    assert log() == log(planned_pages="30")
    assert log() != log(planned_pages="15000")  # discarded links come back during the whole crawl
