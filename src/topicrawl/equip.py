"""What strategies that work by example take beside their parameters.

Not in queries.py: that loads much which other strategies do not need.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from topicrawl.errors import ConfigError

if TYPE_CHECKING:
    from topicrawl.config import Config

S = TypeVar("S")


def by_example(strategy: object) -> bool:
    """Whether a strategy looks for pages like given ones (those of cross_reference.py do)."""
    return hasattr(strategy, "training")


def equip(strategy: S, config: Config) -> S:
    """Give a strategy that works by example what it takes beside its parameters."""
    if by_example(strategy):
        from topicrawl.queries import read_training

        taught: Any = strategy
        taught.rounds = config.rounds
        taught.training = read_training(Path(config.train)) if config.train else None
    elif config.train or config.rounds:
        flag = "--train" if config.train else "--rounds"
        raise ConfigError(f"{flag}: strategy {config.strategy!r} takes none; crawl with --strategy semxdm")
    return strategy
