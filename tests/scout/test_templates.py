"""Relevance of links at the same place of a template, and on the same page."""

from __future__ import annotations

import numpy as np
import pytest

from topicrawl.frontier import Frontier
from topicrawl.frontier.columns import AT_ONCE, in_memory
from topicrawl.model import Links
from topicrawl.page.tag_paths import NO_PATH
from topicrawl.scout.templates import MEAN_LINKS, MEAN_PLACES, Templates

MEAN = 0.25
LIST, MENU = "ul/li/a", "nav/a"


def frontier_of(links: int) -> Frontier:
    frontier = Frontier()
    frontier.add([f"http://h.test/{number}" for number in range(links)], depth=0, parent=-1)
    columns = (("judged", np.float64), ("path", np.float32), ("page", np.float32), ("visited", np.bool_))
    for name, kind in columns:
        frontier.columns.add(name, kind, 0.0)
    return frontier


def show(
    frontier: Frontier,
    templates: Templates,
    page: int,
    links: list[int],
    places: list[int],
    host: str = "h.test",
) -> None:
    """A page that contains these links, at these places of LIST and MENU."""
    frontier.contained(np.array(links), 0.0)
    frontier.graph.add(page, np.array(links), out_degree=len(links))
    found = Links([""] * len(links), tag_paths=[LIST, MENU], path_numbers=bytes(places))
    templates.add(host, found, np.arange(len(links)), np.array(links), frontier.columns)


def judge(frontier: Frontier, relevances: dict[int, float]) -> None:
    for link, relevance in relevances.items():
        frontier.columns["visited"][link], frontier.columns["judged"][link] = True, relevance


def test_a_link_is_worth_what_links_at_its_place_led_to_on_any_page_of_the_host() -> None:
    frontier, templates = frontier_of(8), Templates(in_memory)
    show(frontier, templates, 0, [2, 3], [0, 1])
    show(frontier, templates, 1, [4, 5], [0, 1])
    judge(frontier, {2: 0.75, 3: 0.05})
    templates.measure(frontier, MEAN)
    everywhere = 0.5 / (1 + MEAN_PLACES)
    in_list = (0.5 + MEAN_PLACES * everywhere) / (1 + MEAN_PLACES)
    path = frontier.columns["path"]
    assert path[[2, 4]].tolist() == pytest.approx([in_list, in_list])
    assert path[5] == pytest.approx(-0.2 / 0.5 * in_list)


def test_another_host_begins_with_what_the_place_is_worth_elsewhere() -> None:
    frontier, templates = frontier_of(8), Templates(in_memory)
    show(frontier, templates, 0, [2], [0])
    show(frontier, templates, 1, [4, 5], [0, 1], host="other.test")
    judge(frontier, {2: 0.75})
    templates.measure(frontier, MEAN)
    assert frontier.columns["path"][[4, 5]].tolist() == pytest.approx([0.5 / (1 + MEAN_PLACES), 0.0])


def test_a_link_of_every_menu_counts_as_one() -> None:
    once, often = (frontier_of(60) for _ in range(2))
    for frontier, pages in ((once, 1), (often, 20)):
        templates = Templates(in_memory)
        for page in range(pages):
            show(frontier, templates, page, [50, 51], [1, 1])
        judge(frontier, {50: 0.75})
        templates.measure(frontier, MEAN)
    assert often.columns["path"][51] == pytest.approx(once.columns["path"][51])


def test_a_page_is_worth_what_its_links_led_to_whatever_their_place() -> None:
    frontier, templates = frontier_of(8), Templates(in_memory)
    show(frontier, templates, 0, [2, 3, 4], [0, 0, 1])
    show(frontier, templates, 1, [4, 5], [0, 0])
    judge(frontier, {2: 0.75, 3: 0.75})
    templates.measure(frontier, MEAN)
    shown = 1.0 / (2 + MEAN_LINKS)
    assert frontier.columns["page"][[4, 5]].tolist() == pytest.approx([shown / 2, 0.0])


def test_nothing_is_learned_of_links_without_a_tag_path() -> None:
    frontier, templates = frontier_of(8), Templates(in_memory)
    show(frontier, templates, 0, [2, 3], [NO_PATH, NO_PATH])
    frontier.contained(np.array([4, 5]), 0.0)
    frontier.graph.add(1, np.array([4, 5]), out_degree=2)
    templates.add(
        "h.test", Links(["", ""]), np.arange(2), np.array([4, 5]), frontier.columns
    )  # of an earlier version
    judge(frontier, {2: 0.75, 4: 0.75})
    templates.measure(frontier, MEAN)
    assert frontier.columns["path"].tolist() == [0.0] * 8
    assert frontier.columns["page"][5] > 0


def test_new_links_have_the_worth_of_their_place_at_once() -> None:
    frontier, templates = frontier_of(10), Templates(in_memory)
    show(frontier, templates, 0, [2, 3], [0, 1])
    judge(frontier, {2: 0.75})
    templates.measure(frontier, MEAN)
    path = frontier.columns["path"]
    show(frontier, templates, 1, [3, 4], [0, 0])
    show(frontier, templates, 1, [5, 6], [0, 1], host="other.test")
    before = path.copy()
    assert before[4] == before[2] > before[5] > 0
    assert before[3] == before[6] == 0
    templates.measure(frontier, MEAN)
    assert path[[4, 5, 6]].tolist() == pytest.approx(before[[4, 5, 6]].tolist())
    assert path[3] == pytest.approx(before[2] / 2)


def test_sums_in_pieces_are_the_sums_of_all_edges() -> None:
    links, pages = 500, AT_ONCE // 400 + 1
    frontier, templates = frontier_of(links), Templates(in_memory)
    shown = list(range(links))
    for page in range(pages):
        show(frontier, templates, page, shown, [link % 2 for link in shown])
    assert frontier.graph.size > AT_ONCE
    judge(frontier, dict.fromkeys(range(0, links // 2, 2), 1.0))
    templates.measure(frontier, MEAN)
    surplus, count = 0.75 * links / 4, links / 4
    everywhere = surplus / (count + MEAN_PLACES)
    in_list = (surplus + MEAN_PLACES * everywhere) / (count + MEAN_PLACES)
    assert frontier.columns["path"][-2:].tolist() == pytest.approx([in_list, 0.0])
    assert frontier.columns["page"][-1] == pytest.approx(surplus / (count + MEAN_LINKS))
