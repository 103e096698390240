"""Politeness, checked by the server's log."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise

import pytest

from topicrawl.web.http.guard import Guard
from topicrawl.web.http.politeness import Politeness
from topicrawl.web.http.retry import Backoff, retry_after
from web.http.loopback import Asked, browse, failure, http_settings, reply, serve

PAGES = {f"/{n}": reply("page") for n in range(6)}


async def linger(writer: asyncio.StreamWriter, asked: Asked) -> None:
    """Answers after a moment, so that requests could overlap."""
    await asyncio.sleep(0.05)
    writer.write(reply("page"))


async def fetch_all(web, *urls: str) -> None:
    await asyncio.gather(*(web.fetch(url) for url in urls))


async def test_requests_to_one_host_keep_the_delay_robots_txt_included() -> None:
    async with serve(PAGES) as site, browse(site, delay=0.15) as web:
        await fetch_all(web, *(f"http://a.test/{n}" for n in range(4)))
    assert len(site.log) == 5
    assert min(site.gaps()) >= 0.15


async def test_redirects_on_one_host_keep_the_delay() -> None:
    pages = {"/": reply("", 302, location="/0"), **PAGES}
    async with serve(pages) as site, browse(site, delay=0.15) as web:
        await web.fetch("http://a.test/")
    assert site.paths == ["/robots.txt", "/", "/0"]
    assert min(site.gaps()) >= 0.15


async def test_one_request_is_in_flight_per_host_unless_more_are_wanted() -> None:
    pages = {f"/{n}": linger for n in range(6)}
    for per_host in (1, 3):
        async with serve(pages) as site, browse(site, per_host=per_host) as web:
            await fetch_all(web, *(f"http://a.test/{n}" for n in range(6)))
        assert site.most_at_once == per_host


async def test_different_hosts_do_not_wait_for_one_another() -> None:
    async with serve(PAGES) as site, browse(site, delay=0.3) as web:
        await fetch_all(web, *(f"http://h{n}.test/0" for n in range(10)))
    assert site.paths == ["/robots.txt"] * 10 + ["/0"] * 10, "all hosts rest at the same time"


async def test_the_crawl_delay_of_a_robots_txt_is_kept() -> None:
    rules = reply("User-agent: *\nCrawl-delay: 0.2")
    async with serve({"/robots.txt": rules, **PAGES}) as site, browse(site, delay=0.05) as web:
        await fetch_all(web, *(f"http://a.test/{n}" for n in range(3)))
    assert min(site.gaps()) >= 0.2


@pytest.mark.parametrize(
    ("asked", "kept"), [("0.01", 0.5), ("3", 3.0), ("1e9", 60.0), ("-5", 0.5), ("soon", 0.5), ("nan", 0.5)]
)
async def test_a_crawl_delay_is_never_below_our_own_and_never_above_the_cap(asked: str, kept: float) -> None:
    rules = reply(f"User-agent: *\nCrawl-delay: {asked}")
    async with serve({"/robots.txt": rules}) as site, browse(site, delay=0.5) as web:
        assert await web.robots.permit("http://a.test/") == kept


async def test_the_pace_may_change_between_two_requests() -> None:
    async with serve({**PAGES, "/0": linger}) as site, browse(site, delay=600.0, concurrency=9) as web:
        assert await web.robots.permit("http://a.test/1") == 600.0
        web.pace(0.15, 2)
        await fetch_all(web, "http://a.test/1", "http://a.test/2")
        assert min(site.gaps()) >= 0.15
        await fetch_all(web, *(f"http://h{n}.test/0" for n in range(8)))
    assert site.most_at_once == 2


async def test_a_host_rests_while_a_request_waits_for_its_delay() -> None:
    async with serve(PAGES) as site, browse(site, delay=600.0) as web:
        assert web.resting() == {}
        waiting = asyncio.create_task(web.fetch("http://a.test/1"))
        while not (found := web.resting()):  # noqa: ASYNC110 - nothing is signalled
            await asyncio.sleep(0.01)
        assert list(found) == ["a.test"]
        assert 0 < found["a.test"] <= 600.0
        waiting.cancel()
        await asyncio.wait([waiting])
        assert web.resting() == {}


async def test_all_requests_together_keep_within_the_concurrency() -> None:
    async with serve({"/0": linger}) as site, browse(site, concurrency=3) as web:
        await fetch_all(web, *(f"http://h{n}.test/0" for n in range(12)))
    assert site.most_at_once == 3


@pytest.mark.parametrize(("given", "public", "own"), [(None, 4, 10), (2, 2, 2)])
async def test_hosts_of_one_address_share_its_slots_unless_its_net_is_allowed(
    given: int | None, public: int, own: int
) -> None:
    settings = http_settings(per_address=given, address_delay=0.0, allow_nets=("127.0.0.0/8",))
    politeness = Politeness(settings, Guard(settings.allow_nets))
    inside: dict[str, int] = {}
    most: dict[str, int] = {}

    async def visit(host: str, address: str) -> None:
        async with politeness.turn(host, address, 0.0):
            inside[address] = inside.get(address, 0) + 1
            most[address] = max(most.get(address, 0), inside[address])
            await asyncio.sleep(0.01)
            inside[address] -= 1

    await asyncio.gather(
        *(visit(f"h{n}.test", "93.184.216.34") for n in range(10)),
        *(visit(f"l{n}.test", "127.0.0.1") for n in range(10)),
    )
    assert most == {"93.184.216.34": public, "127.0.0.1": own}


async def test_requests_to_one_address_keep_a_short_delay_whatever_their_host() -> None:
    settings = http_settings(address_delay=0.1)
    politeness = Politeness(settings, Guard())
    times: list[float] = []

    async def visit(host: str) -> None:
        async with politeness.turn(host, "93.184.216.34", 0.0):
            times.append(asyncio.get_running_loop().time())

    await asyncio.gather(*(visit(f"h{n}.test") for n in range(4)))
    assert min(later - earlier for earlier, later in pairwise(times)) >= 0.099


async def test_crawls_that_ask_one_address_share_its_slots() -> None:
    shared, alone = "93.184.216.34", "93.184.216.35"
    politeness = Politeness(http_settings(address_delay=0.0), Guard())
    inside, most = Counter[str](), Counter[str]()

    async def visit(host: str, address: str) -> None:
        async with politeness.turn(host, address, 0.0):
            inside[address] += 1
            most[address] = max(most[address], inside[address])
            await asyncio.sleep(0.01)
            inside[address] -= 1

    for crawls, slots in (({}, 4), ({shared: 2}, 2), ({shared: 9}, 1), ({}, 4)):
        politeness.share_addresses(crawls)
        most.clear()
        await asyncio.gather(*(visit(f"h{n}.{each}", each) for n in range(8) for each in (shared, alone)))
        assert most == {shared: slots, alone: 4}
    assert politeness.addresses() == {shared, alone}


async def test_crawls_that_ask_one_address_share_its_pace() -> None:
    politeness = Politeness(http_settings(address_delay=0.05), Guard())
    politeness.share_addresses({"93.184.216.34": 3})
    times: list[float] = []
    for n in range(3):
        async with politeness.turn(f"h{n}.test", "93.184.216.34", 0.0):
            times.append(asyncio.get_running_loop().time())
    assert min(later - earlier for earlier, later in pairwise(times)) >= 0.149


async def test_idle_gates_are_removed() -> None:
    settings = http_settings(delay=0.0, crawl_delay_cap=0.0)
    politeness = Politeness(settings, Guard())
    politeness.park("parked.test", 100)
    for n in range(10_000):
        async with politeness.turn(f"h{n}.test", None, 0.0):
            pass
    assert len(politeness._hosts) < 5000
    assert "parked.test" in politeness._hosts


@pytest.mark.parametrize("status", [429, 503])
async def test_retry_after_is_waited_out_and_the_page_asked_for_again(status: int) -> None:
    answers = [reply("", status, retry_after="1"), reply("at last")]
    async with serve({"/": answers, **PAGES}) as site, browse(site, retries=1) as web:
        response, _ = await asyncio.gather(web.fetch("http://a.test/"), web.fetch("http://a.test/0"))
    assert response.content == b"at last"
    paths = [path for path in site.paths if path != "/robots.txt"]
    assert sorted(paths) == ["/", "/", "/0"]
    assert paths[0] == "/"
    assert site.log[2].began - site.log[1].ended >= 1.0, "the whole host rests"


async def test_a_host_with_a_long_retry_after_is_not_asked_again() -> None:
    busy = reply("", 503, retry_after="100000")
    async with serve({"/": busy, **PAGES}) as site, browse(site, retries=3) as web:
        first = await failure(web, "http://a.test/")
        again = await failure(web, "http://a.test/0")
        other = await web.fetch("http://b.test/0")
    assert first.kind == again.kind == "retry-later"
    assert first.status == 503
    assert first.retry_after == 100_000
    assert again.retry_after is not None
    assert again.retry_after > 99_000
    assert other.status == 200
    assert [asked.path for asked in site.log if asked.host == "a.test"] == ["/robots.txt", "/"]


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("120", 120.0),
        (" 0 ", 0.0),
        ("999999999999999999999", 999999999999.0),
        ("-5", None),
        ("soon", None),
        ("", None),
        ("٣", None),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0),
        ("Wed, 99 Oct 2015 07:28:00 GMT", None),
    ],
)
def test_retry_after_is_parsed(header: str, seconds: float | None) -> None:
    assert retry_after(header) == seconds


def test_retry_after_may_be_a_date() -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    assert retry_after(format_datetime(now + timedelta(seconds=90), usegmt=True), now) == 90.0


@pytest.mark.parametrize("status", [500, 502, 503, 504, 429, 408])
async def test_a_temporary_failure_is_retried(status: int) -> None:
    async with serve({"/": [reply("", status), reply("fine")]}) as site, browse(site, retries=1) as web:
        assert (await web.fetch("http://a.test/")).content == b"fine"
    assert web.counts["retries"] == 1
    assert web.counts["requests"] == len(site.log) == 3


async def test_a_lasting_failure_is_returned_after_the_last_retry() -> None:
    async with serve({"/": reply("broken", 500)}) as site, browse(site, retries=2) as web:
        response = await web.fetch("http://a.test/")
    assert (response.status, response.content) == (500, b"broken")
    assert site.paths.count("/") == 3


@pytest.mark.parametrize("status", [404, 403, 410, 501])
async def test_a_permanent_failure_is_not_retried(status: int) -> None:
    async with serve({"/": reply("no", status)}) as site, browse(site, retries=2) as web:
        assert (await web.fetch("http://a.test/")).status == status
    assert site.paths.count("/") == 1


async def test_a_connection_closed_without_an_answer_is_retried_with_the_delay() -> None:
    async def hang_up(writer: asyncio.StreamWriter, asked: Asked) -> None:
        writer.close()

    pages = {"/": [hang_up, reply("fine")]}
    async with serve(pages) as site, browse(site, retries=1, delay=0.1) as web:
        assert (await web.fetch("http://a.test/")).content == b"fine"
    assert min(site.gaps()) >= 0.1


def test_back_off_doubles_up_to_its_cap_and_repeats_with_the_seed() -> None:
    settings = http_settings(backoff=1.0, backoff_cap=8.0, rng_seed=7)
    rests = [Backoff(settings).rest(0), *(Backoff(settings).rest(n) for n in range(6))]
    assert rests[0] == rests[1]
    assert all(min(8.0, 2.0**n) <= rest <= 1.5 * min(8.0, 2.0**n) for n, rest in enumerate(rests[1:]))
