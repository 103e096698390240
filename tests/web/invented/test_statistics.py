"""The invented web has the statistics of the real one that matter to a crawler."""

from __future__ import annotations

import math
from collections import Counter, deque

from topicrawl.web.invented.atlas import Spot
from topicrawl.web.invented.links import is_hub

from .conftest import Graph


def in_degrees(graph: Graph) -> list[int]:
    counts = Counter(
        target for links in graph.links.values() for target in {link.target for link in links} if target
    )
    return sorted((counts[spot] for spot in graph.traits), reverse=True)


def test_in_degree_follows_a_power_law(graph: Graph) -> None:
    degrees = in_degrees(graph)
    for tail in (200, 400, 800):
        exponent = 1 + tail / sum(math.log(degree / degrees[tail]) for degree in degrees[:tail])  # Hill
        assert 1.7 < exponent < 2.8
    assert sum(degrees[: len(degrees) // 100]) > 0.15 * sum(degrees)


def test_every_page_is_linked_and_reachable(graph: Graph) -> None:
    start = graph.web.atlas.spot(graph.web.seeds("rainstorm disaster", 1)[0])
    assert start is not None
    assert len(reachable(graph, start)) == len(graph.traits)


def reachable(graph: Graph, *starts: Spot, closed: frozenset[Spot] = frozenset()) -> set[Spot]:
    """Pages that links lead to without passing through `closed` or faulty ones."""
    seen, queue = set(starts), deque(starts)
    while queue:
        spot = queue.popleft()
        if spot in closed or graph.traits[spot].fault in ("failing", "cut"):
            continue
        for link in graph.links[spot]:
            if link.target and link.target not in seen:
                seen.add(link.target)
                queue.append(link.target)
    return seen


def test_pages_have_15_to_40_links(graph: Graph) -> None:
    counts = sorted(len(links) for links in graph.links.values())
    twentieth = len(counts) // 20
    assert counts[twentieth] >= 15
    assert counts[-twentieth] <= 40
    assert 20 < sum(counts) / len(counts) < 30


def test_links_stay_on_topic_far_more_often_than_by_chance_but_not_always(graph: Graph) -> None:
    pairs = [
        (graph.traits[spot].topic, graph.traits[link.target].topic)
        for spot, links in graph.content.items()
        for link in links
        if link.target
    ]
    local = sum(source == target for source, target in pairs) / len(pairs)
    topics = Counter(target for _, target in pairs)
    chance = sum((count / len(pairs)) ** 2 for count in topics.values())
    assert 0.4 < local < 0.65
    assert local > 4 * chance


def test_links_of_hubs_stay_on_topic_more_often_than_those_of_articles(graph: Graph) -> None:
    def local(hubs: bool) -> float:
        same = [
            graph.traits[spot].topic == graph.traits[link.target].topic
            for spot, links in graph.content.items()
            for link in links
            if link.target and is_hub(graph.traits[spot].origin) == hubs
        ]
        return sum(same) / len(same)

    assert local(hubs=True) > local(hubs=False) + 0.15


def test_islands_are_reached_only_through_pages_about_other_things(graph: Graph) -> None:
    atlas = graph.web.atlas
    islands = [host for host in atlas.hosts if host.island]
    assert len(islands) == len(graph.web.topics())
    for island in islands:
        topic = island.sections[1].topic
        about = {spot for spot, traits in graph.traits.items() if traits.topic == topic}
        starts = [spot for spot in about if not atlas.hosts[spot.host].island]
        ashore = {host.number for host in islands if host.sections[1].topic == topic}
        others = frozenset(graph.traits.keys() - about)
        assert not any(spot.host in ashore for spot in reachable(graph, *starts, closed=others))
        assert any(spot.host in ashore for spot in reachable(graph, *starts))


def test_some_anchors_are_misleading_and_some_meaningless(graph: Graph) -> None:
    atlas, said = graph.web.atlas, Counter[str]()
    generic = {text for tongue in (atlas.words.en, atlas.words.zh) for text in tongue.generic}
    for spot, links in graph.content.items():
        own = atlas.prose(graph.traits[spot].topic).headlines
        for link in links[:6]:
            if link.target is None:
                continue
            target = graph.traits[link.target]
            honest = link.anchor == atlas.headline(target)
            off_topic = target.topic != graph.traits[spot].topic
            said["generic to on-topic"] += link.anchor in generic and not off_topic
            said["promise to off-topic"] += not honest and off_topic and link.anchor in own
            said["honest"] += honest
            said["all"] += 1
    assert 0.05 < said["generic to on-topic"] / said["all"] < 0.25
    assert 0.03 < said["promise to off-topic"] / said["all"] < 0.15
    assert 0.5 < said["honest"] / said["all"] < 0.8


def test_some_pages_are_mixed_twins_strays_slow_or_broken(graph: Graph) -> None:
    pages = len(graph.traits)
    mixed = sum(traits.second >= 0 for traits in graph.traits.values())
    twins = sum(traits.origin != spot for spot, traits in graph.traits.items())
    strays = sum(
        traits.topic != graph.web.atlas.section(traits.origin).topic for traits in graph.traits.values()
    )
    faults = Counter(traits.fault for traits in graph.traits.values())
    assert 0.2 < mixed / pages < 0.4
    assert 0.02 < twins / pages < 0.06
    assert 0.03 < strays / pages < 0.09
    assert all(0.003 < faults[fault] / pages < 0.03 for fault in ("failing", "cut", "slow"))


def test_some_links_are_dead_and_some_lead_through_redirects(graph: Graph) -> None:
    links = [link for links in graph.content.values() for link in links]
    dead = sum(link.target is None for link in links)
    moved = sum("/moved/" in link.url for link in links)
    counted = sum("/out/" in link.url for link in links)
    assert 0.005 < dead / len(links) < 0.02
    assert min(moved, counted) > 0.005 * len(links)


def test_links_lead_into_sections_that_robots_txt_forbids(graph: Graph) -> None:
    hosts = [host for host in graph.web.atlas.hosts if host.closed]
    closed = {
        (host.number, number)
        for host in hosts
        for number, section in enumerate(host.sections)
        if section.slug == host.closed
    }
    assert len(closed) == len(hosts) >= 5
    linked = {link.target[:2] for links in graph.links.values() for link in links if link.target}
    assert closed <= linked
