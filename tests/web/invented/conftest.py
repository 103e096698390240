"""The small invented web and its whole link graph, made once."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from topicrawl.web.invented import InventedWeb, invented_web
from topicrawl.web.invented.atlas import Spot, Traits
from topicrawl.web.invented.links import Link


@dataclass(frozen=True)
class Graph:
    """Every page of a web with its traits, all its links, and those in its text."""

    web: InventedWeb
    traits: dict[Spot, Traits]
    links: dict[Spot, list[Link]]
    content: dict[Spot, list[Link]]


@pytest.fixture(scope="session")
def web() -> InventedWeb:
    return invented_web("invented:7")


@pytest.fixture(scope="session")
def graph(web: InventedWeb) -> Graph:
    traits = {spot: web.atlas.traits(spot) for spot in web.atlas.spots()}
    return Graph(
        web,
        traits,
        {spot: web.linker.links(spot) for spot in traits},
        {spot: web.linker.content(spot, traits[spot]) for spot in traits},
    )
