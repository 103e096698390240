"""Completion in the shell: which command is being typed, and what may stand where the cursor is.

A shell runs `topicrawl` without arguments, with the words typed so far in its environment, at every press of the tab
key. So nothing is imported that the word at the cursor does not need. Where nothing is offered, the shell offers files.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import typer

Offer = Callable[[typer.Context, str], Iterator[tuple[str, str]]]
"""What may stand for an incomplete word, each with a few words about it."""
ASKED = "_TOPICRAWL_COMPLETE"
TYPED = ("COMP_WORDS", "_TYPER_COMPLETE_ARGS")
"""Variables with what was typed: of bash, and of all other shells."""
SHORT = 100
LOGS = ("crawl.db", "shards.toml")
"""A folder is a run if it has one of these."""


def typed_command(environment: Mapping[str, str]) -> str | None:
    """The command of which more is being typed; empty while the command itself is; None if no shell asks."""
    if ASKED not in environment:
        return None
    typed = next((environment[name] for name in TYPED if name in environment), "")
    words = typed.split()[1:]
    return words[0] if len(words) > 1 or (words and typed[-1:].isspace()) else ""


def strategies(context: typer.Context, incomplete: str) -> Iterator[tuple[str, str]]:
    """The names of strategies."""
    from topicrawl.strategies.registry import strategy_names

    yield from ((name, "") for name in strategy_names())


def parameters(context: typer.Context, incomplete: str) -> Iterator[tuple[str, str]]:
    """The parameters of the strategy that was typed before, with their defaults."""
    from topicrawl.errors import TopicrawlError
    from topicrawl.setup.config import SETTINGS
    from topicrawl.strategies.parameters import parameters
    from topicrawl.strategies.registry import strategy_class

    try:
        kind = strategy_class(context.params.get("strategy") or SETTINGS["strategy"].default)
    except TopicrawlError:
        return
    yield from ((f"{each.name}={each.default}", each.help[:SHORT]) for each in parameters(kind))


def topics(context: typer.Context, incomplete: str) -> Iterator[tuple[str, str]]:
    """The topics that topicrawl brings."""
    from topicrawl.topic.builtin import BUILTIN
    from topicrawl.topic.shipped import SHIPPED

    yield from ((name, "") for name in sorted({*BUILTIN, *SHIPPED}))


def judges(context: typer.Context, incomplete: str) -> Iterator[tuple[str, str]]:
    """The names of judges."""
    from topicrawl.judge.registry import judge_names

    yield from ((name, "") for name in judge_names())


def runs(context: typer.Context, incomplete: str) -> Iterator[tuple[str, str]]:
    """The run folders whose path begins like this, and folders that have runs in them."""
    begun, _, name = incomplete.rpartition("/")
    folder = f"{begun}/" if begun or incomplete.startswith("/") else ""
    try:
        found = sorted(each.name for each in os.scandir(folder or ".") if each.is_dir())
    except OSError:
        return
    for each in found:
        if each.startswith(name) and (not each.startswith(".") or name.startswith(".")):
            if _is_run(Path(folder, each)):
                yield folder + each, "a run"
            elif _has_runs(Path(folder, each)):
                yield f"{folder}{each}/", "has runs"


def _is_run(folder: Path) -> bool:
    return any((folder / name).is_file() for name in LOGS)


def _has_runs(folder: Path) -> bool:
    try:
        return any(each.is_dir() and _is_run(Path(each.path)) for each in os.scandir(folder))
    except OSError:
        return False


OF_SETTINGS: dict[str, Offer] = {
    "strategy": strategies,
    "parameters": parameters,
    "topic": topics,
    "judge": judges,
    "out": runs,
    "recrawl": runs,
}
"""What may stand after the flag of a setting."""
