"""Fetching with patience: a host that asks to be left alone, an answer that takes long, a network that is gone.

A link that waits here is *parked*: it no longer counts as in flight, and others take its place. What counts as a
failure of the page, and what only as a reason to wait, is decided here and nowhere else:

| no answer came, and …                                  | then |
|---|---|
| the host asked for a pause, or its robots.txt failed   | wait as it says, `seconds` in all |
| the host answered before                               | look again once; then the page has failed |
| no host that answered before does any more             | an outage: wait until one does, a day at most, |
|                                                        | or `seconds` where one page is all that failed |
| else                                                   | the page has failed |
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from topicrawl.core import UNAVAILABLE
from topicrawl.errors import FetchError
from topicrawl.model import Response
from topicrawl.urls import host as host_of
from topicrawl.web import Web

SHORTEST_PAUSE = 5.0
"""Seconds between two looks at a host that does not answer."""
LONGEST_OUTAGE = 86_400.0
"""Seconds after which nobody is expected back."""
SLOW = 2.0
"""Seconds after which a fetch is parked; it goes on all the same."""
MISSES, HOSTS = 2, 3
"""Failures in a row, of so many hosts (or all that ever answered), that make an outage."""
UNHEARD = frozenset({"dns", "guard", "scheme", "url", "robots", "retry-later"})
"""Errors that may come without anybody having been asked."""
NO_ANSWER = frozenset({"connect", "timeout", "dns", "robots-unreachable"})


class Outage:
    """Whether nobody answers any more. Knows no clock: it goes by what came since somebody last answered.

    Hosts that never answered prove nothing: the web is full of them.
    """

    def __init__(self) -> None:
        self._answered: set[str] = set()
        self._silent: set[str] = set()
        self._pages: set[str] = set()
        self._misses = 0

    @property
    def is_on(self) -> bool:
        """True from the second failure in a row until the next answer."""
        return self._misses >= MISSES and len(self._silent) >= min(HOSTS, len(self._answered))

    @property
    def is_sure(self) -> bool:
        """False while all failures are those of one page, which may be to blame itself."""
        return len(self._pages) > 1

    def heard(self, host: str) -> None:
        """A host answered, whatever it said."""
        self._answered.add(host)
        if self._misses:
            self._silent.clear()
            self._pages.clear()
            self._misses = 0

    def missed(self, host: str, url: str) -> bool:
        """A host did not answer; whether it had before."""
        if host not in self._answered:
            return False
        self._silent.add(host)
        self._pages.add(url)
        self._misses += 1
        return True


class Patience:
    """A web asked with patience. `park` is told +1 when a link no longer counts as in flight, −1 when it does again.

    Up to `slow` fetches that take long are parked at a time, so that hosts that hang do not hold up the others.
    """

    def __init__(
        self, web: Web, seconds: float, park: Callable[[int], None], slow: int, say: Callable[[str], None]
    ) -> None:
        self._web = web
        self._seconds = seconds
        self._park = park
        self._slow = slow
        self._say = say
        self._outage = Outage()
        self._said = False

    async def fetch(self, url: str) -> Response:
        """The web's answer, however long that takes within reason."""
        loop, host, looks = asyncio.get_running_loop(), host_of(url), 0
        began = loop.time()
        while True:
            try:
                async with self._lending():
                    response = await self._web.fetch(url)
            except FetchError as error:
                pause = self._pause(error, url, loop.time() - began, looks)
                if pause is None:
                    raise
                looks += 1
            else:
                self._outage.heard(host)
                self._said = False
                return response
            self._park(1)
            try:
                await asyncio.sleep(pause)
            finally:
                self._park(-1)

    def _pause(self, error: FetchError, url: str, waited: float, looks: int) -> float | None:
        """How long to wait before the next look; None when the failure stands."""
        host = host_of(url)
        pause = max(error.retry_after or 0.0, SHORTEST_PAUSE)
        if error.kind in NO_ANSWER and error.status is None and error.retry_after is not None:
            known = self._outage.missed(host, url)
            if self._outage.is_on and waited < (LONGEST_OUTAGE if self._outage.is_sure else self._seconds):
                self._tell_once()
                return pause
            if known and looks == 0 and error.kind not in UNAVAILABLE:
                return pause
        elif error.kind not in UNHEARD:
            self._outage.heard(host)
        return pause if error.kind in UNAVAILABLE and waited + pause <= self._seconds else None

    def _tell_once(self) -> None:
        if not self._said:
            self._said = True
            self._say("no host answers any more; waiting for the network")

    @asynccontextmanager
    async def _lending(self) -> AsyncIterator[None]:
        """Park the fetch inside once it has taken long, if not too many are parked for that already."""
        lent = False

        def lend() -> None:
            nonlocal lent
            if self._slow > 0:
                self._slow -= 1
                lent = True
                self._park(1)

        timer = asyncio.get_running_loop().call_later(SLOW, lend)
        try:
            yield
        finally:
            timer.cancel()
            if lent:
                self._slow += 1
                self._park(-1)
