"""Makes the pure crawl that a configuration describes, and the crawl of a run: new, or as of its newest snapshot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from topicrawl.crawling.core import Crawl
from topicrawl.crawling.hooks import NO_HOOKS, Hooks
from topicrawl.crawling.instructions import NoPast, Past
from topicrawl.crawling.letters import Post
from topicrawl.crawling.snapshots import Restored, restored
from topicrawl.frontier import Frontier
from topicrawl.frontier.traps import Traps
from topicrawl.judge.outside import as_judge
from topicrawl.judge.registry import make_judge
from topicrawl.model import Outcome, Topic, Version, Visit
from topicrawl.setup.config import Config
from topicrawl.setup.run_config import begun_config, config_of
from topicrawl.setup.strategy_inputs import give_inputs
from topicrawl.store.run import Run
from topicrawl.store.shard_files import read_shard
from topicrawl.strategies import Strategy
from topicrawl.strategies.registry import make_strategy
from topicrawl.web.archive_name import SCHEME


def version_of(config: Config, strategy: Strategy) -> Version:
    """What makes the choices of a crawl: this topicrawl, and its strategy as it behaves now."""
    return Version(version("topicrawl"), config.strategy, strategy.behaviour, config.parameters)


@dataclass(frozen=True, slots=True)
class StoredPast:
    """The visits of a run, read apart from what is writing it."""

    path: Path

    def visits(self) -> Iterator[Visit]:
        """Every visit, in order."""
        with Run.open(self.path, writable=False) as run:
            yield from run.visits()

    def outcomes(self) -> Iterator[tuple[Visit, Outcome]]:
        """Every visit with its outcome, in order."""
        with Run.open(self.path, writable=False) as run:
            yield from run.outcomes()


def past_of(run: Run | None) -> Past:
    """The visits of a run, for instructions that look back; none where nothing is stored."""
    return NoPast() if run is None else StoredPast(run.path)


def post_of(run: Run | None) -> Post | None:
    """The letters of a run that is a shard, before the first; None for other runs."""
    shard = None if run is None else read_shard(run.path)
    return None if shard is None else Post(shard.name, shard.route.owner)


def crawl_of(run: Run) -> Crawl:
    """The crawl of a run before its first event: replay its log into it."""
    return make_crawl(begun_config(run), past=past_of(run), post=post_of(run))


def present_of(run: Run) -> Restored:
    """The crawl of a run as of its newest snapshot, read as far as it is used: replay the rest of its log into it."""
    crawl = crawl_of(run)
    return restored(run, version_of(config_of(run), crawl.strategy), crawl, lambda: crawl_of(run), later=True)


def now_of(run: Run) -> Crawl:
    """The crawl of a run after its last event."""
    begin = present_of(run)
    for event in run.replay(begin.seq):
        begin.crawl.replay(event)
    return begin.crawl


def make_crawl(
    config: Config,
    frontier: Frontier | None = None,
    past: Past | None = None,
    hooks: Hooks = NO_HOOKS,
    post: Post | None = None,
) -> Crawl:
    """The pure crawl that a resolved configuration describes, before its first ask.

    Its links are stored in `frontier`, by default in memory; `past` holds its visits once it is under way; with `post`
    it is a shard.
    """
    assert isinstance(config.topic, Topic)
    frontier = Frontier() if frontier is None else frontier
    given = None if hooks.judge is None else as_judge(hooks.judge)
    online = config.web == "http"
    endless = online or config.web.startswith(SCHEME)
    return Crawl(
        config.topic,
        give_inputs(make_strategy(config.strategy, config.parameters), config),
        config.seeds,
        scope=config.scope,
        rng_seed=config.rng_seed,
        threshold=config.threshold,
        ahead=2 * config.per_host if online else None,
        traps=Traps(config.topic.terms) if endless and config.avoid_traps else None,
        frontier=frontier,
        judge=given or make_judge(config.judge, config.topic, frontier.allocator),
        past=past or NoPast(),
        post=post,
    )


def configure(crawl: Crawl, config: Config, run: Run | None) -> Crawl:
    """Give a judge that has settings those of now; it may keep files in the folder of the run."""
    if (take := getattr(crawl.judge, "configure", None)) is not None:
        take(config.llm, None if run is None else run.path)
    return crawl
