"""The commands of the laboratory: `topicrawl compare`, `tasks`, `reproduce`, `weights` and `bundle`."""

from __future__ import annotations

from importlib.util import find_spec

import typer

from topicrawl.errors import ConfigError

PANEL = "Compare strategies"
NAMES = ("compare", "tasks", "reproduce", "weights", "bundle")
"""The commands, for a shell that completes one: that needs no import of them."""
NEEDS = {"resvg_py": "resvg-py"}
FOR_PAPERS = {"typst": "typst"}
"""Modules that only the laboratory imports, with the names of their packages."""


def add_commands(app: typer.Typer) -> None:
    """Register the commands in `app`, the command line of topicrawl."""
    from topicrawl_lab.cli import bundle, compare, reproduce, tasks, weights

    app.command(rich_help_panel=PANEL, epilog=compare.EXAMPLES)(compare.compare)
    app.add_typer(tasks.app, rich_help_panel=PANEL)
    app.command(rich_help_panel=PANEL, epilog=reproduce.EXAMPLES)(reproduce.reproduce)
    app.add_typer(weights.app, rich_help_panel=PANEL)
    app.add_typer(bundle.app, rich_help_panel=PANEL)


def check_installed(*, for_paper: bool = False) -> None:
    """Raise `ConfigError` with the command that installs them when packages of the laboratory are missing."""
    needs = NEEDS | (FOR_PAPERS if for_paper else {})
    absent = [package for module, package in needs.items() if find_spec(module) is None]
    if absent:
        raise ConfigError(
            f"this command needs {', '.join(absent)}; install with: pip install 'topicrawl[lab]'"
        )
