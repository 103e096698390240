"""Flags made from the settings of `Config`, so that crawl.toml and the command line always agree."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Any

import typer

from topicrawl.cli.completion import OF_SETTINGS
from topicrawl.setup.config import SETTINGS, STRATEGY
from topicrawl.setup.settings import FLAG, Setting

PANELS = {
    "crawl": "Crawl",
    STRATEGY: "Crawl",
    "scope": "Scope: which links may be followed",
    "stop": "Stop: when to end besides --pages",
    "http": "HTTP: politeness and limits on the network",
    "llm": "Language model of --judge llm",
    "keep": "Keep",
}


def with_settings(
    command: Callable[..., None], settings: Iterable[Setting] = SETTINGS.values()
) -> Callable[..., None]:
    """Add one flag for each of `settings` to a command that takes `**flags`; None means it was not given."""
    own = inspect.signature(command, eval_str=True)
    kept = [each for each in own.parameters.values() if each.kind is not inspect.Parameter.VAR_KEYWORD]
    parameters = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in kept]
    command.__signature__ = own.replace(parameters=[*_parameters(settings), *parameters])  # type: ignore[attr-defined]
    return command


def _parameters(settings: Iterable[Setting]) -> Iterator[inspect.Parameter]:
    for setting in settings:
        option = typer.Option(
            flag_names(setting),
            help=sentence(setting.help) + _default_note(setting),
            metavar=setting.kind.metavar or None,
            rich_help_panel=PANELS[setting.section],
            show_default=False,
            autocompletion=OF_SETTINGS.get(setting.name),
        )
        annotation: Any = Annotated[_type(setting), option]
        yield inspect.Parameter(
            setting.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation
        )


def _type(setting: Setting) -> Any:
    if setting.kind is FLAG:
        return bool | None
    return list[str] | None if isinstance(setting.default, tuple | dict) else str | None


def flag_names(setting: Setting) -> str:
    """The flag as the user types it; a boolean one with its negation, `--warc/--no-warc`."""
    if setting.name == "parameters":
        return "--set"
    negated = f"/--no-{setting.flag[2:]}" if setting.kind is FLAG else ""
    return setting.flag + negated


def sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."


def _default_note(setting: Setting) -> str:
    """The default as help shows it; nothing for settings that are off or empty by default."""
    if setting.kind is FLAG or setting.default in (None, "", (), {}):
        return ""
    return f" Default: {setting.default_text}."
