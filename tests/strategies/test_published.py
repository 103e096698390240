"""The figures that the papers print for their algorithms are the defaults, and what a parameter may be."""

from __future__ import annotations

import math

import pytest

from topicrawl.strategies.mcoa import GENERATIONS, PUBLISHED_MEAN
from topicrawl.strategies.parameters import MOST, parameters
from topicrawl.strategies.registry import strategy_class, strategy_names
from topicrawl.strategies.weights.membranes import Membranes

PRINTED = [
    (
        "fcwseo",
        "FCWSEO §5.4",
        {"target_weight": 0.3, "parents_weight": 0.15, "anchor_weight": 0.35, "rank_weight": 0.2},
    ),
    ("fcwseo", "FCWSEO §7.3: the best harvest rate", {"link_threshold": 0.2}),
    ("fcwseo", "FCWSEO §5.3", {"damping": 0.85}),
    ("fcwseo", "FCWSEO §6.3, Algorithm 1", {"space_growth": 2.0, "selection": "nfcs"}),
    ("fcwseo", "FCWSEO §7.1: thirty seeds", {"bank_size": 30}),
    ("fcits_oh", "FCITS_OH §5", {"anchor_weight": 0.55, "parents_weight": 0.25, "rank_weight": 0.2}),
    ("fcits_oh", "FCITS_OH §5, rainstorm", {"page_threshold": 0.62, "link_threshold": 0.15}),
    ("fcits_oh", "FCITS_OH §3.2", {"saturation": 2.0, "length_norm": 0.75}),
    ("fcits_oh", "FCITS_OH §4.4, §4.5", {"tabu_length": 5, "tries": 5}),
    ("fcits_oh", "FCITS_OH §4.8 (3), (4)", {"host_trial": 50, "host_most": 100, "host_good_share": 0.8}),
    ("fcits_oh", "FCITS_OH §4.8 (2)", {"refill_until": 0.3, "refill_below": 10, "refill_links": 3}),
    ("fcits_oh", "FCITS_OH §4.8", {"planned_pages": 15_000}),
    ("ielp", "IELP §2.2", {"anchor_weight": 0.7, "parents_weight": 0.2, "rank_weight": 0.1}),
    ("ielp", "IELP §4", {"link_threshold": 0.12, "temperature": 2e21}),
    ("elp", "IELP §4", {"temperature": 2e21}),
    ("fcits_oh", "FCITS_OH Eq. 8", {"damping": 0.85, "emphasis": 0.6}),
    ("ielp", "IELP §3.2: a page is fetched once", {"allow_revisit": False}),
    ("semxdm", "SemXDM §4.2.1", {"relevance": 0.5, "layers": 3}),
    ("semxdm", "SemXDM §3: labels, and a classifier that learns", {"labels": True, "maintenance": True}),
    ("semxdm", "SemXDM §4.2.1: rounds of 2,000", {"per_round": 2000, "continuous": False, "query": "all"}),
    ("best_n_first", "SemXDM §4.3: rounds of 2,000", {"per_round": 2000, "continuous": False}),
    ("mcoa", "SVSM-MCOA §3.2: the weights are learned beforehand", {"weights": "given"}),
    ("context_graph", "Diligenti 2000: the nearest layer first", {"layer_first": True}),
    ("svsm_mcoa", "SVSM-MCOA Eq. 2: no similarity is left out", {"least_alike": 0.0, "lengths": "pairs"}),
]
DECLARED = [
    ("semxdm", "docs/strategies/semxdm.md", {"alpha": 0.8, "beta": 0.5, "broader": 0.8, "most_labels": 200}),
    (
        "semxdm",
        "docs/strategies/semxdm.md",
        {"layer_first": False, "layer_discount": 0.5, "proof": 0.5, "phrases": 10, "mentions": 6},
    ),
    (
        "semxdm",
        "docs/strategies/semxdm.md",
        {"item_terms": 30, "learn_every": 50, "window": 0, "ordinary": 0, "own_term": True},
    ),
    ("context_graph", "docs/strategies/context_graph.md", {"relevance": 0.75, "layers": 3, "ordinary": 100}),
    ("vsm", "docs/strategies/vsm.md", {"full_weight": 0.5, "anchor_weight": 0.5}),
    ("ssrm", "docs/strategies/vsm.md", {"full_weight": 0.5, "anchor_weight": 0.5}),
    ("ops", "docs/strategies/ops.md", {"anchor_weight": 0.5, "refresh_every": 200}),
    ("mcoa", "docs/strategies/mcoa.md", {"training_pages": 200, "page_bytes": 0}),
    ("fcts", "docs/strategies/fcts.md", {"moves": 50}),
    ("fcsa", "docs/strategies/fcsa.md", {"page_threshold": 0.62}),
    ("fcwseo", "docs/papers.md, E3", {"lenience": 0.1}),
    ("elp", "docs/strategies/elp.md", {"penalty": 0.01}),
    (
        "fcsa",
        "docs/strategies/fcsa.md",
        {"start_temperature": 0.1, "cooling": 0.99, "floor": 0.001, "rejections": 20},
    ),
    (
        "moaco",
        "docs/strategies/moaco.md",
        {"ants": 10, "steps": 10, "kept": 10, "trail_weight": 1.0, "promise_weight": 2.0},
    ),
    (
        "moaco",
        "docs/strategies/moaco.md",
        {"evaporation": 0.1, "least_pheromone": 0.01, "most_pheromone": 10.0},
    ),
    ("scout", "docs/strategies/scout.md", {"words": 1.0, "pages": 1.0, "hosts": 1.0, "failures": 64}),
    ("scout", "docs/strategies/scout.md", {"from_examples": True}),
]
"""Not published: what our pages say was chosen."""
TABLE_3 = (
    (0.5989, 0.0546, 0.1506, 0.1048), (0.3967, 0.4396, 0.0514, 0.4463), (0.6079, 0.3979, 0.1032, 0.3363),
    (0.7579, 0.1184, 0.0540, 0.0006), (0.4070, 0.3365, 0.0029, 0.2454), (0.3532, 0.2311, 0.2580, 0.4715),
    (0.5151, 0.1030, 0.2685, 0.2418), (0.4403, 0.0093, 0.0565, 0.4493), (0.6087, 0.0361, 0.1284, 0.2016),
    (0.4203, 0.3188, 0.8215, 0.2818),
)  # fmt: skip
"""SVSM-MCOA: the learned weights of its ten topics."""
SHARES = {
    "host_good_share",
    "refill_until",
    "lenience",
    "evaporation",
    "cooling",
    "page_threshold",
    "length_norm",
    "least_alike",
    "relevance",
    "alpha",
    "beta",
    "broader",
    "layer_discount",
    "proof",
}
"""Parameters between 0 and 1."""
COUNTS = {
    "bank_size",
    "host_trial",
    "host_most",
    "planned_pages",
    "tabu_length",
    "tries",
    "moves",
    "rejections",
    "ants",
    "steps",
    "kept",
    "refresh_every",
    "per_round",
    "item_terms",
    "learn_every",
    "space_growth",
}
"""Parameters that are at least 1; a radius that grows by a factor below 1 would shrink."""
AMOUNTS = {
    "page_bytes",
    "phrases",
    "mentions",
    "window",
    "most_labels",
    "refill_below",
    "refill_links",
    "penalty",
    "saturation",
    "emphasis",
    "least_pheromone",
    "most_pheromone",
}
"""Parameters that are at least 0, as all weights are."""
OTHERS = {
    ("context_graph", "layers"): (1, 5),
    ("semxdm", "layers"): (1, 5),
    ("context_graph", "ordinary"): (1, MOST),
    ("semxdm", "ordinary"): (0, MOST),
    ("best_n_first", "ordinary"): (0, MOST),
    ("mcoa", "training_pages"): (4, MOST),
    ("svsm_mcoa", "training_pages"): (4, MOST),
    ("ops", "anchor_weight"): (0, 1),
}
"""Layers are 1 to 5; four weights are learned from at least four links; the share of the anchor is at most all."""


