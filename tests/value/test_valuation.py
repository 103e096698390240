"""The weighted sum: the papers' numbers, containing pages, seeds, refreshes and explanations."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from topicrawl.frontier import Frontier
from topicrawl.model import Topic
from topicrawl.strategies.fcits_links import FCITS
from topicrawl.strategies.fcwseo_links import FCWSEO
from topicrawl.strategies.ielp_links import IELP
from topicrawl.value.pagerank import PageRank
from topicrawl.value.valuation import Valuation, Weights
from value.seen import frontier_of, observed

TOPIC = Topic("four", ("a", "b", "c", "d"), (1.0, 0.6, 0.4, 0.2))


def started(weights: Weights, links: int, **options: object) -> tuple[Valuation, Frontier]:
    frontier = frontier_of(links)
    valuation = Valuation(TOPIC, weights, PageRank(), **options)  # type: ignore[arg-type]
    valuation.start(frontier, np.arange(links))
    return valuation, frontier


@pytest.mark.parametrize(
    ("weights", "target", "parents", "expected"),
    [
        (FCWSEO, 0.8, (0.6, 0.4), 0.55),
        (FCWSEO, 0.0, (0.6, 0.4), 0.31),
        (FCITS, 0.8, (0.6, 0.4), 0.46),
        (IELP, 0.8, (0.6,), 0.50),
    ],
)
def test_the_published_weights(
    weights: Weights, target: float, parents: tuple[float, ...], expected: float
) -> None:
    valuation, frontier = started(weights, 5)
    for page, relevance in enumerate(parents):
        valuation.observe(observed(frontier, page, [4], relevance=relevance), frontier)
    frontier.columns["anchor"][4] = 0.5
    frontier.columns["inflow"][:] = (1.0 - 0.15) / 0.85
    frontier.columns["inflow"][4] = (0.3 - 0.15) / 0.85
    if weights.target:
        frontier.columns["target"][4] = target
    everything = valuation.factors(frontier, np.arange(5))
    total = sum(getattr(weights, name) * factor[4] for name, factor in everything.items())
    assert total == pytest.approx(expected, abs=1e-6)


def test_the_papers_weights_sum_to_one() -> None:
    for weights in (FCWSEO, FCITS, IELP):
        assert weights.target + weights.parents + weights.anchor + weights.rank == pytest.approx(1)


def test_a_visit_changes_the_values_of_the_page_and_its_links() -> None:
    valuation, frontier = started(IELP, 4)
    assert valuation.observe(observed(frontier, 0, [2, 3], relevance=0.5), frontier).tolist() == [2, 3, 0]


def test_a_fetched_seed_is_valued_by_its_own_page() -> None:
    valuation, frontier = started(replace(IELP, rank=0.0), 2)
    assert frontier.columns["value"].tolist() == [0, 0]
    valuation.observe(observed(frontier, 0, relevance=0.5), frontier)
    assert frontier.columns["value"].tolist() == pytest.approx([0.2 * 0.5, 0])


def test_a_refresh_returns_all_links_as_changed() -> None:
    valuation, frontier = started(IELP, 6, refresh_every=3)
    changed = [valuation.observe(observed(frontier, page, [5]), frontier).tolist() for page in range(4)]
    assert changed == [[5, 0], [5, 1], [0, 1, 2, 3, 4, 5], [5, 3]]


def test_a_refresh_gives_the_ranks_of_the_whole_graph() -> None:
    valuation, frontier = started(replace(IELP, rank=1.0, anchor=0.0, parents=0.0), 4, refresh_every=4)
    anchors = {0: [(0, 0, 1)], 1: [(0, 1, 1)], 2: [(0, 2, 1)], 3: []}
    links = {0: [1, 2], 1: [2], 2: [0], 3: [2]}
    for page in range(4):
        valuation.observe(observed(frontier, page, links[page], anchors[page]), frontier)
    again = PageRank()
    again.refresh(frontier)
    assert frontier.columns["value"] == pytest.approx(again(frontier, np.arange(4)))


def test_rank_of_the_source_is_the_mean_over_containing_pages() -> None:
    weights = replace(FCITS, rank=1.0, anchor=0.0, parents=0.0)
    valuation, frontier = started(weights, 5, rank_of_source=True, refresh_every=3)
    valuation.observe(observed(frontier, 0, [1]), frontier)
    valuation.observe(observed(frontier, 1, [4]), frontier)
    valuation.observe(observed(frontier, 2, [4]), frontier)
    rank = PageRank()
    rank.refresh(frontier)
    assert frontier.columns["value"][4] == pytest.approx(rank(frontier, np.array([1, 2])).mean())


def test_the_threshold_is_strict() -> None:
    valuation, frontier = started(replace(IELP, threshold=0.12), 3)
    frontier.columns["value"][:] = [0.11, 0.12, 0.13]
    assert valuation.keeps(frontier, np.arange(3)).tolist() == [False, False, True]


def test_every_factor_is_explained_under_the_papers_symbol() -> None:
    valuation, frontier = started(FCWSEO, 3)
    valuation.observe(observed(frontier, 0, [2], [(0, 0, 1)], relevance=0.5), frontier)
    told_factors = valuation.explain(frontier, 2)
    assert list(told_factors) == [
        "relevance of its page R(p_l)",
        "mean relevance of containing pages Σ R(p_i)/h",
        "anchor relevance R(a_l)",
        "PageRank PR(p_l)",
        "containing pages",
        "E(l)",
    ]
    weights = (FCWSEO.target, FCWSEO.parents, FCWSEO.anchor, FCWSEO.rank)
    factors = list(told_factors.values())
    assert factors[-1] == pytest.approx(sum(w * f for w, f in zip(weights, factors, strict=False)))
