"""One request to a hostile host, and functions to answer it in valid and invalid ways."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from html import escape
from typing import Any, TypeVar

SYLLABLES = ("ba", "ce", "di", "fo", "gu", "ha", "ke", "li", "mo", "nu", "pa", "re", "si", "to", "vu", "za")
Made = TypeVar("Made", bytes, str)
PART_BYTES = 64 << 10
"""Bytes written to a connection before checking that it is still open."""


@dataclass
class Asked:
    """A request as the server saw it. Times are of the monotonic clock; `ended` is 0 while it is under way."""

    at: float
    row: str
    """`h01` … `h58`, or `vault`: the internal service that a crawler must not reach."""
    host: str
    path: str
    headers: dict[str, str]
    sent: int = 0
    ended: float = 0.0


@dataclass(frozen=True, slots=True)
class Ports:
    """Where the hostile web listens: on 127.0.0.1, and the vault on 127.0.0.2 at the port of `http`."""

    http: int
    tls: int
    old: int
    """Supports TLS up to 1.1 only."""
    client: int
    """Requires a client certificate."""
    mute: int
    """Accepts connections and sends nothing."""

    @property
    def vault(self) -> str:
        """The URL of the internal service."""
        return f"http://127.0.0.2:{self.http}/vault"


@dataclass
class Exchange:
    """A request and the connection to answer it on."""

    asked: Asked
    ports: Ports
    writer: asyncio.StreamWriter
    memory: dict[str, Any]
    """State of the row between requests."""
    close: bool = field(default=False)
    """Whether the connection is closed after this response."""

    @property
    def host(self) -> str:
        """The requested host, without port."""
        return self.asked.host.partition(":")[0]

    @property
    def path(self) -> str:
        """The requested path with its query, as sent."""
        return self.asked.path

    async def send(self, *pieces: bytes) -> None:
        """Send bytes unchanged; raises ConnectionError once the crawler has closed the connection."""
        for piece in pieces:
            for start in range(0, len(piece), PART_BYTES):
                part = piece[start : start + PART_BYTES]
                self.writer.write(part)
                await self.writer.drain()
                self.asked.sent += len(part)
                if self.writer.is_closing():
                    raise ConnectionResetError

    async def answer(self, body: bytes | str = b"", status: int = 200, **headers: str) -> None:
        """Send a complete, valid response; header names are written with `_` for `-`."""
        content = body.encode() if isinstance(body, str) else body
        lines = {"Content_Type": "text/html; charset=utf-8", "Content_Length": str(len(content)), **headers}
        await self.send(head(status, lines) + content)

    async def made(self, make: Callable[[], Made], **headers: str) -> None:
        """Send a response whose body is built in a thread, as it takes a while."""
        await self.answer(await asyncio.to_thread(make), 200, **headers)

    async def page(self, *links: str, text: str = "", title: str = "") -> None:
        """Send a page with links and some text."""
        paragraph = text or f"A page about rain at {self.path}. {prose(self.host + self.path)}"
        await self.answer(html(links, paragraph, title))

    async def redirect(self, to: str, status: int = 302, **headers: str) -> None:
        """Send a redirect."""
        await self.answer(b"", status, Location=to, **headers)

    async def for_ever(self, piece: bytes, pause: float = 0.0) -> None:
        """Send the same bytes until the crawler closes the connection."""
        self.close = True
        while True:
            await self.send(piece)
            if pause:
                await asyncio.sleep(pause)

    async def hang(self) -> None:
        """Send nothing until the crawler closes the connection."""
        while not self.writer.is_closing():
            await asyncio.sleep(0.05)
            transport = self.writer.transport
            if transport.is_closing():
                break


Behaviour = Callable[[Exchange], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Row:
    """A row of docs/reliability.md; with `robots` it answers /robots.txt itself, else that is 404."""

    name: str
    what: str
    behave: Behaviour
    robots: bool


BEHAVIOURS: dict[str, Row] = {}


def behaviour(name: str, what: str, *, robots: bool = False) -> Callable[[Behaviour], Behaviour]:
    """Register a function as the behaviour of the host `name`.test and its subdomains."""

    def register(function: Behaviour) -> Behaviour:
        BEHAVIOURS[name] = Row(name, what, function, robots)
        return function

    return register


def head(status: int, lines: dict[str, str]) -> bytes:
    """Status line and headers, names written with `_` for `-`."""
    text = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in lines.items())
    return f"HTTP/1.1 {status} Status\r\n{text}\r\n".encode("latin-1")


def prose(name: str, sentences: int = 4) -> str:
    """Generated text: the same for the same name, with words that other names rarely share."""
    rng = random.Random(name)
    words = ["".join(rng.choices(SYLLABLES, k=rng.randint(2, 5))) for _ in range(9 * sentences)]
    return " ".join(" ".join(words[at : at + 9]).capitalize() + "." for at in range(0, len(words), 9))


def html(links: Iterable[str], text: str, title: str = "") -> str:
    """A small page: a title, a paragraph, a list of links."""
    items = "".join(f'<li><a href="{escape(link)}">to {escape(link[-30:])}</a>\n' for link in links)
    return (
        f"<!doctype html><title>{escape(title or text[:40])}</title><p>{escape(text)}</p><ul>{items}</ul>\n"
    )
