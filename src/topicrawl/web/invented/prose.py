"""Sentences, headlines and headings about a subject, made once per web; rendering picks from them."""

from __future__ import annotations

from dataclasses import dataclass

from topicrawl.web.invented.lexicon import FACETS, Lexicon, Subject, Tongue
from topicrawl.web.invented.random_stream import RandomStream, stream_name

VARIANTS = 128
"""Number of different sentences, headlines and headings for each facet of a subject."""


@dataclass(frozen=True, slots=True)
class Prose:
    """The texts about one subject, in columns: row `facet * VARIANTS + variant` is about that facet.

    Each column is stored twice in a row, so that adjacent facets are one slice, also the last and the first.
    `slugs` are the nouns of the headlines as they stand in URLs.
    """

    sentences: list[str]
    headlines: list[str]
    headings: list[str]
    slugs: list[str]


def prose(seed: int, words: Lexicon, subject: Subject) -> Prose:
    """The texts about `subject` of the web with this seed."""
    tongue = words.tongue(subject.language)
    rng = RandomStream(stream_name(seed, "prose", subject.name))
    made = Prose([], [], [], [])
    for row in range(VARIANTS * FACETS):
        nouns = _two_nouns(rng, subject, row // VARIANTS)
        made.sentences.append(_sentence(rng, tongue, subject, nouns, strong=row % 8 == 0))
        made.headlines.append(_fill(rng.pick(tongue.headlines), rng, tongue, subject, nouns))
        made.headings.append(_fill(rng.pick(tongue.headings), rng, tongue, subject, nouns))
        made.slugs.append("-".join(nouns).replace(" ", "-") if subject.language == "en" else subject.slug)
    return Prose(made.sentences * 2, made.headlines * 2, made.headings * 2, made.slugs * 2)


def _two_nouns(rng: RandomStream, subject: Subject, facet: int) -> tuple[str, str]:
    """Two different nouns of a facet, describing ones more likely to come first."""
    nouns = subject.facet(facet)
    first = rng.skewed(len(nouns), 2)
    second = (first + 1 + rng.below(len(nouns) - 1)) % len(nouns)
    return nouns[first], nouns[second]


def _sentence(
    rng: RandomStream, tongue: Tongue, subject: Subject, nouns: tuple[str, str], *, strong: bool
) -> str:
    first, second = nouns
    stressed = f"<strong>{first}</strong>" if strong else first
    return _fill(rng.pick(tongue.sentences), rng, tongue, subject, (stressed, second))


def _fill(frame: str, rng: RandomStream, tongue: Tongue, subject: Subject, nouns: tuple[str, str]) -> str:
    first, second = nouns
    agents = rng.pick(subject.agents)
    return frame.format(
        a=first,
        b=second,
        A=_capital(first),
        agents=agents,
        Agents=_capital(agents),
        acted=rng.pick(subject.acted),
        place=rng.pick(tongue.places),
        month=rng.pick(tongue.months),
        count=rng.between((11, 970)),
    )


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
