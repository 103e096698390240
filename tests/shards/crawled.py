"""Crawls of invented and hand-made webs in shards, in lockstep."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import msgspec

from topicrawl.crawling.core import Crawl
from topicrawl.crawling.letters import Post
from topicrawl.crawling.offline import OfflinePages
from topicrawl.frontier.route import Route
from topicrawl.model import Event, Outcome, Topic, Visit
from topicrawl.page.read import read
from topicrawl.shards.coordinator import Coordinator
from topicrawl.shards.lockstep import Lockstep
from topicrawl.shards.teacher import Teacher
from topicrawl.strategies.registry import make_strategy
from topicrawl.topic.matcher import Matcher

TOPIC = Topic("rain", ("rain", "flood"), (1.0, 0.5))


def counted(fetch: Callable[[str], Outcome], topic: Topic) -> Callable[[str], Outcome]:
    """Outcomes with term counts."""
    count = Matcher(topic.terms).count

    def outcome(url: str) -> Outcome:
        found = fetch(url)
        return found if found.page is None else msgspec.structs.replace(found, counts=count(found.page))

    return outcome


def hand_made(
    pages: Mapping[str, str], redirects: Mapping[str, str] | None = None
) -> Callable[[str], Outcome]:
    """A web of these pages, by URL."""
    moved = redirects or {}

    def outcome(url: str) -> Outcome:
        at = moved.get(url, url)
        if at not in pages:
            return Outcome(at, 404, error="http-404")
        return Outcome(at, 200, len(pages[at]), page=read(at, pages[at].encode(), "text/html"))

    return counted(outcome, TOPIC)


def invented(web: str, topic: Topic = TOPIC) -> Callable[[str], Outcome]:
    """An invented web."""
    return counted(OfflinePages(web).outcome, topic)


def crawls(
    route: Route, seeds: list[str], strategy: str = "ops", topic: Topic = TOPIC, **parameters: object
) -> dict[str, Crawl]:
    """A crawl for each shard."""
    return {
        name: Crawl(topic, make_strategy(strategy, parameters), seeds, post=Post(name, route.owner))
        for name in route.names
    }


@dataclass
class Crawled:
    """A crawl in lockstep: its driver, its visits, the log of each shard."""

    driver: Lockstep
    visits: list[tuple[str, Visit]]
    logs: dict[str, list[Event]]

    @property
    def urls(self) -> list[str]:
        return [visit.url for _, visit in self.visits]


def crawled(
    shards: Mapping[str, Crawl],
    fetch: Callable[[str], Outcome],
    pages: int,
    at_once: int = 4,
    teacher: Teacher | None = None,
) -> Crawled:
    """A whole crawl in lockstep."""
    logs: dict[str, list[Event]] = {name: [] for name in shards}
    driver = Lockstep(
        dict(shards),
        Coordinator({"pages": pages}, at_once),
        fetch,
        teacher,
        log=lambda shard, event: logs[shard].append(event),
    )
    return Crawled(driver, list(driver.run()), logs)
