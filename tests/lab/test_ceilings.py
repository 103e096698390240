"""Crawls with parts of scout replaced by the truth (bench/ceilings.py)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from lab.labelled import task
from topicrawl_lab.cell_runner import TaskWeb
from topicrawl_lab.labels import labels_path, targets, web_path

sys.path.append(str(Path(__file__).resolve().parents[2]))

from bench.ceilings import CASES, DISTANCES, PLACES, Figures, Truth, crawled, distances, sample, table


@pytest.fixture
def web(small: Path) -> TaskWeb:
    return TaskWeb(web_path(small, "small"), labels_path(small, "small"))


def test_a_page_brings_fewer_unknown_relevant_pages_once_links_to_them_are_known(web: TaskWeb) -> None:
    wanted = targets(web.labels, task())
    pages = dict.fromkeys(page for url in web.offline.urls() if (page := web.graph.page(url)))
    truth = Truth(web.graph, pages, wanted)
    for page in pages:
        linked = set(web.graph.links(page)) & wanted - {page}
        assert truth.unknown.get(page, 0) == len(linked)
    page, number = max(truth.unknown.items(), key=lambda item: item[1])
    known = next(link for link in web.graph.links(page) if link in wanted)
    assert page in list(truth.know(known))
    assert truth.unknown[page] == number - 1
    assert not list(truth.know(known))


def test_every_relevant_page_that_can_be_reached_was_found_or_has_its_place(web: TaskWeb) -> None:
    asked = task()
    found = crawled(asked, 0, web, "as it is")
    starts = [*asked.seed_sets[0], *asked.examples]
    reached = set(distances(web.graph, starts)) & targets(web.labels, asked)
    assert set(found.missing) == {*PLACES, *DISTANCES, "found"}
    assert sum(found.missing.values()) == len(reached)
    assert 0.5 < found.told["area of the judge at the visit"] <= 1


def test_links_to_relevant_pages_come_first_where_the_ranking_is_true(web: TaskWeb) -> None:
    found = {case: crawled(task(), 0, web, case).share for case in CASES}
    assert found["ranking"] >= found["as it is"]
    assert found["all three"] >= 0.9
    assert not crawled(task(), 0, web, "ranking").missing


def test_the_sample_is_spread_over_the_tasks_of_each_web(small: Path) -> None:
    assert [each.name for each in sample([small / "tasks.json"], 8)] == ["storms"]


def test_a_web_is_a_column_and_the_mean_of_webs_is_the_last(web: TaskWeb) -> None:
    rows = [Figures("one", "a", "judge", 0.5), Figures("two", "b", "judge", 0.7)]
    assert "| judge | 0.500 | 0.700 | 0.600 |" in table(rows)
