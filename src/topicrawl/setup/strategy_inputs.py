"""What some strategies need besides their parameters: a training set, or WordNet.

Separate from examples.py, which imports much that other strategies do not need.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from topicrawl.errors import ConfigError
from topicrawl.strategies import Strategy
from topicrawl.strategies.registry import strategy_class

if TYPE_CHECKING:
    from topicrawl.setup.config import Config


def give_inputs(strategy: Strategy, config: Config) -> Strategy:
    """Set the training set and the number of rounds of a strategy that crawls by example."""
    if strategy.by_example:
        from topicrawl.setup.examples import read_training

        strategy.rounds = config.rounds
        strategy.training = read_training(Path(config.train)) if config.train else None
    elif config.train or config.rounds:
        flag = "--train" if config.train else "--rounds"
        raise ConfigError(f"{flag}: strategy {config.strategy!r} takes none; crawl with --strategy semxdm")
    return strategy


def wordnet_note(strategies: Iterable[str]) -> str | None:
    """A warning if some of these strategies (by name) use WordNet and it is not installed, else None."""
    users = sorted({name for name in strategies if strategy_class(name).uses_wordnet})
    if not users:
        return None
    from topicrawl.topic.wordnet import WordNet

    if WordNet.load():
        return None
    return f"this copy of topicrawl has no WordNet: to {', '.join(users)} words are like themselves only"
