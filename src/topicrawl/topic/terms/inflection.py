"""English word forms, by rules checked against word rates.

A rule alone makes "specie" of "species" and "increas" of "increases"; a form is accepted when it is common enough
relative to the word it is made from.
"""

from __future__ import annotations

from collections.abc import Set

from topicrawl.topic.terms.background import RAREST, Rates

BELIEVED = 20
"""How many times rarer than its plural a singular may be."""
_NO_PLURAL = ("ss", "us", "is", "ics", "'s", "’s")
_SIBILANT = ("s", "x", "z", "ch", "sh", "o")


def singular(word: str, rates: Rates, seen: Set[str] = frozenset()) -> str:
    """The singular of `word`, or `word` itself where it is no known plural.

    A plural too rare to have a rate is recognised by its singular among the words `seen`.
    """
    if len(word) < 4 or not word.endswith("s") or word.endswith(_NO_PLURAL):
        return word
    least = rates.get(word, RAREST) / BELIEVED
    forms = [form for form in _singulars(word) if rates.get(form, 0.0) > least]
    if not forms and word not in rates:
        forms = [form for form in _singulars(word) if form in seen]
    return max(forms, key=lambda form: rates.get(form, 0.0), default=word)


def plurals(word: str) -> tuple[str, ...]:
    """Possible plurals of `word`."""
    if word.endswith("y"):
        return (word[:-1] + "ies", word + "s")
    return (word + "s", word + "es") if word.endswith(_SIBILANT) else (word + "s",)


def is_adverb(word: str, rates: Rates) -> bool:
    """Whether `word` looks like an adverb ("widely"), which is no term."""
    if len(word) < 6 or not word.endswith("ly"):
        return False
    if word.endswith(("ably", "ibly")):
        return word[:-1] + "e" in rates
    stem = word[:-3] + "y" if word.endswith("ily") else word[:-2]
    return rates.get(stem, 0.0) > rates.get(word, RAREST) / BELIEVED


def is_participle(word: str, rates: Rates) -> bool:
    """Whether `word` looks like a past participle ("operated"), which is no term without its noun."""
    if len(word) < 5 or not word.endswith("ed"):
        return False
    doubled = word[-3] == word[-4] and word[:-3] in rates
    return doubled or word[:-2] in rates or word[:-1] in rates


def _singulars(word: str) -> list[str]:
    forms = [word[:-1]]
    if word.endswith("ies"):
        forms.append(word[:-3] + "y")
    elif word.endswith("es") and word[:-2].endswith(_SIBILANT):
        forms.append(word[:-2])
    return forms
