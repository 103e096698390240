"""robots.txt over real requests: what is asked, what is allowed, for how long."""

from __future__ import annotations

import asyncio

import pytest

from topicrawl.web.http import HttpSettings
from topicrawl.web.http.robots_file import read_rules
from web.http.loopback import Asked, browse, failure, http_settings, reply, serve

FORBID = reply("User-agent: *\nDisallow: /private\nAllow: /private/open\nDisallow: /*.cgi$")


def robots(answer: object) -> dict[str, object]:
    return {"/": reply("page"), "/private/x": reply("secret"), "/robots.txt": answer}


async def test_a_forbidden_page_is_not_requested_and_the_rules_are_fetched_once() -> None:
    async with serve(robots(FORBID)) as site, browse(site) as web:
        assert (await failure(web, "http://a.test/private/x")).kind == "robots"
        assert (await failure(web, "http://a.test/run.cgi")).kind == "robots"
        assert (await web.fetch("http://a.test/")).content == b"page"
        assert (await web.fetch("http://a.test/private/open")).status == 404
    assert site.paths == ["/robots.txt", "/", "/private/open"]


async def test_the_rules_for_our_agent_win_over_those_for_all() -> None:
    rules = reply("User-agent: *\nDisallow: /\n\nUser-agent: Topicrawl\nDisallow: /private")
    async with serve(robots(rules)) as site, browse(site) as web:
        assert (await web.fetch("http://a.test/")).status == 200
        assert (await failure(web, "http://a.test/private/x")).kind == "robots"


async def test_a_byte_order_mark_does_not_hide_the_first_line() -> None:
    rules = reply(b"\xef\xbb\xbfUser-agent: *\nDisallow: /")
    async with serve(robots(rules)) as site, browse(site) as web:
        assert (await failure(web, "http://a.test/")).kind == "robots"


@pytest.mark.parametrize("status", [300, 400, 401, 403, 404, 410])
async def test_an_absent_robots_txt_allows_everything(status: int) -> None:
    async with serve(robots(reply("User-agent: *\nDisallow: /", status))) as site, browse(site) as web:
        assert (await web.fetch("http://a.test/private/x")).status == 200


@pytest.mark.parametrize("status", [500, 502, 503, 429])
async def test_a_failing_robots_txt_closes_the_host_for_now(status: int) -> None:
    async with serve(robots(reply("", status))) as site, browse(site, robots_failure_age=50.0) as web:
        first = await failure(web, "http://a.test/")
        again = await failure(web, "http://a.test/private/x")
    assert first.kind == again.kind == "robots-unreachable"
    assert first.status == status
    assert again.retry_after is not None
    assert 40 < again.retry_after <= 50
    assert site.paths == ["/robots.txt"]


async def test_a_robots_txt_that_never_answers_closes_the_host_for_now() -> None:
    async def hang(writer: asyncio.StreamWriter, asked: Asked) -> None:
        await asyncio.sleep(60)

    async with serve(robots(hang)) as site, browse(site, first_byte=0.2) as web:
        assert (await failure(web, "http://a.test/")).kind == "robots-unreachable"
    assert site.paths == ["/robots.txt"]


async def test_a_closed_host_opens_again_when_its_robots_txt_returns_and_waits_longer_each_time() -> None:
    answers = [reply("", 500), reply("", 500), reply("User-agent: *\nDisallow: /private")]
    async with serve(robots(answers)) as site, browse(site, robots_failure_age=0.3) as web:
        first = await failure(web, "http://a.test/")
        await asyncio.sleep(0.35)
        second = await failure(web, "http://a.test/")
        assert first.retry_after is not None
        assert second.retry_after is not None
        assert first.retry_after <= 0.3 < second.retry_after <= 0.6
        await asyncio.sleep(0.65)
        assert (await web.fetch("http://a.test/")).status == 200


async def test_a_changed_robots_txt_is_obeyed_when_the_old_one_is_stale() -> None:
    answers = [reply("User-agent: *\nAllow: /"), reply("User-agent: *\nDisallow: /")]
    async with serve(robots(answers)) as site, browse(site, robots_age=0.1) as web:
        assert (await web.fetch("http://a.test/")).status == 200
        await asyncio.sleep(0.15)
        assert (await failure(web, "http://a.test/")).kind == "robots"


async def test_redirects_to_a_robots_txt_elsewhere_are_followed_up_to_five() -> None:
    chain = {f"/r{n}": reply("", 301, location=f"http://b.test/r{n + 1}") for n in range(1, 5)}
    pages = robots(reply("", 301, location="/r1")) | chain | {"/r5": reply("User-agent: *\nDisallow: /")}
    async with serve(pages) as site, browse(site) as web:
        assert (await failure(web, "http://a.test/")).kind == "robots"
    assert site.log[-1].host == "b.test"


async def test_a_robots_txt_behind_too_many_redirects_counts_as_absent() -> None:
    async with serve(robots(reply("", 301, location="/robots.txt"))) as site, browse(site) as web:
        assert (await web.fetch("http://a.test/")).status == 200


async def test_only_the_beginning_of_an_endless_robots_txt_is_read() -> None:
    async def endless(writer: asyncio.StreamWriter, asked: Asked) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\n\r\nUser-agent: *\nDisallow: /private\n")
        while not writer.is_closing():
            writer.write(b"# more\n" * 1000)
            await writer.drain()

    async with serve(robots(endless)) as site, browse(site) as web:
        assert (await failure(web, "http://a.test/private/x")).kind == "robots"
        assert (await web.fetch("http://a.test/")).status == 200
    assert web.counts["bytes"] < web.settings.robots_bytes + 100


