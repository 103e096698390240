"""Relevance of links below the same heading, summed in pieces."""

from __future__ import annotations

import numpy as np
import pytest

from topicrawl.frontier import Frontier
from topicrawl.frontier.columns import AT_ONCE, in_memory
from topicrawl.scout.siblings import MEAN_SIBLINGS, Siblings

MEAN = 0.25


def frontier_of(links: int) -> Frontier:
    frontier = Frontier()
    frontier.add([f"http://h.test/{number}" for number in range(links)], depth=0, parent=-1)
    for name, kind in (("judged", np.float64), ("group", np.float32), ("visited", np.bool_)):
        frontier.columns.add(name, kind, 0.0)
    return frontier


def show(frontier: Frontier, siblings: Siblings, page: int, links: list[int], groups: list[int]) -> None:
    """A page that contains these links, below headings of these numbers."""
    frontier.contained(np.array(links), 0.0)
    frontier.graph.add(page, np.array(links), out_degree=len(links))
    siblings.add(np.array(groups))


def test_the_group_feature_averages_links_below_the_same_headings_of_all_pages() -> None:
    frontier, siblings = frontier_of(6), Siblings(in_memory)
    show(frontier, siblings, 0, [1, 2, 3], [0, 0, 1])
    show(frontier, siblings, 1, [2, 4], [0, 0])
    columns = frontier.columns
    columns["visited"][[1, 4]] = True
    columns["judged"][[1, 4]] = 0.75, 0.05
    siblings.measure(frontier, MEAN)
    good, poor = 0.5 / (1 + MEAN_SIBLINGS), -0.2 / (1 + MEAN_SIBLINGS)
    assert columns["group"].tolist() == pytest.approx([0, good, (good + poor) / 2, 0, poor, 0])


def test_sums_in_pieces_equal_the_sum_at_once_to_the_last_bit() -> None:
    links, pages = 500, 2 * AT_ONCE // 400
    chance = np.random.default_rng(7)
    frontier, siblings = frontier_of(links), Siblings(in_memory)
    frontier.columns["visited"][: links // 2] = True
    frontier.columns["judged"][:] = chance.random(links)
    every, groups = [], []
    for page in range(pages):
        shown, below = chance.permutation(links)[:450], chance.integers(0, 9, 450)
        show(frontier, siblings, page, shown.tolist(), below.tolist())
        every.append(shown)
        groups.append(below + 9 * page)
    siblings.measure(frontier, MEAN)
    target, group = np.concatenate(every), np.concatenate(groups)
    assert len(target) > 2 * AT_ONCE
    done = target < links // 2
    sums = np.bincount(group[done], frontier.columns["judged"][target[done]] - MEAN, 9 * pages)
    surplus = sums / (np.bincount(group[done], minlength=9 * pages) + MEAN_SIBLINGS)
    expected = np.bincount(target, surplus[group]) / np.bincount(target)
    assert np.array_equal(frontier.columns["group"], expected.astype(np.float32))
