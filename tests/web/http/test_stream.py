"""Answers that are read line by line: of any length, gzipped or not, and what is done with bad ones."""

from __future__ import annotations

import gzip
from contextlib import aclosing

import pytest

from topicrawl.errors import FetchError
from topicrawl.web.http import HttpWeb
from topicrawl.web.http.stream import LONGEST_LINE
from web.http.loopback import Site, browse, reply, serve


async def read(web: HttpWeb, path: str = "/") -> list[bytes]:
    async with aclosing(web.lines(f"http://index.test{path}")) as lines:
        return [line async for line in lines]


async def fault(site: Site, web: HttpWeb, path: str) -> FetchError:
    with pytest.raises(FetchError) as caught:
        await read(web, path)
    return caught.value


async def test_lines_are_read_plain_and_gzipped_in_several_members_and_robots_txt_is_not_asked() -> None:
    packed = gzip.compress(b"one\ntw") + gzip.compress(b"o\n\nthree")
    pages = {"/": reply("one\ntwo\n\nthree"), "/gz": reply(packed, content_encoding="gzip")}
    async with serve(pages) as site, browse(site) as web:
        assert await read(web) == await read(web, "/gz") == [b"one", b"two", b"", b"three"]
        assert site.paths == ["/", "/gz"]
        assert site.log[0].headers["accept-encoding"] == "gzip, identity"


async def test_reading_may_stop_at_any_line_and_the_next_request_is_answered() -> None:
    async with serve({"/": reply(b"row\n" * 500_000)}) as site, browse(site) as web:
        for _ in range(2):
            async with aclosing(web.lines("http://index.test/")) as lines:
                assert await anext(lines) == b"row"


async def test_a_redirect_is_followed_and_a_pause_is_kept() -> None:
    busy = [reply("slow down", 429, retry_after="0"), reply("row\n")]
    pages = {"/": reply("", 301, location="/moved"), "/moved": busy}
    async with serve(pages) as site, browse(site, retries=2) as web:
        assert await read(web) == [b"row"]
        assert site.paths == ["/", "/moved", "/moved"]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (reply("No Captures found", 404), "http: No Captures found"),
        (reply("later", 503, retry_after="9999"), "retry-later: index.test asks for a pause of 9999 s"),
        (reply(b"x" * (LONGEST_LINE + 70_000)), "protocol: a line of more than 1,048,576 bytes"),
        (reply(b"x", content_encoding="br"), "protocol: content encoding 'br' was not asked for"),
        (reply(b"\x1f\x8bnonsense", content_encoding="gzip"), "protocol: damaged gzip"),
    ],
)
async def test_a_bad_answer_is_an_error_of_a_known_kind(answer: bytes, said: str) -> None:
    async with serve({"/": answer}) as site, browse(site, retries=1) as web:
        assert str(await fault(site, web, "/")).startswith(said)


async def test_a_redirect_to_another_host_asks_its_robots_txt() -> None:
    pages = {
        "/": reply("", 302, location="http://other.test/private"),
        "/robots.txt": reply("User-agent: *\nDisallow: /private", content_type="text/plain"),
    }
    async with serve(pages) as site, browse(site) as web:
        assert (await fault(site, web, "/")).kind == "robots"
        with pytest.raises(FetchError, match="robots"):
            await web.consult("http://index.test/")
