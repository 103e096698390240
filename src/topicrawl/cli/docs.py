"""Generates docs/configuration.md and docs/cli.md from the settings and commands that the program uses.

`python -m topicrawl.cli.docs` writes both files; a test compares them with what this module generates.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

import topicrawl
from topicrawl.cli import EXIT_CODES, app
from topicrawl.cli.flags import flag_names, sentence
from topicrawl.cli.new import default_as_toml
from topicrawl.setup import settings as kinds
from topicrawl.setup.config import SECTIONS, SETTINGS, STRATEGY, TOPIC, settings_of
from topicrawl.setup.settings import Setting

CONFIGURATION = """\
# Configuration

`topicrawl new crawl.toml` writes this file with comments. Every key is also a flag of `topicrawl crawl`; a
flag overrides the file. Times are seconds or text such as `90s`, `15m`, `2h`; sizes are bytes or text such as
`500KB`, `10MB`, `2GiB`. A run keeps its resolved configuration in its own `crawl.toml`: the topic as terms
and weights, the seeds as URLs. Keys marked *fixed* cannot change when a run is
resumed; the reason is given. All others may: the change is an event of the log, and crawl.toml shows it. Seeds and
examples are added to those that the run has.
"""
FREE_SECTIONS = f"""
## [{STRATEGY}]

Parameters of the strategy by name, as in `--set name=value`; `topicrawl strategies` lists them.

## [{TOPIC}]

A topic written out, instead of `topic` in `[crawl]`: `name`, and a table `[{TOPIC}.terms]` of lines
`term = weight`. Only the ratio of weights matters.
"""
COMMAND_LINE = """\
# Command line

Results go to standard output, progress and errors to standard error. An error is one line that names the
thing, the value and the remedy.

## Exit codes
"""


GENERATED = "    # generated\n"
"""The line of api/settings.py below which all is generated."""
KIND_TYPES = {
    kinds.TEXT: "str",
    **dict.fromkeys((kinds.TEXTS, kinds.FILES, kinds.PATTERNS, kinds.HEADERS, kinds.MAPPINGS), "Texts"),
    **dict.fromkeys((kinds.SINKS, kinds.TABLES), "Texts"),
    **dict.fromkeys((kinds.COUNT, kinds.WHOLE), "int"),
    kinds.SHARE: "float",
    **dict.fromkeys((kinds.DURATION, kinds.LIMIT), "Seconds"),
    kinds.SIZE: "Size",
    kinds.ROOM: "Size",
    kinds.FLAG: "bool",
    **dict.fromkeys((kinds.PROXY, kinds.RENDER, kinds.DATE, kinds.SECRET, kinds.COOKIE_FILE), "str"),
    kinds.FOLDER: "str | PathLike[str] | None",
}
PYTHON_TYPES = {"topic": "str | Topic", "judge": "str | Judge | Judgement", "parameters": "Mapping[str, Any]"}
"""Settings that Python takes in a form of their own."""


def configuration() -> str:
    """docs/configuration.md."""
    lines = [CONFIGURATION.rstrip()]
    for section, about in SECTIONS.items():
        lines += ["", f"## [{section}]", "", sentence(about), ""]
        lines += ["| key | flag | default | meaning |", "|---|---|---|---|"]
        lines += [_row(setting) for setting in settings_of(section)]
    lines.append(FREE_SECTIONS.rstrip())
    return "\n".join(lines) + "\n"


def _row(setting: Setting) -> str:
    default = "" if setting.default is None else f"`{default_as_toml(setting)}`"
    meaning = sentence(setting.help) + (f" *Fixed:* {setting.fixed}." if setting.fixed else "")
    return (
        f"| `{setting.name}` | `{flag_names(setting).replace('/', '` `')}` | {default} | {_cell(meaning)} |"
    )


def command_line() -> str:
    """docs/cli.md."""
    lines = [COMMAND_LINE, "| code | meaning |", "|---|---|"]
    lines += [f"| {code} | {_cell(sentence(why))} |" for code, why in EXIT_CODES.items()]
    for path, command in commands():
        lines += ["", f"## topicrawl {path}", "", *_describe(path, command)]
    return "\n".join(lines) + "\n"


def commands() -> Iterator[tuple[str, Any]]:
    """Every command with its name, the commands of groups included."""
    group: Any = typer.main.get_command(app())
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from ((f"{name} {inner}", each) for inner, each in command.commands.items())
        else:
            yield name, command


def _describe(path: str, command: Any) -> Iterator[str]:
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    options = [each for each in command.params if each.param_type_name == "option" and each.name != "help"]
    names = [name if each.required else f"[{name}]" for each in arguments for name in [_argument(each)]]
    yield command.help.strip()
    yield from ("", f"    topicrawl {path} {' '.join([*names, '[OPTIONS]' if options else '']).strip()}")
    if arguments or options:
        yield from ("", "| | |", "|---|---|")
        yield from (f"| `{_argument(each)}` | {_cell(each.help or '')} |" for each in arguments)
        yield from (f"| {_option(each)} | {_cell(each.help or '')} |" for each in options)
    if command.epilog:
        yield from ("", re.sub(r"\[bold\](.*?)\[/\]", r"`\1`", command.epilog).strip())


def _argument(parameter: Any) -> str:
    return str(parameter.metavar or parameter.name).strip("[]").upper()


def _option(parameter: Any) -> str:
    takes = f" {parameter.metavar}" if parameter.metavar else ""
    return " ".join(f"`{each}{takes}`" for each in [*parameter.opts, *parameter.secondary_opts])


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def python_settings(text: str) -> str:
    """The module `text` (api/settings.py) with its fields written from the table of settings."""
    head, mark, _ = text.partition(GENERATED)
    types = {each.name: PYTHON_TYPES.get(each.name) or KIND_TYPES[each.kind] for each in SETTINGS.values()}
    return head + mark + "".join(f"    {name}: {type_}\n" for name, type_ in types.items())


if __name__ == "__main__":
    folder = Path(sys.argv[1] if sys.argv[1:] else "docs")
    (folder / "configuration.md").write_text(configuration(), "utf-8")
    (folder / "cli.md").write_text(command_line(), "utf-8")
    module = Path(topicrawl.__file__).parent / "api" / "settings.py"
    module.write_text(python_settings(module.read_text("utf-8")), "utf-8")
