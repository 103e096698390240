"""What strategies take beside their parameters: those that work by example a training set, others WordNet.

Not in queries.py: that loads much which other strategies do not need.
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
    """Give a strategy that works by example what it takes beside its parameters."""
    if strategy.by_example:
        from topicrawl.setup.examples import read_training

        strategy.rounds = config.rounds
        strategy.training = read_training(Path(config.train)) if config.train else None
    elif config.train or config.rounds:
        flag = "--train" if config.train else "--rounds"
        raise ConfigError(f"{flag}: strategy {config.strategy!r} takes none; crawl with --strategy semxdm")
    return strategy


def wordnet_note(strategies: Iterable[str]) -> str | None:
    """What to say once where some of these strategies (by name) ask WordNet, and this copy has none."""
    asking = sorted({name for name in strategies if strategy_class(name).uses_wordnet})
    if not asking:
        return None
    from topicrawl.topic.wordnet import WordNet

    if WordNet.load():
        return None
    return f"this copy of topicrawl has no WordNet: to {', '.join(asking)} words are like themselves only"
