"""The driver of a crawl, where tests of whole crawls do not look."""

from __future__ import annotations

import asyncio
import gc
import shutil
import threading
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from topicrawl.crawling.core import Crawl
from topicrawl.crawling.lifecycle import Finished, begin, resume
from topicrawl.crawling.live import Live
from topicrawl.crawling.make import crawl_of
from topicrawl.crawling.session import Session
from topicrawl.crawling.turns import IDLE_SECONDS
from topicrawl.errors import FetchError, StorageError, UsageError
from topicrawl.model import Ask, Event, Instruction, Page, Response, TermCounts, Told, Topic, Visit
from topicrawl.scout.strategy import Scout
from topicrawl.setup.config import Config
from topicrawl.store.run import Run
from topicrawl.strategies.bfs import BreadthFirst
from topicrawl.web.invented import invented_web


class SilentWeb:
    """A web that has nothing; `failures` are the errors that are still in memory."""

    name = "silent"

    def __init__(self) -> None:
        self.failures: weakref.WeakSet[FetchError] = weakref.WeakSet()

    async def fetch(self, url: str, headers: tuple[tuple[str, str], ...] = ()) -> Response:
        try:
            raise ConnectionError
        except ConnectionError as cause:
            failure = FetchError("dns", url)
            self.failures.add(failure)
            raise failure from cause

    async def host_answers(self, url: str) -> bool:
        """None does."""
        return False

    def remember(self, url: str, parsed: bytes) -> None:
        """It does not."""

    async def close(self) -> None:
        """There is nothing to close."""


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


def live_of(
    write: Callable[[Sequence[Event]], None] = lambda events: None,
    *,
    on_loop: bool,
    rest: Callable[[], None] = lambda: None,
    on_visit: Callable[[Visit, Page | None], None] = lambda visit, page: None,
    has_room: Callable[[], bool] = lambda: True,
) -> Live:
    """A crawl of one page that gets no answer, the core in a thread of its own or on the event loop."""
    crawl = Crawl(Topic("storms", ("storm",), (1.0,)), BreadthFirst(), ["http://a.test/"])
    return Live(
        crawl,
        SlowWeb(),
        never,
        nothing,
        write,
        rest=rest,
        on_visit=on_visit,
        has_room=has_room if on_loop else None,
    )


@pytest.mark.parametrize("on_loop", [False, True])
def test_a_core_that_waits_rests_at_once_and_again_when_that_lasts(on_loop: bool) -> None:
    rests: list[int] = []
    live = live_of(rest=lambda: rests.append(1), on_loop=on_loop)
    assert asyncio.run(live.run()) == "frontier empty"
    assert len(rests) == len(IDLE_SECONDS)


def test_failures_do_not_stay_in_memory_until_cycles_are_looked_for() -> None:
    web, seeds = SilentWeb(), [f"http://h{number}.test/" for number in range(20)]
    crawl = Crawl(Topic("storms", ("storm",), (1.0,)), BreadthFirst(), seeds)
    left: list[int] = []

    def on_visit(visit: Visit, page: Page | None) -> None:
        left.append(len(web.failures))

    gc.collect()
    gc.disable()
    try:
        live = Live(crawl, web, never, nothing, lambda events: None, on_visit=on_visit, has_room=lambda: True)
        asyncio.run(live.run())
        assert len(left) == 20
        assert len(web.failures) <= 1, left
    finally:
        gc.enable()


def test_a_person_may_instruct_a_crawl_under_way(tmp_path: Path) -> None:
    """Pauses it after ten visits, excludes a host and raises the pages meanwhile, and lets it go on."""
    seeds = invented_web("invented:7").seeds("rainstorm disaster", 5)
    given = {"topic": "storms: rainstorm, flood", "seeds": tuple(seeds), "web": "invented:7", "pages": 20}
    session = begin(Config(strategy="ops", concurrency=4, **given), tmp_path / "run", print)
    excluded: list[str] = []
    steady: list[int] = []

    def later() -> None:
        steady.append(session.crawl.tally.visits)
        session.instruct(Instruction(settings={"exclude": excluded, "pages": 30}))
        session.instruct(Instruction(pause=False))

    def on_visit(visit: Visit, page: Page | None) -> None:
        if visit.n == 10:
            excluded.append(visit.host)
            session.instruct(Instruction(pause=True))
            threading.Timer(0.5, later).start()

    session.on_visit = on_visit
    summary = asyncio.run(session.complete())
    assert session.run is not None
    session.run.close()
    assert summary["fetches"] == 30
    assert steady[0] < 20, "it had paused"
    with Run.open(tmp_path / "run", writable=False) as run:
        assert [sorted(each.settings) for each in run.instructions()] == [[], ["exclude", "pages"], []]
        again = crawl_of(run)
        for event in run.replay():
            again.replay(event)
        assert again.agreement.exact, again.agreement.first
        asked = [event.url for event in list(run.replay())[-20:] if isinstance(event, Ask)]
        assert asked
        assert not any(excluded[0] in url for url in asked)
    shown = Config.load(tmp_path / "run" / "crawl.toml")
    assert (list(shown.exclude), shown.pages) == (excluded, 30)
    assert isinstance(resume(tmp_path / "run", {}, print), Finished), "a resume changes nothing back"


