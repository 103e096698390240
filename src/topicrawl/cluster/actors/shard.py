"""A shard as an actor."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
import time
import traceback
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import ray
from ray.exceptions import RayError

from topicrawl.cluster.actors import TRY_SECONDS, options, pack, submitted, unpack
from topicrawl.cluster.actors.coordinator import coordinator
from topicrawl.cluster.actors.postman import postman
from topicrawl.cluster.database import Database
from topicrawl.cluster.holder import Holder
from topicrawl.cluster.mail import Envelope, Resending
from topicrawl.cluster.node import work_folder
from topicrawl.cluster.remarks import Remarks
from topicrawl.cluster.settings import Settings
from topicrawl.cluster.store import open_store
from topicrawl.cluster.turns import Answer, Hello, Life
from topicrawl.frontier.route import shard_name
from topicrawl.setup.run_config import config_in
from topicrawl.shards.begin import shard_config
from topicrawl.shards.coordinator import Grant
from topicrawl.shards.messages import Batch, Order, Report
from topicrawl.terminal import note

ENDED_SECONDS = 3.0
"""Seconds after which a shard that has ended says so again."""
FAILED_SECONDS = 5.0
"""Seconds between a failure and the end of the actor: Ray starts it again at once."""


@ray.remote
class Shard:
    """One shard."""

    def __init__(self, crawl: str, number: int, settings: bytes) -> None:
        self._crawl, self._number = crawl, number
        self._settings = unpack(settings, type=Settings)
        self._node = ray.get_runtime_context().get_node_id()
        self._map, self._nodes = -1, dict[str, str]()
        self._resending = Resending()
        self._desk: Any = None
        """The coordinator, once it was asked for."""
        self._postman: Any = None
        in_background(self._hold)

    def process(self) -> int:
        """The process of this actor."""
        return os.getpid()

    async def _hold(self) -> None:
        name, database = shard_name(self._number), Database(self._settings.postgres)
        found = await submitted(database, self._crawl)
        self._version = found.version
        say = partial(Remarks(self._settings.postgres, self._crawl).add, name)
        config = config_in(Path(self._crawl), found.config_toml)
        holder = Holder(
            self._crawl,
            self._number,
            found.route,
            shard_config(config, found.route),
            work_folder() / self._crawl / name,
            open_store(self._settings.store),
            self._settings.postgres,
            f"{socket.gethostname()}/{os.getpid()}",
            self._exchange,
            self._settings.lease,
            say=say,
        )
        try:
            reason = await holder.run()
        except Exception as error:
            say(f"failed, and is started again: {error}")
            raise
        while True:  # until this actor is ended: the coordinator may be replaced meanwhile
            await self._retried(lambda: self._coordinator().ended.remote(name, holder.life, reason))
            await asyncio.sleep(ENDED_SECONDS)

    async def _exchange(self, life: Life, granted: Grant, report: Report) -> Order:
        name = shard_name(self._number)
        mine = self._postman = self._postman or postman(self._crawl, self._node, self._version)
        for node, letters in self._by_node(name, report).items():
            try:
                await mine.carry.remote(node, pack(letters))
            except RayError:
                break  # they are sent again
        hello = pack(Hello(name, life, self._node, granted, self._map))
        told = pack(msgspec.structs.replace(report, letters={}))
        answer = unpack(
            await self._retried(lambda: self._coordinator().report.remote(hello, told)), type=Answer
        )
        if answer.nodes is not None:
            self._map, self._nodes = answer.map, answer.nodes
        order = self._resending.checked(answer.order, report.offer.sent)
        try:
            arrived = unpack(await mine.collect.remote(name), type=dict[str, Batch])
        except RayError:
            return order
        return msgspec.structs.replace(order, letters=arrived)

    def _by_node(self, name: str, report: Report) -> dict[str, list[Envelope]]:
        """The letters of a report, by node; those to shards whose node is not known are sent again later."""
        found: dict[str, list[Envelope]] = {}
        for receiver, batch in report.letters.items():
            if (node := self._nodes.get(receiver)) is not None:
                found.setdefault(node, []).append(Envelope(name, receiver, batch))
        return found

    def _coordinator(self) -> Any:
        self._desk = self._desk or coordinator(self._crawl, self._settings, self._version)
        return self._desk

    async def _retried(self, call: Callable[[], Any]) -> Any:
        """Call until it is answered: whoever died is started again."""
        while True:
            try:
                return await call()
            except RayError:
                await asyncio.sleep(TRY_SECONDS)


def shard(crawl: str, number: int, settings: Settings, version: str) -> Any:
    """A shard of a crawl."""
    named = options(
        crawl,
        f"shard/{shard_name(number)}",
        version,
        num_cpus=1,
        scheduling_strategy="SPREAD",
        max_concurrency=4,
    )
    return Shard.options(**named).remote(crawl, number, pack(settings))  # type: ignore[attr-defined]


def in_background(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Do the work of an actor in a thread of its own; the process ends with it, so that Ray starts the actor again."""

    def run() -> None:
        try:
            asyncio.run(work())
        except BaseException:
            note(traceback.format_exc())
            time.sleep(FAILED_SECONDS)
            os._exit(1)

    threading.Thread(target=run, daemon=True).start()
