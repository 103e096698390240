"""An answer that is read line by line while it arrives: an index of an archive may have a million rows."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from time import monotonic

import aiohttp
from isal import isal_zlib

from topicrawl.errors import FetchError
from topicrawl.web.http.answer import REDIRECTS, Headers
from topicrawl.web.http.decoding import GZIP_MAGIC, STEP, Damage
from topicrawl.web.http.direct import DirectResponse
from topicrawl.web.http.settings import HttpSettings

LONGEST_LINE = 1 << 20
"""Bytes of the longest line that is read."""
PLAIN: Headers = (("Accept-Encoding", "gzip, identity"),)
"""Sent with a request whose answer is read so."""


class Opened:
    """The head of an answer, and its body to be read."""

    def __init__(
        self, response: aiohttp.ClientResponse | DirectResponse, headers: Headers, settings: HttpSettings
    ) -> None:
        self._response, self._settings = response, settings
        self.status = response.status
        self.headers = headers

    def header(self, name: str) -> str:
        """The first header called `name` (in lower case), or an empty string."""
        return next((value for key, value in self.headers if key.lower() == name), "")

    @property
    def location(self) -> str:
        """Where a redirect points; empty for any other answer."""
        return self.header("location") if self.status in REDIRECTS else ""

    async def beginning(self, most: int) -> bytes:
        """The first bytes of the body, `most` at least if there are so many."""
        found = b""
        async for piece in self._pieces():
            found += piece
            if len(found) >= most:
                break
        return found

    async def lines(self) -> AsyncGenerator[bytes, None]:
        """The lines of the body, without their ends; `FetchError` (`protocol`) at one that is too long."""
        rest = b""
        async for piece in self._pieces():
            *whole, rest = (rest + piece).split(b"\n")
            for line in whole:
                yield line
            if len(rest) > LONGEST_LINE:
                raise FetchError("protocol", f"a line of more than {LONGEST_LINE:,} bytes")
        if rest:
            yield rest

    async def _pieces(self) -> AsyncGenerator[bytes, None]:
        """The body in pieces, unpacked where it is gzipped; `FetchError` (`slow`) below the minimum rate."""
        encoding = self.header("content-encoding").strip().lower()
        if encoding not in ("", "identity", "gzip", "x-gzip"):
            raise FetchError("protocol", f"content encoding {encoding[:40]!r} was not asked for")
        unpacker = _Unpacker() if "gzip" in encoding else None
        size = counted = 0
        since = monotonic()
        while piece := await self._response.content.readany():
            size += len(piece)
            if unpacker is None:
                yield piece
            else:
                for unpacked in unpacker.unpack(piece):
                    yield unpacked
            if (lasted := monotonic() - since) >= self._settings.min_rate_window:
                if size - counted < self._settings.min_rate * lasted:
                    raise FetchError("slow", f"{size - counted} bytes in {lasted:.0f} s", retry_after=0.0)
                counted, since = size, since + lasted


class _Unpacker:
    """Gunzips a stream in bounded steps; several members may follow one another."""

    def __init__(self) -> None:
        self._decoder = isal_zlib.decompressobj(wbits=31)

    def unpack(self, data: bytes) -> list[bytes]:
        found: list[bytes] = []
        while data:
            try:
                found.append(self._decoder.decompress(data, STEP))
            except Damage as error:
                raise FetchError("protocol", f"damaged gzip ({error})") from None
            data = self._decoder.unconsumed_tail
            if self._decoder.eof:
                data = self._decoder.unused_data
                if not data.startswith(GZIP_MAGIC):
                    break
                self._decoder = isal_zlib.decompressobj(wbits=31)
        return found
