"""A minimal BibTeX reader: the fields of entries, without their markup."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

_ENTRY = re.compile(r"^[ \t]*@[ \t]*([A-Za-z]+)[ \t]*\{[^,{}\n]*,", re.MULTILINE)
_FIELD = re.compile(r"[\s,]*([A-Za-z][\w-]*)\s*=\s*")
_MARK = re.compile(r"\\.|[{}\"]", re.DOTALL)
_BARE_END = re.compile(r"[,{}\s]")
_ACCENT = re.compile(r"\\([`'^\"~=.]|[cvuHk](?![A-Za-z]))\s*\{?\\?([A-Za-z])\}?")
_COMMAND = re.compile(r"\\[A-Za-z]+\*?\s*|\\(?=[\W_])|[{}$]|(?<=\w)~(?=\w)")
_MARKS = dict(
    zip(
        "`'^\"~=.cvuHk",
        "\u0300\u0301\u0302\u0308\u0303\u0304\u0307\u0327\u030c\u0306\u030b\u0328",
        strict=True,
    )
)
_LETTERS = {r"\ss": "ß", r"\o": "ø", r"\O": "Ø", r"\ae": "æ", r"\AE": "Æ", r"\l": "ł", r"\L": "Ł", r"\i": "i"}
_LETTER = re.compile(r"\{?(\\(?:ss|o|O|ae|AE|l|L|i))(?![A-Za-z])(?:\s|\{\})?\}?")
_NO_PUBLICATION = ("comment", "string", "preamble")


def entries(text: str) -> Iterator[dict[str, str]]:
    """The entries of a BibTeX file as field -> plain text. An unterminated entry ends where the next begins."""
    found = list(_ENTRY.finditer(text))
    ends = (*(entry.start() for entry in found[1:]), len(text))
    for entry, end in zip(found, ends, strict=False):
        if entry[1].lower() not in _NO_PUBLICATION:
            yield dict(_fields(text[entry.end() : end]))


def plain(value: str) -> str:
    """`value` without TeX: accents become letters, commands and braces are removed."""
    value = _ACCENT.sub(lambda found: unicodedata.normalize("NFC", found[2] + _MARKS[found[1]]), value)
    value = _LETTER.sub(lambda found: _LETTERS[found[1]], value)
    return " ".join(_COMMAND.sub(_replacement, value).split())


def _replacement(found: re.Match[str]) -> str:
    return " " if found[0] == "~" else ""


def _fields(text: str) -> Iterator[tuple[str, str]]:
    at = 0
    while field := _FIELD.match(text, at):
        value, at = _value(text, field.end())
        yield field[1].lower(), plain(value)


def _value(text: str, at: int) -> tuple[str, int]:
    """The value that begins at `at`, in braces, in quotes or bare, and where it ends."""
    opening = text[at : at + 1]
    if opening not in ("{", '"'):
        end = _BARE_END.search(text, at)
        return (text[at : end.start()], end.start()) if end else (text[at:], len(text))
    end_at = _closing(text, at + 1, "}" if opening == "{" else '"')
    return text[at + 1 : end_at], end_at + 1


def _closing(text: str, at: int, closing: str) -> int:
    """The end of the value: the first `closing` outside all braces opened since `at`."""
    depth = 0
    for mark in _MARK.finditer(text, at):
        if not depth and mark[0] == closing:
            return mark.start()
        depth += {"{": 1, "}": -1}.get(mark[0], 0)
    return len(text)
