"""The commands of the laboratory: `topicrawl compare`, `tasks`, `reproduce` and `weights`."""

from __future__ import annotations

from importlib.util import find_spec

import typer

from topicrawl.errors import ConfigError

PANEL = "Compare strategies"
NEEDS = {"resvg_py": "resvg-py"}
"""Modules that only the laboratory imports, with the names of their packages."""


def add_commands(app: typer.Typer) -> None:
    """Register the commands in `app`, the command line of topicrawl."""
    from topicrawl_lab.cli import compare, reproduce, tasks, weights

    app.command(rich_help_panel=PANEL, epilog=compare.EXAMPLES)(compare.compare)
    app.add_typer(tasks.app, rich_help_panel=PANEL)
    app.command(rich_help_panel=PANEL, epilog=reproduce.EXAMPLES)(reproduce.reproduce)
    app.add_typer(weights.app, rich_help_panel=PANEL)


def check_installed() -> None:
    """Raise `ConfigError` with the command that installs them when packages of the laboratory are missing."""
    absent = [package for module, package in NEEDS.items() if find_spec(module) is None]
    if absent:
        raise ConfigError(
            f"this command needs {', '.join(absent)}; install with: pip install 'topicrawl[lab]'"
        )
