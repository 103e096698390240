"""Reports are answered in turns; whoever takes the place of the coordinator knows nothing and needs nothing."""

from __future__ import annotations

import asyncio

import pytest

from topicrawl.cluster.turns import Answer, Hello, Turns
from topicrawl.shards.coordinator import Grant, Offer
from topicrawl.shards.messages import Order, Report

NAMES = ("000", "001")


def hello(name: str, epoch: int = 1, node: str = "n", granted: int = 0, map_: int = -1) -> Hello:
    return Hello(name, (epoch, 1), node, Grant(granted), map_)


async def both(turns: Turns, *reports: Report, epoch: int = 1) -> list[Answer]:
    calls = [turns.report(hello(name, epoch), report) for name, report in zip(NAMES, reports, strict=True)]
    return list(await asyncio.gather(*calls))


async def driven(turns: Turns, story: object) -> object:
    driving = asyncio.create_task(turns.drive())
    try:
        return await story  # type: ignore[misc]
    finally:
        driving.cancel()


def test_the_best_links_of_all_shards_are_granted() -> None:
    async def story() -> None:
        turns = Turns(NAMES, {"pages": 3}, least=0.0)
        offers = (Offer(steps=[(0.9, 2)]), Offer(steps=[(0.5, 8)]))
        good, poor = await driven(turns, both(turns, *map(Report, offers)))  # type: ignore[misc]
        assert (good.order.grant, poor.order.grant) == (Grant(2, 0.5), Grant(1, 0.5))
        assert good.nodes == {"000": "n", "001": "n"}

    asyncio.run(story())


def test_what_shards_were_granted_by_another_counts() -> None:
    async def story() -> None:
        turns = Turns(NAMES, {"pages": 10}, least=0.0)
        calls = [
            turns.report(hello("000", granted=8), Report(Offer())),
            turns.report(hello("001"), Report(Offer(steps=[(0.5, 8)]))),
        ]
        _, other = await driven(turns, asyncio.gather(*calls))  # type: ignore[misc]
        assert other.order.grant.asks == 2, "eight of ten may be asked for already"

    asyncio.run(story())


def test_a_crawl_ends_when_all_shards_have_said_so() -> None:
    async def story() -> None:
        turns = Turns(NAMES, {"pages": 3}, least=0.0)
        driving = asyncio.create_task(turns.drive())
        told = Report(Offer(fetched=2, visits=2, asked=2))
        answers = await both(turns, told, told)
        assert [answer.order for answer in answers] == [Order(stop="pages")] * 2
        turns.ended("000", (1, 1), "pages")
        late = await turns.report(hello("001", 2), told)  # it died, and was started again
        assert late.order.stop == "pages"
        turns.ended("001", (1, 9), "pages")  # an earlier life
        await asyncio.sleep(0.01)
        assert not driving.done()
        turns.ended("001", (2, 1), "pages")
        assert await driving == "pages"

    asyncio.run(story())


def test_the_end_does_not_wait_for_a_shard_that_nobody_holds() -> None:
    async def story() -> None:
        turns = Turns(NAMES, {}, least=0.0)
        driving = asyncio.create_task(turns.drive())
        turns.stop("stopped")
        turns.ended("000", (1, 1), "stopped")
        await asyncio.sleep(0.01)
        assert not driving.done()
        turns.without({"001"})
        assert await driving == "stopped"

    asyncio.run(story())


def test_a_new_coordinator_hears_from_those_who_ended_why() -> None:
    async def story() -> None:
        turns = Turns(NAMES, {}, least=0.0)
        driving = asyncio.create_task(turns.drive())
        turns.ended("000", (1, 1), "stopped")
        answer = await turns.report(hello("001"), Report(Offer(steps=[(0.5, 1)])))
        assert answer.order.stop == "stopped"
        turns.ended("001", (1, 1), "stopped")
        assert await driving == "stopped"

    asyncio.run(story())


def test_a_teacher_that_was_replaced_is_taught_again() -> None:
    taught: list[list[tuple[str, bytes]]] = []

    async def teach(lessons: list[tuple[str, bytes]]) -> tuple[dict[str, int], bytes | None]:
        taught.append(lessons)
        if len(taught) == 2:
            raise ConnectionError
        return {name: 7 for name, _ in lessons}, b"model" if len(taught) == 1 else None

    async def turn(turns: Turns, lessons: bytes = b"") -> list[Answer]:
        offer = Offer(steps=[(0.5, 8)])
        answers = await both(turns, Report(offer, lessons=lessons), Report(offer))
        await asyncio.sleep(0.01)
        return answers

    async def story() -> None:
        turns = Turns(NAMES, {}, teach=teach, least=0.0)
        driving = asyncio.create_task(turns.drive())
        await turn(turns, b"pages 1 to 7")
        assert [answer.order.model for answer in await turn(turns)] == [b"model", b"model"]
        assert [answer.order.lessons_after for answer in await turn(turns, b"page 8")] == [None, None]
        assert [answer.order.lessons_after for answer in await turn(turns)] == [0, 0]
        assert [answer.order.lessons_after for answer in await turn(turns)] == [None, None]
        driving.cancel()

    asyncio.run(story())
    assert taught == [[("000", b"pages 1 to 7")], [("000", b"page 8")]]


def test_a_shard_that_does_not_report_does_not_hold_up_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("topicrawl.cluster.turns.PATIENCE", 0.05)

    async def story() -> None:
        turns = Turns(NAMES, {}, least=0.0)
        driving = asyncio.create_task(turns.drive())
        for _ in range(3):  # it is idle, but the other may send it letters
            answer = await turns.report(hello("000"), Report(Offer()))
            assert answer.order.stop == ""
        driving.cancel()

    asyncio.run(story())
