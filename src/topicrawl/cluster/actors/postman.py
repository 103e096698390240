"""The postman of a node."""

from __future__ import annotations

import asyncio
from typing import Any

import ray
from ray.exceptions import RayError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from topicrawl.cluster.actors import options, pack, unpack
from topicrawl.cluster.mail import Boxes, Envelope

FLUSH_SECONDS = 0.1
"""For how long a postman gathers letters to another node."""


@ray.remote
class Postman:
    """The letters of the shards on one node."""

    def __init__(self, crawl: str, version: str) -> None:
        self._crawl, self._version = crawl, version
        self._boxes = Boxes()
        self._leaving: dict[str, list[bytes]] = {}
        """By node."""
        self._flushing: asyncio.Task[None] | None = None
        self._others: dict[str, Any] = {}

    async def carry(self, node: str, letters: bytes) -> None:
        """Take letters for the shards of a node, to be sent soon with others."""
        self._leaving.setdefault(node, []).append(letters)
        if self._flushing is None or self._flushing.done():
            self._flushing = asyncio.get_event_loop().create_task(self._flush())

    async def receive(self, letters: list[bytes]) -> None:
        """Take letters for the shards of this node."""
        for some in letters:
            self._boxes.put(unpack(some, type=list[Envelope]))

    async def collect(self, shard: str) -> bytes:
        """The letters to a shard of this node."""
        return pack(self._boxes.collect(shard))

    async def _flush(self) -> None:
        await asyncio.sleep(FLUSH_SECONDS)
        leaving, self._leaving = self._leaving, {}
        for node, letters in leaving.items():
            if node not in self._others:
                self._others[node] = postman(self._crawl, node, self._version)
            try:
                await self._others[node].receive.remote(letters)
            except RayError:
                continue  # they are sent again


def postman(crawl: str, node: str, version: str) -> Any:
    """The postman of a node."""
    there = NodeAffinitySchedulingStrategy(node, soft=False)
    named = options(crawl, f"postman/{node}", version, scheduling_strategy=there)
    return Postman.options(**named).remote(crawl, version)  # type: ignore[attr-defined]
