"""The crawl behind the scheduler: which page is next, by a strategy of topicrawl, and the log of it.

With a JOBDIR the log is a run directory like that of any crawl: `status`, `why`, `search`, `export` and the dashboard
read it. Events wait for `flush`, which makes the spider's requests durable first, then the events, and only then
forgets the requests that these answer: whenever the process is killed, no request is lost, and a page may be fetched
twice.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from topicrawl.crawling.core import OUT_OF_SCOPE, Crawl
from topicrawl.crawling.judged import relevance_now, revised
from topicrawl.crawling.lifecycle import is_run
from topicrawl.crawling.make import configure, crawl_of, make_crawl, version_of
from topicrawl.crawling.reporting import report
from topicrawl.crawling.snapshots import Restored, Snapshots, restored
from topicrawl.frontier import ASKED, PEEKED, VISITED
from topicrawl.judge import Seen
from topicrawl.judge.registry import TERMS
from topicrawl.model import (
    Ask,
    Event,
    Found,
    Instruction,
    Outcome,
    Page,
    Received,
    Revisit,
    Timing,
    Told,
    Visit,
)
from topicrawl.page.relevance import PageRelevance
from topicrawl.report.summary import summarise
from topicrawl.setup.config import Config
from topicrawl.setup.resolve import resume_config
from topicrawl.setup.run_config import config_of, logged_config
from topicrawl.store.run import Run
from topicrawl.topic.matcher import Matcher

Say = Callable[[str], None]


class Focus:
    """A crawl of which Scrapy fetches the pages."""

    def __init__(self, config: Config, crawl: Crawl, run: Run | None, say: Say, begun: Restored) -> None:
        self.config, self.crawl, self.run = config, configure(crawl, config, run), run
        self._count = Matcher(crawl.topic.terms).count
        self._relevance = PageRelevance(crawl.topic)
        self._events: list[Event] = []
        self._seeds: list[str] = []
        """Further seeds that are not in crawl.toml yet."""
        self._version = version_of(config, crawl.strategy)
        self._snapshots = None if run is None else Snapshots(run, self._version, begun, say, config.min_free)
        self._began = time.monotonic()
        self._earlier = 0.0 if run is None or run.summary is None else float(run.summary["seconds"])
        if run is None or [self._version] != run.versions()[-1:]:
            self._do(self._version)

    @property
    def unwritten(self) -> int:
        """Events that are not in the log yet."""
        return len(self._events)

    def knows(self, url: str) -> bool:
        """Whether a page is a link of the crawl."""
        return self.crawl.frontier.number(url) is not None

    def is_open(self, url: str) -> bool:
        """Whether the strategy may still choose a page, or learn of it first."""
        link = self.crawl.frontier.number(url)
        return link is None or bool(self.crawl.frontier.columns["state"][link] <= PEEKED)

    def pending(self, url: str) -> Ask | None:
        """What was asked for a page and has no answer."""
        link = self.crawl.frontier.number(url)
        return None if link is None else self.crawl.pending.get(link)

    def enter_seed(self, url: str) -> None:
        """Enter a page that no page led to."""
        self._do(Instruction(seeds=[url]))
        self._seeds.append(url)

    def enter_found(self, urls: Sequence[str], depth: int, parent: str, page: Page | None) -> None:
        """Enter pages that were found on one that is none of the crawl, such as the answer to a form."""
        relevance = self._worth(page)
        links = [Found(url, depth, parent=parent, relevance=relevance) for url in urls]
        if links:
            self._do(Received("scrapy", links))

    def _worth(self, page: Page | None) -> float:
        if page is None:
            return 0.0
        said = self.crawl.judge.judge([Seen(page, self._relevance(self._count(page)))])[0]
        return round(float(said), 9)

    def _do(self, event: Event) -> None:
        self.crawl.replay(event)
        self._events.append(event)

    def ask(self) -> Ask | None:
        """The page that the strategy chooses next."""
        asked = self.crawl.ask()
        if asked is not None:
            self._events.append(asked)
        return asked

    def ask_for(self, url: str, depth: int) -> Ask | None:
        """Ask for a page that the spider chose; None while it is asked already."""
        frontier = self.crawl.frontier
        link = frontier.number(url)
        if link is not None and frontier.columns["state"][link] == ASKED:
            return None
        if link is not None and frontier.columns["state"][link] >= VISITED:
            revisit = Revisit(url, time.time())
            asked = self.crawl.revisit(revisit)
            self._events.append(revisit)
            return asked
        number = len(frontier) if link is None else link
        self._do(Ask(number, url, priority=0.0, depth=depth))
        return self.pending(url)

    def withdraw(self, ask: Ask) -> None:
        """Give back a link that no request of the spider leads to."""
        self.tell(ask, Outcome(ask.url, error=OUT_OF_SCOPE))

    def tell(self, ask: Ask, outcome: Outcome, timing: Timing = Timing()) -> Visit:  # noqa: B008 - it is frozen
        """Process what came of an ask."""
        if outcome.page is not None:
            outcome = Outcome(
                outcome.url,
                outcome.status,
                outcome.size,
                outcome.error,
                outcome.page,
                self._count(outcome.page),
            )
        visit = self.crawl.tell(ask, outcome)
        self._events.append(Told(ask, outcome, visit, timing))
        return visit

    def write(self) -> None:
        """Write the events so far into the log; without a run they are dropped."""
        events, self._events = self._events, []
        if self.run is None or not events:
            return
        if self._seeds:
            self.config = _with_seeds(self.run, self.config, self._seeds)
            self._seeds = []
        committed = self._snapshots.take_if_due() if self._snapshots else None
        self.run.write(events)
        if committed is not None:
            committed()

    def finish(self, reason: str) -> None:
        """Write summary and report, and close the run."""
        if self.run is None:
            return
        now = relevance_now(self.run, self.crawl.judge)
        seconds = round(self._earlier + time.monotonic() - self._began, 3)
        summary: dict[str, Any] = summarise(
            revised(self.run.visits(), now),
            threshold=self.config.threshold,
            stop_reason=reason,
            seconds=seconds,
            are_probabilities=self.config.judge != TERMS,
        )
        summary["relevant_at_visit"] = self.crawl.tally.relevant
        summary["needs_script"] = self.crawl.tally.needs_script
        summary["pages_per_cpu_second"] = None
        self.run.finish(summary)
        if self._snapshots is not None:
            self._snapshots.finish()
        report(self.run, self.config, summary, now)
        self.run.close()


def begin(config: Config, folder: Path | None, say: Say) -> Focus:
    """A new crawl; its run is in `folder`, or nowhere."""
    crawl = make_crawl(config)
    run = None if folder is None else Run.create(folder, config.to_toml(), warc=False)
    return Focus(config, crawl, run, say, Restored(crawl))


def resume(folder: Path, given: Mapping[str, Any], say: Say) -> Focus | None:
    """The crawl of the run in `folder`, as of its last event; None if there is no run yet."""
    if not is_run(folder):
        return None
    with Run.open(folder, writable=False) as earlier:
        earlier.check_kinds()
        config = resume_config(config_of(earlier), given)
    run = Run.open(folder)
    try:
        for sentence in run.repairs:
            say(sentence)
        crawl = crawl_of(run)
        config = _with_seeds(run, config, logged_config(run).seeds)  # versions before did not write all
        begun = restored(run, version_of(config, crawl.strategy), crawl, lambda: crawl_of(run))
        for event in run.replay(begun.seq):
            begun.crawl.replay(event)
        return Focus(config, begun.crawl, run, say, begun)
    except BaseException:
        run.close()
        raise


def _with_seeds(run: Run, config: Config, seeds: Sequence[str]) -> Config:
    """`config` with further seeds, in crawl.toml before the log has them, as in any crawl."""
    found = replace(config, seeds=tuple(dict.fromkeys((*config.seeds, *seeds))))
    if found != config:
        run.update_config(found.to_toml())
    return found
