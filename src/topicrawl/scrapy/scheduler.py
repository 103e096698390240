"""A scheduler for Scrapy: a strategy of topicrawl chooses among the requests of the spider.

Three kinds of request:
    a link           GET, http, priority 0: the strategy says when, or never
    one of its own   any other: by the spider's priority, those above or at 0 before all links, those below after them
    a continuation   a redirect or a retry, which Scrapy schedules anew: at once

The page of a request is told to the strategy when Scrapy is done with it, items included. Only then its requests can
be chosen, and only then the request is done for a JOBDIR.
"""

from __future__ import annotations

import heapq
import logging
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self
from weakref import WeakKeyDictionary

from scrapy import Request, Spider, signals
from scrapy.core.scheduler import BaseScheduler
from scrapy.crawler import Crawler
from scrapy.dupefilters import BaseDupeFilter, RFPDupeFilter
from scrapy.http import Response
from scrapy.utils.job import job_dir
from scrapy.utils.misc import build_from_crawler, load_object

from topicrawl.model import Ask, Outcome, Page, Timing
from topicrawl.scrapy.focus import Focus, begin, resume
from topicrawl.scrapy.links import CONTEXT, TEXT
from topicrawl.scrapy.pages import Lead, failed, leads, page_of, with_requested
from topicrawl.scrapy.parents import add_parents
from topicrawl.scrapy.requests import Entry, RequestStore
from topicrawl.scrapy.settings import given_settings, new_config
from topicrawl.urls import canonical

log = logging.getLogger(__name__)

NUMBER = "topicrawl_request"
"""The key of `Request.meta` with the number of a request that was handed out."""
RUN, REQUESTS = "topicrawl", "topicrawl-requests.db"
"""The run directory, and the file of open requests, in a JOBDIR."""
WRITE_SECONDS = 0.5
WRITE_EVENTS = 1000
"""Changes are written at the latest when they are this old, or as many."""


@dataclass
class Handed:
    """A request that Scrapy is working on."""

    entry: Entry
    request: Request
    ask: Ask | None
    """What the crawl waits for; None where the page is none of the crawl."""
    started: float
    response: Response | None = None
    requested: dict[str, Lead] = field(default_factory=dict)
    """The links that the spider asked for, by canonical URL."""
    is_waiting: bool = False
    """Whether a redirect or a retry of it waits to be handed out."""
    _read: tuple[Page | None, dict[str, Lead]] | None = None

    def read(self) -> tuple[Page | None, dict[str, Lead]]:
        """The page of its response, and the leads of its links."""
        if self._read is None:
            page = None if self.response is None else page_of(self.response)
            self._read = page, leads(page)
        return self._read


