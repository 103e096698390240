"""The crawl itself, without input or output: `ask` for the next link, `tell` its outcome.

The state of a `Crawl` depends only on its arguments and the sequence of calls, so a stored log replays to the same
crawl. `live.py` drives it over sockets, experiments over a recorded web: both run the same code.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import cast

import msgspec
import numpy as np

from topicrawl.errors import ReplayError
from topicrawl.frontier import ASKED, FAILED, LEFT, PEEKED, VISITED, WAITING, Frontier, Ids
from topicrawl.frontier.hosts import BUSY
from topicrawl.frontier.scope import Scope, sites
from topicrawl.frontier.traps import Traps
from topicrawl.model import NOFOLLOW, REFUSED, Ask, Event, Links, Outcome, Page, Postponed, Topic, Visit
from topicrawl.page.relevance import PageRelevance
from topicrawl.strategies import Observation, Strategy
from topicrawl.urls import host as host_of
from topicrawl.urls import site as site_of

NO_LINKS: Ids = np.empty(0, dtype=np.int64)
DIGITS = 9
"""Decimals of relevance and priority in the log."""
EXAMPLE_DEPTH = 1
"""An example page counts as one link away from a seed: it was chosen for its text, not as a start."""
UNAVAILABLE = frozenset({"retry-later", "robots-unreachable"})
"""Errors that close a host: it asked for a pause, and the wait for it took too long."""
REMEDY = "the run is damaged, or of another version: see `topicrawl doctor RUN`"


@dataclass
class Tally:
    """Counts of the crawl so far."""

    visits: int = 0
    fetched: int = 0
    relevant: int = 0
    failed: int = 0
    needs_script: int = 0
    """Pages with almost no text without JavaScript."""
    bytes: int = 0


@dataclass
class Crawl:
    """A focused crawl as a deterministic state machine.

    `ahead` is how many links of one host may be pending. At this limit the host is held until half of them are
    answered, so that the links in flight spread over hosts. This depends on asks and tells only, never on a clock;
    half, because holding a host touches all its links and would be too slow for every page.
    """

    topic: Topic
    strategy: Strategy
    seeds: Sequence[str]
    scope: Scope = field(default_factory=Scope)
    rng_seed: int = 0
    threshold: float = 0.62
    ahead: int | None = None
    traps: Traps | None = None
    """Detects parts of sites without new text; None to follow every link, as in the published algorithms."""
    frontier: Frontier = field(default_factory=Frontier)
    tally: Tally = field(default_factory=Tally)
    pending: dict[int, Ask] = field(default_factory=dict)
    """Links asked and not answered, in the order asked."""
    postponed: set[int] = field(default_factory=set)
    """Pending links that do not count towards `ahead`."""

    def __post_init__(self) -> None:
        self.rng = random.Random(self.rng_seed)
        self._relevance = PageRelevance(self.topic)
        self._peeked: dict[int, Observation] = {}
        self._seed_sites = sites(self.seeds) if self.scope.same_site else frozenset[str]()
        ids = self.frontier.add(list(dict.fromkeys(self.seeds)), depth=0, parent=-1)
        self.strategy.start(self.topic, self.frontier, ids, self.rng)
        self.shown = self._enter_examples()
        """Example pages whose links are in the frontier from the start."""
        for page in self.shown:
            self._observe_example(page)

    def ask(self) -> Ask | None:
        """The strategy's next link; None if there is none now, or if no links are pending, none at all."""
        choice = self.strategy.choose(self.frontier, self.rng)
        if choice is None:
            return None
        link, columns = choice.link, self.frontier.columns
        ask = Ask(
            link=link,
            url=self.frontier.urls[link],
            priority=round(float(columns["priority"][link]), DIGITS) + 0.0,  # no −0
            depth=int(columns["depth"][link]),
            walker=choice.walker,
            peek=choice.peek,
        )
        self.frontier.settle(link, ASKED)
        self.pending[link] = ask
        self._add_pending(int(columns["host"][link]))
        return ask

    def tell(self, ask: Ask, outcome: Outcome) -> Visit:
        """Process the outcome of an ask. Outcomes may come in any order."""
        del self.pending[ask.link]
        link, outcome = self._settle_final(ask, outcome)
        relevance = self._relevance(outcome.counts) if outcome.page and outcome.counts else 0.0
        visit = self._visit(ask, outcome, relevance)
        self._remove_pending(ask.link)
        self.postponed.discard(ask.link)
        self._count(link, visit, outcome.page)
        if self.traps and self.traps.tell(visit, outcome):
            self._drop_trapped(site_of(host_of(ask.url)))
        seen = Observation(link, visit, outcome, NO_LINKS, walker=ask.walker, peek=ask.peek)
        if outcome.page is not None:
            seen = self._store_peeked(seen, outcome.page) if ask.peek else self._add_links(seen, outcome.page)
        self._observe(seen)
        return visit

    def postpone(self, link: int) -> bool:
        """Do not count a pending link towards `ahead` any more; False if it was not counted anyway."""
        if link in self.postponed or link not in self.pending:
            return False
        self._remove_pending(link)
        self.postponed.add(link)
        return True

    def replay(self, event: Event) -> None:
        """Repeat one event of a stored log; `ReplayError` if the result differs."""
        if isinstance(event, Ask):
            if (again := self.ask()) != event:
                raise ReplayError(
                    f"the log asks for {event.url}, replaying chose {again and again.url}; {REMEDY}"
                )
            return
        if isinstance(event, Postponed):
            if not self.postpone(event.link):
                raise ReplayError(f"the log postpones link {event.link}, which is not waited for")
            return
        if event.ask.link not in self.pending:
            raise ReplayError(f"the log answers {event.ask.url}, which was not asked; {REMEDY}")
        again_visit = self.tell(event.ask, event.outcome)
        if again_visit != event.visit:
            raise ReplayError(f"visit {event.visit.n} ({event.visit.url}) replays differently; {REMEDY}")

    def refusal(self, url: str, depth: int) -> str | None:
        """Why scope or traps exclude a link at this depth, or None."""
        if self.traps and self.traps.refuses(url):
            return "a part of its site that had nothing new to say"
        return self.scope.refusal(url, depth, self._seed_sites)

    def _enter_examples(self) -> list[Page]:
        """The examples that the strategy starts from, entered as visited pages without a fetch or a log line.

        Left out are those without URL or links, those outside the scope, and seeds, which are fetched.
        """
        if not self.strategy.from_examples:
            return []
        pages = {page.url: page for page in self.topic.examples if page.url and page.links.urls}
        wanted = [url for url in pages if not self.scope.refusal(url, EXAMPLE_DEPTH, self._seed_sites)]
        shown = [url for url in wanted if self.frontier.number(url) is None]
        for link in self.frontier.add(shown, depth=EXAMPLE_DEPTH, parent=-1).tolist():
            self.frontier.settle(link, VISITED)
        return [pages[url] for url in shown]

    def _observe_example(self, page: Page) -> None:
        """Add the links of an example and pass it to the strategy."""
        link, outcome = self.frontier.number(page.url), Outcome(page.url, page=page)
        assert link is not None
        visit = self._visit(Ask(link, page.url, priority=0.0, depth=EXAMPLE_DEPTH), outcome, relevance=1.0)
        seen = self._add_links(Observation(link, visit, outcome, NO_LINKS), page)
        self.strategy.show(seen, self.frontier)

    def _settle_final(self, ask: Ask, outcome: Outcome) -> tuple[int, Outcome]:
        """Settle the link and its redirect target; a page is counted once, under its final URL."""
        if outcome.page is None:
            if self.frontier.columns["state"][ask.link] == ASKED:
                self.frontier.settle(ask.link, FAILED)
            return ask.link, outcome
        link = self.frontier.number(outcome.url)
        if self._is_full(outcome.url) or (link is None and self.refusal(outcome.url, ask.depth)):
            self.frontier.settle(ask.link, VISITED)
            return ask.link, _without_page(outcome, "scope")
        if link is None:
            parent = int(self.frontier.columns["parent"][ask.link])
            link = int(self.frontier.add([outcome.url], ask.depth, parent)[0])
        known = self.frontier.columns["state"][link] in {PEEKED, VISITED}
        self.frontier.settle(ask.link, VISITED)
        if known:
            return link, _without_page(outcome, "duplicate")
        self.frontier.settle(link, PEEKED if ask.peek else VISITED)
        return link, outcome

    def _visit(self, ask: Ask, outcome: Outcome, relevance: float) -> Visit:
        parent = int(self.frontier.columns["parent"][ask.link])
        return Visit(
            n=self.tally.visits + 1,
            url=outcome.url,
            asked=ask.url,
            status=outcome.status,
            fetched=outcome.page is not None,
            peek=ask.peek,
            relevance=round(relevance, DIGITS),
            priority=ask.priority,
            host=host_of(outcome.url),
            depth=ask.depth,
            parent=self.frontier.urls[parent] if parent >= 0 else None,
            title=outcome.page.title if outcome.page else "",
            bytes=outcome.size,
            error=outcome.error,
        )

    def _count(self, link: int, visit: Visit, page: Page | None) -> None:
        tally = self.tally
        tally.visits += 1
        tally.bytes += visit.bytes
        tally.fetched += visit.fetched
        tally.failed += not visit.fetched
        tally.needs_script += page is not None and page.needs_script
        tally.relevant += visit.fetched and visit.relevance > self.threshold
        columns, host = self.frontier.hosts.columns, int(self.frontier.columns["host"][link])
        columns["fetched"][host] += visit.fetched
        columns["failed"][host] += not visit.fetched
        columns["relevance_sum"][host] += visit.relevance
        columns["closed"][host] |= visit.error in UNAVAILABLE
        if not columns["held"][host] & BUSY and not self._has_slot(host, self.ahead):
            self.frontier.hold(host)

    def _observe(self, seen: Observation) -> None:
        """Pass a visit to the strategy, and then each peeked page that it selects."""
        while (peeked := self.strategy.observe(seen, self.frontier, self.rng)) is not None:
            self.frontier.settle(peeked, VISITED)
            kept = self._peeked.pop(peeked)
            assert kept.outcome.page is not None
            seen = self._add_links(kept, kept.outcome.page)

    def _add_links(self, seen: Observation, page: Page) -> Observation:
        """Add a page's links to the frontier: those that may be followed, each once, in document order."""
        rows = self._admit(seen.link, page)
        known = dict.fromkeys(rows)
        for not_taken in (-1, seen.link):
            known.pop(not_taken, None)
        links = np.array(list(known), dtype=np.int64)
        self.frontier.contained(links, seen.visit.relevance)
        self.frontier.graph.add(seen.link, links, out_degree=len(set(page.links.urls)))
        return Observation(seen.link, seen.visit, seen.outcome, links, rows, walker=seen.walker)

    def _store_peeked(self, seen: Observation, page: Page) -> Observation:
        """Store the links of a peeked page, without its text, until the strategy selects it."""
        links = Links(urls=page.links.urls, flags=page.links.flags)
        kept = msgspec.structs.replace(
            seen.outcome, page=Page(page.url, page.title, links=links, nofollow=page.nofollow)
        )
        self._peeked[seen.link] = replace(seen, outcome=kept)
        return seen

    def _admit(self, page_link: int, page: Page) -> list[int]:
        """The link number of each row of the page's links, −1 for rows that are not followed."""
        urls, nofollow = page.links.urls, 0 if self.scope.follow_nofollow else NOFOLLOW
        if page.nofollow and nofollow:
            return [-1] * len(urls)
        rows = self.frontier.numbers(urls)
        if any(page.links.flags):
            refused = nofollow | REFUSED
            rows = [-1 if flags & refused else row for row, flags in zip(rows, page.links.flags, strict=True)]
        if None not in rows:
            return cast(list[int], rows)
        depth = int(self.frontier.columns["depth"][page_link]) + 1
        unknown = dict.fromkeys(url for url, row in zip(urls, rows, strict=True) if row is None)
        fresh = [url for url in unknown if not self.scope.refusal(url, depth, self._seed_sites)]
        if self.traps and self.traps.watched:
            fresh = [url for url in fresh if self.traps.admits(url)]
        added = dict(zip(fresh, self.frontier.add(fresh, depth, page_link).tolist(), strict=True))
        return [added.get(url, -1) if row is None else row for url, row in zip(urls, rows, strict=True)]

    def _drop_trapped(self, site: str) -> None:
        """Drop the waiting links of a site that lead into a trap just detected, except seeds."""
        assert self.traps is not None
        states, parents = self.frontier.columns["state"], self.frontier.columns["parent"]
        for host, name in enumerate(self.frontier.hosts.names):
            if site_of(name) != site:
                continue
            for link in self.frontier.hosts.links(host).tolist():
                waits = states[link] == WAITING and parents[link] >= 0
                if waits and not self.traps.admits(self.frontier.urls[link]):
                    self.frontier.settle(link, LEFT)

    def _add_pending(self, host: int) -> None:
        self.frontier.hosts.columns["asked"][host] += 1
        if not self._has_slot(host, self.ahead):
            self.frontier.hold(host)

    def _remove_pending(self, link: int) -> None:
        """Subtract a link from the pending ones of its host; release the host when half are answered."""
        if link in self.postponed:
            return
        columns, host = self.frontier.hosts.columns, int(self.frontier.columns["host"][link])
        columns["asked"][host] -= 1
        if columns["held"][host] & BUSY and self._has_slot(host, self.ahead and self.ahead // 2 + 1):
            self.frontier.release(host)

    def _has_slot(self, host: int, ahead: int | None) -> bool:
        """Whether one more link of this host may be asked: fewer than `ahead` pending, not closed, not full."""
        columns = self.frontier.hosts.columns
        asked, most = int(columns["asked"][host]), self.scope.max_per_host
        if columns["closed"][host] or (ahead is not None and asked >= ahead):
            return False
        return most is None or asked + int(columns["fetched"][host]) < most

    def _is_full(self, url: str) -> bool:
        """Whether `max_per_host` pages of the host of `url` have been fetched."""
        if self.scope.max_per_host is None:
            return False
        host = self.frontier.hosts.number(host_of(url))
        return host is not None and self.frontier.hosts.columns["fetched"][host] >= self.scope.max_per_host

    @property
    def waiting(self) -> int:
        """Number of known links that are neither asked nor settled."""
        return self.frontier.waiting


def _without_page(outcome: Outcome, error: str) -> Outcome:
    return Outcome(outcome.url, outcome.status, outcome.size, error)
