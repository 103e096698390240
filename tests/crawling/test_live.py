"""The driver of a crawl, where tests of whole crawls do not look."""

from __future__ import annotations

import asyncio

from topicrawl.crawling.core import Crawl
from topicrawl.crawling.live import IDLE_SECONDS, Live
from topicrawl.errors import FetchError
from topicrawl.model import Page, Response, TermCounts, Topic
from topicrawl.strategies.bfs import BreadthFirst


class SlowWeb:
    """A web that takes its time to say that it has nothing."""

    name = "slow"

    async def fetch(self, url: str, headers: tuple[tuple[str, str], ...] = ()) -> Response:
        await asyncio.sleep(sum(IDLE_SECONDS) + 0.5)
        raise FetchError("url", url)

    async def host_answers(self, url: str) -> bool:
        """Nobody asks."""
        return True

    def remember(self, url: str, parsed: bytes) -> None:
        """It does not."""

    async def close(self) -> None:
        """There is nothing to close."""


async def never(response: Response) -> None:
    raise AssertionError(response.url)


def nothing(page: Page) -> TermCounts:
    return TermCounts()


def test_a_core_that_waits_rests_at_once_and_again_when_that_lasts() -> None:
    rests: list[int] = []
    crawl = Crawl(Topic("storms", ("storm",), (1.0,)), BreadthFirst(), ["http://a.test/"])
    live = Live(crawl, SlowWeb(), never, nothing, lambda events: None, rest=lambda: rests.append(1))
    assert asyncio.run(live.run()) == "frontier empty"
    assert len(rests) == len(IDLE_SECONDS)
