"""An archive behind a replay server (pywb, the Wayback Machine) as a web: each page as it was on one date.

A page is asked for as it was recorded (`id_` after the timestamp), never rewritten. The server answers with the capture
nearest to the date; where that is a later one, the index is asked for the last one before, so that nothing from after
the date gets in. Redirects are followed inside the archive, never on the live web. All requests go through `HttpWeb`:
guard, politeness, robots.txt of the server and limits hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import aclosing
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import NamedTuple
from urllib.parse import urlencode

from topicrawl import urls
from topicrawl.errors import FetchError
from topicrawl.model import Hop, Response
from topicrawl.web import Wrapper
from topicrawl.web.archive_name import read_name
from topicrawl.web.cdx_rows import Rows
from topicrawl.web.http import HttpSettings, HttpWeb
from topicrawl.web.http.answer import Answer, Headers
from topicrawl.web.http.redirects import absolute

CAPTURES = 100_000
"""Rows of one page in the index that are read."""
STEPS = 3
"""Redirects of the server itself from a date to the date of a capture."""
ORIGINAL = "x-archive-orig-"
"""What the Wayback Machine puts before the name of each recorded header."""
OWN = frozenset({"link", "content-length", "transfer-encoding", "connection", "keep-alive"})
"""Headers of the replay server's answer that are not recorded ones."""
_CAPTURE = re.compile(r"(\d{1,14})[a-z_]*/(.+)", re.DOTALL)


class Capture(NamedTuple):
    """An answer that was recorded; `target` is where it redirects to, on the web of that date."""

    answer: Answer
    timestamp: str
    target: str | None


class ArchiveWeb(Wrapper):
    """The web in the archive called `name` (archive_name.py), asked by `settings`."""

    def __init__(self, name: str, settings: HttpSettings) -> None:
        self._http = HttpWeb(settings)
        super().__init__(self._http)
        self._name = name
        self._archive = read_name(name)

    @property
    def name(self) -> str:
        return self._name

    async def fetch(self, url: str, headers: Headers = ()) -> Response:
        """The page as of the date, recorded redirects followed; 404 where it was not recorded by then.

        `headers` are not sent: what was recorded does not change.
        """
        asked = at = absolute(url)
        hops: list[Hop] = []
        seen = {at}
        while True:
            capture = await self._capture(at)
            if capture is None:
                return Response(asked=asked, url=at, status=404, reason="Not Found", hops=tuple(hops))
            if capture.target is None:
                return await self._response(asked, at, capture, hops)
            answer = capture.answer
            hops.append(Hop(at, answer.status, answer.reason, _recorded(answer.headers), answer.body))
            if len(hops) > self._http.settings.redirects or capture.target in seen:
                raise FetchError("redirects", f"in a circle, or too many, at {at}", status=answer.status)
            at = capture.target
            seen.add(at)

    async def host_answers(self, url: str) -> bool:
        """Whether the replay server answers."""
        return await self._http.host_answers(self._archive.replay)

    def rest(self, hosts: Iterable[str]) -> None:
        """Treat the replay server as asked just now: whatever the host, it was asked."""
        if list(hosts):
            self._http.rest([urls.host(self._archive.replay)])

    async def _capture(self, url: str) -> Capture | None:
        """The last capture of `url` by the date; None where there is none."""
        nearest = await self._replayed(url, self._archive.at)
        if nearest is None or nearest.timestamp <= self._archive.at:
            return nearest
        before = await self._last_before(url)
        if before is None:
            return None
        earlier = await self._replayed(url, before)
        return earlier if earlier is not None and earlier.timestamp <= self._archive.at else None

    async def _replayed(self, url: str, timestamp: str) -> Capture | None:
        """The capture nearest to `timestamp`; None where the server has none. `FetchError` (`archive`) if it fails."""
        for _ in range(STEPS):
            answer = await self._http.once(absolute(f"{self._archive.replay}{timestamp}id_/{url}"))
            location = answer.location()
            led = self._led_to(location, answer.url, url) if location else None
            if led and led[0] and led[1] == url and led[0] != timestamp:
                timestamp = led[0]  # the server's own way to a capture
                continue
            recorded = _memento(answer)
            if recorded is None:
                self._refuse(answer)
                return None
            return Capture(answer, recorded, led[1] if led else None)
        raise FetchError("archive", f"{urls.host(self._archive.replay)} leads from date to date")

    def _led_to(self, location: str, address: str, url: str) -> tuple[str, str] | None:
        """The timestamp and URL that a redirect points to; without a timestamp where it is as it was recorded.

        None where it leads to no URL that can be fetched.
        """
        target = urls.join(address, location) or ""
        if target.startswith(self._archive.replay):
            found = _CAPTURE.fullmatch(target.removeprefix(self._archive.replay))
            inside = urls.canonical(found[2]) if found else None
            return (found[1], inside) if found and inside else None
        recorded = urls.join(url, location)
        return ("", recorded) if recorded else None

    def _refuse(self, answer: Answer) -> None:
        """Raise `FetchError` for an answer of the server itself, unless it says that it does not have the page."""
        if answer.status == 404:
            return
        detail = f"{urls.host(self._archive.replay)} answers with status {answer.status}"
        if answer.status < 400:
            detail += " and no Memento-Datetime; it is no replay server, or not below this address"
        raise FetchError(
            "archive", detail, status=answer.status, retry_after=0.0 if answer.status >= 429 else None
        )

    async def _last_before(self, url: str) -> str | None:
        """The timestamp of the last capture by the date, as the index has it."""
        asked = urlencode({"url": url, "to": self._archive.at, "output": "json"})
        rows, last, count = Rows(), None, 0
        try:
            async with aclosing(self._http.lines(f"{self._archive.listing}?{asked}")) as lines:
                async for line in lines:
                    row = rows.read(line)
                    if row is not None and row.timestamp <= self._archive.at:
                        last = max(last or "", row.timestamp)
                    count += 1
                    if count >= CAPTURES:
                        break
        except FetchError as failure:
            if failure.kind != "http":
                raise
        return last

    async def _response(self, asked: str, at: str, capture: Capture, hops: list[Hop]) -> Response:
        answer = capture.answer
        content, truncated = await self._http.content(answer, self._http.settings.body_bytes)
        return Response(
            asked=asked,
            url=at,
            status=answer.status,
            reason=answer.reason,
            headers=_recorded(answer.headers),
            body=answer.body,
            content=content,
            size=len(content),
            truncated=truncated,
            hops=tuple(hops),
            request_headers=answer.request_headers,
            address=answer.address,
            http_version=answer.http_version,
            took=answer.took,
        )


def _memento(answer: Answer) -> str | None:
    """When an answer was recorded, as YYYYMMDDhhmmss; None where it is no recorded one."""
    try:
        when = parsedate_to_datetime(answer.header("memento-datetime"))
    except ValueError:
        return None
    return f"{when.astimezone(UTC) if when.tzinfo else when:%Y%m%d%H%M%S}"


def _recorded(headers: Headers) -> Headers:
    """The recorded headers of an answer, with the time of the capture and the encoding that its body has now."""
    kept = [
        (name.lower().removeprefix(ORIGINAL), value)
        for name, value in headers
        if name.lower().startswith(ORIGINAL)
    ]
    if not kept:
        return tuple(line for line in headers if line[0].lower() not in OWN)
    as_sent = ("content-encoding", "content-type", "memento-datetime")
    others = [line for line in kept if line[0] not in OWN | set(as_sent)]
    return (*others, *((name, value) for name, value in headers if name.lower() in as_sent))
