"""The passage of a page that contains most terms of a query."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set

from topicrawl.knowledge.words import terms_of
from topicrawl.model import Page
from topicrawl.page.language import spoken
from topicrawl.page.normalize import nfkc
from topicrawl.topic.terms.languages import UNSPACED

LENGTH = 160
"""Characters of a passage, about."""
SEARCHED = 20_000
"""Characters of a page that are searched for a passage."""
_WORD = re.compile(r"[^\W\d_]+")


def snippet(page: Page, wanted: Set[str], main: str = "") -> str:
    """About one line of `page` around the place with most of the wanted terms.

    `main` is its main text, where that is at hand: the passage is from there if it has one of the terms.
    """
    whole = page.text.removeprefix(page.title).strip()[:SEARCHED]
    text = nfkc(main[:SEARCHED]) or whole
    places = _found(text, page.language, wanted)
    if not places and (elsewhere := _found(whole, page.language, wanted)):
        text, places = whole, elsewhere
    begin = _densest(places)
    start = _word_begin(text, begin - LENGTH // 4)
    passage = " ".join(text[start : start + LENGTH].split())
    return ("…" if start else "") + passage + ("…" if start + LENGTH < len(text) else "")


def _word_begin(text: str, place: int) -> int:
    """Where the word at `place` begins; `place` itself in a script without spaces, 0 for one before the text."""
    gap = text.rfind(" ", max(0, place - LENGTH // 4), max(0, place))
    return max(0, place) if gap < 0 else gap + 1


def _found(text: str, language: str, wanted: Set[str]) -> list[tuple[int, str]]:
    """The places of the wanted terms, in order."""
    code = spoken(language, text)
    return _unspaced_places(text, wanted) if code in UNSPACED else _places(text, wanted, code)


def _places(text: str, wanted: Set[str], code: str) -> list[tuple[int, str]]:
    lowered = text.lower()
    if len(lowered) != len(text):  # a letter that becomes two in lower case would shift all later positions
        lowered = "".join(letter.lower()[:1] for letter in text)
    words = list(dict.fromkeys(_WORD.findall(" ".join(dict.fromkeys(lowered.split())))))
    terms = {
        word: term for word, term in zip(words, terms_of(code).terms(words), strict=True) if term in wanted
    }
    return sorted((place, term) for word, term in terms.items() for place in _occurrences(word, lowered))


def _occurrences(word: str, text: str) -> Iterator[int]:
    """The positions of `word` in `text` as a whole word."""
    place = text.find(word)
    while place >= 0:
        end = place + len(word)
        if not text[place - 1 : place].isalpha() and not text[end : end + 1].isalpha():
            yield place
        place = text.find(word, end)


def _unspaced_places(text: str, wanted: Set[str]) -> list[tuple[int, str]]:
    return sorted((match.start(), term) for term in wanted for match in re.finditer(re.escape(term), text))


def _densest(places: list[tuple[int, str]]) -> int:
    """Where the passage with the most different terms begins; the first of equals."""
    best, most, all_of_them = 0, 0, len({term for _, term in places})
    for i, (begin, _) in enumerate(places):
        if most == all_of_them:
            break
        together = {term for place, term in places[i : i + 40] if place < begin + LENGTH}
        if len(together) > most:
            best, most = begin, len(together)
    return best
