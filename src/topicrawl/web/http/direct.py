"""GET requests over the connections of an aiohttp session, without the request and response objects of aiohttp.

To make those takes half the time of a request. Connections, TLS, the parser and its limits are aiohttp's; HTTP proxies
and cookies need its session.
"""

from __future__ import annotations

import asyncio
from functools import lru_cache

import aiohttp
from aiohttp import hdrs
from aiohttp.client_reqrep import ClientRequest
from aiohttp.connector import Connection
from aiohttp.helpers import TimerNoop
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.http_parser import RawResponseMessage
from aiohttp.http_writer import HttpVersion, _serialize_headers
from aiohttp.streams import StreamReader
from aiohttp.typedefs import RawHeaders
from yarl import URL

from topicrawl.web.http.answer import Headers
from topicrawl.web.http.settings import HttpSettings

ORIGINS = 1024
"""Origins whose request headers are kept."""
SWITCHING = 101
"""The status of an answer after which the connection speaks another protocol."""


class DirectResponse:
    """The head of an answer, and its body to be read."""

    __slots__ = ("_connection", "content", "peer", "raw_headers", "reason", "sent", "status", "version")

    def __init__(
        self,
        connection: Connection,
        peer: str,
        sent: Headers,
        head: RawResponseMessage,
        content: StreamReader,
    ) -> None:
        self._connection = connection
        self.peer = peer
        """The address that answered."""
        self.sent = sent
        """The headers of the request."""
        self.status: int = head.code
        self.reason: str | None = head.reason
        self.version: HttpVersion | None = head.version
        self.raw_headers: RawHeaders = head.raw_headers
        self.content = content

    def close(self) -> None:
        """Keep the connection for further requests if the answer was read to its end, else close it."""
        if self.content.is_eof() and self.status != SWITCHING:
            self._connection.release()
        else:
            self._connection.close()


class Direct:
    """Sends requests over the connections of `session`, which has neither an HTTP proxy nor cookies."""

    def __init__(self, session: aiohttp.ClientSession, settings: HttpSettings) -> None:
        assert session.connector is not None
        self._session, self._connector = session, session.connector
        self._loop = asyncio.get_running_loop()
        self._settings = settings
        self._plain = lru_cache(maxsize=ORIGINS)(self._request)

    async def get(self, target: URL, headers: Headers) -> DirectResponse:
        """The answer to a GET of `target`, with these headers besides those of the session."""
        request = self._request(target, headers) if headers else self._plain(target.origin())
        try:
            connection = await self._connector.connect(request, traces=[], timeout=self._session.timeout)
        except aiohttp.ConnectionTimeoutError:  # of a proxy, with its name
            raise
        except TimeoutError as error:
            raise aiohttp.ConnectionTimeoutError(f"Connection timeout to host {target}") from error
        try:
            return await self._exchanged(connection, request, target)
        except BaseException:
            connection.close()
            raise

    async def _exchanged(self, connection: Connection, request: ClientRequest, target: URL) -> DirectResponse:
        protocol, transport = connection.protocol, connection.transport
        if protocol is None or transport is None:
            raise aiohttp.ServerDisconnectedError
        peer = transport.get_extra_info("peername")
        protocol.set_response_params(
            timer=TimerNoop(),
            read_until_eof=True,
            auto_decompress=False,
            read_timeout=self._settings.first_byte,
            max_line_size=self._settings.header_bytes,
            max_field_size=self._settings.header_bytes,
            max_headers=self._settings.header_lines,
        )
        transport.write(_serialize_headers(f"GET {target.raw_path_qs} HTTP/1.1", request.headers))
        protocol.start_timeout()
        head = content = None
        while head is None or (
            head.code < 200 and head.code != SWITCHING
        ):  # "continue" and other early answers
            try:
                head, content = await protocol.read()
            except HttpProcessingError as error:
                raise aiohttp.ClientResponseError(
                    request.request_info, (), status=error.code, message=error.message, headers=error.headers
                ) from error
        assert content is not None
        return DirectResponse(
            connection, peer[0] if peer else "", tuple(request.headers.items()), head, content
        )

    def _request(self, target: URL, headers: Headers = ()) -> ClientRequest:
        """What aiohttp needs to know to connect, and the headers of a request."""
        own = self._session.headers.copy()
        own.update(headers)  # as the session of aiohttp does: a header given replaces its own
        request = ClientRequest("GET", target, headers=own, loop=self._loop, session=self._session)
        if self._connector.force_close:
            request.headers[hdrs.CONNECTION] = "close"
        return request
