"""A cluster in one process, without Ray: turns, mail and the holders of shards, each on a node of its own."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from topicrawl.cluster.control import status
from topicrawl.cluster.crawls import add_crawl, get_crawl
from topicrawl.cluster.database import connect, migrate
from topicrawl.cluster.fetch import fetch
from topicrawl.cluster.holder import Holder
from topicrawl.cluster.mail import Boxes, Envelope, Resending
from topicrawl.cluster.store import Folder
from topicrawl.cluster.turns import Hello, Life, Turns
from topicrawl.frontier.route import Route
from topicrawl.setup.config import Config, read_flags
from topicrawl.setup.resolve import resolve
from topicrawl.shards.begin import shard_config
from topicrawl.shards.coordinator import Grant
from topicrawl.shards.messages import Order, Report


def remark(sentence: str) -> None:
    sys.stderr.write(sentence + "\n")


@dataclass
class Small:
    """A crawl of a web on a loopback port."""

    folder: Path
    dsn: str
    port: int
    shards: int = 3
    seconds: float = 2.0
    """Of a lease."""
    turns: Turns = field(init=False)
    boxes: Boxes = field(default_factory=Boxes)
    drop: Callable[[Envelope], bool] = lambda envelope: False
    """Which letters are lost on their way."""
    tasks: dict[int, asyncio.Task[str]] = field(default_factory=dict)

    def submit(self) -> None:
        flags: dict[str, object] = {
            "topic": "rain, flood", "seeds": ["http://site00.test/00"], "pages": "900", "delay": "1ms",
            "resolve": [f"*.test=127.0.0.1:{self.port}"], "allow_net": ["127.0.0.0/8"], "strategy": "ops",
            "warc": True, "avoid_traps": False,
        }  # fmt: skip
        config, route = resolve(Config(**read_flags(flags)), remark), Route(self.shards)
        self.config_toml = shard_config(config, route)
        self.store = Folder(self.folder / "store")
        self.store.mark()
        with connect(self.dsn) as connection:
            migrate(connection)
            add_crawl(connection, "c", config.to_toml(), route, "0")

    def begin_turns(self) -> None:
        """A coordinator that knows nothing."""
        route = Route(self.shards)
        self.turns = Turns(route.names, {"pages": 900}, least=0.02)

    def holder(self, number: int, node: str = "a") -> Holder:
        resending = Resending()
        known: dict[str, str] = {}

        async def exchange(life: Life, granted: Grant, report: Report) -> Order:
            name = Route(self.shards).names[number]
            envelopes = [Envelope(name, receiver, batch) for receiver, batch in report.letters.items()]
            self.boxes.put(each for each in envelopes if not self.drop(each))
            hello = Hello(name, life, node, granted)
            try:
                answer = await self.turns.report(hello, msgspec.structs.replace(report, letters={}))
            except ConnectionError:  # whoever was asked is gone: ask its successor
                answer = await self.turns.report(hello, msgspec.structs.replace(report, letters={}))
            known.update(answer.nodes or {})
            order = resending.checked(answer.order, report.offer.sent)
            return msgspec.structs.replace(order, letters=self.boxes.collect(name))

        folder = self.folder / f"node-{node}" / Route(self.shards).names[number]
        return Holder(
            "c", number, Route(self.shards), self.config_toml, folder, self.store, self.dsn,
            f"{node}/{number}", exchange, self.seconds, remark,
        )  # fmt: skip

    def start(self, number: int, node: str = "a") -> None:
        """Hold a shard on a node."""

        async def hold() -> str:
            holder = self.holder(number, node)
            reason = await holder.run()
            self.turns.ended(Route(self.shards).names[number], holder.life, reason)
            return reason

        self.tasks[number] = asyncio.create_task(hold())

    async def crawl(self, fault: Callable[[], Awaitable[None]] | None = None) -> str:
        """Crawl to the end; `fault` happens beside it."""
        self.begin_turns()
        for number in range(self.shards):
            self.start(number)
        happening = asyncio.create_task(fault()) if fault else None  # type: ignore[arg-type]
        try:
            while True:
                driving = self.turns
                reason = await driving.drive()
                if driving is self.turns:
                    break
            await asyncio.gather(*self.tasks.values())
            if happening is not None:
                await happening
            return reason
        finally:
            for task in (*self.tasks.values(), *([happening] if happening else [])):
                task.cancel()
            await asyncio.gather(*self.tasks.values(), return_exceptions=True)

    def visits(self) -> int:
        """Visits that are committed on any node."""
        return sum(len(file.read_bytes().splitlines()) for file in self.folder.glob("node-*/*/visits.jsonl"))

    def counted(self) -> int:
        """Pages, as the status of the crawl tells them."""
        with connect(self.dsn) as connection:
            return status(connection, "c").total.pages

    def fetch(self) -> Path:
        """The crawl as a run directory."""
        out = self.folder / "out"
        with connect(self.dsn) as connection:
            fetch(get_crawl(connection, "c"), out, self.store, connection).lock.release()
        return out
