"""The configuration that a run keeps: in its crawl.toml, and as begun with in its log."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from topicrawl.errors import RunError, UsageError
from topicrawl.model import Topic
from topicrawl.setup.config import Config
from topicrawl.store.disk import damaged
from topicrawl.store.run import CONFIG, DATABASE, Run

TRAINING = "training.kb"
"""The file of a training set, in the folder that `kb train` writes and in a run that was begun with it."""


def config_of(run: Run) -> Config:
    """The configuration in the crawl.toml of a run, its topic written out."""
    return config_in(run.path, run.config_toml)


def config_in(folder: Path, text: str) -> Config:
    """The configuration of the run in `folder` that `text` holds: crawl.toml, or the copy in the log."""
    path = folder / CONFIG
    config = Config.from_toml(text, str(path))
    if not isinstance(config.topic, Topic):
        raise RunError(f"{path} has no [topic]: it is not as the run wrote it; put the original back")
    return replace(config, train=str(folder / TRAINING)) if config.train else config


def begun_config(run: Run) -> Config:
    """The configuration that a run was begun with, as its log keeps it."""
    try:
        return Config.from_toml(run.begun_with)
    except UsageError as error:
        raise damaged(run.path / DATABASE, f"its copy of {CONFIG}: {error}") from error
