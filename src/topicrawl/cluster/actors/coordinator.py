"""The coordinator of a crawl, and its teacher."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import ray
from ray.exceptions import RayError

from topicrawl.cluster.actors import (
    COORDINATOR,
    TRY_SECONDS,
    kill_actors,
    options,
    pack,
    patiently,
    submitted,
    unpack,
)
from topicrawl.cluster.crawls import ENDED, STOPPING, ShardRow, Submitted, Unheld, set_state, shard_rows
from topicrawl.cluster.database import Database
from topicrawl.cluster.remarks import Remarks
from topicrawl.cluster.settings import Settings
from topicrawl.cluster.turns import Hello, Life, Turns
from topicrawl.frontier.route import Route
from topicrawl.setup.run_config import config_in
from topicrawl.shards.begin import limits_of, teacher_of
from topicrawl.shards.coordinator import Offer
from topicrawl.shards.messages import Report

POLL_SECONDS = 1.0
"""Seconds between two looks at whether somebody wants the crawl to stop."""


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
        found = await submitted(database, self._crawl)
        config = config_in(Path(self._crawl), found.config_toml)
        teacher = self._teacher(found) if teacher_of(config) is not None else None
        turns = Turns(
            found.route.names,
            limits_of(config),
            config.max_time,
            teacher,
            Remarks(self._settings.postgres, self._crawl).add,
            self._settings.turn,
            await patiently(lambda: _known(database, self._crawl, found.route)),
        )
        begun.set_result(turns)
        watching = asyncio.create_task(self._watch(database, turns))
        try:
            reason = await turns.drive()
        finally:
            watching.cancel()
        await patiently(lambda: _end(database, self._crawl, reason))
        await asyncio.to_thread(kill_actors, self._crawl)  # this one the last

    async def _watch(self, database: Database, turns: Turns) -> None:
        """See whether somebody wants the crawl to stop, and which shards its end need not wait for."""
        unheld = Unheld(self._settings.lease)
        while True:
            found = await submitted(database, self._crawl)
            if found.state in (STOPPING, ENDED):
                turns.stop(found.reason or "stopped")
            if turns.reason:
                rows = await patiently(lambda: _shards(database, self._crawl))
                turns.without(unheld.look(rows, time.monotonic()))
            await asyncio.sleep(POLL_SECONDS)

    def _teacher(self, found: Submitted) -> Any:
        """Hands lessons to the actor that teaches."""
        made = Teacher.options(**options(self._crawl, "teacher", found.version))  # type: ignore[attr-defined]
        actor = made.remote(found.config_toml)

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


def coordinator(crawl: str, settings: Settings, version: str) -> Any:
    """The coordinator of a crawl."""
    named = options(crawl, COORDINATOR, version, max_concurrency=10_000)
    return Coordinator.options(**named).remote(crawl, pack(settings))  # type: ignore[attr-defined]


def _shards(database: Database, crawl: str) -> list[ShardRow]:
    with database.connection() as connection:
        return shard_rows(connection, crawl)


def _known(database: Database, crawl: str, route: Route) -> dict[str, Offer]:
    """The counts of each shard when it told them last."""
    counts = {row.number: row.counts for row in _shards(database, crawl)}
    return {
        name: Offer(
            asked=counts[number].asked,
            pending=counts[number].in_flight,
            visits=counts[number].pages + counts[number].failed,
            fetched=counts[number].pages,
            relevant=counts[number].relevant,
            failed=counts[number].failed,
            bytes=counts[number].bytes,
        )
        for number, name in enumerate(route.names)
    }


def _end(database: Database, crawl: str, reason: str) -> None:
    with database.connection() as connection:
        set_state(connection, crawl, ENDED, reason)
