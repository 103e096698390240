"""Retries and waits: hosts that ask for a pause, URLs that get no answer, outages of the network.

A link that waits here is *parked*: it no longer counts as in flight, and another may be fetched instead. Only this
module decides whether an error is a failure of the page or a reason to wait. When a request gets no answer, the
robots.txt of the host is requested; the host has answered that before, as no page is fetched earlier:

| no answer, and …                              | then |
|---|---|
| the host asked for a pause, or its robots.txt | wait as long as it asks, `seconds` in all; then the host is closed. |
| cannot be fetched                             | One that answers nothing is asked again `retries` times at most |
| robots.txt is answered                        | the URL is at fault: `TRIES` tries in all, the later ones when no |
|                                               | other link of the host is being fetched |
| it is not, but another known site answers     | the host is down: wait for it, `seconds` in all; then it is closed |
| no known site answers                         | an outage: wait until one does, a day at most |
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from topicrawl.crawling.core import UNAVAILABLE
from topicrawl.errors import FetchError
from topicrawl.model import Response
from topicrawl.urls import host as host_of
from topicrawl.urls import origin
from topicrawl.urls import site as site_of
from topicrawl.web import Web

SHORTEST_PAUSE = 5.0
"""Seconds between the first two checks of a host that does not answer."""
LONGEST_PAUSE = 60.0
"""Seconds between two checks at most; the pause doubles up to this."""
IDLE = 2.0
"""Seconds without a fetch after which a host counts as idle."""
LONGEST_OUTAGE = 86_400.0
"""Seconds after which an outage is taken to be permanent."""
SLOW = 2.0
"""Seconds after which a fetch is parked; the fetch itself continues."""
TRIES = 3
"""Tries of a URL that gets no answer."""
QUICK_TRIES = 2
"""The same for broken connections: the web has already retried those at once, `retries` times."""
POSTPONED = 32
"""Links of one host that may wait for a later try; further ones fail at once."""
WITNESSES = 8
"""Sites that are checked to detect an outage: the first half that answered, and the latest."""
SENTENCES = 10
"""Hosts for which a wait is reported, at most."""
DOUBTFUL = frozenset({"connect", "timeout", "slow"})
"""Errors that may be due to the URL or to its host."""
NO_ANSWER = frozenset({"dns", "proxy", "robots-unreachable"})
"""Errors without an answer, of hosts that may never have answered."""
UNHEARD = frozenset({"dns", "guard", "proxy", "scheme", "url", "robots", "retry-later"})
"""Errors that do not prove that a host answered: no request may have been sent."""
Nothing = Callable[[], None]


class Network:
    """Whether the network is up, judged by hosts that have answered before. Others prove nothing."""

    def __init__(self, web: Web, say: Callable[[str], None]) -> None:
        self._web = web
        self._report = say
        self._witnesses: dict[str, str] = {}
        self._last_answer = float("-inf")
        self._watch = asyncio.Lock()

    @property
    def is_gone(self) -> bool:
        """True while a task waits for the end of an outage."""
        return self._watch.locked()

    @property
    def has_answered(self) -> bool:
        """Whether any host has ever answered."""
        return bool(self._witnesses)

    def heard(self, url: str) -> None:
        """Record that the host of `url` has just answered, with any status."""
        self._last_answer = asyncio.get_running_loop().time()
        self.heard_before(url)

    def heard_before(self, url: str) -> None:
        """Record that the host of `url` answered some time ago."""
        self._witnesses[site_of(host_of(url))] = url
        if len(self._witnesses) > WITNESSES:
            del self._witnesses[list(self._witnesses)[WITNESSES // 2]]

    async def answers(self, url: str) -> bool:
        """Whether the host of `url` answers now."""
        if await self._web.host_answers(url):
            self.heard(url)
            return True
        return False

    async def is_up(self, since: float) -> bool:
        """Whether a host has answered since `since`, or answers now; also true if none ever has."""
        if self._last_answer >= since or not self._witnesses:
            return True
        return any(await asyncio.gather(*map(self.answers, list(self._witnesses.values()))))

    async def sit_out(self) -> bool:
        """Wait until a host answers again, a day at most; whether one did. Of all waiting tasks one sends requests."""
        loop, pause = asyncio.get_running_loop(), SHORTEST_PAUSE
        began = loop.time()
        async with self._watch:
            if self._last_answer >= began:
                return True
            self._report(
                f"no host answers any more (asked: {', '.join(self._witnesses)}); waiting for the network"
            )
            while not (up := await self.is_up(began)) and loop.time() - began < LONGEST_OUTAGE:
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
        return up


@dataclass(slots=True)
class HostLinks:
    """Counts of the links of one host that are being processed."""

    links: int = 0
    asking: int = 0
    """Those being fetched, including those in the queue for the host's delay."""
    postponed: int = 0
    """Those that wait until the host is idle."""
    asked: float = 0.0
    """When the last fetch ended, in the event loop's time."""


