"""Tunnels: the only paths into islands.

    some pages about the topic ─► gate ─► passage ─► island about the topic

Gate and passage are about other things, and nothing else outside links to the island.
"""

from __future__ import annotations

from topicrawl.web.invented.atlas import Atlas, Spot
from topicrawl.web.invented.hosts import Host
from topicrawl.web.invented.random_stream import RandomStream, stream_name

APPROACHES = 8
"""Pages about the topic that link to a gate."""


def tunnels(atlas: Atlas) -> dict[Spot, list[Spot]]:
    """The links that tunnels add to pages."""
    added: dict[Spot, list[Spot]] = {}
    for host in atlas.hosts:
        if host.island:
            for source, target in _tunnel(atlas, host):
                added.setdefault(source, []).append(target)
    return added


def _tunnel(atlas: Atlas, island: Host) -> list[tuple[Spot, Spot]]:
    rng = RandomStream(stream_name(atlas.seed, "tunnel", island.number))
    topic = island.sections[1].topic
    gate, passage = _outsider(atlas, rng, topic), _outsider(atlas, rng, topic)
    size = island.sections[1].size
    landings = [Spot(island.number, 1, page) for page in (0, size // 3, size // 2)]
    approaches = [atlas.about(rng, topic) for _ in range(APPROACHES)]
    return [
        *((approach, gate) for approach in dict.fromkeys(approaches)),
        (gate, passage),
        *((passage, landing) for landing in landings),
    ]


def _outsider(atlas: Atlas, rng: RandomStream, topic: int) -> Spot:
    """A readable page, no twin, that is neither about `topic` nor in a section of it."""
    language = atlas.words.topic[topic].language
    while True:
        spot = atlas.anywhere(rng, language)
        traits = atlas.traits(spot)
        foreign = topic not in {traits.topic, traits.second, atlas.section(spot).topic}
        if foreign and spot.page and traits.origin == spot and traits.fault == "":
            return spot
