"""Normalizes text: NFKC, every run of white space a single space, soft hyphens removed."""

from __future__ import annotations

import re
from unicodedata import normalize

TEXT_LIMIT = 1_000_000
"""How many characters of a page's text are analysed."""
FIELD_LIMIT = 1_000
"""Longest title, keywords, description, anchor or title attribute, in characters."""

_LONGEST = 256
"""Most characters normalized at once: runs of combining marks are sorted in quadratic time."""
_PIECE = re.compile(rf"(?s:.{{0,{_LONGEST - 1}}})[ \t\n\f\r]|[^ \t\n\f\r]{{1,{_LONGEST}}}")
"""The longest piece that ends with white space, or else the beginning of a longer word."""


def nfkc(text: str) -> str:
    """`text` in NFKC, in time linear in its length.

    It is cut after white space, across which nothing combines, and inside words only where they are longer, counted
    from their start. So the result does not depend on how white space is written: parsers differ in line ends and in
    the first one of `pre`.
    """
    if text.isascii():
        return text
    if "\xad" in text:
        text = text.replace("\xad", "")
    if len(text) <= _LONGEST:
        return normalize("NFKC", text)
    return "".join([normalize("NFKC", piece) for piece in _PIECE.findall(text)])


def fold(text: str, limit: int = FIELD_LIMIT) -> str:
    """A short text on one line, at most `limit` characters of it."""
    return " ".join(nfkc(text[: 4 * limit]).split())[:limit].rstrip()
