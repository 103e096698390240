"""Holds one shard: takes its lease, brings its run here, runs its process, and puts what it commits into the store.

A report of the shard is passed on when all events before it are in the store and their rows in PostgreSQL, under our
epoch. So no letter leaves, and none is acknowledged, before the log that tells of it is durable; and after another has
taken the shard over, nothing of this one is passed on.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from topicrawl.cluster.database import Database
from topicrawl.cluster.leases import SECONDS, Counts, Keeper, Lease, LostLeaseError, take
from topicrawl.cluster.pieces import Uploader, bring
from topicrawl.cluster.store import Store
from topicrawl.cluster.turns import Life
from topicrawl.errors import AwayError, BusyError, RunError
from topicrawl.frontier.route import Route, shard_name
from topicrawl.setup.run_config import config_in
from topicrawl.shards.coordinator import Grant
from topicrawl.shards.frames import read
from topicrawl.shards.local import DEATHS, Worker
from topicrawl.shards.messages import Failed, Order, Report, Stopped
from topicrawl.store.run import CONFIG, Run
from topicrawl.store.shard_files import SHARD, write_shard

TRY_SECONDS = 0.5
"""Seconds between two tries where something is away, or held by another."""

Exchange = Callable[[Life, Grant, Report], Awaitable[Order]]
"""Passes on a report, and what was granted last; returns the order that answers it."""


@dataclass
class Holder:
    """One shard on this node; `run` goes on until the crawl ends."""

    crawl: str
    number: int
    route: Route
    config_toml: str
    """The configuration of a shard that begins."""
    folder: Path
    """Its run directory on the local disk."""
    store: Store
    postgres: str
    name: str
    """Of this holder, for people: node and process."""
    exchange: Exchange
    seconds: float = SECONDS
    say: Callable[[str], None] = lambda sentence: None
    lease: Lease | None = None
    life: Life = (0, 0)
    _counts: Counts | None = None
    """Of the last report."""

    async def run(self) -> str:
        """Hold the shard until the crawl ends; returns why. `LostLeaseError` if another took it over."""
        with closing(Database(self.postgres)) as database:
            return await self._hold(database)

    async def _hold(self, database: Database) -> str:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None
        taken_at, self.lease = await self._take(database)
        self.life = self.lease.epoch, 0

        def lost() -> None:
            loop.call_soon_threadsafe(task.cancel)

        keeper = Keeper(self.postgres, self.lease, lambda: self._counts, taken_at, self.seconds, lost)
        try:
            durable = await self._patiently(lambda: self._bring(database))
            self.say(f"held by {self.name}, epoch {self.lease.epoch}, goes on after event {durable:,}")
            threshold = config_in(self.folder, self.config_toml).threshold
            uploader = Uploader(self.folder, self.store, database, self.lease, durable, threshold)
            reason = await self._crawl(keeper, uploader)
            await self._patiently(lambda: _upload(uploader))
            return reason
        except asyncio.CancelledError:
            if keeper.is_lost:
                raise LostLeaseError(
                    f"shard {self.number} of crawl {self.crawl} was taken over by another node"
                ) from None
            raise
        finally:
            await asyncio.to_thread(keeper.close)

    async def _take(self, database: Database) -> tuple[float, Lease]:
        """Take the lease, once nobody else has it."""

        def once() -> Lease:
            with database.connection() as connection:
                return take(connection, self.crawl, self.number, self.name, self.seconds)

        while True:
            began = time.monotonic()
            try:
                return began, await asyncio.to_thread(once)
            except (BusyError, AwayError):
                await asyncio.sleep(TRY_SECONDS)

    async def _patiently(self, work: Callable[[], int]) -> int:
        """Do `work` in a thread; again while PostgreSQL or the store is away."""
        said = False
        while True:
            try:
                return await asyncio.to_thread(work)
            except AwayError as error:
                if not said:
                    self.say(f"{error}; trying again")
                    said = True
                await asyncio.sleep(TRY_SECONDS)

    def _bring(self, database: Database) -> int:
        assert self.lease is not None
        with database.connection() as connection:
            durable = bring(self.folder, self.store, connection, self.lease)
        if not (self.folder / SHARD).is_file():
            write_shard(self.folder, shard_name(self.number), self.route)
        if not (self.folder / CONFIG).is_file():
            config = config_in(self.folder, self.config_toml)
            Run.create(
                self.folder, self.config_toml, warc=config.warc, segment_bytes=config.segment_size
            ).close()
        return durable

    async def _crawl(self, keeper: Keeper, uploader: Uploader) -> str:
        """Run the process of the shard, and start it again when it dies, until it is told to stop."""
        worker, deaths = Worker(shard_name(self.number), self.folder), 0
        while True:
            self.life = self.life[0], self.life[1] + 1
            await worker.start()
            watch = asyncio.create_task(self._watch(keeper, worker))
            try:
                reports, reason = await self._follow(uploader, worker)
                assert worker.process is not None
                code = await worker.process.wait()
            finally:
                watch.cancel()
                _kill(worker)
            if reason and code == 0:
                return reason
            deaths = 0 if reports else deaths + 1
            self.say(f"its process ended (exit code {code}) and is started again")
            if deaths > DEATHS:
                raise RunError(f"shard {self.number} died {DEATHS} times; see {self.folder}")
            while not keeper.held():  # noqa: ASYNC110 - it follows from the clock
                await asyncio.sleep(TRY_SECONDS)

    async def _follow(self, uploader: Uploader, worker: Worker) -> tuple[int, str]:
        """Answer the reports of the process; returns how many came, and why it ends: it was told so, or a person asked
        it to."""
        assert worker.process is not None
        assert worker.process.stdout is not None
        count, order = 0, Order()
        while (message := await read(worker.process.stdout, Report | Failed | Stopped)) is not None:  # type: ignore[arg-type]
            if isinstance(message, Failed):
                raise RunError(f"shard {self.number}: {message.error}")
            if isinstance(message, Stopped):
                return count, order.stop or message.reason
            count += 1
            await self._patiently(lambda: _upload(uploader))
            self._note(message, order.grant)
            order = await self.exchange(self.life, order.grant, message)
            await worker.send(order)
        return count, order.stop

    async def _watch(self, keeper: Keeper, worker: Worker) -> None:
        """End the process when the shard is not surely ours any more: it must not fetch beside another."""
        while keeper.held():  # noqa: ASYNC110 - it follows from the clock
            await asyncio.sleep(self.seconds / 20)
        self.say("waits: its lease could not be renewed")
        worker.terminate()

    def _note(self, report: Report, granted: Grant) -> None:
        offer = report.offer
        self._counts = Counts(
            granted=granted.asks,
            asked=offer.asked,
            waiting=offer.waiting,
            in_flight=offer.pending,
            hosts=report.hosts,
            sent=sum(offer.sent.values()),
            taken=sum(offer.taken.values()),
        )


def _upload(uploader: Uploader) -> int:
    """Put all that is committed into the store."""
    while uploader.upload():
        pass
    uploader.upload_snapshot()
    return uploader.durable


def _kill(worker: Worker) -> None:
    with suppress(ProcessLookupError):
        if worker.process is not None and worker.process.returncode is None:
            worker.process.kill()
