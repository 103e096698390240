"""Whether a page says next to nothing until its scripts have run."""

from __future__ import annotations

import re
from itertools import islice

LITTLE_TEXT = 400
"""Characters of text from which on a page is taken to say something."""
SHORT_TEXT = 200
"""Characters of text below which a place for scripts to draw in decides."""
NO_TEXT = 20
"""Characters of text below which a page with scripts and without links needs them."""
FEW_LINKS = 3
"""Links from which on a page is taken to be a page."""
MOST_PLACES = 50
"""Empty elements that are looked at."""

_ASKS = re.compile(
    r"(?:enable|allow|activate|turn on|switch on|requires?|needs?|without|disabled|unsupported|activer|aktivier"
    r"|activar|ativar|abilit|включ|启用|啟用|开启|開啟|有効)"
    r"[^.!。]{0,60}(?:javascript|\bjs\b)|(?:javascript|\bjs\b)"
    r"[^.!。]{0,60}(?:enabled?|disabled|required|needed|turned (?:on|off)|activ|abilit|включ|启用|啟用|有効|必要)",
    re.IGNORECASE,
)
"""A sentence that asks for JavaScript."""
_WAITS = re.compile(
    r"\W*(?:(?:now |still |please )?(?:loading|wait|initiali[sz]ing|starting|redirecting|checking your browser)"
    r"|chargement|lade[n ]|cargando|carregando|caricamento|загрузка|加载中|载入中|載入中|読み込み中|로딩)",
    re.IGNORECASE,
)
"""A text that says: wait."""
_PLACE = re.compile(
    r"<(div|main|section|span|article|body|[a-z]\w{0,30}-[\w-]{1,40})\b([^<>]{0,500})>\s*</\1\s*>",
    re.IGNORECASE,
)
"""An empty element: its tag and its attributes."""
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_NAMED = re.compile(
    r"""\b(?:id|class|data-[\w-]+)\s*=\s*["']?[^"'>]*\b(?:root|app|application|main|mount|outlet|container|content|page"""
    r"""|shell|viewport|view|__next|__nuxt|___gatsby|svelte|react|vue|ember|redoc|swagger-ui|graphiql|elm|flutter)\b"""
    r"|\bng-(?:app|view|version)|\bui-view|\bv-cloak|\bdata-reactroot",
    re.IGNORECASE,
)
"""Names of elements that scripts draw in."""
_ANY_ID = re.compile(r"\bid\s*=|" + _NAMED.pattern, re.IGNORECASE)
_GAP = re.compile(r"\{\{[^{}]{1,80}\}\}")
"""A gap in a template that a script fills."""
_LOADED = re.compile(
    r"<script\b[^<>]{0,500}\b(?:src\s*=|type\s*=\s*[\"']?module)|\bimport\s*\(", re.IGNORECASE
)
"""A script that comes from a file, or is a module."""


def needs_script(markup: str, *, text: str, links: int, noscript: str) -> bool:
    """Whether a page with scripts needs them; `text` is what its body says, `noscript` what it says without scripts."""
    length = len(text)
    if length >= LITTLE_TEXT:
        return False
    if _ASKS.search(noscript[:LITTLE_TEXT]) and (length < SHORT_TEXT or links < FEW_LINKS):
        return True
    if _GAP.search(text):
        return True
    if links >= FEW_LINKS:
        return False
    if length < NO_TEXT and not links:
        return True
    if length < SHORT_TEXT and (_WAITS.match(text) or _ASKS.search(text)):
        return True
    return length < SHORT_TEXT and _has_place(markup, _NAMED if length >= NO_TEXT else _ANY_ID)


def says_more(noscript: str, length: int) -> bool:
    """Whether `noscript` says more than so many characters of text, and is no appeal to enable scripts."""
    return len(noscript.strip()) > max(length, NO_TEXT) and not _ASKS.search(noscript[:LITTLE_TEXT])


def _has_place(markup: str, named: re.Pattern[str]) -> bool:
    """Whether there is an empty element, called so, that a script from a file is to draw in."""
    if not _LOADED.search(markup):
        return False
    places = islice(_PLACE.finditer(_COMMENT.sub("", markup)), MOST_PLACES)
    return any("-" in place[1] or named.search(place[2]) for place in places)
