"""A server for agents in a process of its own, and a client of the mcp package."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

SEED = "http://rain-desk-80.invented.test/storms/direct-disaster-disaster-relief-1.html"


def command(folder: Path, *flags: str) -> list[str]:
    return ["-m", "topicrawl.cli", "mcp", str(folder), *flags]


def talk(folder: Path, say: Callable[[Client], Awaitable[None]], *flags: str) -> None:
    """Start a server over standard input and output, and have `say` call its tools."""

    async def go() -> None:
        server = StdioServerParameters(command=sys.executable, args=command(folder, *flags))
        async with Client(stdio_client(server)) as client:
            await say(client)

    asyncio.run(go())


async def call(client: Client, tool: str, **given: Any) -> Any:
    """The answer of a tool that must not fail."""
    answer = await client.call_tool(tool, given)
    assert not answer.is_error, answer.content
    return answer.structured_content


async def refusal(client: Client, tool: str, **given: Any) -> str:
    """The line with which a tool refuses."""
    answer = await client.call_tool(tool, given)
    assert answer.is_error, answer.content
    text = answer.content[0].text
    assert "\n" not in text
    return str(text)


async def ended(client: Client, run: str) -> dict[str, Any]:
    """The status of a crawl when it has ended."""
    for _ in range(200):
        status = await call(client, "crawl_status", run=run)
        if status["state"] != "running":
            return dict(status)
        await asyncio.sleep(0.1)
    raise AssertionError(f"{run} has not ended")


async def begun(client: Client, run: str) -> None:
    """Wait until a crawl has fetched a page."""
    for _ in range(200):
        if (await call(client, "crawl_status", run=run)).get("fetches"):
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"{run} has not begun")
