"""URLs that never answer, hosts that fall silent, ports that refuse: crawled live, with real servers on loopback."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from topicrawl.crawling import outages as patience
from topicrawl.crawling.lifecycle import start
from topicrawl.crawling.make import make_crawl
from topicrawl.crawling.recrawl import ConditionalWeb
from topicrawl.crawling.session import Session
from topicrawl.model import Page, Postponed, Visit
from topicrawl.setup.config import read_flags
from topicrawl.setup.run_config import config_of
from topicrawl.store.run import Run
from topicrawl.store.verify import examine
from topicrawl.web.cached import CachedWeb
from web.http.loopback import NOT_FOUND, Asked, Site, browse, reply, serve

PAGES = 300
SILENCE = 0.3
"""Seconds of silence after which a request is given up."""
LIMIT = 60
"""Seconds after which a crawl counts as frozen: far beyond what any needs."""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "SHORTEST_PAUSE", 0.2)
    monkeypatch.setattr(patience, "IDLE", 0.2)
    monkeypatch.setattr(patience, "LONGEST_PAUSE", 0.4)


async def hang(writer: asyncio.StreamWriter, asked: Asked) -> None:
    """Say nothing for longer than anybody waits."""
    await asyncio.sleep(LIMIT)


def page(*links: str) -> bytes:
    return reply("<title>storm</title>" + "".join(f'<a href="{link}">storm</a>' for link in links))


def sitting(
    site: Site, seeds: list[str], said: list[str], out: Path | None = None, **more: object
) -> Session:
    given = {
        "topic": "storms: storm",
        "strategy": "bfs",
        "seeds": seeds,
        "resolve": (f"*.test=127.0.0.1:{site.port}",),
        "allow_net": ("127.0.0.0/8",),
        "delay": 0.0,
        "first_byte": SILENCE,
        "avoid_traps": False,
        "robots_age": 3600.0,
        "patience": 5.0,
    }
    session = start(read_flags({**given, **more}), out, said.append)
    assert isinstance(session, Session)
    session.say = said.append
    return session


async def crawled(session: Session, also: Callable[[Visit], None] = lambda visit: None) -> list[Visit]:
    """The visits of a sitting that must come to an end."""
    visits: list[Visit] = []

    def seen(visit: Visit, page: Page | None) -> None:
        visits.append(visit)
        also(visit)

    session.on_visit = seen
    async with asyncio.timeout(LIMIT):
        reason = await session.drive()
    session.finish(reason)
    return visits


def many_pages(hanging: tuple[str, ...] = ("/hang1", "/hang2")) -> dict[str, object]:
    """A home page that lists the hanging URLs first, and then pages that answer at once."""
    paths = [f"/{number}" for number in range(1, PAGES)]
    return {"/": page(*hanging, *paths), **dict.fromkeys(paths, page()), **dict.fromkeys(hanging, hang)}


@pytest.mark.parametrize("concurrency", [1, 16])
def test_two_urls_that_hang_are_given_up_after_all_other_pages_have_come(concurrency: int) -> None:
    async def scenario() -> None:
        async with serve(many_pages()) as site:
            said: list[str] = []
            visits = await crawled(sitting(site, ["http://a.test/"], said, concurrency=concurrency))
        assert [visit.fetched for visit in visits] == [True] * PAGES + [False] * 2
        assert {(visit.url[-6:], visit.error) for visit in visits[PAGES:]} == {
            ("/hang1", "timeout"),
            ("/hang2", "timeout"),
        }
        asked = Counter(site.paths)
        assert asked["/hang1"] == asked["/hang2"] == patience.TRIES
        assert [sentence for sentence in said if "given up after 3 tries" in sentence] == said
        assert asked["/robots.txt"] <= 1 + 2 * patience.TRIES

    asyncio.run(scenario())


def test_urls_that_hang_do_not_use_up_the_page_budget() -> None:
    async def scenario() -> None:
        async with serve(many_pages()) as site:
            visits = await crawled(sitting(site, ["http://a.test/"], [], pages=PAGES))
        assert [visit.fetched for visit in visits] == [True] * PAGES

    asyncio.run(scenario())


def test_with_results_in_order_urls_that_hang_hold_up_the_rest_for_three_tries() -> None:
    async def scenario() -> None:
        async with serve(many_pages()) as site:
            visits = await crawled(sitting(site, ["http://a.test/"], [], ordered=True))
        assert [visit.fetched for visit in visits] == [True, False, False] + [True] * (PAGES - 1)
        assert max(Counter(site.paths)[path] for path in ("/hang1", "/hang2")) == patience.TRIES

    asyncio.run(scenario())


def test_a_url_that_only_hangs_now_and_then_is_not_lost() -> None:
    async def moody(writer: asyncio.StreamWriter, asked: Asked) -> None:
        nonlocal hung
        hung += 1
        if hung < patience.TRIES:
            await asyncio.sleep(LIMIT)
        writer.write(page())
        await writer.drain()

    hung = 0

    async def scenario() -> None:
        async with serve({"/": page("/moody", "/1"), "/1": page(), "/moody": moody}) as site:
            visits = await crawled(sitting(site, ["http://a.test/"], []))
        assert [visit.url for visit in visits if visit.fetched] == [
            f"http://a.test/{path}" for path in ("", "1", "moody")
        ]

    asyncio.run(scenario())


def silenced(pages: dict[str, object], silent: asyncio.Event, back: asyncio.Event) -> dict[str, object]:
    """The same pages, all of them hanging from when `silent` is set until `back` is."""

    def answering(content: object) -> Callable[[asyncio.StreamWriter, Asked], Awaitable[None]]:
        async def answer(writer: asyncio.StreamWriter, asked: Asked) -> None:
            if silent.is_set() and not back.is_set():
                await asyncio.sleep(LIMIT)
            assert isinstance(content, bytes)
            writer.write(content)
            await writer.drain()

        return answer

    return {path: answering(content) for path, content in pages.items()}


def test_a_silence_of_the_only_host_loses_nothing_and_is_told() -> None:
    async def scenario() -> None:
        silent, back = asyncio.Event(), asyncio.Event()
        loop = asyncio.get_running_loop()
        said: list[str] = []

        def listen(sentence: str) -> None:
            said.append(sentence)
            loop.call_later(10 * SILENCE, back.set)  # long after every link in flight was tried

        def mute(visit: Visit) -> None:
            if visit.n == 50:
                loop.call_soon_threadsafe(silent.set)

        pages = {**many_pages(()), "/robots.txt": NOT_FOUND}
        async with serve(silenced(pages, silent, back)) as site:
            session = sitting(site, ["http://a.test/"], said, patience=0.5)
            session.say = listen
            visits = await crawled(session, mute)
        assert [visit.fetched for visit in visits] == [True] * PAGES
        assert [sentence for sentence in said if "waiting for the network" in sentence]
        assert max(Counter(site.paths)[path] for path in pages if path != "/robots.txt") <= patience.TRIES

    asyncio.run(scenario())


def fleet(hosts: int, silent: asyncio.Event | None = None) -> dict[str, object]:
    """Many hosts with a page each; the last four have one that hangs, or hang altogether once `silent` is set."""

    async def home(writer: asyncio.StreamWriter, asked: Asked) -> None:
        number = int(asked.host[1:].partition(".")[0])
        if silent and silent.is_set() and number >= hosts - 4:
            await asyncio.sleep(LIMIT)
        links = [f"http://h{each}.test/" for each in range(1, hosts)] if number == 0 else []
        writer.write(page(*links, *(["/hang"] if number >= hosts - 4 else [])))
        await writer.drain()

    async def robots(writer: asyncio.StreamWriter, asked: Asked) -> None:
        number = int(asked.host[1:].partition(".")[0])
        if silent and silent.is_set() and number >= hosts - 4:
            await asyncio.sleep(LIMIT)
        writer.write(NOT_FOUND)
        await writer.drain()

    return {"/": home, "/hang": hang, "/robots.txt": robots}


def test_the_last_urls_of_many_hosts_that_hang_are_asked_three_times_and_no_more() -> None:
    async def scenario() -> None:
        async with serve(fleet(20)) as site:
            visits = await crawled(sitting(site, ["http://h0.test/"], []))
        assert [visit.fetched for visit in visits] == [True] * 20 + [False] * 4
        hung = Counter(asked.host for asked in site.log if asked.path == "/hang")
        assert set(hung.values()) == {patience.TRIES}
        assert len(hung) == 4

    asyncio.run(scenario())


def test_the_last_hosts_of_many_that_fall_silent_are_waited_for_and_closed() -> None:
    async def scenario() -> None:
        silent = asyncio.Event()
        loop = asyncio.get_running_loop()

        def mute(visit: Visit) -> None:
            if visit.n == 20:
                loop.call_soon_threadsafe(silent.set)

        async with serve(fleet(20, silent)) as site:
            said: list[str] = []
            visits = await crawled(sitting(site, ["http://h0.test/"], said, patience=1.0), mute)
        assert [visit.fetched for visit in visits] == [True] * 20 + [False] * 4
        assert {visit.error for visit in visits[20:]} <= {"robots-unreachable", "timeout"}
        assert "robots-unreachable" in {visit.error for visit in visits[20:]}
        hung = Counter(asked.host for asked in site.log if asked.path == "/hang")
        assert max(hung.values()) <= patience.TRIES
        assert not [sentence for sentence in said if "no host answers" in sentence], "the others do"

    asyncio.run(scenario())


def test_a_port_that_refuses_is_named_at_once() -> None:
    async def scenario() -> None:
        async with serve({}) as site:
            port = site.port
        asked_to_stop: list[str] = []

        def listen(sentence: str) -> None:
            asked_to_stop.append(sentence)
            session.stop("heard enough")

        session = sitting(site, [f"http://127.0.0.1:{port}/"], [], patience=3600.0)
        session.say = listen
        assert await crawled(session) == []
        [sentence] = asked_to_stop
        assert f"http://127.0.0.1:{port}" in sentence
        assert "--patience 3600s" in sentence
        assert "asked again in 60 s" in sentence
        assert sentence.endswith(f"connect: 127.0.0.1:{port}: Connection refused; asked again in 60 s")

    asyncio.run(scenario())


def test_without_retries_a_silent_host_is_asked_once_and_what_went_wrong_is_said() -> None:
    async def scenario() -> None:
        async with serve({}) as site:
            gone = f"127.0.0.1:{site.port}"
        async with serve({}) as site:
            seeds = [f"http://{gone}/", "http://10.1.2.3/"]
            visits = await crawled(sitting(site, seeds, said := [], retries=0, patience=3600.0))
        assert sorted(visit.error for visit in visits) == ["guard", "robots-unreachable"]
        assert f"http://{gone}/: robots-unreachable: connect: {gone}: Connection refused" in said
        assert (
            "http://10.1.2.3/: guard: 10.1.2.3: 10.1.2.3 is private; if you mean it: --allow-net 10.1.2.3"
            in said
        )

    asyncio.run(scenario())


def test_a_crawl_with_postponed_links_replays_and_goes_on_with_the_others_first(tmp_path: Path) -> None:
    out = tmp_path / "run"

    async def begin(site: Site) -> None:
        session = sitting(site, ["http://a.test/"], [], out)

        def leave(visit: Visit) -> None:
            if visit.n == 100:
                session.stop("interrupted")

        assert session.run
        with session.run:
            assert len(await crawled(session, leave)) == 100

    async def resume_run() -> list[Visit]:
        with Run.open(out) as run:
            session = Session(config_of(run), run)
            return await crawled(session)

    async def scenario() -> list[Visit]:
        async with serve(many_pages()) as site:
            await begin(site)
            with Run.open(out, writable=False) as run:
                events = list(run.replay())
                again = make_crawl(config_of(run))
                for event in events:
                    again.replay(event)
            assert len([event for event in events if isinstance(event, Postponed)]) == 2
            assert len(again.postponed) == 2
            return await resume_run()

    visits = asyncio.run(scenario())
    assert [visit.fetched for visit in visits] == [True] * (PAGES - 100) + [False] * 2
    assert [finding.sentence for finding in examine(out) if not finding.well] == []


def test_a_redirect_to_a_host_that_refuses_does_not_close_the_host_it_comes_from() -> None:
    async def scenario() -> None:
        async with serve({}) as gone:
            pass
        away = reply("", 302, location=f"http://127.0.0.1:{gone.port}/")
        async with serve(
            {"/": page("/away", "/1", "/2"), "/away": away, "/1": page("/3"), "/2": page(), "/3": page()}
        ) as site:
            visits = await crawled(sitting(site, ["http://a.test/"], [], patience=0.5, per_host=1))
        assert {visit.asked[-5:]: visit.error for visit in visits if not visit.fetched} == {
            "/away": "redirects"
        }
        assert sum(visit.fetched for visit in visits) == 4

    asyncio.run(scenario())


def test_a_web_around_a_web_asks_it_whether_a_host_answers(tmp_path: Path) -> None:
    async def answers(site: Site) -> bool:
        async with browse(site) as web:
            around = CachedWeb(ConditionalWeb(web, tmp_path / "earlier"), tmp_path / "cache.db", bodies=False)
            answered = await around.host_answers("http://a.test/")
            await around.close()
            return answered

    async def scenario() -> None:
        async with serve({"/": page()}) as site:
            session = sitting(site, ["http://a.test/"], [], tmp_path / "earlier")
            assert session.run
            with session.run:
                await crawled(session)
            assert await answers(site)
        assert not await answers(site)

    asyncio.run(scenario())
