"""Spelling correction: a rare unknown word one edit from a frequent known word of the same item counts as that word.

Example: "goverment" once and "government" ten times in a page. A word is corrected only to words of the same item, so
unknown words (mostly names) stay as they are.

Symmetric deletion: two words one edit apart have a common form with at most one letter left out of each. An item has so
few words that the forms are computed for each item.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from topicrawl.topic.terms.background import background
from topicrawl.topic.wordnet import WordNet

SHORTEST = 5
"""Letters below which a word is not corrected: too many words are one edit away."""
OFTEN = 3
"""Occurrences of a word in an item, at least, to be a correction."""


def corrected(counts: Mapping[str, int]) -> dict[str, int]:
    """Counts of English words in an item, with misspelt ones counted as their correction."""
    rates, fixed = background("en"), dict(counts)
    usual = [
        word for word, count in counts.items() if count >= OFTEN and len(word) >= SHORTEST and word in rates
    ]
    odd = [
        word
        for word, count in counts.items()
        if count < OFTEN and len(word) >= SHORTEST and word not in rates
    ]
    if not usual or not odd:
        return fixed
    near = Neighbours(usual)
    for word in odd:
        meant = max(near(word), key=lambda other: (counts[other], other), default="")
        if meant and not _is_word(word):
            fixed[meant] += fixed.pop(word)
    return fixed


def _is_word(word: str) -> bool:
    wordnet = WordNet.load()
    return wordnet is not None and bool(wordnet.synsets(word))


class Neighbours:
    """Finds those of the given words that are one edit away from another word and begin like it."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words: dict[str, list[str]] = {}
        for word in words:
            for form in _forms(word):
                self._words.setdefault(form, []).append(word)

    def __call__(self, word: str) -> set[str]:
        """The words that `word` may be a misspelling of; a plural is no misspelling of its singular."""
        found = {other for form in _forms(word) for other in self._words.get(form, ())}
        return {other for other in found if other != word and _one_edit(word, other)}


def _forms(word: str) -> Iterator[str]:
    """The word, and the word less one letter other than the first."""
    yield word
    for place in range(1, len(word)):
        yield word[:place] + word[place + 1 :]


def _one_edit(a: str, b: str) -> bool:
    """Whether one letter left out, put in or exchanged, or two neighbours swapped, makes `a` of `b`."""
    short, long = sorted((a, b), key=len)
    if short + "s" == long:
        return False
    start = next((i for i, (x, y) in enumerate(zip(short, long, strict=False)) if x != y), len(short))
    if len(short) < len(long):
        return short[start:] == long[start + 1 :]
    rest_a, rest_b = a[start:], b[start:]
    swapped = (
        len(rest_a) > 1 and rest_a[0] == rest_b[1] and rest_a[1] == rest_b[0] and rest_a[2:] == rest_b[2:]
    )
    return rest_a[1:] == rest_b[1:] or swapped
