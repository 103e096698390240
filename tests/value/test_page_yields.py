"""Relevance of the other links of the same page."""

from __future__ import annotations

import numpy as np
import pytest

from topicrawl.frontier import Frontier
from topicrawl.frontier.columns import in_memory
from topicrawl.value.page_yields import MEAN_LINKS, PageYields

MEAN = 0.25


def test_the_page_feature_averages_visited_links_of_all_pages_that_contain_a_link() -> None:
    frontier = Frontier()
    frontier.add([f"http://h.test/{number}" for number in range(6)], depth=0, parent=-1)
    for name, kind in (("judged", np.float64), ("page", np.float32), ("visited", np.bool_)):
        frontier.columns.add(name, kind, 0.0)
    for page, links in ((0, [1, 2, 3]), (1, [2, 4])):
        frontier.contained(np.array(links), 0.0)
        frontier.graph.add(page, np.array(links), out_degree=len(links))
    columns = frontier.columns
    columns["visited"][[1, 3, 4]] = True
    columns["judged"][[1, 3, 4]] = 0.75, 0.5, 0.05
    PageYields(in_memory).measure(frontier, MEAN)
    good, poor = 0.75 / (2 + MEAN_LINKS), -0.2 / (1 + MEAN_LINKS)
    assert columns["page"].tolist() == pytest.approx([0, good, (good + poor) / 2, good, poor, 0])
