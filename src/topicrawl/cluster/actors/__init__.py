"""The actors of Ray: thin around what needs no Ray. All they send each other is packed as msgpack.

    Coordinator   one for each crawl: turns (turns.py)
    Teacher       one for each crawl whose strategy learns
    Shard         one for each shard: holder.py, and the letters to its postman
    Postman       one for each node of a crawl: gathers letters for other nodes, and keeps those for its own shards

Ray starts an actor that died again, on any node that has room; each begins with nothing but what is in PostgreSQL and
in the store.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

import msgspec
import ray
from ray.exceptions import RayError

from topicrawl.cluster.crawls import Submitted, get_crawl
from topicrawl.cluster.database import Database
from topicrawl.cluster.node import resource
from topicrawl.cluster.settings import NAMESPACE
from topicrawl.errors import AwayError

T = TypeVar("T")

TRY_SECONDS = 0.5
"""Seconds between two tries where something is away."""
KILL_SECONDS = 20.0
"""Seconds that actors may take to end."""
COORDINATOR = "coordinator"
pack, unpack = msgspec.msgpack.encode, msgspec.msgpack.decode


def actor_name(crawl: str, part: str) -> str:
    """The name of an actor in our namespace."""
    return f"{crawl}/{part}"


def options(crawl: str, part: str, version: str, **more: Any) -> dict[str, Any]:
    """How an actor is made: by name, if there is none; it outlives who made it, and is started again when it dies."""
    return {
        "name": actor_name(crawl, part),
        "namespace": NAMESPACE,
        "lifetime": "detached",
        "get_if_exists": True,
        "max_restarts": -1,
        "num_cpus": 0,
        "resources": {resource(version): 0.001},
        **more,
    }


async def patiently(work: Callable[[], T]) -> T:
    """Do something with PostgreSQL, in a thread; again while it is away."""
    while True:
        try:
            return await asyncio.to_thread(work)
        except AwayError:
            await asyncio.sleep(TRY_SECONDS)


async def submitted(database: Database, crawl: str) -> Submitted:
    """The crawl, as it is in PostgreSQL now."""

    def read() -> Submitted:
        with database.connection() as connection:
            return get_crawl(connection, crawl)

    return await patiently(read)


def kill_actors(crawl: str) -> None:
    """End all actors of a crawl, for good; the coordinator last."""
    for name in sorted(_actors(crawl), key=lambda name: name == actor_name(crawl, COORDINATOR)):
        with suppress(ValueError, RayError):  # gone meanwhile
            ray.kill(ray.get_actor(name, NAMESPACE), no_restart=True)
    until = time.monotonic() + KILL_SECONDS
    while _actors(crawl) and time.monotonic() < until:
        time.sleep(0.1)


def _actors(crawl: str) -> list[str]:
    return [name for name in ray.util.list_named_actors() if name.startswith(f"{crawl}/")]
