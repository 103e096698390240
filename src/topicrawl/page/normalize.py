"""One form for all text: NFKC, every run of white space a single space, soft hyphens gone."""

from __future__ import annotations

import re
from unicodedata import normalize

TEXT_LIMIT = 1_000_000
"""How many characters of a page's text are analysed."""
FIELD_LIMIT = 1_000
"""Longest title, keywords, description, anchor or title attribute, in characters."""

_LONGEST = 256
"""Normalising sorts runs of combining marks in quadratic time: no more than so many characters at a time."""
_PIECE = re.compile(rf"(?s:.{{0,{_LONGEST - 1}}})[ \t\n\f\r]|[^ \t\n\f\r]{{1,{_LONGEST}}}")
"""As much as ends with white space, or else the beginning of a word that is too long."""


def nfkc(text: str) -> str:
    """`text` in NFKC, in time linear in its length.

    It is cut behind white space, which nothing joins, and only in longer words elsewhere, counted from where they
    begin. So it does not matter to the words how the white space between them is written: line ends are not the same
    in every reader of pages, nor is the first one in `pre`.
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
