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
import os
import socket
import threading
import time
import traceback
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import ray
from ray.exceptions import RayError
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from topicrawl.cluster.crawls import ENDED, STOPPING, Submitted, get_crawl, set_state
from topicrawl.cluster.database import AwayError, Database
from topicrawl.cluster.holder import Holder
from topicrawl.cluster.mail import Boxes, Envelope, Resending
from topicrawl.cluster.node import resource, work_folder
from topicrawl.cluster.settings import NAMESPACE, Settings
from topicrawl.cluster.store import open_store
from topicrawl.cluster.turns import Answer, Hello, Life, Turns
from topicrawl.frontier.route import shard_name
from topicrawl.setup.run_config import config_in
from topicrawl.shards.begin import limits_of, shard_config, teacher_of
from topicrawl.shards.coordinator import Grant
from topicrawl.shards.messages import Batch, Order, Report

TRY_SECONDS = 0.5
POLL_SECONDS = 1.0
"""Seconds between two looks at whether somebody wants the crawl to stop."""
ENDED_SECONDS = 3.0
"""Seconds after which a shard that has ended says so again."""
FAILED_SECONDS = 5.0
"""Seconds between a failure and the end of the actor: Ray starts it again at once."""
KILL_SECONDS = 20.0
"""Seconds that actors may take to end."""
FLUSH_SECONDS = 0.1
"""For how long a postman gathers letters to another node."""
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


def _say(part: str, sentence: str) -> None:
    """Ray keeps what actors print in one place, with the process in front."""
    print(f"{part}: {sentence}", flush=True)  # noqa: T201


def _in_background(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Do the work of an actor in a thread of its own; the process ends with it, so that Ray starts the actor again."""

    def run() -> None:
        try:
            asyncio.run(work())
        except BaseException:
            traceback.print_exc()
            time.sleep(FAILED_SECONDS)
            os._exit(1)

    threading.Thread(target=run, daemon=True).start()


@ray.remote
class Coordinator:
    """Budget, threshold and end of one crawl."""

    def __init__(self, crawl: str, settings: bytes) -> None:
        self._crawl, self._settings = crawl, unpack(settings, type=Settings)
        self._turns: asyncio.Future[Turns] | None = None

    async def report(self, hello: bytes, report: bytes) -> bytes:
        """Take the report of a shard; returns the order of the next turn."""
        turns = await self._begun()
        return pack(await turns.report(unpack(hello, type=Hello), unpack(report, type=Report)))

    async def ended(self, shard: str, life: Life, reason: str) -> None:
        """A shard has put all into the store, and ended."""
        (await self._begun()).ended(shard, (life[0], life[1]), reason)

    async def _begun(self) -> Turns:
        """The turns, which begin with the first report."""
        if self._turns is None:
            self._turns = asyncio.get_running_loop().create_future()
            self._driving = asyncio.create_task(self._drive(self._turns))
        return await asyncio.shield(self._turns)

    async def _drive(self, begun: asyncio.Future[Turns]) -> None:
        database = Database(self._settings.postgres)
        submitted = await self._asked(lambda: _get(database, self._crawl))
        config = config_in(Path(self._crawl), submitted.config_toml)
        teacher = self._teacher(submitted) if teacher_of(config) is not None else None
        turns = Turns(
            submitted.route.names,
            limits_of(config),
            config.max_time,
            teacher,
            lambda sentence: _say(self._crawl, sentence),
        )
        begun.set_result(turns)
        watching = asyncio.create_task(self._watch(database, turns))
        try:
            reason = await turns.drive()
        finally:
            watching.cancel()
        await self._asked(lambda: _end(database, self._crawl, reason))
        await asyncio.to_thread(kill_actors, self._crawl)  # this one the last

    async def _watch(self, database: Database, turns: Turns) -> None:
        """See whether somebody wants the crawl to stop."""
        while True:
            submitted = await self._asked(lambda: _get(database, self._crawl))
            if submitted.state in (STOPPING, ENDED):
                turns.stop(submitted.reason or "stopped")
            await asyncio.sleep(POLL_SECONDS)

    async def _asked(self, work: Callable[[], Any]) -> Any:
        while True:
            try:
                return await asyncio.to_thread(work)
            except AwayError:
                await asyncio.sleep(TRY_SECONDS)

    def _teacher(self, submitted: Submitted) -> Any:
        """Hands lessons to the actor that teaches."""
        made = Teacher.options(**options(self._crawl, "teacher", submitted.version))  # type: ignore[attr-defined]
        actor = made.remote(submitted.config_toml)

        async def teach(lessons: list[tuple[str, bytes]]) -> tuple[dict[str, int], bytes | None]:
            try:
                known, model = await actor.learn.remote(lessons)
            except RayError as error:
                await asyncio.sleep(TRY_SECONDS)
                raise ConnectionError("the teacher was replaced") from error
            return known, model

        return teach


@ray.remote
class Teacher:
    """Fits models to the lessons of all shards of one crawl."""

    def __init__(self, config_toml: str) -> None:
        self._teacher = teacher_of(config_in(Path(), config_toml))

    def learn(self, lessons: list[tuple[str, bytes]]) -> tuple[dict[str, int], bytes | None]:
        """Learn; returns the last page of each of these shards that is known, and a model if there is a new one."""
        assert self._teacher is not None
        for name, some in lessons:
            self._teacher.learn(name, some)
        return {name: self._teacher.known(name) for name, _ in lessons}, self._teacher.model()


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
        _in_background(self._hold)

    def process(self) -> int:
        """The process of this actor."""
        return os.getpid()

    async def _hold(self) -> None:
        name, database = shard_name(self._number), Database(self._settings.postgres)
        submitted = await self._patiently(lambda: _get(database, self._crawl))
        self._version = submitted.version
        config = config_in(Path(self._crawl), submitted.config_toml)
        holder = Holder(
            self._crawl,
            self._number,
            submitted.route,
            shard_config(config, submitted.route),
            work_folder() / self._crawl / name,
            open_store(self._settings.store),
            self._settings.postgres,
            f"{socket.gethostname()}/{os.getpid()}",
            self._exchange,
            self._settings.lease,
            say=lambda sentence: _say(f"{self._crawl} shard {name}", sentence),
        )
        reason = await holder.run()
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

    async def _patiently(self, work: Callable[[], Any]) -> Any:
        while True:
            try:
                return await asyncio.to_thread(work)
            except AwayError:
                await asyncio.sleep(TRY_SECONDS)


def coordinator(crawl: str, settings: Settings, version: str) -> Any:
    """The coordinator of a crawl."""
    named = options(crawl, "coordinator", version, max_concurrency=10_000)
    return Coordinator.options(**named).remote(crawl, pack(settings))  # type: ignore[attr-defined]


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


def _get(database: Database, crawl: str) -> Submitted:
    with database.connection() as connection:
        return get_crawl(connection, crawl)


def _end(database: Database, crawl: str, reason: str) -> None:
    with database.connection() as connection:
        set_state(connection, crawl, ENDED, reason)


def kill_actors(crawl: str) -> None:
    """End all actors of a crawl, for good; the coordinator last."""
    for name in sorted(_actors(crawl), key=lambda name: name == actor_name(crawl, "coordinator")):
        with suppress(ValueError, RayError):  # gone meanwhile
            ray.kill(ray.get_actor(name, NAMESPACE), no_restart=True)
    until = time.monotonic() + KILL_SECONDS
    while _actors(crawl) and time.monotonic() < until:
        time.sleep(0.1)


def _actors(crawl: str) -> list[str]:
    return [name for name in ray.util.list_named_actors() if name.startswith(f"{crawl}/")]