@dataclass(slots=True, eq=False)
class Link:
    """A link that is being processed."""

    url: str
    host: HostLinks
    postpone: Nothing
    began: float
    """When it was first requested, or when the last outage ended."""
    late: bool = False
    """Postponed: it stays parked, also during later tries."""
    asked: float = 0.0
    """When its present fetch began."""
    is_parked: bool = False
    """Whether this fetch is slow and parked."""
    tries: dict[bool, int] = field(default_factory=dict)
    """Requests without an answer, by whether the host then answered for its robots.txt."""


class Outages:
    """Fetches from `web` and waits as the module describes. `park` is called with +1 when a link no longer counts as
    in flight, with −1 when it does again.

    Up to `slow` fetches that take long are parked at a time, later tries of postponed links included, so that hosts
    that hang do not block the others.
    """

    def __init__(
        self,
        web: Web,
        seconds: float,
        park: Callable[[int], None],
        slow: int,
        say: Callable[[str], None],
        retries: int = 2,
    ) -> None:
        self._web = web
        self._seconds = seconds
        self._retries = retries
        self._park = park
        self._slow = slow
        self._report = say
        self._network = Network(web, say)
        self._hosts: dict[str, HostLinks] = {}
        self._under_way = self._asleep = self._late = 0
        self._asking: dict[Link, None] = {}
        """Links whose fetch is not known to be slow yet, in the order in which the fetches began."""
        self._timer: asyncio.TimerHandle | None = None
        """Looks for slow ones: one timer for all, as each would cost more than the rest of this module."""
        self._reported: set[str] = set()

    def add_slow(self, more: int) -> None:
        """Change how many slow fetches may be parked; those that are parked stay so."""
        self._slow += more

    async def fetch(self, url: str, postpone: Nothing = lambda: None, *, postponed: bool = False) -> Response:
        """The web's answer, after all retries and waits.

        `postpone` is called once the URL is known to be at fault: other links of its host may be fetched meanwhile.
        `postponed` says that an earlier session found that out.
        """
        host = self._hosts.setdefault(host_of(url), HostLinks())
        host.links += 1
        self._under_way += 1
        link = Link(url, host, postpone, asyncio.get_running_loop().time())
        try:
            if postponed:
                await self._until_host_idle(link)
            return await self._fetch(link)
        finally:
            self._park(-link.late)
            self._under_way -= 1
            host.links -= 1
            if not host.links:
                del self._hosts[host_of(url)]

    async def _fetch(self, link: Link) -> Response:
        while True:
            if self._network.is_gone:
                await self._network.sit_out()
            asked = asyncio.get_running_loop().time()
            self._begin(link, asked)
            try:
                response = await self._web.fetch(link.url)
            except FetchError as error:
                failure = error
            else:
                self._network.heard(link.url)
                return response
            finally:
                self._end(link)
            if failure.kind in DOUBTFUL:
                await self._diagnose(link, asked, failure)
            else:
                await self._wait(link, asked, failure)

    async def _diagnose(self, link: Link, asked: float, failure: FetchError) -> None:
        """Wait until the link may be tried again: until its host is up, or idle if the URL is at fault."""
        self._network.heard_before(link.url)  # its robots.txt was fetched before the page
        answers = await self._network.answers(link.url)
        link.tries[answers] = link.tries.get(answers, 0) + 1
        if link.tries[answers] >= (QUICK_TRIES if answers and failure.kind == "connect" else TRIES):
            raise failure
        if not answers:
            await self._until_host_answers(link, asked, failure)
        if answers or sum(link.tries.values()) > 1:
            if link.host.postponed >= POSTPONED:
                raise failure
            link.postpone()
            await self._until_host_idle(link)

    async def _wait(self, link: Link, asked: float, failure: FetchError) -> None:
        """Wait as long as the host asks for, or until the outage ends; raises errors that waiting cannot fix."""
        loop = asyncio.get_running_loop()
        if _may_be_outage(failure) and not await self._others_answer(link, asked, failure):
            if not await self._network.sit_out():
                raise failure
            link.began = loop.time()
        elif failure.kind in UNAVAILABLE:
            pause = max(failure.retry_after or 0.0, SHORTEST_PAUSE)
            is_silent = failure.kind in NO_ANSWER and failure.status is None
            link.tries[False] = link.tries.get(False, 0) + is_silent
            is_given_up = is_silent and link.tries[False] > self._retries
            if is_given_up or loop.time() - link.began + pause > self._seconds:
                raise _error_of_url(failure, link.url)
            await self._sleep(pause, link, f"{failure}; asked again in {pause:.0f} s")
        else:
            if failure.kind not in UNHEARD:
                self._network.heard(link.url)
            raise failure

    async def _others_answer(self, link: Link, asked: float, failure: FetchError) -> bool:
        """Whether a host has answered since `asked`, or answers now. Waits first, so that other fetches can end."""
        if self._network.has_answered and asyncio.get_running_loop().time() - asked < SHORTEST_PAUSE:
            await self._sleep(SHORTEST_PAUSE, link, f"{failure}")
        return await self._network.is_up(asked)

    async def _until_host_idle(self, link: Link) -> None:
        """Wait until no other link of the host is being fetched."""
        loop, host = asyncio.get_running_loop(), link.host
        self._park(not link.late)
        link.late = True
        host.postponed += 1
        try:
            while True:
                await self._sleep(IDLE, link)
                idle = not host.asking and loop.time() - host.asked >= IDLE
                if idle and (self._slow > 0 or not self._late):
                    tries = f"given up after {TRIES} tries"
                    self._report_wait(link, f"{link.url} gets no answer, though its host does; {tries}")
                    return
        finally:
            host.postponed -= 1

    async def _until_host_answers(self, link: Link, asked: float, failure: FetchError) -> None:
        """Wait until a host that did not answer at `asked` does; `FetchError` when the wait gets too long."""
        loop, pause = asyncio.get_running_loop(), SHORTEST_PAUSE
        began = loop.time()
        while True:
            if not await self._others_answer(link, asked, failure):
                if not await self._network.sit_out():
                    raise failure
                began = loop.time()
            elif loop.time() - began + pause > self._seconds:
                raise FetchError("robots-unreachable", f"no answer to this either after {failure}")
            else:
                await self._sleep(pause, link, f"answered before and does no longer: {failure}")
                pause = min(2 * pause, LONGEST_PAUSE)
            asked = loop.time()
            if await self._network.answers(link.url):
                return

    async def _sleep(self, seconds: float, link: Link, why: str = "") -> None:
        """Wait with the link parked."""
        self._park(not link.late)
        if why:
            self._report_wait(
                link, f"waiting for {origin(link.url)} (--patience {self._seconds:.0f}s): {why}"
            )
        self._asleep += 1
        try:
            await asyncio.sleep(seconds)
        finally:
            self._asleep -= 1
            self._park(-(not link.late))

    def _report_wait(self, link: Link, sentence: str) -> None:
        """Report a wait, once per host, if all other links wait too or no host has answered yet."""
        host = host_of(link.url)
        is_only_wait = self._asleep + 1 == self._under_way or not self._network.has_answered
        if is_only_wait and host not in self._reported and len(self._reported) < SENTENCES:
            self._reported.add(host)
            self._report(sentence)

    def _begin(self, link: Link, now: float) -> None:
        """A fetch begins: it will be parked after `SLOW` seconds, unless too many slow ones are parked already."""
        link.asked = now
        self._asking[link] = None
        self._late += link.late
        self._slow -= link.late
        link.host.asking += 1
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(SLOW, self._park_slow)

    def _end(self, link: Link) -> None:
        self._asking.pop(link, None)
        self._late -= link.late
        self._slow += link.late
        link.host.asking -= 1
        link.host.asked = asyncio.get_running_loop().time()
        if link.is_parked:
            link.is_parked = False
            self._slow += 1
            self._park(-1)

    def _park_slow(self) -> None:
        """Park the fetches that have taken `SLOW` seconds, and come again for the next."""
        loop, self._timer = asyncio.get_running_loop(), None
        for link in list(self._asking):
            if (left := link.asked + SLOW - loop.time()) > 0:
                self._timer = loop.call_later(left, self._park_slow)
                return
            del self._asking[link]
            if self._slow > 0 and not link.late:
                self._slow -= 1
                link.is_parked = True
                self._park(1)


def _may_be_outage(failure: FetchError) -> bool:
    """Whether the network may be the cause rather than a host."""
    return failure.kind in NO_ANSWER and failure.status is None and failure.retry_after is not None


def _error_of_url(failure: FetchError, url: str) -> FetchError:
    """`failure` as an error of `url`: its host is not closed because of a host that it redirects to."""
    if failure.url is None or host_of(failure.url) == host_of(url):
        return failure
    return FetchError("redirects", f"leads to {failure.url}: {failure}", status=failure.status)