@pytest.mark.parametrize(
    ("rules", "closed", "open_"),
    [
        (b"Disallow: /private\n#%s\nDisallow: /shop-of-old", "/private", "/shop"),
        (b"Disallow: /\n#%s\nAllow: /public", "/public", None),
    ],
)
async def test_a_rule_that_the_size_limit_cuts_is_no_rule(
    rules: bytes, closed: str, open_: str | None
) -> None:
    head = b"User-agent: *\n" + rules
    content = head.replace(b"%s", b"x" * 200)
    limit = len(content) - len(b"-of-old" if open_ else b"public")
    async with serve(robots(reply(content.decode()))) as site, browse(site, robots_bytes=limit) as web:
        assert (await failure(web, f"http://a.test{closed}")).kind == "robots"
        if open_:
            await web.robots.permit(f"http://a.test{open_}")


@pytest.mark.parametrize("rules", ["Disallow: /other\nDisallow: /pri", "Disallow: /\nAllow: /"])
async def test_a_rule_that_a_broken_connection_cuts_holds_only_if_it_forbids(rules: str) -> None:
    content = f"User-agent: *\n{rules}"
    answer = reply(content, content_length=str(len(content) + 5))

    async def broken(writer: asyncio.StreamWriter, asked: Asked) -> None:
        writer.write(answer)
        await writer.drain()
        writer.close()

    async with serve(robots(broken)) as site, browse(site) as web:
        assert (await failure(web, "http://a.test/private")).kind == "robots"


async def test_each_port_has_its_own_robots_txt() -> None:
    async with serve(robots(FORBID)) as one, serve(robots(reply("", 404))) as two, browse() as web:
        assert (await failure(web, f"http://127.0.0.1:{one.port}/private/x")).kind == "robots"
        assert (await web.fetch(f"http://127.0.0.1:{two.port}/private/x")).status == 200


async def test_concurrent_fetches_share_one_request_for_robots_txt() -> None:
    async with serve(robots(FORBID)) as site, browse(site, per_host=10) as web:
        await asyncio.gather(*(web.fetch("http://a.test/") for _ in range(10)))
    assert site.paths.count("/robots.txt") == 1


@pytest.mark.parametrize(
    ("settings", "product"),
    [
        (http_settings(), "topicrawl"),
        (http_settings(contact="https://bot.example/"), "topicrawl"),
        (http_settings(user_agent="Mozilla/5.0 (compatible; My-Crawler/2.0)"), "My-Crawler"),
        (http_settings(user_agent="mycrawler 2"), "mycrawler"),
    ],
)
def test_rules_are_matched_by_our_product_token(settings: HttpSettings, product: str) -> None:
    assert settings.product == product


def test_hostile_rules_are_matched_in_linear_time() -> None:
    rules = read_rules(b"User-agent: *\nDisallow: /" + b"*a" * 5000 + b"$\n", "topicrawl")
    assert rules.allows("http://a.test/" + "a" * 2000 + "b")


@pytest.mark.parametrize(
    "answer", [FORBID, reply("", 404), reply("", 500), reply("", 503, retry_after="999")]
)
async def test_a_host_with_any_answer_for_its_robots_txt_answers(answer: bytes) -> None:
    async with serve(robots(answer)) as site, browse(site, retries=2) as web:
        assert await web.host_answers("http://a.test/private/x")
    assert site.paths == ["/robots.txt"], "asked once, whatever came"


async def test_a_host_that_is_silent_or_refuses_does_not_answer_and_its_rules_still_hold() -> None:
    async def hang(writer: asyncio.StreamWriter, asked: Asked) -> None:
        await asyncio.sleep(60)

    pages = robots([FORBID, hang])
    async with serve(pages) as site, browse(site, first_byte=0.1, retries=2) as web:
        assert (await failure(web, "http://a.test/private/x")).kind == "robots"
        assert not await web.host_answers("http://a.test/")
        assert (await failure(web, "http://a.test/private/x")).kind == "robots"
    async with browse(site) as web:
        assert not await web.host_answers("http://a.test/")


async def test_a_timeout_is_not_retried_at_once() -> None:
    async def hang(writer: asyncio.StreamWriter, asked: Asked) -> None:
        await asyncio.sleep(60)

    async with serve({"/": hang}) as site, browse(site, first_byte=0.1, retries=2) as web:
        assert (await failure(web, "http://a.test/")).kind == "timeout"
    assert site.paths == ["/robots.txt", "/"]


async def test_a_failure_behind_a_redirect_says_where_it_happened() -> None:
    async with serve({}) as gone:
        pass
    away = reply("", 302, location=f"http://127.0.0.1:{gone.port}/there")
    async with serve({"/": away}) as site, browse(site) as web:
        assert (await failure(web, "http://a.test/")).url == f"http://127.0.0.1:{gone.port}/there"


async def test_closing_ends_a_request_for_robots_txt() -> None:
    asked = asyncio.Event()

    async def hang(writer: asyncio.StreamWriter, request: Asked) -> None:
        asked.set()
        await asyncio.sleep(60)

    async with serve(robots(hang)) as site, browse(site) as web:
        fetching = asyncio.create_task(web.fetch("http://a.test/"))
        await asked.wait()
        web.robots.close()
        with pytest.raises(asyncio.CancelledError):
            await fetching
