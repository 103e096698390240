"""The settings TOPICRAWL_… of a Scrapy project: those of a crawl that do not concern fetching, which Scrapy does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from topicrawl.errors import ConfigError
from topicrawl.model import Links, Topic
from topicrawl.setup.config import Config, read_flags
from topicrawl.setup.resolve import resolve
from topicrawl.strategies import Strategy
from topicrawl.strategies.registry import make_strategy

PREFIX = "TOPICRAWL_"
TAKEN = (
    *("topic", "query", "examples", "strategy", "parameters", "weights", "train"),
    *("judge", "threshold", "pages", "rng_seed"),
)
"""Settings of crawl.toml that a Scrapy project may give, in upper case after the prefix."""
LISTS = ("query", "examples", "parameters")


def given_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """What the settings of a Scrapy project say of the crawl, by the names of crawl.toml."""
    given: dict[str, Any] = {}
    for key in settings:
        if not key.startswith(PREFIX):
            continue
        name, value = key.removeprefix(PREFIX).lower(), settings[key]
        if name not in TAKEN:
            near = get_close_matches(name, TAKEN, 1)
            hint = f"did you mean {PREFIX}{near[0].upper()}?" if near else _all()
            raise ConfigError(f"unknown setting {key}; {hint}")
        given[name] = [value] if name in LISTS and isinstance(value, str) else value
    if not given.get("topic") and not given.get("query") and not given.get("examples"):
        raise ConfigError(
            f"no topic; say what to look for: {PREFIX}TOPIC = 'rainstorm 0.8, rainfall 0.3', or pages: {PREFIX}QUERY"
        )
    return read_flags(given)


def new_config(given: Mapping[str, Any], seed: str, per_domain: int) -> Config:
    """The resolved configuration of a new crawl that begins at `seed`.

    Which links may be followed is for the spider to say: there is no scope and no detection of traps here. The links
    of example pages are left out, as no spider asked for them.
    """
    config = resolve(Config(**given, seeds=(seed,)), any_seeds=True)
    assert isinstance(config.topic, Topic)
    examples = tuple(replace_links(page) for page in config.topic.examples)
    config = replace(
        config,
        topic=replace(config.topic, examples=examples),
        follow_nofollow=True,
        avoid_traps=False,
        warc=False,
        per_host=per_domain,
    )
    check_strategy(config)
    return config


def replace_links(page: Any) -> Any:
    """A page without its links."""
    import msgspec

    return msgspec.structs.replace(page, links=Links())


def check_strategy(config: Config) -> None:
    """`ConfigError` if the strategy looks at pages before it chooses them, for which Scrapy has no place."""
    strategy: Strategy = make_strategy(config.strategy, config.parameters)
    if getattr(strategy, "peeks", False):
        raise ConfigError(
            f"{PREFIX}STRATEGY {config.strategy!r} fetches pages only to look at them, which a spider cannot do; "
            "choose another, or switch that off in its parameters (topicrawl strategies)"
        )


def _all() -> str:
    return "there are " + ", ".join(PREFIX + name.upper() for name in TAKEN)