class FocusedScheduler(BaseScheduler):
    """`SCHEDULER = "topicrawl.scrapy.FocusedScheduler"`, and `TOPICRAWL_TOPIC`: what to look for."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        assert crawler.stats is not None
        self._stats = crawler.stats
        self._given: dict[str, Any] = {}
        self._folder = job_dir(crawler.settings)
        self._filter = _filter(crawler)
        self._focus: Focus | None = None
        self._parents: WeakKeyDictionary[Request, Handed] = WeakKeyDictionary()
        self._handed: dict[int, Handed] = {}
        self._again: deque[tuple[Handed, Request]] = deque()
        """Redirects and retries, and what a killed process was working on."""
        self._own: list[tuple[int, int, Entry]] = []
        """A heap of the requests that the spider's priority orders."""
        self._ready: Ask | None = None
        """A choice of the strategy that was made to see whether there is one."""
        self._done: list[int] = []
        """Requests whose pages are told and not in the log yet."""
        self._written = time.monotonic()
        self._has_warned = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def open(self, spider: Spider) -> Any:
        """Open the requests of a JOBDIR, and resume its crawl.

        Settings are read here: an error of the scheduler's making would be hidden by one of the engine's closing.
        """
        self._given = given_settings(self._crawler.settings)
        self._spider = spider
        folder = Path(self._folder) if self._folder else None
        self._store = RequestStore(folder / REQUESTS if folder else None, spider)
        add_parents(self._crawler, self._found)
        self._crawler.signals.connect(self._received, signals.response_received)
        if folder is not None:
            self._focus = resume(folder / RUN, self._given, log.warning)
        if self._focus is not None:
            self._take_up(self._focus)
        self._known_before = frozenset(self._store.seen) if self._focus else frozenset()
        return self._filter.open()

    def close(self, reason: str) -> Any:
        """Write what is left, a summary and a report."""
        if not hasattr(self, "_store"):  # it could not be opened
            return None
        self._settle()
        self._write()
        self._tell_stats()
        if self._focus is not None:
            self._focus.finish(reason)
        self._store.close()
        return self._filter.close(reason)

    def has_pending_requests(self) -> bool:
        """Whether a request waits that may be fetched, or a page is being worked on that may lead to one."""
        self._settle()
        if self._handed or self._again or self._own or self._ready:
            return True
        self._ready = self._choose()
        return self._ready is not None

    def enqueue_request(self, request: Request) -> bool:
        """Take a request of the spider, or a redirect or retry of Scrapy; False if it is a duplicate."""
        parent = self._parents.pop(request, None)
        handed = self._handed.get(request.meta.get(NUMBER, 0)) if parent is None else None
        if handed is not None and not self._is_scraped(handed):
            handed.is_waiting = True
            self._again.append((handed, request))
            return self._count_enqueued()
        request.meta.pop(NUMBER, None)  # the spider copied the meta of its response
        url = canonical(request.url) if request.method == "GET" and not request.body else None
        if parent is not None and url is not None and request.priority >= 0:
            parent.requested.setdefault(url, _lead(request, parent, url))
        if self._is_duplicate(
            request, is_start=parent is None and bool(request.meta.get("is_start_request"))
        ):
            self._filter.log(request, self._spider)
            return False
        self._take(request, url, parent)
        return self._count_enqueued()

    def next_request(self) -> Request | None:
        """The next request: redirects and retries, the spider's own, links, own ones of low priority."""
        self._settle()
        if self._again:
            return self._hand_again(*self._again.popleft())
        if self._own and self._own[0][0] <= 0:
            return self._hand_own()
        asked, self._ready = self._ready or self._choose(), None
        if asked is not None:
            return self._hand_link(asked)
        return self._hand_own() if self._own else None

    def _is_duplicate(self, request: Request, *, is_start: bool) -> bool:
        """Whether a request was seen; after a resume also a start request, which the spider yields again."""
        fingerprint = self._fingerprint(request)
        if request.dont_filter:
            self._store.see(fingerprint)
            return is_start and fingerprint in self._known_before
        if type(self._filter) is not RFPDupeFilter and self._filter.request_seen(request):
            return True
        known = self._store.see(fingerprint)
        return known and type(self._filter) is RFPDupeFilter

    def _fingerprint(self, request: Request) -> bytes:
        assert self._crawler.request_fingerprinter is not None
        return self._crawler.request_fingerprinter.fingerprint(request)

    def _take(self, request: Request, url: str | None, parent: Handed | None) -> None:
        """Keep a request until it is its turn."""
        if self._focus is None and url is not None:
            self._focus = self._begin(url)
        focus = self._focus
        refused = url is not None and focus is not None and bool(focus.crawl.refusal(url, 0))
        is_own = (
            url is None or request.priority != 0 or refused or (focus is not None and not focus.is_open(url))
        )
        entry, fault = self._store.add(request, url, own=is_own, seed=parent is None)
        if fault:
            self._warn_of_memory(request, fault)
        if is_own:
            self._push(entry)
        elif parent is None and url is not None and focus is not None and not focus.knows(url):
            focus.enter_seed(url)

    def _begin(self, url: str) -> Focus:
        per_domain = self._crawler.settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN")
        config = new_config(self._given, url, per_domain)
        return begin(config, Path(self._folder, RUN) if self._folder else None, log.warning)

    def _take_up(self, focus: Focus) -> None:
        """Sort the requests that were open when the last process ended."""
        done = []
        for entry in self._store.all():
            asked = focus.pending(entry.url) if entry.url else None
            if asked is not None:
                handed = self._handed_of(entry, self._store.request(entry), asked)
                self._again.append((handed, handed.request))
            elif entry.own:
                self._push(entry)
            elif entry.url is not None and not focus.is_open(entry.url):
                done.append(entry.id)  # its page is in the log: the process ended before this was noted
            elif entry.seed and entry.url is not None and not focus.knows(entry.url):
                focus.enter_seed(entry.url)
        self._store.forget(done)
        log.info(
            "topicrawl resumes: %d pages fetched, %d requests open",
            focus.crawl.tally.fetched,
            len(self._store),
        )

    def _push(self, entry: Entry) -> None:
        heapq.heappush(self._own, (-entry.priority, entry.id, entry))

    def _choose(self) -> Ask | None:
        """The next choice of the strategy that a request leads to."""
        while self._focus is not None and (asked := self._focus.ask()) is not None:
            if any(entry.id not in self._handed for entry in self._store.waiting(asked.url)):
                return asked
            self._focus.withdraw(asked)
        return None

    def _hand_link(self, asked: Ask) -> Request:
        first, *others = [entry for entry in self._store.waiting(asked.url) if entry.id not in self._handed]
        for other in others:
            if not other.own:
                self._push(other)
        return self._hand(first, asked)

    def _hand_own(self) -> Request:
        entry = heapq.heappop(self._own)[2]
        asked = None
        if entry.url is not None and self._focus is not None:
            asked = self._focus.ask_for(entry.url, entry.depth)
        return self._hand(entry, asked)

    def _hand(self, entry: Entry, asked: Ask | None) -> Request:
        request = self._store.request(entry)
        self._handed[entry.id] = self._handed_of(entry, request, asked)
        return self._out(request)

    def _handed_of(self, entry: Entry, request: Request, asked: Ask | None) -> Handed:
        request.meta[NUMBER] = entry.id
        return Handed(entry, request, asked, time.time())

    def _hand_again(self, handed: Handed, request: Request) -> Request:
        handed.request, handed.is_waiting = request, False
        self._handed[handed.entry.id] = handed
        return self._out(request)

    def _out(self, request: Request) -> Request:
        self._stats.inc_value("scheduler/dequeued")
        self._stats.inc_value(f"scheduler/dequeued/{'disk' if self._folder else 'memory'}")
        return request

    def _count_enqueued(self) -> bool:
        self._stats.inc_value("scheduler/enqueued")
        self._stats.inc_value(f"scheduler/enqueued/{'disk' if self._folder else 'memory'}")
        return True

    def _found(self, request: Request, response: Response) -> None:
        """Note on which page the spider found a request; let it carry anchor and context."""
        handed = self._of(response)
        if handed is None:
            return
        self._parents[request] = handed
        lead = handed.read()[1].get(canonical(request.url) or "")
        if lead is not None:
            request.meta.setdefault(TEXT, lead.anchor)
            request.meta.setdefault(CONTEXT, lead.context)

    def _received(self, response: Response, request: Request, **_: Any) -> None:
        if (handed := self._of(response)) is not None:
            handed.response = response

    def _of(self, response: Response) -> Handed | None:
        request = response.request
        return None if request is None else self._handed.get(request.meta.get(NUMBER, 0))

    def _is_scraped(self, handed: Handed) -> bool:
        """Whether the spider has the answer of a request: what is scheduled from then on is its own."""
        assert self._crawler.engine is not None
        slot = self._crawler.engine.scraper.slot
        return slot is not None and handed.request in slot.active

    def _settle(self) -> None:
        """Tell the crawl of the pages that Scrapy is done with, and write when it is time."""
        assert self._crawler.engine is not None
        slot = self._crawler.engine._slot
        busy = slot.inprogress if slot is not None else set()
        for number, handed in [*self._handed.items()]:
            if handed.request not in busy and not handed.is_waiting:
                del self._handed[number]
                self._tell(handed)
        unwritten = self._store.changes + (self._focus.unwritten if self._focus else 0)
        is_old = time.monotonic() - self._written >= WRITE_SECONDS
        if unwritten >= WRITE_EVENTS or (is_old and unwritten):
            self._write()

    def _tell(self, handed: Handed) -> None:
        """Tell the crawl what came of a request."""
        page, url = handed.read()[0], handed.entry.url or handed.request.url
        focus = self._focus
        if handed.ask is not None and focus is not None:
            timing = Timing(started=handed.started, fetched=max(0.0, time.time() - handed.started))
            focus.tell(handed.ask, self._outcome(handed, page, url), timing)
        if focus is not None:
            links = [link for link in handed.requested if not focus.knows(link)]
            focus.enter_found(links, handed.entry.depth + 1, url, page)
        self._done.append(handed.entry.id)

    def _outcome(self, handed: Handed, page: Page | None, url: str) -> Outcome:
        response = handed.response
        if page is None or response is None or not 200 <= response.status < 300:
            return failed(url, response)
        return Outcome(
            page.url, response.status, len(response.body), page=with_requested(page, handed.requested)
        )

    def _write(self) -> None:
        """Make durable what happened: requests, then events; then forget the requests that are done."""
        done, self._done = self._done, []
        self._store.commit()
        if self._focus is not None:
            self._focus.write()
        self._store.forget(done)
        self._store.commit()
        self._written = time.monotonic()
        self._tell_stats()

    def _tell_stats(self) -> None:
        if self._focus is None:
            return
        tally = self._focus.crawl.tally
        figures = {
            "fetched": tally.fetched,
            "relevant": tally.relevant,
            "failed": tally.failed,
            "harvest_rate": round(tally.relevant / tally.fetched, 4) if tally.fetched else 0.0,
            "requests_open": len(self._store),
        }
        for name, value in figures.items():
            self._stats.set_value(f"topicrawl/{name}", value)

    def _warn_of_memory(self, request: Request, fault: str) -> None:
        self._stats.inc_value("scheduler/unserializable")
        if not self._has_warned:
            self._has_warned = True
            log.warning(
                "%s cannot be stored in the JOBDIR (%s): it stays in memory, and a killed process loses it; "
                "put only what can be pickled into meta and cb_kwargs",
                request,
                fault,
            )

    def __len__(self) -> int:
        return len(self._store)

    def __iter__(self) -> Iterator[Request]:
        return (self._store.request(entry) for entry in self._store.all())


def _lead(request: Request, parent: Handed, url: str) -> Lead:
    """What a request says of its link: what it carries, else what the page has."""
    known = parent.read()[1].get(url, Lead())
    return Lead(str(request.meta.get(TEXT) or known.anchor), str(request.meta.get(CONTEXT) or known.context))


def _filter(crawler: Crawler) -> BaseDupeFilter:
    """The filter of duplicates. That of Scrapy keeps no file here: the fingerprints are with the requests."""
    kind = load_object(crawler.settings["DUPEFILTER_CLASS"])
    if kind is RFPDupeFilter:
        debug = crawler.settings.getbool("DUPEFILTER_DEBUG")
        return RFPDupeFilter(None, debug, fingerprinter=crawler.request_fingerprinter)
    made: BaseDupeFilter = build_from_crawler(kind, crawler)
    return made
