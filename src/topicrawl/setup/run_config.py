"""The configuration that a run keeps: as begun with in its log, and with all later instructions in its crawl.toml.

Whatever a resume changes becomes an `Instruction` in the log, so that a replay repeats the change where it was made.
"""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

from topicrawl.errors import ConfigError, RunError, TopicError, UsageError
from topicrawl.judge.registry import TERMS
from topicrawl.model import Instruction, Topic
from topicrawl.setup.config import SETTINGS, Config
from topicrawl.setup.resolve import further_pages, with_further
from topicrawl.store.disk import damaged
from topicrawl.store.run import CONFIG, DATABASE, Run
from topicrawl.strategies.registry import strategy_class
from topicrawl.toml_text import key
from topicrawl.topic.letters import apart

TRAINING = "training.kb"
"""The file of a training set, in the folder that `kb train` writes and in a run that was begun with it."""
ADDED_TO = ("seeds", "topic", "examples", "query", "train", "out")
"""Settings that an instruction does not replace: seeds and examples are added; `train` and `out` name files."""


def config_of(run: Run) -> Config:
    """The configuration in the crawl.toml of a run, its topic written out."""
    return config_in(run.path, run.config_toml)


def config_in(folder: Path, text: str) -> Config:
    """The configuration of the run in `folder` that `text` holds: crawl.toml, or the copy in the log."""
    path = folder / CONFIG
    try:
        config = Config.from_toml(text, str(path))
    except TopicError as error:
        raise ConfigError(
            f"{path}: {error}; unless you changed it, topicrawl doctor {folder} --repair mends it"
        ) from None
    if not isinstance(config.topic, Topic):
        raise RunError(f"{path} has no [topic]: it is not as the run wrote it; put the original back")
    gone = strategy_class(config.strategy).gone
    config = replace(
        config,
        judge=config.judge or TERMS,  # topicrawl 0.1 had no other
        parameters={name: value for name, value in config.parameters.items() if name not in gone},
    )
    return replace(config, train=str(folder / TRAINING)) if config.train else config


def begun_config(run: Run) -> Config:
    """The configuration that a run was begun with, as its log keeps it."""
    try:
        return config_in(run.path, run.begun_with)
    except UsageError as error:
        raise damaged(run.path / DATABASE, f"its copy of {CONFIG}: {error}") from error


def logged_config(run: Run) -> Config:
    """The configuration of a run by its log: the one begun with, changed by every instruction since."""
    config = begun_config(run)
    for instruction in run.instructions():
        config = changed(config, instruction)
    return config


def mended(text: str) -> str:
    """The configuration `text` where a spelling of several terms belongs to the first, as it was counted in pages.

    Earlier versions wrote such topics of pages that are not English, and then refused to read them.
    """
    terms = tomllib.loads(text).get("topic", {}).get("terms", {})
    names = list(apart(terms.items()))
    if len(names) == len(terms):
        for before, after in zip(terms, names, strict=True):
            text = text.replace(f"\n{key(before)} = ", f"\n{key(after)} = ", 1)
    return text


def changed(config: Config, instruction: Instruction) -> Config:
    """`config` as an instruction changes it."""
    assert isinstance(config.topic, Topic)
    known = {name: value for name, value in instruction.settings.items() if name in SETTINGS}
    settings = {name: SETTINGS[name].read(value, SETTINGS[name].flag) for name, value in known.items()}
    return replace(
        config,
        **settings,
        seeds=(*config.seeds, *instruction.seeds),
        topic=with_further(config.topic, instruction.examples, instruction.unwanted),
    )


def instruction_between(old: Config, new: Config) -> Instruction | None:
    """What makes `new` of `old`; None where they are the same. Both are resolved, and differ in nothing fixed."""
    assert isinstance(old.topic, Topic)
    assert isinstance(new.topic, Topic)
    names = [each.name for each in SETTINGS.values() if not each.fixed and each.name not in ADDED_TO]
    pairs = {name: (getattr(old, name), getattr(new, name)) for name in names}
    instruction = Instruction(
        settings={name: _plain(after) for name, (before, after) in pairs.items() if before != after},
        seeds=[seed for seed in new.seeds if seed not in set(old.seeds)],
        examples=further_pages(old.topic.examples, new.topic.examples),
        unwanted=further_pages(old.topic.unwanted, new.topic.unwanted),
    )
    return None if instruction == Instruction() else instruction


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
