"""All output to the terminal goes through this module, which applies `for_terminal` to it.

A test checks that no other module calls `print` or makes a Console; the Console is in console.py, since Rich delays the
start and many commands do without it.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from topicrawl.safe_text import escaped, for_terminal, json_line

if TYPE_CHECKING:
    from topicrawl.console import Terminal

PIPE_COLUMNS = 100_000
"""Width where there is no terminal: output to a pipe is never wrapped."""


def terminal() -> Terminal:
    """Standard output."""
    from topicrawl.console import Terminal

    console = Terminal(highlight=False)
    return console if console.is_terminal else Terminal(highlight=False, width=PIPE_COLUMNS)


def messages(*, quiet: bool = False) -> Terminal:
    """Standard error."""
    from topicrawl.console import Terminal

    return Terminal(stderr=True, highlight=False, quiet=quiet)


def say(text: object) -> None:
    """A line, or several, on standard output."""
    print(for_terminal(str(text)), flush=True)


def note(text: object) -> None:
    """A line, or several, on standard error."""
    print(for_terminal(str(text)), file=sys.stderr, flush=True)


def say_json(value: Any) -> None:
    """A line of JSON on standard output."""
    print(json_line(value))


def note_json(value: Any) -> None:
    """A line of JSON on standard error."""
    print(json_line(value), file=sys.stderr, flush=True)


def say_escaped(text: str) -> None:
    """Text of a format that decodes \\uXXXX (Turtle, SPARQL's TSV), on standard output."""
    print(escaped(text))


def reply_to(text: str) -> str | None:
    """The next line of standard input, without spaces around it; `text` is before it where a person types it.

    None at the end of the input.
    """
    if sys.stdin.isatty():
        print(for_terminal(text), end=" ", flush=True)
    line = sys.stdin.readline()
    return line.strip() if line else None
