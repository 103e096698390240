"""Fetching with patience: a host that asks for a pause, a URL that gets no answer, a network that is gone.

A link that waits here is *parked*: it no longer counts as in flight, and others take its place. What counts as a
failure of the page, and what only as a reason to wait, is decided here and nowhere else. When a host leaves a request
without an answer it is asked for its robots.txt, which it has answered before (no page is asked for without that):

| no answer came, and …                        | then |
|---|---|
| the host asked for a pause, or its robots.txt | wait as it says, `seconds` in all; then the host is closed |
| cannot be had                                 | |
| the host answers for its robots.txt           | the URL is to blame: `TRIES` tries in all, the later ones when no |
|                                               | other link of the host wants to be asked |
| it does not, another site that answered does  | the host is down: wait for it, `seconds` in all; then it is closed |
| nor does any other                            | an outage: wait until one does, a day at most |
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from topicrawl.crawling.core import UNAVAILABLE
from topicrawl.errors import FetchError
from topicrawl.model import Response
from topicrawl.urls import host as host_of
from topicrawl.urls import origin
from topicrawl.urls import site as site_of
from topicrawl.web import Web

SHORTEST_PAUSE = 5.0
"""Seconds between two looks at a host that does not answer."""
LONGEST_PAUSE = 60.0
"""Seconds that the pauses between two looks grow to."""
IDLE = 2.0
"""Seconds without a fetch after which nobody else is thought to want to ask a host."""
LONGEST_OUTAGE = 86_400.0
"""Seconds after which nobody is expected back."""
SLOW = 2.0
"""Seconds after which a fetch is parked; it goes on all the same."""
TRIES = 3
"""Times that a URL is tried although it gets no answer."""
QUICK_TRIES = 2
"""The same for connections that break: those were tried again at once, `retries` times."""
POSTPONED = 32
"""Links of one host that wait for a later try; of a host that leaves more without an answer no more are kept."""
WITNESSES = 8
"""Sites by which an outage is known: the first half of them that answered, and the last."""
SENTENCES = 10
"""Hosts that are named, at most, as what is waited for."""
DOUBTFUL = frozenset({"connect", "timeout", "slow"})
"""Errors after which it is open whether the URL or its host is to blame."""
NO_ANSWER = frozenset({"dns", "robots-unreachable"})
"""Errors that come without an answer, of a host that may never have answered."""
UNHEARD = frozenset({"dns", "guard", "scheme", "url", "robots", "retry-later"})
"""Errors that may come without anybody having been asked."""
Nothing = Callable[[], None]


class Network:
    """Whether anybody answers, by the hosts of some sites that did. Hosts that never answered prove nothing."""

    def __init__(self, web: Web, say: Callable[[str], None]) -> None:
        self._web = web
        self._say = say
        self._witnesses: dict[str, str] = {}
        self._heard = float("-inf")
        self._watch = asyncio.Lock()

    @property
    def is_gone(self) -> bool:
        """True while somebody sits out an outage."""
        return self._watch.locked()

    @property
    def has_answered(self) -> bool:
        """Whether anybody ever did."""
        return bool(self._witnesses)

    def heard(self, url: str) -> None:
        """The host of `url` answered just now, whatever it said."""
        self._heard = asyncio.get_running_loop().time()
        self.heard_before(url)

    def heard_before(self, url: str) -> None:
        """The host of `url` answered some time ago."""
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
        """Whether somebody answered since then, or does now; true as well where nobody ever did."""
        if self._heard >= since or not self._witnesses:
            return True
        return any(await asyncio.gather(*map(self.answers, list(self._witnesses.values()))))

    async def sit_out(self) -> bool:
        """Wait until somebody answers again, a day at most; whether so. However many wait, one of them asks."""
        loop, pause = asyncio.get_running_loop(), SHORTEST_PAUSE
        began = loop.time()
        async with self._watch:
            if self._heard >= began:
                return True
            self._say(
                f"no host answers any more (asked: {', '.join(self._witnesses)}); waiting for the network"
            )
            while not (up := await self.is_up(began)) and loop.time() - began < LONGEST_OUTAGE:
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
        return up


@dataclass(slots=True)
class HostLinks:
    """The links of one host that are under way."""

    links: int = 0
    asking: int = 0
    """Those that are being fetched, the wait for the host's turn included."""
    postponed: int = 0
    """Those that wait until no other wants to be asked."""
    asked: float = 0.0
    """When the last fetch ended, by the clock of the event loop."""


@dataclass(slots=True)
class Link:
    """A link under way."""

    url: str
    host: HostLinks
    postpone: Nothing
    began: float
    """When it was first asked for, or the last outage ended."""
    late: bool = False
    """Postponed: parked for good, also while it is tried."""
    tries: Counter[bool] = field(default_factory=Counter)
    """How often it got no answer though its host answered for its robots.txt, and while that got none either."""