def test_a_setting_that_cannot_change_is_refused(tmp_path: Path) -> None:
    seeds = tuple(invented_web("invented:7").seeds("rainstorm disaster", 2))
    config = Config(topic="storms: rainstorm", seeds=seeds, web="invented:7", pages=5, strategy="ops")
    session = begin(config, tmp_path / "run", print)
    refused: list[str] = []

    def on_visit(visit: Visit, page: Page | None) -> None:
        for settings in ({"rng_seed": 1}, {"pages": "many"}):
            with pytest.raises(UsageError) as why:
                session.instruct(Instruction(settings=settings))
            refused.append(str(why.value))

    session.on_visit = on_visit
    assert asyncio.run(session.complete())["fetches"] == 5
    assert session.run is not None
    session.run.close()
    assert "rng-seed" in refused[0]
    assert "pages" in refused[1]


def test_resuming_ends_a_pause(tmp_path: Path) -> None:
    seeds = tuple(invented_web("invented:7").seeds("rainstorm disaster", 5))
    given = {"topic": "storms: rainstorm", "seeds": seeds, "web": "invented:7", "pages": 20}
    config = Config(strategy="ops", concurrency=1, **given)
    session = begin(config, tmp_path / "run", print)

    def on_visit(visit: Visit, page: Page | None) -> None:
        if visit.n == 1:
            session.instruct(Instruction(pause=True))
            threading.Timer(0.2, session.stop, ["interrupted"]).start()

    session.on_visit = on_visit
    assert asyncio.run(session.complete())["stop_reason"] == "interrupted"
    assert session.run is not None
    session.run.close()
    again = resume(tmp_path / "run", {}, print)
    assert isinstance(again, Session)
    assert asyncio.run(asyncio.wait_for(again.complete(), 30))["fetches"] == 20
    assert again.run is not None
    again.run.close()


def test_a_session_that_is_stopped_while_it_replays_counts_all_pages(tmp_path: Path) -> None:
    seeds = tuple(invented_web("invented:7").seeds("rainstorm disaster", 5))
    given = {"topic": "storms: rainstorm, flood", "seeds": seeds, "web": "invented:7", "pages": 20}
    session = begin(Config(strategy="ops", threshold=0.0, **given), tmp_path / "run", print)
    before = asyncio.run(session.complete())["relevant_at_visit"]
    assert session.run is not None
    session.run.close()
    assert before > 0
    shutil.rmtree(tmp_path / "run" / "snapshots")
    again = resume(tmp_path / "run", {"pages": 30}, print)
    assert isinstance(again, Session)
    again.stop("interrupted")
    assert asyncio.run(again.complete())["relevant_at_visit"] == before
    assert again.run is not None
    again.run.close()


class OneWaits(SlowWeb):
    """A web whose hosts have nothing; host `a` does not say so until it is let go."""

    def __init__(self) -> None:
        self.others, self.let_go = threading.Event(), asyncio.Event()

    async def fetch(self, url: str, headers: tuple[tuple[str, str], ...] = ()) -> Response:
        if "//a." in url:
            await self.let_go.wait()
        else:
            self.others.set()
        raise FetchError("url", url)


def test_in_order_an_answer_does_not_wait_for_one_that_is_withdrawn() -> None:
    async def crawled() -> list[str | None]:
        told: list[str | None] = []
        seeds = ["http://a.test/", "http://b.test/"]
        crawl = Crawl(Topic("storms", ("storm",), (1.0,)), BreadthFirst(), seeds)
        web = OneWaits()
        live = Live(crawl, web, never, nothing, lambda events: None, window=2, ordered=True)
        live.on_visit = lambda visit, page: told.append(visit.error)
        running = asyncio.create_task(live.run())
        await asyncio.to_thread(web.others.wait)
        await asyncio.sleep(0.1)  # its answer is told only after that of a, which was asked before
        live.instruct(Instruction(settings={"exclude": ["//a"]}))
        await asyncio.wait_for(running, 10)
        return told

    assert asyncio.run(crawled()) == ["url"]


