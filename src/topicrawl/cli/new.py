"""`topicrawl new`: a commented configuration to start from."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from topicrawl.errors import ConfigError
from topicrawl.setup.config import SECTIONS, STRATEGY, settings_of
from topicrawl.setup.settings import DURATION, ROOM, SIZE, Setting
from topicrawl.terminal import say
from topicrawl.toml_text import spell

EXAMPLES = "Then edit topic and seeds, and run: [bold]topicrawl crawl -c crawl.toml --out run/[/]"
FILLED_IN = {
    "topic": "rainstorm disaster: rainstorm 0.8, disaster 0.5, rainfall 0.3, weather 0.1, meteorology 0.1",
    "seeds": ["seeds.txt"],
}
UNSET = {
    "TEXT": '"…"',
    "URL": '"http://host:3128"',
    "NAME": '"env:NAME"',
    "FILE": '"cookies.txt"',
    "DATE": '"2020-05-01"',
    "DIR": '"run/"',
    "N": "100",
    "X": "0.5",
    "TIME": '"2h"',
    "SIZE": '"500MB"',
}
"""Sample values for settings without a default."""


def new(
    file: Annotated[Path, typer.Argument(help="The file to write; it must not exist.")] = Path("crawl.toml"),
) -> None:
    """Write a commented configuration to start from."""
    try:
        with file.open("x", encoding="utf-8") as target:
            target.write(commented())
    except FileExistsError:
        raise ConfigError(f"{str(file)!r} exists already; give another name, or remove it first") from None
    except OSError as why:
        raise ConfigError(f"{str(file)!r} cannot be written ({why.strerror}); give another path") from None
    say(f"{file} written: set topic and seeds, then run: topicrawl crawl -c {file} --out run/")


def commented() -> str:
    """Every setting with its help; all but topic and seeds are commented out."""
    lines = [
        "# A crawl: topicrawl crawl -c crawl.toml --out run/",
        "# Lines that begin with '#' show the defaults.",
    ]
    for section, about in SECTIONS.items():
        lines += ["", f"[{section}]  # {about}"]
        for setting in settings_of(section):
            lines += _explained(setting)
        if section == "crawl":
            lines += ["", f"[{STRATEGY}]  # parameters of the strategy: see `topicrawl strategies`"]
    return "\n".join(lines) + "\n"


def _explained(setting: Setting) -> Iterator[str]:
    yield ""
    yield from textwrap.wrap(setting.help, 100, initial_indent="# ", subsequent_indent="# ")
    if setting.name in FILLED_IN:
        yield f"{setting.name} = {spell(FILLED_IN[setting.name])}"
    elif setting.default is None:
        yield f"# {setting.name} = {UNSET[setting.kind.metavar]}  # not set"
    else:
        yield f"# {setting.name} = {default_as_toml(setting)}"


def default_as_toml(setting: Setting) -> str:
    """The default as a user would write it in TOML: times and sizes with their unit."""
    return spell(setting.default_text if setting.kind in (DURATION, ROOM, SIZE) else setting.default)
