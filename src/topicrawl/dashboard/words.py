"""The words of a page that counted for its judge, and its text cut at them."""

from __future__ import annotations

from typing import NamedTuple

from topicrawl.model import Page, Topic
from topicrawl.topic.letters import OR, fold
from topicrawl.topic.matcher import Matcher

MOST_LETTERS = 100_000
"""Letters of a page's text that are shown."""


class Piece(NamedTuple):
    """A part of a text; `term` is the word that it counted as, empty for all other text."""

    text: str
    term: str


def counted(page: Page, topic: Topic) -> list[tuple[int, int, str]]:
    """Begin, end and term of every match of the topic's terms in a page's text."""
    text = page.text[:MOST_LETTERS]
    spellings = [
        sorted((fold(part) for part in term.split(OR) if part), key=len, reverse=True) for term in topic.terms
    ]
    found = []
    for start, term in Matcher(topic.terms).find(text):
        for spelling in spellings[term]:
            if fold(text[start : start + len(spelling)]) == spelling:
                found.append((start, start + len(spelling), topic.terms[term].partition(OR)[0]))
                break
    return found


def pieces(text: str, words: list[tuple[int, int, str]]) -> list[Piece]:
    """`text` cut at the words that counted."""
    found, at = [], 0
    text = text[:MOST_LETTERS]
    for start, end, term in words:
        if start < at:
            continue
        if start > at:
            found.append(Piece(text[at:start], ""))
        found.append(Piece(text[start:end], term))
        at = end
    return [*found, Piece(text[at:], "")]
