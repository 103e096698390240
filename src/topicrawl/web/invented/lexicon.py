"""The vocabulary of the invented web, read from lexicon.toml once."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

import msgspec

from topicrawl.topic.shipped import ontology
from topicrawl.topic.similarity import weights

FACETS = 6
"""Number of facets of a topic's nouns; a page covers some or all, of its second topic only one."""
DESCRIBING = 12
"""Number of nouns that describe a topic; the others only co-occur with it."""


class Tongue(msgspec.Struct, frozen=True):
    """What a language needs to make sentences, headlines and navigation."""

    home: str
    about: str
    next: str
    previous: str
    related: str
    table: list[str]
    generic: list[str]
    lead: list[str]
    months: list[str]
    places: list[str]
    sentences: list[str]
    headlines: list[str]
    headings: list[str]


class Subject(msgspec.Struct, frozen=True):
    """A topic of the invented web: its nouns, language and names of sites.

    A filler is the topic of text that is about no topic.
    """

    name: str
    slug: str
    language: str
    label: str
    sites: list[str]
    agents: list[str]
    acted: list[str]
    nouns: list[str] = []
    brands: list[str] = []
    filler: bool = False
    ontology: str = ""
    """The built-in ontology whose concepts are its nouns."""

    def facet(self, number: int) -> list[str]:
        """The nouns of one facet, the describing ones first."""
        return self.nouns[number % FACETS :: FACETS]

    def spec(self) -> str:
        """The topic as `--topic` reads it: a built-in, or its describing nouns, weights falling from 1 to 0.45."""
        if self.ontology:
            return self.ontology
        weighted = (f"{noun} {(100 - 5 * rank) / 100:g}" for rank, noun in enumerate(self.nouns[:DESCRIBING]))
        return f"{self.name}: {', '.join(weighted)}"


class Lexicon(msgspec.Struct, frozen=True):
    """All tongues and subjects; a subject's number is its place in the list."""

    en: Tongue
    zh: Tongue
    topic: list[Subject]

    def tongue(self, language: str) -> Tongue:
        """The tongue called `language`."""
        return self.zh if language == "zh" else self.en


@cache
def lexicon() -> Lexicon:
    """The built-in lexicon."""
    text = files(__package__).joinpath("lexicon.toml").read_text(encoding="utf-8")
    words = msgspec.convert(tomllib.loads(text), Lexicon)
    return msgspec.structs.replace(words, topic=[_with_nouns(subject) for subject in words.topic])


def _with_nouns(subject: Subject) -> Subject:
    """A subject with an ontology takes its concepts as nouns, heaviest first, as many as fill all facets."""
    if not subject.ontology:
        return subject
    concepts = ontology(subject.ontology)
    heaviest_first = sorted(weights(concepts).items(), key=lambda item: (-item[1], item[0]))
    nouns = [concepts.by_name[name].labels[subject.language][0] for name, _ in heaviest_first]
    return msgspec.structs.replace(subject, nouns=nouns[: len(nouns) // FACETS * FACETS])