class Outages:
    """A web asked with patience. `park` is told +1 when a link no longer counts as in flight, −1 when it does again.

    Up to `slow` fetches that take long are parked at a time, later tries of postponed links included, so that hosts
    that hang do not hold up the others.
    """

    def __init__(
        self, web: Web, seconds: float, park: Callable[[int], None], slow: int, say: Callable[[str], None]
    ) -> None:
        self._web = web
        self._seconds = seconds
        self._park = park
        self._slow = slow
        self._say = say
        self._network = Network(web, say)
        self._hosts: dict[str, HostLinks] = {}
        self._under_way = self._asleep = self._late = 0
        self._named: set[str] = set()

    async def fetch(self, url: str, postpone: Nothing = lambda: None, *, postponed: bool = False) -> Response:
        """The web's answer, however long that takes within reason.

        `postpone` is called once it is known that the URL is to blame: other links of its host may be asked
        meanwhile. With `postponed` that is known from before.
        """
        host = self._hosts.setdefault(host_of(url), HostLinks())
        host.links += 1
        self._under_way += 1
        link = Link(url, host, postpone, asyncio.get_running_loop().time())
        try:
            if postponed:
                await self._until_idle(link)
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
            try:
                async with self._asking(link):
                    response = await self._web.fetch(link.url)
            except FetchError as error:
                failure = error
            else:
                self._network.heard(link.url)
                return response
            if failure.kind in DOUBTFUL:
                await self._find_out(link, asked, failure)
            else:
                await self._wait(link, asked, failure)

    async def _find_out(self, link: Link, asked: float, failure: FetchError) -> None:
        """Wait until the link may be tried again: soon when its host was down, late when the URL is to blame."""
        self._network.heard_before(link.url)  # for its robots.txt, without which no page is asked for
        answers = await self._network.answers(link.url)
        link.tries[answers] += 1
        if link.tries[answers] >= (QUICK_TRIES if answers and failure.kind == "connect" else TRIES):
            raise failure
        if not answers:
            await self._until_back(link, asked, failure)
        if answers or link.tries.total() > 1:
            if link.host.postponed >= POSTPONED:
                raise failure
            link.postpone()
            await self._until_idle(link)

    async def _wait(self, link: Link, asked: float, failure: FetchError) -> None:
        """Wait as long as the host asks for, or until the network is back; raises what no waiting helps against."""
        loop = asyncio.get_running_loop()
        if _unanswered(failure) and not await self._others_answer(link, asked, failure):
            if not await self._network.sit_out():
                raise failure
            link.began = loop.time()
        elif failure.kind in UNAVAILABLE:
            pause = max(failure.retry_after or 0.0, SHORTEST_PAUSE)
            if loop.time() - link.began + pause > self._seconds:
                raise _own(failure, link.url)
            await self._sleep(pause, link, f"{failure}; asked again in {pause:.0f} s")
        else:
            if failure.kind not in UNHEARD:
                self._network.heard(link.url)
            raise failure

    async def _others_answer(self, link: Link, asked: float, failure: FetchError) -> bool:
        """Whether anybody answered since `asked`, or does now. Lets some time pass, in which others may be heard."""
        if self._network.has_answered and asyncio.get_running_loop().time() - asked < SHORTEST_PAUSE:
            await self._sleep(SHORTEST_PAUSE, link, f"{failure}")
        return await self._network.is_up(asked)

    async def _until_idle(self, link: Link) -> None:
        """Wait until no other link of the host wants to be asked."""
        loop, host = asyncio.get_running_loop(), link.host
        self._park(not link.late)
        link.late = True
        host.postponed += 1
        try:
            while True:
                await self._sleep(IDLE, link)
                idle = not host.asking and loop.time() - host.asked >= IDLE
                if idle and (self._slow > 0 or not self._late):
                    self._name(
                        link, f"{link.url} gets no answer, though its host does; given up after {TRIES} tries"
                    )
                    return
        finally:
            host.postponed -= 1

    async def _until_back(self, link: Link, asked: float, failure: FetchError) -> None:
        """Wait until a host that did not answer at `asked` does; `FetchError` when it is given up."""
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
            self._name(link, f"waiting for {origin(link.url)} (--patience {self._seconds:.0f}s): {why}")
        self._asleep += 1
        try:
            await asyncio.sleep(seconds)
        finally:
            self._asleep -= 1
            self._park(-(not link.late))

    def _name(self, link: Link, sentence: str) -> None:
        """Say what is waited for, once a host, when all other links sleep or nobody has answered yet."""
        host = host_of(link.url)
        alone = self._asleep + 1 == self._under_way or not self._network.has_answered
        if alone and host not in self._named and len(self._named) < SENTENCES:
            self._named.add(host)
            self._say(sentence)

    @asynccontextmanager
    async def _asking(self, link: Link) -> AsyncIterator[None]:
        """Park the fetch inside once it has taken long, if not too many are parked for that already."""
        loop, host, lent = asyncio.get_running_loop(), link.host, False

        def lend() -> None:
            nonlocal lent
            if self._slow > 0 and not link.late:
                self._slow -= 1
                lent = True
                self._park(1)

        timer = loop.call_later(SLOW, lend)
        self._late += link.late
        self._slow -= link.late
        host.asking += 1
        try:
            yield
        finally:
            self._late -= link.late
            self._slow += link.late
            host.asking -= 1
            host.asked = loop.time()
            timer.cancel()
            if lent:
                self._slow += 1
                self._park(-1)


def _unanswered(failure: FetchError) -> bool:
    """Whether it is no host that failed us, for all we know, but the way to any."""
    return failure.kind in NO_ANSWER and failure.status is None and failure.retry_after is not None


def _own(failure: FetchError, url: str) -> FetchError:
    """`failure` as one of the host of `url`, which is not closed because another that it redirects to is."""
    if failure.url is None or host_of(failure.url) == host_of(url):
        return failure
    return FetchError("redirects", f"leads to {failure.url}: {failure}", status=failure.status)
