"""The checks of `topicrawl doctor RUN`: they change nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, suppress
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from topicrawl.errors import ReplayError, TopicrawlError

if TYPE_CHECKING:
    from topicrawl.crawling.core import Crawl
    from topicrawl.store.run import Run

Finding = tuple[bool | None, str]
"""The result of one check, and a sentence about it: True is ok, False a problem, None to be known, but no damage."""
Findings = Iterator[Finding]


def checks(path: Path) -> Findings:
    """Read everything a run keeps; the files are verified by code that shares nothing with the writer.

    Of a run that is being written only the log is read.
    """
    from topicrawl.store.lock import writer_of
    from topicrawl.store.run import Run
    from topicrawl.store.verify import examine as verify

    writer = writer_of(path)
    with Run.open(path, writable=False) as run:
        yield True, f"{run.last_n:,} visits in the log"
        run.check_log()
        yield written_by(run)
        yield same_config(run)
    if writer:
        yield None, f"{writer} is writing it: its files are ahead of the log; ask again when it has ended"
        return
    for finding in verify(path):
        yield finding.well, finding.sentence


def written_by(run: Run) -> Finding:
    """Which versions wrote a run: True if it is this one alone, None if not, which is no damage."""
    versions = run.versions()
    wrote = [_named(each.topicrawl, each.strategy, each.behaviour) for each in versions]
    if run.began_without_version:
        wrote.insert(0, "topicrawl 0.1")
    this = _this_version(versions[-1].strategy) if versions else f"topicrawl {version('topicrawl')}"
    if set(wrote) <= {this}:
        return True, f"written by {this}, which this is"
    names = ", then ".join(dict.fromkeys(wrote))
    return None, f"written by {names}; this is {this}, and follows the log as it is"


def _this_version(strategy: str) -> str:
    from topicrawl.strategies.registry import strategy_class

    with suppress(TopicrawlError):
        return _named(version("topicrawl"), strategy, strategy_class(strategy).behaviour)
    return f"topicrawl {version('topicrawl')} without {strategy}"  # of a package that is not installed


def _named(topicrawl: str, strategy: str, behaviour: int) -> str:
    return f"topicrawl {topicrawl} with {strategy} (behaviour {behaviour})"


def same_config(run: Run) -> Finding:
    """Whether crawl.toml describes the crawl that the log was begun with, as later instructions changed it."""
    from topicrawl.setup.resolve import check_resume
    from topicrawl.setup.run_config import config_of, logged_config

    try:
        check_resume(logged_config(run), config_of(run))
    except TopicrawlError as why:
        return False, f"crawl.toml and the configuration in crawl.db differ: {why}"
    return True, "crawl.toml agrees with the configuration in crawl.db"


class Replayed(NamedTuple):
    """How a log replays with one configuration."""

    crawl: Crawl | None = None
    why: TopicrawlError | None = None
    """The error that ended the replay."""

    @property
    def share(self) -> float:
        """Share of choices and visits that this version decides as the log says; −1 where the replay failed."""
        if self.crawl is None or self.why is not None:
            return -1.0
        agreed = self.crawl.agreement
        differing = agreed.other_choices + agreed.other_visits
        return 1.0 - differing / max(1, agreed.choices + agreed.visits)


def replayed(run: Run, config: str) -> Replayed:
    """Replay the log of a run that was begun with this configuration."""
    from topicrawl.crawling.make import make_crawl, past_of, post_of
    from topicrawl.setup.run_config import config_in

    crawl = None
    try:
        crawl = make_crawl(config_in(run.path, config), past=past_of(run), post=post_of(run))
        crawl.judges_again = True
        with closing(run.replay()) as events:
            for event in events:
                crawl.replay(event)
    except TopicrawlError as why:
        return Replayed(crawl, why)
    return Replayed(crawl)


def agreement(path: Path) -> Finding:
    """Whether this version decides as the log says. A run of another version is not wrong where it does not."""
    from topicrawl.store.run import Run

    with Run.open(path, writable=False) as run:
        is_of_this_version = written_by(run)[0]
        crawl, why = replayed(run, run.begun_with)
    if why is not None or crawl is None:
        is_damaged = isinstance(why, ReplayError)
        return (False if is_damaged else None), f"the log does not replay: {why}"
    agreed = crawl.agreement
    if agreed.exact:
        left = f"{crawl.waiting:,} links wait, {len(crawl.pending):,} were asked for without an answer"
        return (
            True,
            f"the log replays to itself: {agreed.choices:,} choices, {agreed.visits:,} visits; {left}",
        )
    return (False if is_of_this_version else None), (
        f"a replay differs from the log in {agreed.other_choices:,} of {agreed.choices:,} choices and "
        f"{agreed.other_visits:,} of {agreed.visits:,} visits: {agreed.first}; the log is not damaged, and resuming "
        "follows it"
    )
