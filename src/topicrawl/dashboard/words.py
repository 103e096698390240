"""The words of a page that counted for its judge, and its text cut at them."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

import numpy as np

from topicrawl.judge.examples import ByExamples
from topicrawl.model import Page, Topic
from topicrawl.text.new_words import NO_WORD
from topicrawl.topic.letters import OR, fold
from topicrawl.topic.matcher import Matcher

MOST_LETTERS = 100_000
"""Letters of a page's text that are shown."""
MOST_WORDS = 40
"""Different words that are marked, those that count most."""
_WORD = re.compile(r"\w+")


class Counted(NamedTuple):
    """A place in a text that counted: as which word, and (for a judge that weighs words) how much."""

    start: int
    end: int
    word: str
    weight: float | None = None
    token: int | None = None
    """The judge's number of the word: the same for its forms."""


class Piece(NamedTuple):
    """A part of a text; `counted` is None for text that did not count."""

    text: str
    counted: Counted | None


def by_terms(page: Page, topic: Topic) -> list[Counted]:
    """Every match of the topic's terms in a page's text."""
    text = page.text[:MOST_LETTERS]
    spellings = [
        sorted((fold(part) for part in term.split(OR) if part), key=len, reverse=True) for term in topic.terms
    ]
    found = []
    for start, term in Matcher(topic.terms).find(text):
        for spelling in spellings[term]:
            if fold(text[start : start + len(spelling)]) == spelling:
                found.append(Counted(start, start + len(spelling), topic.terms[term].partition(OR)[0]))
                break
    return found


def by_examples(page: Page, judge: ByExamples) -> list[Counted]:
    """The words of a page that count most in its similarity with relevant pages; below 0, they count against it."""
    words, weights = judge.words(page), judge.model.body
    known = words.tokens != NO_WORD
    tokens, starts = words.tokens[known], words.starts[known]
    own = weights[np.minimum(tokens, len(weights) - 1)]
    different, first, counts = np.unique(tokens, return_index=True, return_counts=True)
    order = np.argsort(-np.abs(own[first]) * (1 + np.log(counts)), kind="stable")
    kept = set(different[order[:MOST_WORDS]].tolist())
    found = []
    for start, token, weight in zip(starts.tolist(), tokens.tolist(), own.tolist(), strict=True):
        match = _WORD.match(page.text, start)
        if token in kept and weight and match and start < MOST_LETTERS:
            found.append(Counted(start, match.end(), match[0].lower(), weight, token))
    return found


def pieces(text: str, words: list[Counted]) -> list[Piece]:
    """`text` cut at the words that counted."""
    found, at = [], 0
    text = text[:MOST_LETTERS]
    for word in words:
        if word.start < at:
            continue
        if word.start > at:
            found.append(Piece(text[at : word.start], None))
        found.append(Piece(text[word.start : word.end], word))
        at = word.end
    return [*found, Piece(text[at:], None)]


class Amount(NamedTuple):
    """How often a word counted, and how much at each place."""

    word: str
    times: int
    weight: float | None


def amounts(words: list[Counted]) -> list[Amount]:
    """The words that counted, those of largest weight first, or else the most frequent; forms of one are one."""
    forms: dict[object, list[Counted]] = {}
    for each in words:
        forms.setdefault(each.word if each.token is None else each.token, []).append(each)
    found = [
        Amount(Counter(each.word for each in same).most_common(1)[0][0], len(same), same[0].weight)
        for same in forms.values()
    ]
    return sorted(found, key=lambda each: (-(each.weight or 0.0), -each.times, each.word))
