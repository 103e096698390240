"""SOCKS5 servers on loopback: an honest one that connects to one site, and ones that say what a test wants."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from ipaddress import ip_address

Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@dataclass
class Socks:
    """Connects every request to `site`, a port of 127.0.0.1, and records what it was asked for."""

    site: int
    login: tuple[str, str] | None = None
    replies: dict[str, int] = field(default_factory=dict)
    """Hosts that are refused, with the reply."""
    asked: list[tuple[str, int]] = field(default_factory=list)
    logins: list[tuple[str, str]] = field(default_factory=list)
    port: int = 0

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        _, count = await reader.readexactly(2)
        methods = await reader.readexactly(count)
        method = 2 if self.login else 0
        if method not in methods:
            writer.write(b"\x05\xff")
            return
        writer.write(bytes((5, method)))
        if self.login and not await self._logged_in(reader, writer):
            return
        host, port = await self._destination(reader)
        self.asked.append((host, port))
        reply = self.replies.get(host, 0)
        writer.write(bytes((5, reply, 0, 1)) + bytes(6))
        if not reply:
            await self._join(reader, writer)

    async def _logged_in(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        await reader.readexactly(1)
        words = [(await reader.readexactly((await reader.readexactly(1))[0])).decode() for _ in range(2)]
        self.logins.append((words[0], words[1]))
        writer.write(b"\x01\x00" if self.logins[-1] == self.login else b"\x01\x01")
        return self.logins[-1] == self.login

    async def _destination(self, reader: asyncio.StreamReader) -> tuple[str, int]:
        kind = (await reader.readexactly(4))[3]
        if kind == 3:
            host = (await reader.readexactly((await reader.readexactly(1))[0])).decode()
        else:
            host = str(ip_address(await reader.readexactly(4 if kind == 1 else 16)))
        return host, int.from_bytes(await reader.readexactly(2))

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", self.site)
        await asyncio.gather(_copy(reader, back), _copy(there, writer))


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    while piece := await source.read(1 << 16):
        target.write(piece)
        await target.drain()
    target.close()


@asynccontextmanager
async def listening(talk: Talk, address: str = "127.0.0.1") -> AsyncIterator[int]:
    """A server that speaks with everyone as `talk` does; yields its port."""
    tasks: set[asyncio.Task[None]] = set()

    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await talk(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(speak(reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(connected, address, 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@asynccontextmanager
async def socks(site: int, **more: object) -> AsyncIterator[Socks]:
    """An honest server in front of `site`."""
    server = Socks(site, **more)  # type: ignore[arg-type]
    async with listening(server.talk) as server.port:
        yield server
