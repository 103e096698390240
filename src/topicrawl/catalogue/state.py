"""The model learned from a run, stored beside its log: the strategy's learner, trained on each visit once.

A run of SemXDM is learned with its strategy's parameters, any other run with SemXDM's defaults: in its own rounds if it
has rounds, else in portions.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
import zstandard

from topicrawl.crawling.offline import followable
from topicrawl.knowledge.idf import ORDINARY
from topicrawl.knowledge.snapshot import Snapshot
from topicrawl.knowledge.terms import read_terms
from topicrawl.model import Ask, Outcome, Page, Topic, Visit
from topicrawl.setup.config import Config
from topicrawl.setup.strategy_inputs import give_inputs
from topicrawl.store.disk import disk_errors, write_atomically
from topicrawl.store.run import Run
from topicrawl.store.standing import standing
from topicrawl.strategies import Strategy
from topicrawl.strategies.cross_reference import CrossReference
from topicrawl.strategies.registry import make_strategy
from topicrawl.strategies.semxdm import SemXdm

FORMAT = 6
FILE = "state.kb"
PORTION = 500
"""Items per portion for a crawl without rounds."""


class Found(msgspec.Struct, frozen=True, array_like=True):
    """An item of the run: the visit that brought it."""

    n: int
    url: str
    title: str
    relevance: float


class State(msgspec.Struct, frozen=True, array_like=True):
    """The content of the file, with all visits up to `last_n`."""

    format: int
    run: str
    last_n: int
    marked: int
    """Instructions of the log whose marks it has learned."""
    round: int
    urls: list[str]
    found: list[Found]
    learned: Snapshot


class LearnedRun:
    """A learner trained on a run's log; `found[i]` is its item `queries + i`.

    Of a watched run it learns each page once, as last seen.
    """

    def __init__(self, run: Run, config: Config) -> None:
        assert isinstance(config.topic, Topic)
        own = give_inputs(make_strategy(config.strategy, config.parameters), config)
        self._strategy = _learning_as(own)
        self._glances = isinstance(own, CrossReference) and own.continuous
        self._run, self._topic, self._nofollow = run, config.topic, config.follow_nofollow
        self.learner, self._queries = self._strategy.new_learner(config.topic)
        self.found: list[Found] = []
        self.urls: list[str] = []
        self._number: dict[str, int] = {}
        self.last_n = self.marked = self._round = 0
        self.replaced = standing(run).replaced
        self._said = [
            (visits, each.marks) for _, visits, each in [*run.placed_instructions()][::-1] if each.marks
        ]
        """The marks of the log, and how many visits were before them."""

    def catch_up(self, folder: Path, tick: Callable[[int], None] = lambda n: None) -> None:
        """Update the state in `folder` from the log; then close the open round, without storing that."""
        self._restore(folder / FILE)
        before, packed = self.last_n, b""
        for visit, ask, outcome in self._run.told(self.last_n):
            self._mark(before=visit.n)
            if self._tell(visit, ask, outcome):
                packed = self._packed()
            tick(visit.n)
        if self.last_n > before:
            packed = packed if self._glances else self._packed()
            if packed:
                self._keep(folder / FILE, packed)
        if self.learner.fresh:
            self._close()
        self._mark(before=self.last_n + 1)

    def number(self, url: str) -> int | None:
        """The number of the item at `url`, counted from the learner's first."""
        link = self._number.get(url)
        return None if link is None else self.learner.item_of(link)

    def _tell(self, visit: Visit, ask: Ask, outcome: Outcome) -> bool:
        """Process one visit; returns whether it completed a round."""
        in_rounds = not self._strategy.continuous
        if in_rounds and 0 < self._round < ask.walker:
            self._close()
        self._round = ask.walker if in_rounds else 0
        self.last_n = visit.n
        page = self._link(visit.url)
        asked = self._link(visit.asked)
        self._know_queries()
        if visit.asked != visit.url:
            self.learner.same(asked, page)
        if outcome.page is None or not visit.fetched or visit.peek or visit.n in self.replaced:
            return False
        self._take(visit, page, outcome.page)
        return not in_rounds and self._follow()

    def _mark(self, before: int) -> None:
        """Learn what people said of pages before a visit, as the strategy does (`CrossReference.mark`)."""
        fresh = [marks for visits, marks in self._said[self.marked :] if visits < before]
        for marks in fresh:
            for mark in marks:
                if (link := self._number.get(mark.of)) is not None:
                    self.learner.mark(link, mark.relevant)
        if fresh:
            self.learner.rescore()
        self.marked += len(fresh)

    def _take(self, visit: Visit, number: int, page: Page) -> None:
        links = dict.fromkeys(map(self._link, page.links.urls if self._nofollow else followable(page)))
        links.pop(number, None)
        read = read_terms(page)
        if self.learner.take(number, read.counts, np.fromiter(links, np.int64, len(links)), read.forms):
            self.found.append(Found(visit.n, visit.url, visit.title, visit.relevance))

    def _follow(self) -> bool:
        if self.learner.fresh >= self._strategy.learn_every:
            self._close()
            return True
        if self._glances:
            self.learner.glance()
        return False

    def _close(self) -> None:
        self._know_queries()
        self.learner.close()

    def _know_queries(self) -> None:
        for item, url in enumerate(self._queries):
            if url in self._number:
                self.learner.known(self._number[url], item)

    def _link(self, url: str) -> int:
        number = self._number.setdefault(url, len(self.urls))
        if number == len(self.urls):
            self.urls.append(url)
        return number

    def _packed(self) -> bytes:
        state = State(
            FORMAT,
            self._run.id,
            self.last_n,
            self.marked,
            self._round,
            self.urls,
            self.found,
            self.learner.snapshot(),
        )
        return zstandard.ZstdCompressor(level=1, write_checksum=True).compress(msgspec.msgpack.encode(state))

    def _keep(self, path: Path, packed: bytes) -> None:
        with disk_errors(path):
            path.parent.mkdir(exist_ok=True)
            write_atomically(path, packed)

    def _restore(self, path: Path) -> None:
        """Load the stored state; ignore it if it belongs to another run or format or cannot be read."""
        try:
            packed = zstandard.ZstdDecompressor().decompress(path.read_bytes())
            kept = msgspec.msgpack.decode(packed, type=State)
        except (OSError, zstandard.ZstdError, msgspec.DecodeError):
            return
        if (kept.format, kept.run) != (FORMAT, self._run.id) or kept.last_n > self._run.last_n:
            return
        if self.replaced and any(found.n in self.replaced for found in kept.found):
            return  # a learner forgets no page: all is learned anew
        self.learner = type(self.learner).restored(kept.learned, self._strategy.settings)
        self.found, self.urls, self.last_n, self._round = kept.found, kept.urls, kept.last_n, kept.round
        self._number = {url: number for number, url in enumerate(kept.urls)}
        self.marked = kept.marked
        for url, relevant in self._standing().items():
            self.learner.mark(self._number[url], relevant)

    def _standing(self) -> dict[str, bool]:
        """The verdicts among the marks that were learned, on pages that are known."""
        said = {mark.of: mark.relevant for _, marks in self._said[: self.marked] for mark in marks}
        return {url: verdict for url, verdict in said.items() if verdict is not None and url in self._number}


def _learning_as(own: Strategy) -> SemXdm:
    """The strategy to learn with: the run's own if it learns labels."""
    if isinstance(own, SemXdm):
        return own
    if isinstance(own, CrossReference):
        like = SemXdm(
            query=own.query,
            continuous=own.continuous,
            learn_every=own.learn_every,
            ordinary=own.settings.ordinary,
        )
        like.training = own.training
        return like
    return SemXdm(continuous=True, learn_every=PORTION, ordinary=ORDINARY)
