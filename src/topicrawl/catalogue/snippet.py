"""The passage of a page that says most about a question."""

from __future__ import annotations

import re
from collections.abc import Set

from topicrawl.knowledge.words import terms_of
from topicrawl.model import Page
from topicrawl.topic.corpus import spoken

LENGTH = 160
"""Characters of a passage, about."""
LOOKED_AT = 50_000
_WORD = re.compile(r"[^\W\d_]+")


def snippet(page: Page, wanted: Set[str]) -> str:
    """About a line of `page` around the place where most of the wanted terms stand together."""
    text = page.text.removeprefix(page.title).strip()[:LOOKED_AT]
    places = _chinese_places(text, wanted) if spoken(page.language, text) == "zh" else _places(text, wanted)
    begin = _densest(places)
    start = text.rfind(" ", 0, max(0, begin - LENGTH // 4)) + 1 if begin > LENGTH // 4 else 0
    passage = " ".join(text[start : start + LENGTH].split())
    return ("…" if start else "") + passage + ("…" if start + LENGTH < len(text) else "")


def _places(text: str, wanted: Set[str]) -> list[tuple[int, str]]:
    words = [(match.start(), match[0].lower()) for match in _WORD.finditer(text)]
    terms = terms_of("en").terms(word for _, word in words)
    return [(place, term) for (place, _), term in zip(words, terms, strict=True) if term in wanted]


def _chinese_places(text: str, wanted: Set[str]) -> list[tuple[int, str]]:
    return sorted((match.start(), term) for term in wanted for match in re.finditer(re.escape(term), text))


def _densest(places: list[tuple[int, str]]) -> int:
    """Where the passage with the most different terms begins; the first of equals."""
    best, most = 0, 0
    for i, (begin, _) in enumerate(places):
        together = {term for place, term in places[i : i + 40] if place < begin + LENGTH}
        if len(together) > most:
            best, most = begin, len(together)
    return best
