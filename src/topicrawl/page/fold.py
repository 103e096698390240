"""One form for all text: NFKC, every run of white space a single space, soft hyphens gone."""

from __future__ import annotations

from unicodedata import normalize

TEXT_LIMIT = 1_000_000
"""How many characters of a page's text are analysed."""
FIELD_LIMIT = 1_000
"""Longest title, keywords, description, anchor or title attribute, in characters."""

_CHUNK = 256
"""Normalising sorts runs of combining marks in quadratic time: no run is allowed to be longer than this."""


def nfkc(text: str) -> str:
    """`text` in NFKC, in time linear in its length."""
    if text.isascii():
        return text
    if "\xad" in text:
        text = text.replace("\xad", "")
    if len(text) <= _CHUNK:
        return normalize("NFKC", text)
    return "".join(normalize("NFKC", text[at : at + _CHUNK]) for at in range(0, len(text), _CHUNK))


def fold(text: str, limit: int = FIELD_LIMIT) -> str:
    """A short text on one line, at most `limit` characters of it."""
    return " ".join(nfkc(text[: 4 * limit]).split())[:limit].rstrip()
