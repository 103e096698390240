"""`topicrawl strategies`: list the strategies that choose the next link."""

from __future__ import annotations

import inspect
import json
from dataclasses import asdict
from typing import Annotated, Any

import typer

from topicrawl.terminal import say, terminal

EXAMPLES = "Use one: [bold]topicrawl crawl --strategy ops --set anchor_weight=0.7 …[/]"


def strategies(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """List the strategies with their parameters."""
    from topicrawl.strategies.registry import strategy_names

    described = [describe(name) for name in strategy_names()]
    if as_json:
        say(json.dumps(described, indent=2, ensure_ascii=False))
    else:
        _show(described)


def describe(name: str) -> dict[str, Any]:
    """A strategy as plain data: name, what it does, its parameters."""
    from topicrawl.strategies.parameters import parameters
    from topicrawl.strategies.registry import strategy_class

    kind = strategy_class(name)
    about = inspect.getdoc(inspect.getmodule(kind)) or inspect.getdoc(kind) or ""
    return {
        "name": name,
        "about": about.partition("\n\n")[0].replace("\n", " "),
        "parameters": [_finite(asdict(each)) for each in parameters(kind)],
    }


def _finite(parameter: dict[str, Any]) -> dict[str, Any]:
    """`parameter` with null for the bounds of what is no number, since JSON has no infinity."""
    unbounded = {"low": float("-inf"), "high": float("inf")}
    return {
        key: None if key in unbounded and value == unbounded[key] else value
        for key, value in parameter.items()
    }


def _show(described: list[dict[str, Any]]) -> None:
    from rich.markup import escape
    from rich.table import Table

    console = terminal()
    for strategy in described:
        console.print(f"[bold]{escape(strategy['name'])}[/]  {escape(strategy['about'])}")
        table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2))
        for each in strategy["parameters"]:
            choices = f" ({', '.join(each['choices'])})" if each["choices"] else ""
            symbol = f" [{each['symbol']}]" if each["symbol"] else ""
            table.add_row(
                f"  --set {each['name']}={each['default']}", escape(each["help"] + symbol + choices)
            )
        if strategy["parameters"]:
            console.print(table)
