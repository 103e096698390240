"""The hosts of an invented web: heavy-tailed in size, each divided into sections of one topic.

This table and the tunnels into the islands are the only state of an invented web; the rest is computed from names.
"""

from __future__ import annotations

from dataclasses import dataclass

from topicrawl.web.invented.lexicon import Lexicon, Subject
from topicrawl.web.invented.random_stream import RandomStream, hash_numbers, stream_name
from topicrawl.web.invented.shape import Shape

DOMAIN = "invented.test"


@dataclass(frozen=True, slots=True)
class Section:
    """A folder of a host whose pages are mostly about one topic; its page 0 lists links."""

    topic: int
    slug: str
    size: int


@dataclass(frozen=True, slots=True)
class Host:
    """A site. Section 0 holds the home page and the page about the site itself."""

    number: int
    name: str
    title: str
    language: str
    charset: str
    sections: tuple[Section, ...]
    island: bool
    """Whether it is reached only through its tunnel."""
    closed: str
    """The slug of the section robots.txt forbids, or empty."""
    delay: str
    """Crawl-delay in seconds as written in robots.txt, or empty."""


def hosts(seed: int, shape: Shape, words: Lexicon) -> list[Host]:
    """All hosts, the largest first; each gets as its main topic the one with the fewest pages so far."""
    builder = _Builder(seed, shape, words)
    return [builder.host(number, size) for number, size in enumerate(_sizes(shape))]


def _sizes(shape: Shape) -> list[int]:
    """Pages of each host by rank, falling like 1/(rank + 2)."""
    weights = [10**9 // (rank + 2) for rank in range(1, shape.hosts + 1)]
    whole = sum(weights)
    return [max(8, shape.pages * weight // whole) for weight in weights]


class _Builder:
    def __init__(self, seed: int, shape: Shape, words: Lexicon) -> None:
        self.seed = seed
        self.shape = shape
        self.subjects = words.topic
        self.pages = [0] * len(words.topic)
        self.mains = [0] * len(words.topic)

    def host(self, number: int, size: int) -> Host:
        rng = RandomStream(stream_name(self.seed, "host", number))
        language = self._language(number)
        portal = number < self.shape.portals
        main, *others = self._smallest_first(language)
        island = not portal and self._is_island(main)
        self.mains[main] += not portal
        topics = [main, *self._beside(rng, others, size, portal=portal)] if not island else [main]
        sections = self._sections(topics, size, portal=portal)
        subject = self.subjects[main]
        site = rng.below(len(subject.sites))
        closable = not island and len(sections) > 1 and rng.per_mille(self.shape.rules)
        return Host(
            number=number,
            name=f"{subject.sites[site]}-{number + 1}.{DOMAIN}",
            title=_title(subject, site, number + 1),
            language=language,
            charset="gbk" if language == "zh" and rng.per_mille(400) else "utf-8",
            sections=(Section(main, "", 2), *sections),
            island=island,
            closed=sections[-1].slug if closable else "",
            delay="0.5" if not portal and rng.per_mille(self.shape.delays) else "",
        )

    def _language(self, number: int) -> str:
        every = self.shape.chinese
        return "zh" if every and number % every == every - 2 else "en"

    def _smallest_first(self, language: str) -> list[int]:
        """The topics of a language, those with the fewest pages first."""
        spoken = [topic for topic, subject in enumerate(self.subjects) if subject.language == language]
        return sorted(
            spoken, key=lambda topic: (self.pages[topic], hash_numbers(stream_name(self.seed, topic)))
        )

    def _beside(self, rng: RandomStream, others: list[int], size: int, *, portal: bool) -> list[int]:
        """The topics besides the main one: all for a portal, up to three for other hosts, none for small ones."""
        if portal:
            return others
        wanted = rng.below(3) + 1 if size >= 24 else 0
        first = rng.below(len(others))
        return [others[(first + step) % len(others)] for step in range(min(wanted, len(others)))]

    def _is_island(self, topic: int) -> bool:
        """Whether the next host of `topic` is its island: the third one is."""
        return self.shape.islands and not self.subjects[topic].filler and self.mains[topic] == 2

    def _sections(self, topics: list[int], size: int, *, portal: bool) -> list[Section]:
        """Three fifths of a host for its main topic, the rest in equal parts; equal parts throughout for a portal."""
        main_size = size // len(topics) if portal or len(topics) == 1 else size * 3 // 5
        other_size = (size - main_size) // max(1, len(topics) - 1)
        sections = []
        for rank, topic in enumerate(topics):
            pages = max(3, main_size if rank == 0 else other_size)
            sections.append(Section(topic, self.subjects[topic].slug, pages))
            self.pages[topic] += pages
        return sections


def _title(main: Subject, site: int, number: int) -> str:
    name = main.brands[site] if main.brands else main.sites[site].replace("-", " ").title()
    return f"{name} {number}"