@pytest.mark.parametrize("on_loop", [False, True])
def test_events_are_stored_soon_also_where_no_answer_comes(on_loop: bool) -> None:
    stored: list[list[Event]] = []
    asyncio.run(live_of(lambda events: stored.append([*events]), on_loop=on_loop).run())
    assert [[type(event) for event in events] for events in stored] == [[Ask], [Told]]


@pytest.mark.parametrize("on_loop", [False, True])
def test_what_came_before_an_error_of_the_core_is_stored(on_loop: bool) -> None:
    stored: list[Event] = []

    def fail(visit: Visit, page: Page | None) -> None:
        raise RuntimeError(visit.url)

    live = live_of(stored.extend, on_visit=fail, on_loop=on_loop)
    with pytest.raises(RuntimeError, match=r"http://a\.test/"):
        asyncio.run(live.run())
    assert [type(event) for event in stored] == [Ask, Told]


@pytest.mark.parametrize("on_loop", [False, True])
def test_an_error_of_the_disk_ends_a_crawl(on_loop: bool) -> None:
    tries: list[int] = []

    def fail(events: Sequence[Event]) -> None:
        tries.append(len(events))
        raise StorageError("the disk is full")

    with pytest.raises(StorageError):
        asyncio.run(live_of(fail, on_loop=on_loop).run())
    assert tries == [1]


@pytest.mark.parametrize("on_loop", [False, True])
def test_a_crawl_may_be_stopped_from_any_thread_and_before_it_begins(on_loop: bool) -> None:
    stored: list[Event] = []
    live = live_of(stored.extend, on_loop=on_loop)
    threading.Timer(0.1, live.stop, ("enough",)).start()
    assert asyncio.run(live.run()) == "enough"
    assert [type(event) for event in stored] == [Ask]

    live = live_of(on_loop=on_loop)
    live.stop("never begun")
    assert asyncio.run(live.run()) == "never begun"


def test_on_the_event_loop_a_core_waits_for_room_on_the_disk() -> None:
    looks: list[bool] = []

    def has_room() -> bool:
        looks.append(len(looks) > 1)
        return looks[-1]

    assert asyncio.run(live_of(on_loop=True, has_room=has_room).run()) == "frontier empty"
    assert looks[:3] == [False, False, True]


def test_on_the_event_loop_a_core_that_waits_for_room_may_be_stopped() -> None:
    live = live_of(on_loop=True, has_room=lambda: False)
    threading.Timer(0.1, live.stop, ("enough",)).start()
    assert asyncio.run(live.run()) == "enough"


def test_the_log_is_the_same_whether_the_core_has_a_thread_or_not(tmp_path: Path) -> None:
    seeds = tuple(invented_web("invented:7").seeds("rainstorm disaster", 5))
    given = {"topic": "storms: rainstorm, flood", "seeds": seeds, "web": "invented:7", "pages": 60}
    config = Config(strategy="ops", ordered=True, **given)
    lines = []
    for on_loop in (False, True):
        session = begin(config, tmp_path / str(on_loop), print)
        session.shares_loop = on_loop
        assert session.run is not None
        with session.run:
            asyncio.run(session.complete())
        lines.append((tmp_path / str(on_loop) / "visits.jsonl").read_bytes())
    assert lines[0] == lines[1]
    assert lines[0].count(b"\n") >= 60


def test_no_more_is_in_flight_than_the_strategy_would_have(tmp_path: Path) -> None:
    seeds = tuple(invented_web("invented:7").seeds("rainstorm disaster", 30))
    given = {"topic": "storms: rainstorm, flood", "seeds": seeds, "web": "invented:7", "pages": 60}
    session = begin(Config(strategy="scout", concurrency=40, **given), tmp_path / "run", print)
    asyncio.run(session.complete())
    assert session.run is not None
    session.run.close()
    with Run.open(tmp_path / "run", writable=False) as run:
        events = list(run.replay())
    pages = pending = 0
    for event in events:
        if isinstance(event, Ask):
            pending += 1
            assert pending <= Scout().at_once(pages)
        elif isinstance(event, Told):
            pending -= 1
            pages += event.visit.fetched
    assert pages == 60
