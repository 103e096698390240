"""What text of strangers may reach a terminal, and what may reach XML.

Titles, addresses, labels and messages come from pages and servers. Each way out has its own rule, written here once:

    for_terminal    lines for people: nothing that steers a terminal or turns the reading direction
    one_line        the same, in one line of bounded length
    escaped         Turtle, SPARQL results: the same characters as \\uXXXX, which a reader turns back
    json_escaped    the same in JSON
    for_xml         text that an XML 1.0 parser accepts
    xml_escaped     the same, as it may stand between tags and in quoted attributes
"""

from __future__ import annotations

import html
import json
import re
from typing import Any

UNSAFE = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters (C0 but tab and newline, DEL, C1): ESC starts commands
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # turn the reading direction
    "\u180e\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"  # are not seen
    "\u2028\u2029\ud800-\udfff\ufffe\uffff"  # break lines, or are no characters
    "]"
)
"""Characters that change what a reader sees of the text around them.

The two joiners (U+200C, U+200D) are not among them: Persian and Indic words and many emoji need them.
"""
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that no XML 1.0 document may hold, not even as a reference."""


def for_terminal(text: str) -> str:
    """`text` with a space for each unsafe character; newlines and tabs stay, so that lines can be made first."""
    return UNSAFE.sub(" ", text)


def one_line(text: str, most: int) -> str:
    """`text` for people in one line of at most `most` letters."""
    shown = " ".join(for_terminal(text).split())
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def escaped(text: str) -> str:
    """`text` with \\uXXXX for each unsafe character: for formats in which that stands for the character itself."""
    return UNSAFE.sub(lambda found: _escape(found[0]), text)


def json_escaped(text: str) -> str:
    """JSON text with each unsafe character as JSON spells it (two escapes above U+FFFF)."""
    return UNSAFE.sub(lambda found: json.dumps(found[0])[1:-1], text)


def json_line(value: Any) -> str:
    """`value` as a line of JSON that any terminal may show; a reader gets every character back."""
    return json_escaped(json.dumps(value, ensure_ascii=False))


def for_xml(text: str) -> str:
    """`text` with U+FFFD for each character that XML cannot hold."""
    return _NOT_XML.sub("\ufffd", text)


def xml_escaped(text: str) -> str:
    """`text` as it may stand between the tags of XML or HTML, and in quoted attributes."""
    return html.escape(for_xml(text))


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"
