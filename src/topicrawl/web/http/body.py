"""Reads headers and body of an answer within their limits."""

from __future__ import annotations

from time import monotonic

import aiohttp

from topicrawl.errors import FetchError, forget_frames
from topicrawl.web.http.answer import Headers
from topicrawl.web.http.direct import DirectResponse
from topicrawl.web.http.settings import HttpSettings

Body = tuple[bytes, bool, bool]
"""The body, whether part of it is missing, and whether that is because the connection ended early."""
EARLY_END = (aiohttp.ClientPayloadError, aiohttp.ClientConnectionError, ConnectionError)


def read_headers(response: aiohttp.ClientResponse | DirectResponse, settings: HttpSettings) -> Headers:
    """The header lines; `FetchError` if they are too many or the status is invalid."""
    raw = response.raw_headers
    if sum(len(name) + len(value) + 4 for name, value in raw) > settings.header_bytes:
        raise FetchError("headers", f"more than {settings.header_bytes} bytes of headers")
    if not 200 <= response.status <= 999 or "\0" in (response.reason or ""):
        raise FetchError("protocol", f"status {response.status} {response.reason!r}")
    return tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in raw)


async def read_body(
    response: aiohttp.ClientResponse | DirectResponse, limit: int, settings: HttpSettings
) -> Body:
    """The body as sent, up to `limit`; `FetchError` (`slow`) below the minimum rate.

    The rate is checked when a piece arrives; aiohttp raises a time-out when none does.
    """
    pieces: list[bytes] = []
    size = counted = 0
    since = monotonic()
    try:
        while piece := await response.content.readany():
            pieces.append(piece)
            size += len(piece)
            if size > limit:
                return b"".join(pieces)[:limit], True, False
            if (lasted := monotonic() - since) >= settings.min_rate_window:
                if size - counted < settings.min_rate * lasted:
                    detail = f"{size - counted} bytes in {lasted:.0f} s"
                    raise FetchError("slow", detail, retry_after=0.0)
                counted, since = size, since + lasted
    except EARLY_END as error:
        if isinstance(error, TimeoutError):
            raise
        forget_frames(error)  # the stream keeps it
        # aiohttp reports the error before it returns data that has already arrived
        pieces.extend(response.content._buffer)
        return b"".join(pieces)[:limit], True, True
    return b"".join(pieces), False, False
