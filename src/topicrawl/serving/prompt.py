"""The server of our applications. A request that is sent in part, or never, does not stay open."""

from __future__ import annotations

import asyncio
from typing import Any, Literal

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from topicrawl.serving.names import SLOWEST

MOST_HEAD = 65_536
"""Bytes of the head of a request."""


def server_of(app: ASGIApp, lifespan: Literal["auto", "off"] = "off") -> uvicorn.Server:
    """A server of `app`, which says only warnings."""
    return uvicorn.Server(
        uvicorn.Config(
            app,
            http=PromptProtocol,
            log_level="warning",
            access_log=False,
            lifespan=lifespan,
            server_header=False,
            timeout_graceful_shutdown=1,
            h11_max_incomplete_event_size=MOST_HEAD,
        )
    )


class PromptProtocol(H11Protocol):
    """Closes a connection whose request, with its body, is not here `SLOWEST` seconds after it was opened or began.

    Uvicorn itself closes those that are idle after an answer.
    """

    _limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._limit = self.loop.call_later(SLOWEST, transport.abort)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._lift()
        elif self._limit is None:
            self._limit = self.loop.call_later(SLOWEST, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        self._lift()
        super().connection_lost(exc)

    def _lift(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None
