"""Makes untrusted text safe for terminals, JSON, Turtle and XML.

Titles, addresses, labels and messages come from pages and servers. One function for each kind of output:

    for_terminal    lines for people: no terminal commands, no change of reading direction
    one_line        the same, in one line of bounded length
    escaped         Turtle, SPARQL results: the same characters as \\uXXXX, which a parser decodes
    json_escaped    the same in JSON
    for_xml         text that an XML 1.0 parser accepts
    xml_escaped     the same, escaped for use between tags and in quoted attributes
"""

from __future__ import annotations

import html
import json
import re
from typing import Any

UNSAFE = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters (C0 but tab and newline, DEL, C1): ESC starts commands
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # change the reading direction
    "\u180e\u200b\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"  # invisible
    "\u2028\u2029\ud800-\udfff\ufffe\uffff"  # line breaks, and code points that are no characters
    "]"
)
"""Characters that change what a reader sees of the text around them.

The two joiners (U+200C, U+200D) are not among them: Persian and Indic words and many emoji need them.
"""
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that XML 1.0 forbids, even as references."""


def for_terminal(text: str) -> str:
    """`text` with a space for each unsafe character; newlines and tabs stay."""
    return UNSAFE.sub(" ", text)


def one_line(text: str, most: int) -> str:
    """`text` for people in one line of at most `most` letters."""
    shown = " ".join(for_terminal(text).split())
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def escaped(text: str) -> str:
    """`text` with \\uXXXX for each unsafe character: for formats that decode it to the character."""
    return UNSAFE.sub(lambda found: _escape(found[0]), text)


def json_escaped(text: str) -> str:
    """JSON text with each unsafe character as a JSON escape (two above U+FFFF)."""
    return UNSAFE.sub(lambda found: json.dumps(found[0])[1:-1], text)


def json_line(value: Any) -> str:
    """`value` as a line of JSON that is safe to print; parsing it gives every character back."""
    return json_escaped(json.dumps(value, ensure_ascii=False))


def for_xml(text: str) -> str:
    """`text` with U+FFFD for each character that XML cannot hold."""
    return _NOT_XML.sub("\ufffd", text)


def xml_escaped(text: str) -> str:
    """`text` escaped for use between tags of XML or HTML, and in quoted attributes."""
    return html.escape(for_xml(text))


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"
