"""The stream of events: one reader for all browsers, and none when nobody looks."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from topicrawl.dashboard.feed import Feed, Parts
from topicrawl.dashboard.opened import Opened

BROWSERS = 10


def test_ten_browsers_share_one_reader_which_ends_with_the_last_of_them(run_folder: Path) -> None:
    reads: list[str] = []

    def read(run: Opened) -> Parts:
        reads.append(run.name)
        (run.path / "crawl.toml").touch()  # something changes before the next look
        return {"same": "always", "count": str(len(reads))}

    async def browser(feed: Feed, seen: list[Parts]) -> None:
        stream = feed.events()
        async for event in stream:
            if event.startswith("event: parts"):
                seen.append(json.loads(event.partition("data: ")[2]))
            if seen and seen[-1]["count"] >= "2":
                break
        await stream.aclose()  # type: ignore[attr-defined]

    async def all_of_them() -> list[list[Parts]]:
        opened = Opened(run_folder, "storms")
        feed, seen = Feed(opened, read), [list[Parts]() for _ in range(BROWSERS)]
        await asyncio.gather(*(browser(feed, each) for each in seen))
        assert feed._task is not None
        await feed._task
        opened.close()
        return seen

    seen = asyncio.run(all_of_them())
    assert len(seen) == BROWSERS
    assert all(each[0] == {"same": "always", "count": "1"} for each in seen), "first everything"
    assert all(each[-1] == {"count": "2"} for each in seen), "then what changed"
    assert len(reads) <= 3


def test_a_run_that_stands_is_read_once(run_folder: Path) -> None:
    reads: list[str] = []

    def read(run: Opened) -> Parts:
        reads.append(run.name)
        return {"count": str(len(reads))}

    opened = Opened(run_folder, "storms")
    opened.refresh()
    opened.complete()
    feed = Feed(opened, read)
    for _ in range(3):
        feed._last = feed._measured()[0]
    opened.close()
    assert reads == ["storms"]
