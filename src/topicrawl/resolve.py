"""From what a user wrote to what a run keeps: topic, seeds and strategy read in, so that no file is needed again."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from topicrawl.config import Config, check_resume
from topicrawl.errors import ConfigError
from topicrawl.inputs import open_topic, read_seeds
from topicrawl.model import Topic
from topicrawl.strategies.parameters import parameters as parameters_of
from topicrawl.strategies.registry import make_strategy

log = logging.getLogger(__name__)


def resolve(config: Config, remark: Callable[[str], None] = log.warning) -> Config:
    """`config` with topic, seeds, web and strategy spelled out; raises what is wrong with them.

    What is odd but bearable (a seed without a scheme, say) goes to `remark`.
    """
    if not config.topic:
        raise ConfigError("no topic; say what to look for: --topic 'rainstorm 0.8, rainfall 0.3'")
    if not config.seeds:
        raise ConfigError("no seeds; say where to begin: --seeds seeds.txt, or --seeds https://example.org/")
    strategy = make_strategy(config.strategy, config.parameters)
    return replace(
        config,
        topic=config.topic if isinstance(config.topic, Topic) else open_topic(config.topic),
        seeds=tuple(read_seeds(config.seeds, remark)),
        web=full_name(config.web),
        parameters={each.name: getattr(strategy, each.name) for each in parameters_of(type(strategy))},
        out=None,
    )


def resume(old: Config, given: Mapping[str, Any]) -> Config:
    """The configuration of a run that goes on, with what is given now; `RunError` if that were another crawl."""
    same_strategy = given.get("strategy", old.strategy) == old.strategy
    parameters = old.parameters if same_strategy else {}
    new = resolve(replace(old, **{"parameters": parameters, **given}))
    check_resume(old, new)
    return new


def full_name(web: str) -> str:
    """A recorded web by its full path, so that a run can be resumed from any folder; other webs as they are."""
    return str(Path(web).resolve()) if Path(web).exists() else web
