"""robots.txt according to RFC 9309: one for each scheme, host and port.

| robots.txt is …                    | then |
|---|---|
| there                              | its rules hold, for at most a day |
| absent (4xx), redirects for ever   | everything is allowed |
| unreachable (5xx, no answer), 429  | nothing is allowed for now; requested again after a growing delay |
"""

from __future__ import annotations

import asyncio

from topicrawl.errors import FetchError
from topicrawl.urls import origin
from topicrawl.web.http.answer import Answer
from topicrawl.web.http.exchange import Exchange
from topicrawl.web.http.redirects import follow
from topicrawl.web.http.robots_file import Rules, read_rules, whole_rules
from topicrawl.web.http.settings import HttpSettings
from topicrawl.web.http.ttl_cache import TtlCache

ORIGINS = 20_000
"""Most origins whose rules are kept."""
DAY = 86400.0
"""RFC 9309: rules must not be cached for longer."""
SPECIFIC = frozenset({"dns", "guard", "proxy", "scheme", "tls", "url", "retry-later"})
"""Kinds of failure that are reported as they are, not as `robots-unreachable`: they concern the whole host."""

SILENT = frozenset({"connect", "dns", "proxy", "timeout"})
"""Kinds of failure that mean no answer at all."""


class Robots:
    """The rules of all origins, fetched once and cached."""

    def __init__(self, exchange: Exchange) -> None:
        self._exchange = exchange
        self._product = exchange.settings.product
        self._rules: TtlCache[str, Rules | FetchError] = TtlCache(ORIGINS)
        self._strikes: TtlCache[str, int] = TtlCache(ORIGINS)
        self._asking: dict[str, asyncio.Task[Rules | FetchError]] = {}

    @property
    def _settings(self) -> HttpSettings:
        return self._exchange.settings

    async def permit(self, url: str) -> float:
        """The delay before requesting `url`; `FetchError` if robots.txt forbids it."""
        rules = await self.rules(origin(url))
        if not rules.allows(url):
            raise FetchError("robots", url)
        return self._delay(rules)

    async def rules(self, origin: str) -> Rules:
        """The rules of `origin`; `FetchError` if its robots.txt is unreachable."""
        found = self._rules.get(origin)
        if found is None:
            found = await self._ask_once(origin)
        if isinstance(found, FetchError):
            wait = self._rules.left(origin)
            raise FetchError(found.kind, found.detail, status=found.status, retry_after=wait)
        return found

    async def answers(self, origin: str) -> bool:
        """Whether `origin` answers a request for its robots.txt now, whatever its status. Cached rules stay valid."""
        known = self._rules.get(origin)
        delay = self._delay(known if isinstance(known, Rules) else Rules())
        try:
            await self._exchange.ask(
                f"{origin}/robots.txt", limit=self._settings.robots_bytes, delay=delay, retries=0
            )
        except FetchError as failure:
            return failure.kind not in SILENT
        return True

    def close(self) -> None:
        """Cancel running requests."""
        for task in self._asking.values():
            task.cancel()

    def _delay(self, rules: Rules) -> float:
        return max(self._settings.delay, min(rules.delay, self._settings.crawl_delay_cap))

    async def _ask_once(self, origin: str) -> Rules | FetchError:
        """Fetch the rules; concurrent callers share one request."""
        task = self._asking.get(origin)
        if task is None:
            task = self._asking[origin] = asyncio.create_task(self._ask(origin))
            task.add_done_callback(lambda _: self._asking.pop(origin))
        return await asyncio.shield(task)

    async def _ask(self, origin: str) -> Rules | FetchError:
        try:
            rules = await self._fetch(origin)
        except FetchError as failure:
            return self._unreachable(origin, failure)
        self._rules.put(origin, rules, min(self._settings.robots_age, DAY))
        return rules

    async def _fetch(self, origin: str) -> Rules:
        limit = self._settings.robots_bytes
        try:
            answer, _ = await follow(self._exchange, f"{origin}/robots.txt", self._unasked, limit=limit)
        except FetchError as failure:
            if failure.kind == "redirects":
                return Rules()
            raise
        if answer.status == 429 or answer.status >= 500:
            raise FetchError("robots-unreachable", f"status {answer.status}", status=answer.status)
        if not 200 <= answer.status < 300:
            return Rules()
        return await self._read(answer)

    async def _unasked(self, url: str) -> float:
        """robots.txt itself needs no permission."""
        return self._settings.delay

    async def _read(self, answer: Answer) -> Rules:
        limit = self._settings.robots_bytes
        content, is_cut = answer.content(limit, self._settings.encodings)
        if is_cut:
            content = whole_rules(content, is_too_long=max(len(content), len(answer.body)) >= limit)
        if len(content) < 1 << 16:
            return read_rules(content, self._product)
        return await asyncio.to_thread(read_rules, content, self._product)

    def _unreachable(self, origin: str, failure: FetchError) -> FetchError:
        """Cache that `origin` is closed for now, twice as long after each failure in a row."""
        strikes = self._strikes.get(origin) or 0
        wait = min(self._settings.robots_failure_age * 2.0**strikes, self._settings.robots_failure_cap)
        wait = max(wait, failure.retry_after or 0.0)
        self._strikes.put(origin, strikes + 1, wait + self._settings.robots_age)
        kind = failure.kind if failure.kind in SPECIFIC else "robots-unreachable"
        detail = failure.detail if kind == failure.kind else f"{failure}"
        closed = FetchError(kind, detail, status=failure.status, retry_after=wait)
        self._rules.put(origin, closed, wait)
        return closed
