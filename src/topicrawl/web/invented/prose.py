"""Sentences, headlines and headings about a subject, made once a web: rendering draws and assembles."""

from __future__ import annotations

from dataclasses import dataclass

from topicrawl.web.invented.chance import Chance, named
from topicrawl.web.invented.lexicon import FACETS, Lexicon, Subject, Tongue

VARIANTS = 128
"""So many different sentences, headlines and headings exist for each facet of a subject."""


@dataclass(frozen=True, slots=True)
class Prose:
    """What can be said about one subject, in columns: row `facet * VARIANTS + variant` speaks of that facet.

    Each column is written twice over, so that neighbouring facets are one slice, also the last and the first.
    `slugs` are the nouns of the headlines as they stand in URLs.
    """

    sentences: list[str]
    headlines: list[str]
    headings: list[str]
    slugs: list[str]


def prose(seed: int, words: Lexicon, subject: Subject) -> Prose:
    """Everything that the web with this seed can say about `subject`."""
    tongue = words.tongue(subject.language)
    dice = Chance(named(seed, "prose", subject.name))
    made = Prose([], [], [], [])
    for row in range(VARIANTS * FACETS):
        nouns = _two_nouns(dice, subject, row // VARIANTS)
        made.sentences.append(_sentence(dice, tongue, subject, nouns, strong=row % 8 == 0))
        made.headlines.append(_fill(dice.pick(tongue.headlines), dice, tongue, subject, nouns))
        made.headings.append(_fill(dice.pick(tongue.headings), dice, tongue, subject, nouns))
        made.slugs.append("-".join(nouns).replace(" ", "-") if subject.language == "en" else subject.slug)
    return Prose(made.sentences * 2, made.headlines * 2, made.headings * 2, made.slugs * 2)


def _two_nouns(dice: Chance, subject: Subject, facet: int) -> tuple[str, str]:
    """Two different nouns of a facet, describing ones likelier to come first."""
    nouns = subject.facet(facet)
    first = dice.skewed(len(nouns), 2)
    second = (first + 1 + dice.below(len(nouns) - 1)) % len(nouns)
    return nouns[first], nouns[second]


def _sentence(dice: Chance, tongue: Tongue, subject: Subject, nouns: tuple[str, str], *, strong: bool) -> str:
    first, second = nouns
    stressed = f"<strong>{first}</strong>" if strong else first
    return _fill(dice.pick(tongue.sentences), dice, tongue, subject, (stressed, second))


def _fill(frame: str, dice: Chance, tongue: Tongue, subject: Subject, nouns: tuple[str, str]) -> str:
    first, second = nouns
    agents = dice.pick(subject.agents)
    return frame.format(
        a=first,
        b=second,
        A=_capital(first),
        agents=agents,
        Agents=_capital(agents),
        acted=dice.pick(subject.acted),
        place=dice.pick(tongue.places),
        month=dice.pick(tongue.months),
        count=dice.between((11, 970)),
    )


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
