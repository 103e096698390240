from __future__ import annotations

import csv
import io
from dataclasses import dataclass, replace

import pytest

from topicrawl.errors import ConfigError
from topicrawl.strategies.parameters import parameter
from topicrawl_lab import sweep
from topicrawl_lab.results import Row
from topicrawl_lab.sweep import parse_axis, sweep_table, swept


@dataclass
class Weighted:
    """The parameters of a strategy with a group of weights."""

    lambda1: float = parameter(0.5, "first")
    lambda2: float = parameter(0.3, "second")
    lambda3: float = parameter(0.2, "third")
    tau: float = parameter(0.1, "threshold")


def test_every_combination_is_a_strategy_of_its_own() -> None:
    axes = [parse_axis("ops.anchor_weight=0.3, 0.7"), parse_axis("ops.priority=simple")]
    assert [str(spec) for spec in swept(axes, "examples")] == [
        "ops[anchor_weight=0.3,priority=simple,topic=examples]",
        "ops[anchor_weight=0.7,priority=simple,topic=examples]",
    ]


def test_axes_of_different_strategies_are_not_combined() -> None:
    axes = [parse_axis("ops.anchor_weight=0.3,0.7"), parse_axis("bfs.topic=words")]
    assert [str(spec) for spec in swept(axes, "words")] == [
        "ops[anchor_weight=0.3]",
        "ops[anchor_weight=0.7]",
        "bfs",
    ]


def test_a_grid_has_all_values_of_a_group_that_sum_to_1(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "strategy_class", lambda name: Weighted)
    axis = parse_axis("any.lambda=grid:0.25")
    assert axis.names == ("lambda1", "lambda2", "lambda3")
    assert len(set(axis.choices)) == 15
    assert all(sum(float(value) for _, value in choice) == 1 for choice in axis.choices)
    assert (("lambda1", "0.25"), ("lambda2", "0.0"), ("lambda3", "0.75")) in axis.choices


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ops", "cannot be read"),
        ("ops.anchor_weight", "cannot be read"),
        ("ops.anchor_weight=", "cannot be read"),
        ("ops.lambda=grid:0.1", "no group of parameters"),
        ("opps.lambda=grid:0.1", "unknown strategy"),
    ],
)
def test_a_bad_sweep_is_named_in_the_error(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        parse_axis(text)


@pytest.mark.parametrize("step", ["0.3", "0", "x", "2"])
def test_a_step_must_divide_1(step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep, "strategy_class", lambda name: Weighted)
    with pytest.raises(ConfigError, match="no multiple of this step"):
        parse_axis(f"any.lambda=grid:{step}")


def test_measures_are_means_over_cells_that_used_their_budget() -> None:
    row = Row("t", "ops[anchor_weight=0.3]", 0, 0, "none", fetches=10, harvest_rate=0.2)
    rows = [
        row,
        replace(row, seed_set=1, harvest_rate=0.4),
        replace(row, seed_set=2, fetches=9, harvest_rate=0.9),
        replace(row, strategy="ops[anchor_weight=0.7]", fetches=9, harvest_rate=0.9),
        replace(row, seed_set=3, error="died"),
    ]
    table = sweep_table([parse_axis("ops.anchor_weight=0.3,0.7")], rows, {"t": 10})
    first, second = csv.DictReader(io.StringIO(table))
    assert (first["anchor_weight"], first["cells"], first["reached"]) == ("0.3", "3", "0.666667")
    assert float(first["harvest_rate"]) == pytest.approx(0.3)
    assert (second["anchor_weight"], second["reached"], second["harvest_rate"]) == ("0.7", "0.0", "")
