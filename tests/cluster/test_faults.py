"""Exactly once, whatever dies: no letter is lost or taken twice, no page fetched twice but those in flight."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
from collections import Counter
from pathlib import Path

import pytest

from cluster.namespace import LONG
from cluster.postgres import Server
from cluster.small import Small
from shards.test_local import PAGES, SITES, server, shard_process, visits
from topicrawl.crawling.wishing import wish
from topicrawl.shards.check_letters import check_letters
from topicrawl.store.run import Run
from topicrawl.store.wishes import Stop

__all__ = ["server"]
pytestmark = pytest.mark.xdist_group("postgres")


@pytest.fixture
def small(tmp_path: Path, dsn: str, server: tuple[int, Counter[str]]) -> Small:
    small = Small(tmp_path, dsn, server[0])
    small.submit()
    return small


def check(small: Small, asked: Counter[str], *, again: int = 0) -> None:
    """All pages are in the store, each once; the letters of both sides agree."""
    out = small.fetch()
    fetched = Counter(str(visit["url"]) for visit in visits(out) if visit["fetched"])
    assert len(fetched) == SITES * PAGES
    assert set(fetched.values()) == {1}
    assert sum(asked.values()) - len(asked) <= again, {url: n for url, n in asked.items() if n > 1}
    assert small.counted() == len(fetched)
    with Run.open(out, writable=False) as run:
        findings = list(check_letters(run))  # type: ignore[arg-type]
        assert [well for well, _ in findings] == [True], findings


async def some(small: Small, count: int = 8) -> None:
    """Wait for some visits."""
    while small.visits() < count:  # noqa: ASYNC110 - files are looked at
        await asyncio.sleep(0.01)


@LONG
def test_a_crawl_without_faults(small: Small, server: tuple[int, Counter[str]]) -> None:
    assert asyncio.run(small.crawl()) == "frontier empty"
    check(small, server[1])


@LONG
def test_the_process_of_a_shard_is_killed(small: Small, server: tuple[int, Counter[str]]) -> None:
    async def fault() -> None:
        await some(small)
        (small.folder / "shards").symlink_to("node-a")
        os.kill(shard_process(small.folder), signal.SIGKILL)

    asyncio.run(small.crawl(fault))
    check(small, server[1], again=16)


def test_a_node_is_lost_with_all_its_files(small: Small, server: tuple[int, Counter[str]]) -> None:
    async def fault() -> None:
        await some(small)
        small.tasks[1].cancel()
        await asyncio.gather(small.tasks[1], return_exceptions=True)
        shutil.rmtree(small.folder / "node-a" / "001")
        small.start(1, "b")

    asyncio.run(small.crawl(fault))
    assert (small.folder / "node-b" / "001" / "crawl.db").exists()
    check(small, server[1], again=30)


def test_a_person_stops_one_shard_and_so_the_crawl(small: Small) -> None:
    small.drop = lambda envelope: True  # it never ends by itself

    async def fault() -> None:
        await some(small, 1)
        lists = small.folder.glob("node-a/*/visits.jsonl")
        # A shard that has fetched: one that only begins drops an older wish to stop.
        crawling = next(file.parent for file in lists if file.stat().st_size)
        await asyncio.to_thread(wish, crawling, Stop())

    assert asyncio.run(small.crawl(fault)) == "stopped"
    out = small.fetch()
    assert small.counted() == sum(bool(visit["fetched"]) for visit in visits(out)) > 0


@LONG
def test_letters_get_lost_on_their_way(small: Small, server: tuple[int, Counter[str]]) -> None:
    lost: list[str] = []

    def drop(envelope: object) -> bool:
        lost.append(str(envelope))
        return len(lost) % 3 == 1

    small.drop = drop
    asyncio.run(small.crawl())
    assert len(lost) > 3
    check(small, server[1])


@LONG
def test_the_coordinator_is_replaced(small: Small, server: tuple[int, Counter[str]]) -> None:
    async def fault() -> None:
        await some(small)
        before = small.turns
        small.begin_turns()
        before._ended = set(before.names)  # its loop ends, and it answers nobody
        before._arrived.set()
        for _, _, future in before._waiting.values():
            future.set_exception(ConnectionError())

    asyncio.run(small.crawl(fault))
    check(small, server[1])


@LONG
def test_postgresql_is_restarted(
    small: Small,
    server: tuple[int, Counter[str]],
    postgres: Server,
) -> None:
    async def fault() -> None:
        await some(small)
        await asyncio.to_thread(postgres.stop)
        await asyncio.sleep(1.5 * small.seconds)  # longer than a lease
        await asyncio.to_thread(postgres.start)

    asyncio.run(small.crawl(fault))
    check(small, server[1], again=16)


@LONG
def test_the_store_is_away_for_a_while(small: Small, server: tuple[int, Counter[str]]) -> None:
    async def fault() -> None:
        await some(small)
        (small.folder / "store").rename(small.folder / "elsewhere")
        (small.folder / "store").write_text("in the way")
        await asyncio.sleep(1.5 * small.seconds)
        (small.folder / "store").unlink()
        (small.folder / "elsewhere").rename(small.folder / "store")

    asyncio.run(small.crawl(fault))
    check(small, server[1])
