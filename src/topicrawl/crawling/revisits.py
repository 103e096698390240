"""The turns of a watch: which known pages are fetched anew, when a new link is better, and what is noticed.

A fetch is worth the days for which the crawl has a relevant page as it is:

    a known page    relevance × days gained (`gained`: the chance that it has changed, and how long a copy lasts)
                    + relevant new pages that it is expected to lead to × days that a copy lasts
    a new link      how often the new links of late were relevant (the strategy chooses which) × days that a copy lasts

The better of the two is fetched next; each kind gets at least `LEAST` of the fetches, so that what is known of it does
not grow old. Everything follows from the log: a `Turn` has the time, a `Revisit` is a known page that was chosen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from topicrawl.crawling import known_pages
from topicrawl.crawling.known_pages import KnownPages
from topicrawl.errors import TRANSIENT_STATUS
from topicrawl.floats import Floats
from topicrawl.frontier import VISITED
from topicrawl.model import CHANGED, GONE, MOVED, NEW, UNLINKED, Noticed, Outcome, Page, Revisit, Turn, Visit
from topicrawl.value.change import gained, lasting

if TYPE_CHECKING:
    from topicrawl.crawling.core import Crawl

DAY = 86400.0
MOST_TURNS = 100
"""Turns that a pause counts as, at most."""
LEAST = 0.1
"""Share of the fetches that known pages and new links get at least, each."""
PACE = 0.05
"""Weight of the latest new link in how often they are relevant."""
LINK_WORTH = 0.5
"""What a new link on a known page is worth against one that is at hand: it has to be fetched, too."""
TRIES = 3
"""Fetches in a row without a page after which a page is asked for at longer and longer intervals."""
LONGEST_PAUSE = 32.0
"""Days between two of them at most; the first pause is a day, and each is twice the one before."""
DOUBT = 0.1
"""What fetching a page is worth that is gone, or gave no answer the last time: it may be there again."""
ANNOUNCED_DAYS = 1e6
"""Days since its last fetch as which a page counts that its site says has changed: it surely has."""
GONE_STATUS = (404, 410)
LATER_ERRORS = frozenset({"connect", "dns", "retry-later", "robots-unreachable", "slow", "timeout"})
"""Of a new link, as `TRANSIENT_STATUS`: it may be answered later. A known page is asked for again whatever came."""


class Revisits:
    """The state of a watch."""

    def __init__(self, crawl: Crawl, first: Turn) -> None:
        self.pages = KnownPages(crawl.frontier)
        self.time = first.before or first.time
        """Of the last turn, in seconds since 1970."""
        self.day = 0.0
        """Of this turn, since the first."""
        self.turn = first
        self.under_way = False
        self.visits = 0
        """Visits of the crawl before this turn."""
        self.again = self.fresh = 0
        """Known pages, and new links, that were asked for in this turn."""
        self.plan: list[int] = []
        """Known pages (links) to fetch in this turn, the best last, and what each is worth."""
        self.worth: list[float] = []
        self.links = len(crawl.frontier)
        """Links that were known before the first turn."""
        harvest = (crawl.tally.relevant + 1.0) / (crawl.tally.visits + 2.0)
        self.promises = [harvest, harvest]
        """How often links of late were relevant: those known before the first turn, and those found since."""
        self.lasting = 1.0
        """Days that a new copy is expected to be as its page is, before all pages could be fetched anew once."""
        self.dropped: dict[int, set[int]] = {}
        """By link: the pages that had it once and have it no longer."""
        self.gained: dict[int, set[int]] = {}
        """By link: the pages that got it when it was known already, which the link graph does not have."""
        self.gains: dict[int, set[int]] = {}
        """The same by page."""
        self.noticed: list[Noticed] = []
        """In this turn."""
        self._enter_past(crawl)

    def _enter_past(self, crawl: Crawl) -> None:
        """Enter the pages that were fetched before the first turn."""
        for visit, outcome in crawl.past.outcomes():
            if visit.n > crawl.tally.visits:
                return
            link = crawl.frontier.number(visit.url)
            self._learn(0, crawl.verdicts.revised(visit).relevance > crawl.threshold)
            if outcome.page is None or not visit.fetched or link is None or self.pages.row(link) is not None:
                continue
            if crawl.frontier.columns["state"][link] == VISITED:
                self.pages.add(link, outcome.page, crawl.verdicts.revised(visit).relevance, self.day)

    def begin(self, crawl: Crawl, turn: Turn) -> None:
        """Begin a turn: count the time since the last, reopen hosts, and plan which known pages to fetch."""
        elapsed = min(max(turn.time - self.time, 0.0), MOST_TURNS * turn.every)
        self.day += elapsed / DAY
        self.turn, self.under_way = turn, True
        self.visits, self.again, self.fresh = crawl.tally.visits, 0, 0
        self.noticed = []
        crawl.slots.reopen()
        self._take_announced(crawl)
        self.time = turn.time
        self._plan(crawl)

    def end(self) -> None:
        """End the turn."""
        self.under_way, self.plan, self.worth, self.noticed = False, [], [], []

    @property
    def requests(self) -> int:
        """The number of requests of the whole crawl at which the turn ends."""
        return self.visits + self.turn.fetches

    def next(self, crawl: Crawl, *, only: bool = False) -> Revisit | None:
        """The known page to fetch next; None where a new link is better. `only`: there is no new link."""
        if not self.under_way or not self.plan:
            return None
        places = reversed(range(len(self.plan)))
        place = next((at for at in places if crawl.slots.may_revisit(self.plan[at])), None)
        if place is None or (not only and not self._is_better(crawl, self.worth[place])):
            return None
        return Revisit(crawl.frontier.urls[self.plan[place]], self.turn.time)

    def _is_better(self, crawl: Crawl, worth: float) -> bool:
        """Whether a known page is better than the best new link; each kind has its least share."""
        asked, best = self.again + self.fresh + 1, crawl.frontier.best()
        if self.again < LEAST * asked or best is None:
            return True
        promise = self.promises[best >= self.links]
        return worth > promise * self.lasting and self.fresh >= LEAST * asked - 1

    def _learn(self, kind: int, is_relevant: bool) -> None:
        """Take note of whether a link was relevant that was fetched for the first time."""
        self.promises[kind] += PACE * (float(is_relevant) - self.promises[kind])

    def asked(self, link: int, *, anew: bool) -> None:
        """Take note that a link is asked for, a known page anew or another one."""
        self.again += anew
        self.fresh += not anew
        if anew and link in self.plan:
            at = self.plan.index(link)
            del self.plan[at], self.worth[at]

    def tell_new(self, crawl: Crawl, link: int, visit: Visit, outcome: Outcome) -> None:
        """Take note of a link that was fetched for the first time."""
        if visit.peek:
            return
        relevance = crawl.verdicts.revised(visit).relevance
        is_relevant = visit.fetched and relevance > crawl.threshold
        kind = int(link >= self.links)
        if self.pages.row(link) is None and _may_come_later(visit):
            self.pages.add_unseen(link, self.promises[kind], self.day)
            return
        self._learn(kind, is_relevant)
        if outcome.page is None or not visit.fetched or self.pages.row(link) is not None:
            return
        self.pages.add(link, outcome.page, relevance, self.day)
        if is_relevant:
            self.pages.lead(link)
        if self.under_way:
            self._notice(visit, NEW)

    def tell_anew(self, crawl: Crawl, link: int, visit: Visit, outcome: Outcome) -> None:
        """Take note of a known page that was asked for anew."""
        row = self.pages.row(link)
        if row is None:
            return
        if outcome.page is None or visit.url != visit.asked:
            moved_to = visit.url if outcome.page is not None else ""
            if self.pages.miss(row, self.day, is_gone=bool(moved_to) or visit.status in GONE_STATUS):
                self._notice(visit, MOVED if moved_to else GONE, visit.asked, row, to=moved_to)
                self._drop(crawl, link, sorted(self._had(crawl, link)))
            if outcome.page is not None and visit.fetched:
                self._follow(crawl, visit, outcome.page)
            return
        was_there = self.pages.columns["state"][row] == known_pages.THERE
        if self.pages.columns["failures"][row] >= TRIES:
            self.pages.recover(row, TRIES - 1)
        relevance = crawl.verdicts.revised(visit).relevance
        if self.pages.see(row, outcome.page, relevance, self.day) or not was_there:
            self._notice(visit, CHANGED if was_there else NEW)
        self._compare_links(crawl, link, outcome.page.links.urls)

    def _follow(self, crawl: Crawl, visit: Visit, page: Page) -> None:
        """Have the page that a known one leads to by now fetched anew at its own address."""
        link = crawl.frontier.number(visit.url)
        if link is None and not crawl.refusal(visit.url, visit.depth):
            [link] = crawl.add_links([visit.url], visit.depth, parent=-1).tolist()
        if link is None or link in crawl.pending or self.pages.row(link) is not None:
            return
        crawl.frontier.settle(link, VISITED)
        self.pages.add(link, page, crawl.verdicts.revised(visit).relevance, self.day)

    def _notice(self, visit: Visit, change: str, url: str = "", row: int | None = None, to: str = "") -> None:
        relevance = visit.relevance if row is None else float(self.pages.columns["relevance"][row])
        self.noticed.append(Noticed(url or visit.url, change, visit.n, round(relevance, 9), visit.title, to))

    def _compare_links(self, crawl: Crawl, page: int, urls: list[str]) -> None:
        """Compare the links that a page has with those that it had."""
        now = {link for link in crawl.frontier.numbers(list(dict.fromkeys(urls))) if link is not None} - {
            page
        }
        before = self._had(crawl, page)
        for link in now - before:
            self.gained.setdefault(link, set()).add(page)
            self.gains.setdefault(page, set()).add(link)
        for link in now:
            if (pages := self.dropped.get(link)) is not None:
                pages.discard(page)
            if (row := self.pages.row(link)) is not None:
                self.pages.columns["unlinked"][row] = False
        self._drop(crawl, page, sorted(before - now))

    def _had(self, crawl: Crawl, page: int) -> set[int]:
        """The links that a page had at any time."""
        return {*crawl.frontier.graph.all_targets(page).tolist(), *self.gains.get(page, ())}

    def _drop(self, crawl: Crawl, page: int, links: list[int]) -> None:
        """Take note that a page has these links no longer, and of fetched pages that no page links to any more."""
        for link in links:
            self.dropped.setdefault(link, set()).add(page)
            row = self.pages.row(link)
            if row is None or not self._is_unlinked(crawl, link, row):
                continue
            columns = self.pages.columns
            columns["unlinked"][row] = True
            relevance = round(float(columns["relevance"][row]), 9)
            self.noticed.append(Noticed(crawl.frontier.urls[link], UNLINKED, relevance=relevance))

    def _is_unlinked(self, crawl: Crawl, link: int, row: int) -> bool:
        """Whether no page has a link any longer; False also where that was noticed before, and for seeds."""
        columns = self.pages.columns
        if columns["unlinked"][row] or columns["state"][row] == known_pages.GONE:
            return False
        if crawl.frontier.columns["depth"][link] == 0:
            return False
        sources = {*crawl.frontier.graph.sources(link), *self.gained.get(link, ())}
        return sources <= self.dropped[link]

    def _take_announced(self, crawl: Crawl) -> None:
        """Enter the pages that sitemaps name and that are unknown; remember which known ones have changed."""
        columns = self.pages.columns
        unknown = []
        for url, changed in self.turn.announced:
            link = crawl.frontier.number(url)
            row = None if link is None else self.pages.row(link)
            if link is None and not crawl.refusal(url, depth=1):
                unknown.append(url)
            elif row is not None and changed > self.time:
                columns["announced"][row] = True
        links = crawl.add_links(list(dict.fromkeys(unknown)), depth=1, parent=-1)
        crawl.strategy.enter(links, crawl.frontier, crawl.rng)

    def _plan(self, crawl: Crawl) -> None:
        """Plan the known pages of this turn: those that are worth most, as many as the turn has fetches."""
        self._take_verdicts(crawl)
        self.pages.guess_rates()
        every = self.turn.every / DAY
        round_ = every * max(len(self.pages) / self.turn.fetches, 1.0)
        self.lasting = lasting(self.pages.usual_rate(), round_)
        worth = self.worths()
        best = np.argsort(-worth, kind="stable")[: self.turn.fetches]
        links = self.pages.columns["link"][best]
        kept = [
            (int(link), float(value))
            for link, value in zip(links, worth[best], strict=True)
            if value > 0 and int(link) not in crawl.pending and not crawl.is_outside(int(link))
        ]
        kept.reverse()
        self.plan, self.worth = [link for link, _ in kept], [value for _, value in kept]

    def worths(self) -> Floats:
        """What fetching each known page anew is worth now: relevant pages that it brings up to date, or finds."""
        columns = self.pages.columns
        days = self.day - columns["last"]
        known = np.where(columns["announced"], ANNOUNCED_DAYS, days)
        worth: Floats = columns["relevance"] * gained(columns["rate"], known)
        worth += LINK_WORTH * self.lasting * self.pages.found_rates() * days
        doubtful = (columns["state"] == known_pages.GONE) | (columns["failures"] > 0)
        worth = np.where(doubtful, DOUBT * worth, worth)
        return np.where((days > 0) & (columns["announced"] | (days >= self._pauses())), worth, 0.0)

    def _pauses(self) -> Floats:
        """The days for which each page is left alone: a site may be down for a day, a page away for a month."""
        more = self.pages.columns["failures"].astype(np.int32) - TRIES
        doubled: Floats = np.minimum(np.ldexp(1.0, np.clip(more, 0, 30)), LONGEST_PAUSE)
        return np.where(more < 0, 0.0, doubled)

    def _take_verdicts(self, crawl: Crawl) -> None:
        """Use what people said of pages since they were fetched."""
        for url in crawl.verdicts.urls:
            link, verdict = crawl.frontier.number(url), crawl.verdicts.of(url)
            row = None if link is None else self.pages.row(link)
            if row is not None and verdict is not None:
                self.pages.columns["relevance"][row] = float(verdict.relevant)


def _may_come_later(visit: Visit) -> bool:
    """Whether a link that gave no page may give one later."""
    kind = (visit.error or "").partition(":")[0]
    return not visit.fetched and (visit.status in TRANSIENT_STATUS or kind in LATER_ERRORS)
