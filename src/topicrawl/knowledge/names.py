"""What terms are called: the word that most items write them as.

The key of a term groups words of one stem: *physics* is counted under *physical*, *sri* under *sry*. Its name in a run
is the form that most of the items described by it use, in the singular where that occurs too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from topicrawl.knowledge.phrases import is_phrase
from topicrawl.topic.terms.inflection import plurals

Forms = Mapping[str, str]
"""Term -> the word that an item writes it as most often, where that is not the key of the term."""


class Votes:
    """How many items write a term as which word; terms by number."""

    def __init__(self, votes: Mapping[str, int] | None = None) -> None:
        self.votes = dict(votes or {})
        """By number and word in one text: a flat table is stored fast."""

    def add(self, term: int, word: str) -> None:
        """Count the form of a term in one item."""
        place = f"{term} {word}"
        self.votes[place] = self.votes.get(place, 0) + 1

    def says(self, term: int, key: str, words: Sequence[str]) -> bool:
        """Whether more items write a term as one of `words` than as its key."""
        votes = sum(self.votes.get(f"{term} {word}", 0) for word in words)
        return key in words or votes > self.votes.get(f"{term} {key}", 0)

    def names(self, keys: Sequence[str]) -> list[str]:
        """A name for each term, no two alike; the key where no item is described by the term."""
        found, known = list(keys), set(keys)
        for term, forms in self._forms().items():
            name = _best(forms, keys[term])
            if name not in known or name == keys[term]:
                known.add(name)
                found[term] = name
        return found

    def _forms(self) -> dict[int, dict[str, int]]:
        forms: dict[int, dict[str, int]] = {}
        for place, count in self.votes.items():
            number, _, word = place.partition(" ")
            forms.setdefault(int(number), {})[word] = count
        return forms


def _best(forms: Mapping[str, int], key: str) -> str:
    """The form with most votes, the first of equals; its singular if that is a form too, or the key of a word."""
    best = max(forms, key=lambda word: forms[word])
    known = forms if is_phrase(key) else (*forms, key)
    return next((form for form in known if best in plurals(form)), best)
