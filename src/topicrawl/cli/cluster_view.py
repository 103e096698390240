"""What `topicrawl cluster` shows: the progress line of a crawl, tables of crawls and shards."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

from topicrawl.cli.output import Output
from topicrawl.cli.tables import show_columns
from topicrawl.cluster.control import Status
from topicrawl.cluster.control import status as told
from topicrawl.cluster.crawls import ENDED, get_crawl
from topicrawl.cluster.database import Database, connect
from topicrawl.cluster.settings import Settings
from topicrawl.errors import AwayError
from topicrawl.terminal import note, say

if TYPE_CHECKING:
    from topicrawl.crawling.metrics import Endpoint

FOLLOW_SECONDS = 1.0


def follow(crawl: str, settings: Settings, output: Output, endpoint: Endpoint | None) -> None:
    """Show a crawl until it ends; Ctrl-C only ends the showing."""
    from topicrawl.setup.run_config import config_in

    with connect(settings.postgres) as connection:
        config = config_in(Path(crawl), get_crawl(connection, crawl).config_toml)
        last = told(connection, crawl)
    try:
        with output.counting(config.pages, config.max_requests):
            last = asyncio.run(_watched(crawl, settings.postgres, output, endpoint)) or last
    except KeyboardInterrupt:
        note(f"it goes on; see: topicrawl cluster status {crawl}")
        return
    total = last.total
    say(
        f"{crawl} ended ({last.reason}): {total.pages:,} pages, {total.relevant:,} relevant, {total.failed:,} failed"
    )
    say(f"bring it here with: topicrawl cluster fetch {crawl} --out run/")


async def _watched(crawl: str, postgres: str, output: Output, endpoint: Endpoint | None) -> Status:
    """Read the counts once a second until the crawl has ended."""
    from topicrawl.cluster.watching import Watching

    watching = Watching(crawl)
    async with AsyncExitStack() as stack:
        database = stack.enter_context(closing(Database(postgres)))
        if endpoint is not None:
            await stack.enter_async_context(endpoint.answering())
        while True:
            try:
                now = await asyncio.to_thread(watching.read, database)
            except AwayError:
                await asyncio.sleep(FOLLOW_SECONDS)
                continue
            if endpoint is not None:
                endpoint.text = watching.exposition(now)
            output.progress(watching.tally(now), now.total.waiting, now.total.hosts, watching.more(now))
            if watching.has_ended(now):
                return now
            await asyncio.sleep(FOLLOW_SECONDS)


def show_crawls(found: list[Status]) -> None:
    """Print a line for each crawl."""
    rows: list[tuple[str, ...]] = [
        ("crawl", "state", "shards", "pages", "relevant", "failed", "waiting", "letters")
    ]
    for each in found:
        total = each.total
        state = f"{each.state} ({each.reason})" if each.reason else each.state
        rows.append(
            (
                each.id,
                state,
                f"{each.alive}/{each.shards}",
                *(
                    f"{count:,}"
                    for count in (total.pages, total.relevant, total.failed, total.waiting, each.letters)
                ),
            )
        )
    show_columns(rows)


def show_shards(found: Status) -> None:
    """Print a crawl and a line for each of its shards."""
    show_crawls([found])
    rows: list[tuple[str, ...]] = [
        ("shard", "holder", "epoch", "pages", "relevant", "failed", "waiting", "in flight", "sent", "taken")
    ]
    for row in found.each:
        counts = row.counts
        holder = row.holder if row.is_held else "none" if found.state == ENDED else "none: it waits"
        numbers = (
            counts.pages,
            counts.relevant,
            counts.failed,
            counts.waiting,
            counts.in_flight,
            counts.sent,
            counts.taken,
        )
        rows.append((f"{row.number:03}", holder, str(row.epoch), *(f"{count:,}" for count in numbers)))
    show_columns(rows)
