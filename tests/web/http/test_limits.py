"""Servers that send too much, too slowly, too little or nonsense."""

from __future__ import annotations

import asyncio

import pytest

from web.http.loopback import Asked, browse, failure, reply, serve

CHUNKED = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"


def drip(head: bytes, piece: bytes, pause: float):
    """Sends `head`, then `piece` for ever, pausing in between."""

    async def handler(writer: asyncio.StreamWriter, asked: Asked) -> None:
        writer.write(head)
        while not writer.is_closing():
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(pause)

    return handler


def hang_up(sent: bytes):
    """Sends some bytes and closes the connection."""

    async def handler(writer: asyncio.StreamWriter, asked: Asked) -> None:
        writer.write(sent)
        await writer.drain()
        writer.close()

    return handler


async def say_nothing(writer: asyncio.StreamWriter, asked: Asked) -> None:
    await asyncio.sleep(60)


async def test_an_endless_body_is_cut_at_the_limit_and_its_connection_closed() -> None:
    endless = drip(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", b"x" * 65536, 0)
    async with serve({"/": endless}) as site, browse(site, body_bytes=200_000) as web:
        response = await web.fetch("http://a.test/")
        assert (response.size, len(response.body), response.truncated) == (200_000, 200_000, True)
        await web.fetch("http://a.test/")
    assert site.connections == 2, "robots.txt and the first page share one, the cut costs it"


async def test_a_body_below_the_minimum_rate_is_given_up() -> None:
    trickle = drip(b"HTTP/1.1 200 OK\r\n\r\n", b"x", 0.05)
    async with serve({"/": trickle}) as site, browse(site, min_rate_window=0.3) as web:
        assert (await failure(web, "http://a.test/")).kind == "slow"


async def test_headers_that_trickle_end_with_the_deadline() -> None:
    trickle = drip(b"HTTP/1.1 200 OK\r\n", b"X-More: yes\r\n", 0.1)
    async with serve({"/": trickle}) as site, browse(site, deadline=0.5) as web:
        assert (await failure(web, "http://a.test/")).kind == "timeout"


async def test_a_server_that_accepts_and_never_answers_is_given_up() -> None:
    async with serve({"/": say_nothing}) as site, browse(site, first_byte=0.3) as web:
        assert (await failure(web, "http://a.test/")).kind == "timeout"


async def test_a_body_that_stops_in_the_middle_is_given_up() -> None:
    async def stop(writer: asyncio.StreamWriter, asked: Asked) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
        await asyncio.sleep(60)

    async with serve({"/": stop}) as site, browse(site, first_byte=0.3) as web:
        assert (await failure(web, "http://a.test/")).kind == "timeout"


@pytest.mark.parametrize(
    "flood",
    [
        b"".join(b"X-%d: y\r\n" % n for n in range(300)),
        b"X-Long: " + b"y" * 100_000 + b"\r\n",
        b"".join(b"X-%d: %s\r\n" % (n, b"y" * 1000) for n in range(100)),
        b"".join(b"Set-Cookie: c%d=1\r\n" % n for n in range(10_000)),
    ],
    ids=["many lines", "one long line", "many bytes", "many cookies"],
)
async def test_a_flood_of_headers_is_refused(flood: bytes) -> None:
    page = b"HTTP/1.1 200 OK\r\n" + flood + b"Content-Length: 2\r\n\r\nok"
    async with serve({"/": page}) as site, browse(site) as web:
        assert (await failure(web, "http://a.test/")).kind == "headers"


async def test_long_headers_within_the_budget_are_fine() -> None:
    page = reply("ok", content_security_policy="x" * 30_000, **{f"x_{n}": "y" for n in range(150)})
    async with serve({"/": page}) as site, browse(site) as web:
        assert (await web.fetch("http://a.test/")).content == b"ok"


@pytest.mark.parametrize(
    "sent",
    [
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart of it",
        CHUNKED + b"a\r\npart of it\r\n64\r\n",
        CHUNKED + b"a\r\npart of it\r\n",
        CHUNKED + b"a\r\npart of it\r\nzz\r\n",
    ],
    ids=["short length", "cut chunk", "no last chunk", "bad chunk size"],
)
async def test_a_truncated_body_is_requested_once_more_and_then_kept(sent: bytes) -> None:
    async with serve({"/": hang_up(sent)}) as site, browse(site, retries=3) as web:
        response = await web.fetch("http://a.test/")
    assert (response.content, response.truncated) == (b"part of it", True)
    assert site.paths.count("/") == 2


async def test_a_truncated_body_that_is_complete_the_second_time_is_not_marked() -> None:
    cut = hang_up(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart")
    async with serve({"/": [cut, reply("all of it")]}) as site, browse(site, retries=1) as web:
        response = await web.fetch("http://a.test/")
    assert (response.content, response.truncated) == (b"all of it", False)
    assert web.counts["retries"] == 1


async def test_what_follows_the_declared_length_is_not_part_of_the_page() -> None:
    page = reply("page") + b"surplus"
    async with serve({"/": page, "/b": reply("b")}) as site, browse(site) as web:
        response = await web.fetch("http://a.test/")
        assert response.content == b"page"
        assert (await web.fetch("http://a.test/b")).content == b"b"


@pytest.mark.parametrize(
    "nonsense",
    [
        b"<html>HTTP/0.9</html>\r\n\r\n",
        b"HTTP/1.1 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX-Nul: a\x00b\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!",
        b"HTTP/1.1 200 OK\r\nSpace : before colon\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
    ],
)
async def test_what_is_not_http_is_a_protocol_failure(nonsense: bytes) -> None:
    async with serve({"/": hang_up(nonsense)}) as site, browse(site) as web:
        assert (await failure(web, "http://a.test/")).kind == "protocol"


async def test_informational_answers_before_the_real_one_are_skipped() -> None:
    page = b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" * 20 + reply("real")
    async with serve({"/": page}) as site, browse(site) as web:
        assert (await web.fetch("http://a.test/")).content == b"real"


async def test_an_unusual_status_is_passed_on() -> None:
    async with serve({"/": reply("x", 999)}) as site, browse(site) as web:
        assert (await web.fetch("http://a.test/")).status == 999


async def test_not_modified_is_an_answer_only_to_a_conditional_request() -> None:
    async with serve({"/": b"HTTP/1.1 304 Not Modified\r\n\r\n"}) as site, browse(site) as web:
        assert (await failure(web, "http://a.test/")).kind == "protocol"
        response = await web.fetch("http://a.test/", headers=(("If-None-Match", '"x"'),))
    assert response.status == 304
    assert site.log[-1].headers["if-none-match"] == '"x"'


async def test_header_bytes_survive_whatever_they_are() -> None:
    page = b"HTTP/1.1 200 OK\r\nX-Name: caf\xe9 \xff\r\nContent-Length: 2\r\n\r\nok"
    async with serve({"/": page}) as site, browse(site) as web:
        response = await web.fetch("http://a.test/")
    assert response.header("x-name").encode("latin-1") == b"caf\xe9 \xff"


async def test_slow_hosts_do_not_delay_the_others() -> None:
    pages = {"/hang": say_nothing, "/": reply("quick")}
    async with serve(pages) as site, browse(site, concurrency=2, first_byte=20) as web:
        waiting = [asyncio.create_task(web.fetch("http://slow.test/hang")) for _ in range(20)]
        await asyncio.sleep(0.1)
        assert (await web.fetch("http://other.test/")).content == b"quick"
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        assert (await web.fetch("http://slow.test/")).content == b"quick", (
            "cancelled requests give back their turn"
        )


async def test_a_large_body_that_comes_at_once_is_whole() -> None:
    import uvloop  # its pieces are larger than asyncio's: a whole body may come in one

    body = b"<p>rain" * 150_000

    async def scenario() -> None:
        async with serve({"/": reply(body)}) as site, browse(site) as web:
            for _ in range(20):
                assert (await web.fetch("http://a.test/")).size == len(body)

    await asyncio.to_thread(uvloop.run, scenario())


async def test_a_body_that_is_mostly_chunk_sizes_is_cut_soon() -> None:
    async def tiny(writer: asyncio.StreamWriter, asked: Asked) -> None:
        writer.write(CHUNKED)
        for _ in range(100):
            writer.write(b"1\r\nx\r\n" * 10_000)
            await writer.drain()

    async with serve({"/": tiny}) as site, browse(site) as web:
        response = await web.fetch("http://a.test/")
    assert response.truncated
    assert response.size < 200_000
