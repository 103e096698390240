"""All output goes through one module, which cleans it."""

from __future__ import annotations

import ast
import io
import re
from pathlib import Path

import pytest
from rich.live import Live
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from hostile_text import HOSTILE
from topicrawl.cli.tables import show_columns, show_rows
from topicrawl.console import Terminal
from topicrawl.safe_text import UNSAFE
from topicrawl.terminal import note, note_json, say, say_escaped, say_json

SOURCE = Path(__file__).resolve().parents[1] / "src" / "topicrawl"
OUR_COMMANDS = re.compile(r"\x1b\[[\d;?]*[a-zA-Z]")
"""Control codes that Rich sends for colours, and to redraw a line."""


def shown(width: int = 80, *, colours: bool = False) -> tuple[Terminal, io.StringIO]:
    file = io.StringIO()
    return Terminal(file=file, width=width, force_terminal=colours, highlight=False), file


def test_no_other_module_prints_or_makes_a_console() -> None:
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
                if name in {"print", "Console", "echo", "secho", "print_exc"} and not _method(node):
                    found.append(f"{path.relative_to(SOURCE)}:{node.lineno} {name}")
    assert [each for each in found if not each.startswith("terminal.py:")] == []
    assert len(found) == 6, "the test looks at the right thing"


def _method(node: ast.Call) -> bool:
    """Whether it is the method `print` of a console."""
    return isinstance(node.func, ast.Attribute) and node.func.attr == "print"


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_console_cleans_all_its_output(text: str) -> None:
    table = Table(text)
    table.add_row(text, Text(text, style="red"))
    tree = Tree(Text(text))
    tree.add(Text(text))
    console, file = shown()
    for each in (Text(text), table, tree):
        console.print(each)
    show_rows({"link": text, "page": f"{text}\n{text}"}, console)
    show_columns([["a", text], [text, "b"]], console, right=[0])
    with Live(console=console, auto_refresh=False, redirect_stdout=False) as live:
        live.update(Text(text), refresh=True)
    assert not UNSAFE.search(file.getvalue())


def test_colours_stay() -> None:
    console, file = shown(colours=True)
    console.print(Text("red\x1b[2J", style="red"))
    assert "\x1b[31m" in file.getvalue()
    assert "\x1b[2J" not in file.getvalue()


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_lines_are_cleaned(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    say(text)
    say_json({"title": text})
    say_escaped(text)
    note(text)
    note_json([text])
    told = capsys.readouterr()
    assert not UNSAFE.search(told.out)
    assert not UNSAFE.search(told.err)


@pytest.mark.parametrize("width", [30, 100, 400])
def test_no_line_is_broken_inside_a_number_or_a_url(width: int) -> None:
    url = "https://example.org/" + "a-very-long-path/" * 40
    rows = [["visit", "priority", "R(p)", "page"], ["12,345", "0.1234", "0.567", url]]
    console, file = shown(width)
    show_columns(rows, console, right=range(3))
    show_rows({"link": url, "found on": f"{url}\n{url}"}, console)
    lines = file.getvalue().splitlines()
    assert lines[:2] == [" visit  priority   R(p)  page", f"12,345    0.1234  0.567  {url}"]
    assert [line.split()[-1] for line in lines[2:]] == [url] * 3
