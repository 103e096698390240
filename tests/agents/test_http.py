"""Agents over HTTP: only with the token, under our own name, and not from pages of other sites."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

import topicrawl
from agent_client import SEED, begun, call, command, ended
from topicrawl.store.lock import writer_of

TOKEN = "a-token-of-the-tests-0123456789"
START = ("--http", "127.0.0.1:0", "--token", "env:MCP_TOKEN", "--web", "invented:7")
PAGES = ("--pages", "4000", "--total-pages", "4003")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, *command(tmp_path, *START, *PAGES)],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "MCP_TOKEN": TOKEN},
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),  # noqa: PLW1509 - it may be ignored here
    ) as started:
        yield started
        started.kill()


@pytest.fixture
def address(server: subprocess.Popen[str]) -> str:
    assert server.stderr is not None
    return server.stderr.readline().strip().removeprefix("mcp: ")


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGHUP])
def test_who_has_the_token_can_crawl_and_a_signal_saves_crawls_with_the_server(
    server: subprocess.Popen[str], address: str, tmp_path: Path, end: signal.Signals
) -> None:
    async def go() -> None:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with (
            httpx2.AsyncClient(headers=headers) as http,
            Client(streamable_http_client(address, http_client=http)) as client,
        ):
            await call(client, "start_crawl", name="a", topic="rainstorm", seeds=[SEED], pages=3)
            assert (await ended(client, "a"))["fetches"] == 3
            await call(client, "start_crawl", name="b", topic="rainstorm", seeds=[SEED], pages=4000)
            await begun(client, "b")

    asyncio.run(go())
    server.send_signal(end)
    assert server.wait(60) == 0
    assert writer_of(tmp_path / "b") is None
    with topicrawl.Run(tmp_path / "b") as run:
        assert run.summary["stop_reason"] == "interrupted"


def test_others_are_refused(address: str) -> None:
    good = {"Authorization": f"Bearer {TOKEN}"}
    for headers, status in (
        ({}, 401),
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Authorization": TOKEN}, 401),
        (good | {"Host": "evil.example"}, 421),
        (good | {"Origin": "https://evil.example"}, 403),
    ):
        assert httpx2.post(address, headers=headers, json={}).status_code == status


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        (("--http", "127.0.0.1:0"), "--token env:NAME"),
        (("--http", "127.0.0.1:0", "--token", "literal-secret-literal"), "--token"),
        (("--http", "nowhere", "--token", "env:HOME"), "an address and a port"),
        (("--http", "203.0.113.7:1", "--token", "env:MCP_TOKEN"), "choose another address or port"),
    ],
)
def test_a_server_without_a_secret_or_an_address_does_not_start(
    tmp_path: Path, flags: tuple[str, ...], says: str
) -> None:
    ended = subprocess.run(
        [sys.executable, *command(tmp_path, *flags)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "MCP_TOKEN": TOKEN},
    )
    assert ended.returncode == 2
    assert says in ended.stderr
    assert "literal-secret" not in ended.stderr
    assert ended.stdout == ""
