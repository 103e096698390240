"""A web served over HTTP on loopback answers as it does in process."""

from __future__ import annotations

import asyncio
import gzip
import json
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import aiohttp
import pytest

from topicrawl.errors import WebError
from topicrawl.model import Response
from topicrawl.web.invented import invented_web
from topicrawl.web.recorded import RecordedWeb
from topicrawl.web.serve import Access, Servable, run_server, serving
from web.warcs import HTML, Recorder, site


@pytest.fixture
def recording(tmp_path: Path) -> RecordedWeb:
    with Recorder(tmp_path / "a.warc.gz") as recorder:
        recorder.answer("http://a.test/", b"home of a")
        recorder.answer("http://b.test/", b"home of b")
        recorder.answer("http://b.test/caf%C3%A9?x=1&y=%2F", b"a query")
        recorder.answer("http://b.test/old", b"moved", "301 Moved Permanently", ("Location", "/"))
        recorder.answer("http://b.test/gone", b"long gone", "410 Gone", HTML, ("X-Why", "closed"))
        packed = ("Content-Encoding", "gzip"), ("Content-Length", "7"), ("Transfer-Encoding", "chunked")
        recorder.answer("http://b.test/packed", gzip.compress(b"unpacked"), "200 OK", HTML, *packed)
        recorder.answer(
            "http://b.test/robots.txt", b"User-agent: *", "200 OK", ("Content-Type", "text/plain")
        )
    return RecordedWeb(recorder.path)


Get = Callable[..., Awaitable[tuple[int, bytes, dict[str, str]]]]


def with_server(web: Servable, use: Callable[[Get], Awaitable[None]], **options: object) -> list[Access]:
    """Run `use` against a server of `web`; returns what the server saw."""
    log: list[Access] = []

    async def main() -> None:
        async with (
            serving(web, seen=log.append, **options) as port,  # type: ignore[arg-type]
            aiohttp.ClientSession(auto_decompress=False, timeout=aiohttp.ClientTimeout(10)) as session,
        ):

            async def get(
                host: str, path: str = "/", method: str = "GET"
            ) -> tuple[int, bytes, dict[str, str]]:
                url = aiohttp.client.URL(f"http://127.0.0.1:{port}{path}", encoded=True)
                headers = {"Host": host, "User-Agent": "tester"}
                async with session.request(method, url, headers=headers, allow_redirects=False) as answer:
                    return answer.status, await answer.read(), dict(answer.headers)

            await use(get)

    asyncio.run(main())
    return log


def test_the_host_header_selects_the_host(recording: RecordedWeb) -> None:
    async def use(get: Get) -> None:
        assert (await get("a.test"))[:2] == (200, b"home of a")
        assert (await get("B.test:80"))[:2] == (200, b"home of b")
        assert (await get("b.test", "/caf%c3%a9?x=1&y=%2F"))[:2] == (200, b"a query")
        assert (await get("c.test"))[0] == 404
        assert (await get("in valid"))[0] == 400

    log = with_server(recording, use)
    assert [(access.url, access.status, access.agent) for access in log][:2] == [
        ("http://a.test/", 200, "tester"),
        ("http://B.test:80/", 200, "tester"),
    ]
    assert [access.at for access in log] == sorted(access.at for access in log)


def test_status_headers_and_decoded_body_are_sent(recording: RecordedWeb) -> None:
    async def use(get: Get) -> None:
        status, body, headers = await get("b.test", "/gone")
        assert (status, body, headers["X-Why"], headers["Content-Type"]) == (
            410,
            b"long gone",
            "closed",
            HTML[1],
        )
        status, body, headers = await get("b.test", "/packed")
        assert (status, body, headers["Content-Length"]) == (200, b"unpacked", "8")
        assert "Content-Encoding" not in headers
        assert "Transfer-Encoding" not in headers

    with_server(recording, use)


def test_a_redirect_is_sent_not_followed(recording: RecordedWeb) -> None:
    async def use(get: Get) -> None:
        status, _, headers = await get("b.test", "/old")
        assert (status, headers["Location"]) == (301, "/")

    with_server(recording, use)


def test_robots_txt_is_served_where_it_was_recorded(recording: RecordedWeb) -> None:
    async def use(get: Get) -> None:
        assert (await get("b.test", "/robots.txt"))[:2] == (200, b"User-agent: *")
        assert (await get("a.test", "/robots.txt"))[0] == 404

    with_server(recording, use)


