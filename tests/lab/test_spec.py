from __future__ import annotations

import pytest

from topicrawl.errors import ConfigError
from topicrawl.strategies.fcits_oh import FcitsOh
from topicrawl.strategies.ops import BestFirst
from topicrawl.strategies.registry import strategy_names
from topicrawl_lab.spec import parse_specs


def normalised(text: str, topic: str = "words") -> list[str]:
    return [str(spec) for spec in parse_specs(text, topic)]


def test_commas_in_brackets_do_not_separate_strategies() -> None:
    text = "bfs, ops[priority=simple,anchor_weight=0.7] ,ops"
    assert normalised(text) == ["bfs", "ops[anchor_weight=0.7,priority=simple]", "ops"]


def test_specs_are_normalised() -> None:
    assert normalised(
        "ops[anchor_weight=0.70],ops[ anchor_weight = .7 ],ops[topic=words,anchor_weight=0.7]"
    ) == ["ops[anchor_weight=0.7]"]


def test_all_is_every_strategy() -> None:
    assert normalised("all") == strategy_names()


def test_the_topic_is_part_of_the_spec_but_no_parameter_of_the_strategy() -> None:
    (spec,) = parse_specs("ops[topic=examples,anchor_weight=0.7]")
    assert (spec.topic, spec.settings) == ("examples", (("anchor_weight", "0.7"),))
    strategy = spec.strategy()
    assert isinstance(strategy, BestFirst)
    assert strategy.anchor_weight == 0.7


def test_a_training_set_is_part_of_the_spec_of_strategies_by_example_only() -> None:
    (spec,) = parse_specs("semxdm[train=kb/news,layers=2]")
    assert (spec.train, spec.settings, str(spec)) == (
        "kb/news",
        (("layers", "2"),),
        "semxdm[layers=2,train=kb/news]",
    )
    assert "/" not in spec.folder
    with pytest.raises(ConfigError, match="takes no training set"):
        parse_specs("ops[train=kb]")


def test_a_topic_in_the_spec_overrides_the_default_topic() -> None:
    assert normalised("bfs,ops[topic=words]", "examples") == ["bfs[topic=examples]", "ops"]


def test_a_parameter_in_pages_of_the_whole_crawl_scales_with_the_budget() -> None:
    (spec,) = parse_specs("fcits_oh")
    strategy = spec.strategy(208)
    assert isinstance(strategy, FcitsOh)
    assert strategy.planned_pages == 208
    assert strategy.host_most == 100  # counts pages of a host, not of the crawl
    assert spec.scaled(208) == {"planned_pages": 208}


def test_a_parameter_set_in_the_spec_is_not_scaled() -> None:
    (spec,) = parse_specs("fcits_oh[planned_pages=15000]")
    strategy = spec.strategy(208)
    assert isinstance(strategy, FcitsOh)
    assert strategy.planned_pages == 15_000
    assert spec.scaled(208) == {}


def test_folders_are_named_with_tildes() -> None:
    folders = [spec.folder for spec in parse_specs("ops,ops[anchor_weight=0.7,priority=simple]")]
    assert folders == ["ops", "ops~anchor_weight=0.7~priority=simple"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no strategy"),
        ("opps", "did you mean 'ops'"),
        ("ops[anchor_weight]", "has no value"),
        ("ops[anchor_weight=2]", "out of range"),
        ("ops[weight=1]", "no parameter 'weight'"),
        ("ops[topic=guess]", "ops.topic = 'guess'"),
        ("ops[anchor_weight=0.7", "cannot be read"),
        ("bfs]ops", "cannot be read"),
    ],
)
def test_a_bad_spec_is_named_in_the_error(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message.replace("[", r"\[")):
        parse_specs(text)
