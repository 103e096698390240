"""Maps URLs to pages and back, and decides what a page is about and where links may lead."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import accumulate
from typing import NamedTuple

from topicrawl.web.invented.days import Days
from topicrawl.web.invented.hosts import Host, Section, hosts
from topicrawl.web.invented.lexicon import FACETS, Lexicon
from topicrawl.web.invented.prose import VARIANTS, prose
from topicrawl.web.invented.random_stream import RandomStream, hash_numbers, stream_name
from topicrawl.web.invented.shape import Shape

_ARTICLE = re.compile(r"/([a-z]+)/(?:[a-z-]+-([1-9]\d{0,17})\.html)?")


class Spot(NamedTuple):
    """A page by its place: host, section of that host, page of that section."""

    host: int
    section: int
    page: int


class Traits(NamedTuple):
    """The properties of a page. A twin repeats text and links of its `origin`; others are their own origin."""

    origin: Spot
    topic: int
    second: int
    """Topic of a minor part of the text, or −1."""
    facet: int
    breadth: int
    """Number of facets of its topic in the text, from `facet` on."""
    row: int
    """Row of its headline in the topic's prose."""
    fault: str
    """ "", "failing", "cut" or "slow"."""


class Atlas:
    """The pages of one invented web."""

    def __init__(self, seed: int, shape: Shape, words: Lexicon, hour: int | None = None) -> None:
        """The web with this seed; at an `hour` it has changed since hour 0 (days.py)."""
        self.seed = seed
        self.shape = shape
        self.words = words
        self.hosts = hosts(seed, shape, words)
        self.days = None if hour is None else Days(seed, hour, self._first_size)
        self.languages = sorted({host.language for host in self.hosts})
        self._by_name = {host.name: host for host in self.hosts}
        self._page_prefix = stream_name(seed, "page", "")
        self.prose = cache(lambda topic: prose(seed, words, words.topic[topic]))
        self.fillers = {subject.language: n for n, subject in enumerate(words.topic) if subject.filler}
        self._others = [_others(words, topic) for topic in range(len(words.topic))]
        everywhere = [
            (host, section)
            for host in self.hosts
            if not host.island
            for section in range(1, len(host.sections))
        ]
        self._of_topic = [
            Region([place for place in everywhere if place[0].sections[place[1]].topic == topic])
            for topic in range(len(words.topic))
        ]
        self._in_language = {
            language: Region([place for place in everywhere if place[0].language == language])
            for language in self.languages
        }
        self._on_host = [
            Region([(host, section) for section in range(1, len(host.sections))]) for host in self.hosts
        ]

    def section(self, spot: Spot) -> Section:
        """The section of `spot`."""
        return self.hosts[spot.host].sections[spot.section]

    def spots(self) -> Iterator[Spot]:
        """All pages, host by host; practically endless in the scale web."""
        for host in self.hosts:
            yield from self.spots_of(host)

    def spots_of(self, host: Host) -> Iterator[Spot]:
        """All pages of a host."""
        for number in range(len(host.sections)):
            for page in range(self.size(host.number, number)):
                spot = Spot(host.number, number, page)
                if self.exists(spot):
                    yield spot

    def counts(self) -> Counter[str]:
        """Pages of each host."""
        if self.days is not None:
            return Counter({host.name: sum(1 for _ in self.spots_of(host)) for host in self.hosts})
        return Counter({host.name: sum(section.size for section in host.sections) for host in self.hosts})

    def size(self, host: int, section: int) -> int:
        """Pages of a section, those that vanished included."""
        return self.days.size(host, section) if self.days else self._first_size(host, section)

    def exists(self, spot: Spot) -> bool:
        """Whether a page that was added is still there."""
        return self.days is None or not self.days.has_vanished(spot)

    def last_change(self, spot: Spot) -> int:
        """The hour since which a page is as it is; home pages and lists also change with each new page on them."""
        assert self.days is not None
        hours = [self.days.birth(spot), *self.days.changes(spot)[-1:]]
        if spot.page == 0:
            sections = [spot.section] if spot.section else range(1, len(self.hosts[spot.host].sections))
            hours += [hour for section in sections for hour in self.days.added(spot.host, section)[-1:]]
        return max(hours)

    def _first_size(self, host: int, section: int) -> int:
        return self.hosts[host].sections[section].size

    def traits(self, spot: Spot) -> Traits:
        """The properties of the page at `spot`."""
        numbers = self._numbers(spot)
        fault = self._fault(spot, numbers[0])
        origin = self._origin(spot, numbers)
        if origin != spot:
            numbers = self._numbers(origin)
        _, _, stray, mixed, second, facet, breadth, variant = numbers
        topic = self.section(origin).topic
        if origin.page and stray * 1000 >> 16 < self.shape.stray:
            topic = self._other(topic, second)
        is_mixed = origin.page and mixed * 1000 >> 16 < self.shape.mixed
        facet %= FACETS
        return Traits(
            origin=origin,
            topic=topic,
            second=self._other(topic, second >> 4) if is_mixed else -1,
            facet=facet,
            breadth=3 + breadth % (FACETS - 2),
            row=facet * VARIANTS + variant % VARIANTS,
            fault=fault,
        )

    def _numbers(self, spot: Spot) -> tuple[int, ...]:
        return hash_numbers(b"%b%d/%d/%d" % (self._page_prefix, *spot))

    def _fault(self, spot: Spot, number: int) -> str:
        shape, share = self.shape, number * 1000 >> 16
        if spot.page == 0 or spot.section == 0 or share >= shape.failing + shape.cut + shape.slow:
            return ""
        if share < shape.failing:
            return "failing"
        return "cut" if share < shape.failing + shape.cut else "slow"

    def _origin(self, spot: Spot, numbers: tuple[int, ...]) -> Spot:
        """The page that a twin repeats: one in a section of the same topic, mostly on another host."""
        if spot.page == 0 or spot.section == 0 or numbers[1] * 1000 >> 16 >= self.shape.twins:
            return spot
        region = self._of_topic[self.section(spot).topic]
        host, section = region.places[numbers[2] % len(region.places)]
        return Spot(host.number, section, 1 + numbers[3] % (host.sections[section].size - 1))

    def _other(self, topic: int, number: int) -> int:
        """Another topic of the same language."""
        others = self._others[topic]
        return others[number % len(others)]

    def headline(self, traits: Traits) -> str:
        """The page's headline."""
        return self.prose(traits.topic).headlines[traits.row]

    def path(self, spot: Spot, traits: Traits) -> str:
        """The page's address on its host."""
        if spot.section == 0:
            return "/about.html" if spot.page else "/"
        slug = self.section(spot).slug
        if spot.page == 0:
            return f"/{slug}/"
        return f"/{slug}/{self.prose(traits.topic).slugs[traits.row]}-{spot.page}.html"

    def url(self, spot: Spot, traits: Traits | None = None) -> str:
        """The page's canonical URL."""
        return f"http://{self.hosts[spot.host].name}{self.path(spot, traits or self.traits(spot))}"

    def split(self, url: str) -> tuple[Host | None, str]:
        """The host that a canonical URL names, None if this web does not have it, and the path there."""
        scheme, _, rest = url.partition("://")
        name, _, path = rest.partition("/")
        return self._by_name.get(name) if scheme == "http" else None, f"/{path}"

    def spot(self, url: str) -> Spot | None:
        """The page with this canonical URL, if there is one."""
        host, path = self.split(url)
        if host is None:
            return None
        if path in {"/", "/about.html"}:
            return Spot(host.number, 0, int(path != "/"))
        match = _ARTICLE.fullmatch(path)
        number = self._section_number(host, match[1]) if match else 0
        if match is None or number == 0:
            return None
        spot = Spot(host.number, number, int(match[2] or 0))
        known = spot.page < self.size(host.number, number) and self.path(spot, self.traits(spot)) == path
        return spot if known and self.exists(spot) else None

    def existing(self, host: int, section: int, page: int) -> Spot | None:
        """The page at this place, if there is one."""
        if host >= len(self.hosts) or section >= len(self.hosts[host].sections):
            return None
        return Spot(host, section, page) if page < self.size(host, section) else None

    def _section_number(self, host: Host, slug: str) -> int:
        return next((n for n, section in enumerate(host.sections) if section.slug == slug), 0)

    def about(self, rng: RandomStream, topic: int) -> Spot:
        """A random page of a section about `topic`, or of its language if there is none; not on an island."""
        region = self._of_topic[topic]
        if not region.places:
            region = self._in_language[self.words.topic[topic].language]
        return region.spot(rng, self.shape.skew)

    def anywhere(self, rng: RandomStream, language: str) -> Spot:
        """A random page in `language`, of any topic, not on an island."""
        return self._in_language[language].spot(rng, self.shape.skew)

    def on_host(self, rng: RandomStream, host: int) -> Spot:
        """A random page of a host."""
        return self._on_host[host].spot(rng, self.shape.skew)

    def places(self, topic: int) -> list[tuple[Host, int]]:
        """The sections about `topic` outside islands, as host and number."""
        return self._of_topic[topic].places


class Region:
    """A set of sections from which pages are drawn: sections by size, pages by a power law of rank."""

    __slots__ = ("_ends", "_total", "places")

    def __init__(self, places: list[tuple[Host, int]]) -> None:
        self.places = places
        self._ends = list(accumulate(host.sections[number].size for host, number in places))
        self._total = self._ends[-1] if places else 0

    def spot(self, rng: RandomStream, skew: int) -> Spot:
        """Draw a page."""
        host, number = self.places[bisect_right(self._ends, rng.below(self._total))]
        return Spot(host.number, number, rng.skewed(host.sections[number].size, skew))


def _others(words: Lexicon, topic: int) -> list[int]:
    """The other topics of the same language."""
    language = words.topic[topic].language
    return [n for n, subject in enumerate(words.topic) if subject.language == language and n != topic]