def test_head_has_no_body_and_post_is_refused(recording: RecordedWeb) -> None:
    async def use(get: Get) -> None:
        status, body, headers = await get("a.test", "/", "HEAD")
        assert (status, body, headers["Content-Length"]) == (200, b"", "9")
        assert (await get("a.test", "/", "POST"))[0] == 405

    with_server(recording, use)


def test_a_browser_may_use_it_as_a_proxy(recording: RecordedWeb) -> None:
    async def main() -> bytes:
        async with serving(recording) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"GET http://b.test/ HTTP/1.1\r\nHost: b.test\r\nConnection: close\r\n\r\n")
            answer = await reader.read()
            writer.close()
            return answer

    assert asyncio.run(asyncio.wait_for(main(), 10)).endswith(b"home of b")


class Misbehaving:
    """A web of one page that misbehaves as its path says."""

    name = "naughty"

    def exchange(self, url: str) -> Response:
        body = url.encode() * 100
        headers = (("X-Fine", "yes"), ("X-Split", "a\r\nSet-Cookie: b"))
        return Response(url, url, 200, "OK", headers, body, body, len(body))

    def behaviour(self, url: str) -> str:
        return url.rpartition("/")[2]


def test_a_cut_page_ends_before_its_announced_length() -> None:
    async def use(get: Get) -> None:
        with pytest.raises(aiohttp.ClientPayloadError):
            await get("a.test", "/cut")
        assert (await get("a.test", "/"))[0] == 200

    with_server(Misbehaving(), use)


def test_a_slow_page_arrives_and_delays_no_other_request() -> None:
    async def use(get: Get) -> None:
        order: list[str] = []

        async def ask(path: str) -> None:
            assert (await get("a.test", path))[0] == 200
            order.append(path)

        await asyncio.gather(ask("/slow"), ask("/"))
        assert order == ["/", "/slow"]

    with_server(Misbehaving(), use, slow=0.3)


def test_a_header_that_would_split_the_answer_is_left_out() -> None:
    async def use(get: Get) -> None:
        _, _, headers = await get("a.test", "/")
        assert headers["X-Fine"] == "yes"
        assert not {"X-Split", "Set-Cookie"} & set(headers)

    with_server(Misbehaving(), use)


def test_the_invented_web_is_the_same_over_http() -> None:
    web = invented_web("invented:7")
    start = web.seeds("rainstorm disaster", 1)[0]
    host, slash, path = start.removeprefix("http://").partition("/")

    async def use(get: Get) -> None:
        inside = await web.fetch(start)
        status, body, headers = await get(host, slash + path)
        assert (status, body) == (200, inside.content)
        assert headers["Content-Type"] == inside.header("Content-Type")
        assert (await get(host, "/robots.txt"))[1].startswith(b"User-agent: *")

    with_server(web, use)


def test_a_port_in_use_is_refused_with_a_remedy(recording: RecordedWeb) -> None:
    async def main() -> None:
        async with serving(recording) as port:
            with pytest.raises(WebError, match=f"port {port} of 127.0.0.1: .*; give another"):
                async with serving(recording, port=port):
                    pass

    asyncio.run(main())


def test_the_real_web_is_not_served() -> None:
    with pytest.raises(WebError, match="the real web serves itself"):
        run_server("http")


CHILD = """
import sys
from pathlib import Path
from topicrawl.web.serve import run_server

run_server(sys.argv[1], port=0, log=Path(sys.argv[2]), ready=lambda host, port: print(port, flush=True))
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_server_process_says_when_it_is_ready_logs_and_ends_cleanly(tmp_path: Path, number: int) -> None:
    path, log = site(tmp_path / "s.warc.gz").path, tmp_path / "log.jsonl"
    RecordedWeb(path)  # the first use of the cache is announced, and not by this server
    command = [sys.executable, "-c", CHILD, str(path), str(log)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout
        assert server.stderr
        port = int(server.stdout.readline())

        async def main() -> None:
            async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(10)) as session:
                headers = {"Host": "a.test"}
                async with session.get(f"http://127.0.0.1:{port}/2", headers=headers) as answer:
                    assert (await answer.read()).startswith(b"<p>page 2</p>")
                server.send_signal(number)
                assert await asyncio.to_thread(server.wait, 10) == 0

        asyncio.run(main())
        assert server.stderr.read() == ""
    (line,) = log.read_text().splitlines()
    assert {**json.loads(line), "at": 0, "agent": ""} == {
        "at": 0,
        "method": "GET",
        "url": "http://a.test/2",
        "status": 200,
        "agent": "",
    }
