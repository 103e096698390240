"""Ground truth of an invented web: which pages are about a topic, and seeds for a crawl."""

from __future__ import annotations

from topicrawl.errors import WebError
from topicrawl.web.invented.atlas import Atlas, Spot
from topicrawl.web.invented.links import Linker
from topicrawl.web.invented.random_stream import RandomStream, stream_name
from topicrawl.web.invented.render import SIXTEENTHS

LOST = ("failing", "cut")
"""Faults that keep a page from being read."""


class Truth:
    """Labels and links of a web without rendering it; pages are named by their canonical URL."""

    def __init__(self, atlas: Atlas, linker: Linker) -> None:
        self.atlas = atlas
        self.linker = linker
        self._topics = {
            subject.name: number for number, subject in enumerate(atlas.words.topic) if not subject.filler
        }

    def topics(self) -> list[str]:
        """The names of all topics."""
        subjects, spoken = self.atlas.words.topic, self.atlas.languages
        return [name for name, number in self._topics.items() if subjects[number].language in spoken]

    def topic_spec(self, topic: str) -> str:
        """The topic as `--topic` reads it inline."""
        return self.atlas.words.topic[self._number(topic)].spec()

    def truth(self, url: str) -> dict[str, float]:
        """The share of the page's text by topic; empty if the page cannot be read."""
        spot = self.atlas.spot(url)
        return {} if spot is None else self._truth_of(spot)

    def _truth_of(self, spot: Spot) -> dict[str, float]:
        traits = self.atlas.traits(spot)
        if traits.fault in LOST:
            return {}
        own, passing = SIXTEENTHS[traits.second >= 0]
        about = {traits.topic: own / 16, traits.second: passing / 16}
        return {name: about[n] for name, n in self._topics.items() if n in about}

    def relevant(self, url: str, topic: str) -> bool:
        """Whether the page can be read and at least half of it is about `topic`, in any language."""
        return self.share(url, topic) >= 0.5

    def share(self, url: str, topic: str) -> float:
        """The share of the page's text that is about `topic`, in any language; 0 if the page cannot be read."""
        return self._share(self.truth(url), topic)

    def share_of(self, spot: Spot, topic: str) -> float:
        """The same of a page by its place, also of one that has vanished."""
        return self._share(self._truth_of(spot), topic)

    def _share(self, about: dict[str, float], topic: str) -> float:
        return max(about.get(name, 0.0) for name in self._spoken(topic))

    def links(self, url: str) -> list[str]:
        """The pages that the links of the page at `url` lead to, redirects followed, dead links left out."""
        spot = self.atlas.spot(url)
        if spot is None or self.atlas.traits(spot).fault in LOST:
            return []
        targets = dict.fromkeys(link.target for link in self.linker.links(spot))
        return [
            self.atlas.url(target) for target in targets if target is not None and self.atlas.exists(target)
        ]

    def last_change(self, url: str) -> int | None:
        """The hour since which the page is as it is, in a web with time; None where there is no page."""
        spot = self.atlas.spot(url)
        return None if spot is None or self.atlas.days is None else self.atlas.last_change(spot)

    def seeds(self, topic: str, count: int) -> list[str]:
        """Up to `count` pages about `topic` as seeds, on different hosts as far as possible."""
        number = self._number(topic)
        rng = RandomStream(stream_name(self.atlas.seed, "seeds", topic))
        places = list(self.atlas.places(number))
        chosen: dict[str, None] = {}
        while places and len(chosen) < count:
            turn = sorted(places, key=lambda _: rng.roll())
            for host, section in turn:
                spot = self._fresh(Spot(host.number, section, 1), number, chosen)
                if spot is None:
                    places.remove((host, section))
                elif len(chosen) < count:
                    chosen[self.atlas.url(spot)] = None
        return list(chosen)

    def _fresh(self, first: Spot, topic: int, chosen: dict[str, None]) -> Spot | None:
        """The first page of a section, from `first` on, that can be read, is about `topic` and not yet chosen."""
        for page in range(first.page, self.atlas.section(first).size):
            spot = first._replace(page=page)
            traits = self.atlas.traits(spot)
            sound = traits.topic == topic and traits.fault == "" and traits.origin == spot
            if sound and self.atlas.url(spot, traits) not in chosen:
                return spot
        return None

    def _spoken(self, topic: str) -> list[str]:
        """`topic` and, if it is a built-in ontology, the same topic in the other language."""
        subjects = self.atlas.words.topic
        ontology = subjects[self._number(topic)].ontology
        return [
            n
            for n, at in self._topics.items()
            if n == topic or (ontology and subjects[at].ontology == ontology)
        ]

    def _number(self, topic: str) -> int:
        if topic not in self._topics:
            known = ", ".join(self._topics)
            raise WebError(f"the invented web has no topic {topic!r}; it has {known}")
        return self._topics[topic]
