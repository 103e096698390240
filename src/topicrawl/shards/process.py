"""The process of one shard: `python -m topicrawl.shards.process FOLDER`, with messages on standard input and output.

It is a whole session over the run in its folder. When its input ends, because the other side is gone, it saves and
ends.
"""

from __future__ import annotations

import asyncio
import os
import sys
import traceback
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from topicrawl.crawling.event_loop import give_all_to_the_crawl, run_loop
from topicrawl.crawling.live import STOPPED
from topicrawl.crawling.session import Session
from topicrawl.errors import BusyError, TopicrawlError
from topicrawl.setup.run_config import begun_config, config_of, instruction_between, logged_config
from topicrawl.shards.frames import frame, read
from topicrawl.shards.member import Member
from topicrawl.shards.messages import Failed, Order, Report, Stopped
from topicrawl.store.run import Run
from topicrawl.terminal import note
from topicrawl.topic.wordnet import WordNet
from topicrawl.web.archive_name import SCHEME

BUSY_SECONDS = 60
"""How long a shard waits for an earlier process of its own, which may still be saving."""
LIMIT = 1 << 24
"""Bytes that a pipe may hold before the other side waits."""


async def take_part(folder: Path) -> None:
    """Crawl as a shard until it is told to stop, then save."""
    loop = asyncio.get_running_loop()
    orders = asyncio.StreamReader(limit=LIMIT)
    reading, _ = await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(orders), os.fdopen(0, "rb", 0)
    )
    transport, protocol = await loop.connect_write_pipe(
        asyncio.streams.FlowControlMixin, os.fdopen(1, "wb", 0)
    )
    reports = asyncio.StreamWriter(transport, protocol, None, loop)

    async def say(message: Report | Failed | Stopped) -> bool:
        """Whether the message was sent."""
        try:
            reports.write(frame(message))
            await reports.drain()
        except (OSError, RuntimeError):  # uvloop raises the latter once the other side is gone
            return False
        return True

    async def exchange(report: Report) -> Order | None:
        return await read(orders, Order) if await say(report) else None

    try:
        with await _opened(folder) as run:
            session = session_of(run)
            member = Member(exchange, session.stop)
            session.may_ask, session.is_part, session.say = member.may_ask, True, member.said.append
            session.beside = lambda live: [member.turns(live)]
            summary = await session.complete()
        if summary["stop_reason"] == STOPPED:
            await say(Stopped(STOPPED))
    except Exception as error:
        is_ours = isinstance(error, TopicrawlError)
        if not is_ours:  # a fault of topicrawl: it would happen again after a start
            note(traceback.format_exc())
        said = str(error) if is_ours else f"shard {folder.name} failed: {error!r}"
        await say(Failed(said, type(error).__name__ if is_ours else ""))
    finally:
        transport.close()
        reading.close()


def session_of(run: Run) -> Session:
    """A session of the run of a shard, with what was changed in its crawl.toml."""
    config, begun = config_of(run), begun_config(run)
    return Session(config, run, begun=begun, instruction=instruction_between(logged_config(run), config))


async def _opened(folder: Path) -> Run:
    """The run, once no other process writes it."""
    for _ in range(10 * BUSY_SECONDS):
        try:
            return Run.open(folder)
        except BusyError:
            await asyncio.sleep(0.1)
    return Run.open(folder)


def prepare(web: str, *, looks_up_words: bool) -> None:
    """Import and make what the processes of shards need, so that forks of this one share it."""
    online = web == "http" or web.startswith(SCHEME)
    for module in ("topicrawl.web.http",) if online else ("topicrawl.web.cached", "topicrawl.web.recorded"):
        import_module(module)
    with suppress(ImportError):  # absent on Windows
        import_module("uvloop")
    if looks_up_words and (wordnet := WordNet.load()) is not None:
        wordnet.prepare()


def crawl_shard(folder: Path) -> None:
    """What the process does."""
    give_all_to_the_crawl()
    run_loop(lambda: take_part(folder))


if __name__ == "__main__":
    crawl_shard(Path(sys.argv[1]))
