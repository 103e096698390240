"""One request to a hostile host and the means to answer it badly."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from html import escape
from typing import Any, TypeVar

SYLLABLES = ("ba", "ce", "di", "fo", "gu", "ha", "ke", "li", "mo", "nu", "pa", "re", "si", "to", "vu", "za")
Made = TypeVar("Made", bytes, str)
AT_ONCE = 64 << 10
"""Bytes handed to a connection before we look whether anybody takes them."""


@dataclass
class Asked:
    """A request as the server saw it. Times are of the monotonic clock; `ended` is 0 while it is under way."""

    at: float
    row: str
    """`h01` … `h58`, or `vault`: the inner service that nobody may reach."""
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
    """Speaks no TLS younger than 1.1."""
    client: int
    """Wants a certificate of whoever connects."""
    mute: int
    """Accepts connections and never says a word."""

    @property
    def vault(self) -> str:
        """A URL of the inner service."""
        return f"http://127.0.0.2:{self.http}/vault"


@dataclass
class Exchange:
    """A request and the connection to answer it on."""

    asked: Asked
    ports: Ports
    writer: asyncio.StreamWriter
    memory: dict[str, Any]
    """What the row remembers between requests."""
    close: bool = field(default=False)
    """Whether the connection ends with this answer."""

    @property
    def host(self) -> str:
        """The host asked for, without its port."""
        return self.asked.host.partition(":")[0]

    @property
    def path(self) -> str:
        """The path asked for, query included, as sent."""
        return self.asked.path

    async def send(self, *pieces: bytes) -> None:
        """Send bytes as they are; raises ConnectionError once the crawler has hung up."""
        for piece in pieces:
            for start in range(0, len(piece), AT_ONCE):
                part = piece[start : start + AT_ONCE]
                self.writer.write(part)
                await self.writer.drain()
                self.asked.sent += len(part)
                if self.writer.is_closing():
                    raise ConnectionResetError

    async def answer(self, body: bytes | str = b"", status: int = 200, **headers: str) -> None:
        """A whole, honest answer; header names are spelled with `_` for `-`."""
        content = body.encode() if isinstance(body, str) else body
        lines = {"Content_Type": "text/html; charset=utf-8", "Content_Length": str(len(content)), **headers}
        await self.send(head(status, lines) + content)

    async def made(self, make: Callable[[], Made], **headers: str) -> None:
        """An answer that takes a while to make, made in a thread so that other requests need not wait."""
        await self.answer(await asyncio.to_thread(make), 200, **headers)

    async def page(self, *links: str, text: str = "", title: str = "") -> None:
        """A page with links and some text."""
        said = text or f"A page about rain at {self.path}. {prose(self.host + self.path)}"
        await self.answer(html(links, said, title))

    async def redirect(self, to: str, status: int = 302, **headers: str) -> None:
        """A redirect."""
        await self.answer(b"", status, Location=to, **headers)

    async def for_ever(self, piece: bytes, pause: float = 0.0) -> None:
        """The same bytes until the crawler hangs up."""
        self.close = True
        while True:
            await self.send(piece)
            if pause:
                await asyncio.sleep(pause)

    async def hang(self) -> None:
        """Say nothing until the crawler hangs up."""
        while not self.writer.is_closing():
            await asyncio.sleep(0.05)
            transport = self.writer.transport
            if transport.is_closing():
                break


Behaviour = Callable[[Exchange], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Row:
    """A behaviour of the catalogue; with `robots` it answers /robots.txt itself, else there is none."""

    name: str
    what: str
    behave: Behaviour
    robots: bool


BEHAVIOURS: dict[str, Row] = {}


def behaviour(name: str, what: str, *, robots: bool = False) -> Callable[[Behaviour], Behaviour]:
    """Make a function the behaviour of the host `name`.test and of all hosts below it."""

    def register(function: Behaviour) -> Behaviour:
        BEHAVIOURS[name] = Row(name, what, function, robots)
        return function

    return register


def head(status: int, lines: dict[str, str]) -> bytes:
    """Status line and headers, names spelled with `_` for `-`."""
    text = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in lines.items())
    return f"HTTP/1.1 {status} Status\r\n{text}\r\n".encode("latin-1")


def prose(name: str, sentences: int = 4) -> str:
    """Honest text: the same for the same name, and in words that no other name uses."""
    dice = random.Random(name)
    words = ["".join(dice.choices(SYLLABLES, k=dice.randint(2, 5))) for _ in range(9 * sentences)]
    return " ".join(" ".join(words[at : at + 9]).capitalize() + "." for at in range(0, len(words), 9))


def html(links: Iterable[str], text: str, title: str = "") -> str:
    """A small page: a title, a paragraph, a list of links."""
    items = "".join(f'<li><a href="{escape(link)}">to {escape(link[-30:])}</a>\n' for link in links)
    return (
        f"<!doctype html><title>{escape(title or text[:40])}</title><p>{escape(text)}</p><ul>{items}</ul>\n"
    )
