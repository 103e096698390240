"""Finds the seeds of a crawl before it begins: `topicrawl crawl --topic … --search-url …`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from topicrawl.errors import ConfigError, SeedError
from topicrawl.finding.endpoint import Endpoint
from topicrawl.frontier.scope import hosts_of
from topicrawl.model import Topic
from topicrawl.setup.config import Config
from topicrawl.setup.inputs import open_topic, open_weighed, read_named_seeds
from topicrawl.setup.resolve import with_examples
from topicrawl.store.seed_sources import SeedSource
from topicrawl.strategies.registry import strategy_class
from topicrawl.topic.ontology import Ontology

if TYPE_CHECKING:
    from topicrawl.finding.seeds import Wanted
    from topicrawl.finding.weigh import Candidate, Candidates

SEARCHING = ("search", "search_url", "queries", "distinct_hosts")
"""Settings that are used up when the seeds are found."""
FOUND = 50
"""Seeds that a crawl takes from searches, where --distinct-hosts does not say how many."""
T = TypeVar("T")


class Begin(NamedTuple):
    """A configuration with its seeds as URLs, and where they are from; empty where that tells nothing."""

    config: Config
    sources: tuple[SeedSource, ...]


def with_found_seeds(
    config: Config, remark: Callable[[str], None], say: Callable[[str], None] = lambda text: None
) -> Begin:
    """`config` with the seeds that its lists and searches name.

    `SeedError` if there is none at all; where lists name some, a search that fails is a remark.
    """
    if config.search and not config.search_url:
        raise ConfigError(
            "--search: there is no server to ask; name one: --search-url https://searx.example/search"
        )
    named = read_named_seeds(config.seeds, remark) if config.seeds else {}
    listed = [SeedSource(url, list(sources)) for url, sources in named.items()]
    if not config.search_url:
        many = len({source for seed in listed for source in seed.sources}) > 1
        return Begin(replace(config, seeds=tuple(named)), tuple(listed) if many else ())
    config, found = _searched(config, remark, say)
    if not found and not named:
        raise SeedError(
            f"nothing was found at {', '.join(_shown(config))}; try other words with --search, or give "
            "pages with --seeds"
        )
    if not found:
        remark("nothing was found by searching; the crawl begins with the seeds given")
    seen = {seed.url for seed in listed}
    searched = [seed_source(each) for each in found if each.url not in seen]
    seeds = (*listed, *searched)
    config = replace(config, seeds=tuple(seed.url for seed in seeds), search=(), search_url=())
    return Begin(config, seeds)


def given_with_found(
    given: Mapping[str, Any], old: Config, remark: Callable[[str], None]
) -> tuple[dict[str, Any], Begin]:
    """The same for settings that a run of `old` is resumed with; they have no search any more."""
    asked = {name: given[name] for name in SEARCHING if name in given}
    begin = with_found_seeds(replace(old, **asked, seeds=tuple(given.get("seeds", ()))), remark, remark)
    rest = {name: value for name, value in given.items() if name not in SEARCHING}
    return ({**rest, "seeds": begin.config.seeds} if begin.config.seeds else rest), begin


def seed_source(candidate: Candidate) -> SeedSource:
    """A candidate as a run keeps it."""
    relevance = None if candidate.relevance is None else round(candidate.relevance, 4)
    return SeedSource(candidate.url, list(candidate.sources), relevance, candidate.title[:200])


def topic_of(config: Config, remark: Callable[[str], None]) -> tuple[Config, Topic | None, Ontology | None]:
    """The topic that `config` names, and its ontology, read once: the configuration then holds it."""
    ontology = open_weighed(config.topic).ontology if config.topic and isinstance(config.topic, str) else None
    config = with_examples(config, remark)
    if isinstance(config.topic, str) and config.topic:
        config = replace(config, topic=open_topic(config.topic))
    return config, config.topic if isinstance(config.topic, Topic) else None, ontology


def judge_of(config: Config) -> str:
    """The name of the judge of a crawl."""
    return config.judge or strategy_class(config.strategy).judged_by


def _searched(
    config: Config, remark: Callable[[str], None], say: Callable[[str], None]
) -> tuple[Config, list[Candidate]]:
    from topicrawl.finding.seeds import Wanted, queries_for  # most crawls search for nothing
    from topicrawl.finding.weigh import spread

    endpoints = tuple(Endpoint.read(url, "--search-url") for url in config.search_url)
    config, topic, ontology = topic_of(config, remark)
    queries = queries_for(config.search, topic, ontology, config.queries)
    say(
        f"searching for {len(queries):,} queries: {', '.join(queries[:6])}{', …' if len(queries) > 6 else ''}"
    )
    found = run_apart(lambda: _find(config, Wanted(endpoints, queries), topic, remark, say))
    weighed = found.weighed(topic, judge_of(config))
    per_host = 1 if config.distinct_hosts else None
    inside = [each for each in weighed if not config.scope.refusal(each.url, 0, hosts_of([each.url]))]
    return config, spread(inside, per_host, config.distinct_hosts or FOUND)


async def _find(
    config: Config,
    wanted: Wanted,
    topic: Topic | None,
    remark: Callable[[str], None],
    say: Callable[[str], None],
) -> Candidates:
    from topicrawl.finding.seeds import Finder
    from topicrawl.web.http import HttpWeb

    web = HttpWeb(config.http)
    try:
        finder = Finder(web, remark, say)
        await finder.find(wanted, topic)
        return finder.found
    finally:
        await web.close()


def run_apart(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """The result of `work` in an event loop of its own, also where this thread has one already."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work())
    with ThreadPoolExecutor(1) as other_thread:
        return other_thread.submit(lambda: asyncio.run(work())).result()


def _shown(config: Config) -> list[str]:
    return [Endpoint.read(url, "--search-url").shown for url in config.search_url]