@pytest.mark.parametrize(("name", "place", "values"), PRINTED + DECLARED)
def test_defaults_are_the_figures_of_the_paper(name: str, place: str, values: dict[str, object]) -> None:
    defaults = {each.name: each.default for each in parameters(strategy_class(name))}
    assert {key: defaults[key] for key in values} == values, place


def test_the_weights_of_svsm_mcoa_are_the_means_of_its_table_3() -> None:
    means = [sum(column) / len(TABLE_3) for column in zip(*TABLE_3, strict=True)]
    assert pytest.approx(means, abs=5e-5) == list(PUBLISHED_MEAN)


def test_the_membranes_are_as_large_and_evolve_as_long_as_in_svsm_mcoa() -> None:
    published = Membranes()
    assert (published.outer_size, published.inner_size) == (150, 50)
    assert (published.generations, published.rounds, published.slope) == (3000, 3, 9.903438)
    assert (published.crossover, published.mutate) == ((0.3, 0.7), (0.1, 0.5))


def test_in_a_crawl_a_thirtieth_of_the_published_generations_is_used() -> None:
    assert Membranes().generations == GENERATIONS * 30


def test_what_a_parameter_may_be() -> None:
    for name in sorted({*strategy_names()} - {"scout"}):  # its weights are learned and may be negative
        for each in parameters(strategy_class(name)):
            bounds = (each.low, each.high)
            if type(each.default) not in (int, float):
                assert bounds == (-math.inf, math.inf), each.name
            elif (name, each.name) in OTHERS:
                assert bounds == OTHERS[name, each.name], each.name
            elif each.name == "temperature":
                assert bounds == (1, 1e30), "in kelvin"
            elif each.name == "damping":
                assert bounds == (0, 0.999), "by 1 all ranks would be 0"
            elif each.name in ("start_temperature", "floor"):
                assert bounds == (1e-9, MOST), "a temperature of 0 divides by 0"
            elif each.name in SHARES:
                assert bounds == (0, 1), each.name
            elif each.name in COUNTS:
                assert bounds == (1, MOST), each.name
            elif each.name in AMOUNTS or each.name.endswith("_weight"):
                assert bounds == (0, MOST), each.name
            else:
                assert bounds == (-MOST, MOST), each.name
