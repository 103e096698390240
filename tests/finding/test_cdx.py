"""Indexes of archives: rows in every form, parts, pages of an answer, and a long answer read in little memory."""

from __future__ import annotations

import asyncio
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from depth import depth
from finding.servers import Reply, Request, answering
from topicrawl.cli import run
from topicrawl.errors import ConfigError
from topicrawl.finding.cdx import MOST, Index, Part, parts_of
from topicrawl.finding.endpoint import Endpoint
from topicrawl.web.cdx_rows import Row, Rows
from web.http.loopback import Asked, browse, reply, serve

LOOPBACK = ["--allow-net", "127.0.0.0/8", "--delay", "0", "--retries", "0"]


@pytest.mark.parametrize(
    "line",
    [
        b'{"timestamp": "20200501120000", "url": "http://a.test/", "mime": "text/html", "status": "200", "x": "y"}',
        b'test,a)/ 20200501120000 {"url": "http://a.test/", "mime": "text/html", "status": "200"}',
        b'["test,a)/","20200501120000","http://a.test/","text/html","200","X","9"],',
        b'[["test,a)/","20200501120000","http://a.test/","text/html","200","X","9"]]',
        b"test,a)/ 20200501120000 http://a.test/ text/html 200 X 9",
    ],
)
def test_a_row_is_read_in_every_form(line: bytes) -> None:
    assert Rows().read(line) == Row("http://a.test/", "20200501120000", "text/html", "200")


def test_columns_are_taken_by_the_names_in_the_first_row() -> None:
    rows = Rows()
    assert rows.read(b'[["timestamp","original","statuscode","mimetype"],') is None
    assert rows.read(b'["2020","http://a.test/","200","text/html"]]') == Row(
        "http://a.test/", "2020", "text/html", "200"
    )
    assert rows.dialect == "original"


@given(st.binary(max_size=120))
def test_any_bytes_are_a_row_or_counted(line: bytes) -> None:
    rows = Rows()
    for begin in (b"", b"{", b"[", b'{"url": "'):
        row = rows.read(begin + line)
        assert row is None or "://" in row.url


def test_what_is_asked_of_an_index() -> None:
    assert parts_of("*.Example.org", None, []) == [Part("example.org", "domain")]
    assert parts_of(None, "https://example.org/floods/*", ["High water"]) == [
        Part("example.org/floods/", "prefix", ("high", "water"))
    ]
    guessed = parts_of(None, None, ["flood warning"])
    assert {"floodwarning.org", "flood-warning.com", "flood.net"} <= {part.url for part in guessed}
    assert all(part.is_guess for part in guessed)
    with pytest.raises(ConfigError, match="give one of them"):
        parts_of("a.test", "b.test/", [])


def row(number: int, host: str = "a.test") -> bytes:
    return (
        b'{"urlkey": "test,a)/%d", "timestamp": "20200501120000", "url": "http://%b/page/%d", "mime": "text/html", '
        b'"status": "200"}\n' % (number, host.encode(), number)
    )


def test_an_answer_in_pages_is_read_to_the_last(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def index(request: Request) -> Reply:
        if "showNumPages" in request.query:
            return Reply(b'{"pages": 3, "pageSize": 5, "blocks": 14}\n')
        return Reply(row(int(request.query["page"][0])))

    with answering(index) as server:
        assert run(["seeds", "--cdx", f"{server.url}/index", "--domain", "a.test", *LOOPBACK]) == 0
        assert server.asked("page") == ["0", "1", "2"]
        assert server.asked("matchType") == ["domain"] * 4
    lines = sorted(capsys.readouterr().out.splitlines())
    assert lines == [f"http://a.test/page/{number}  # from cdx: *.a.test" for number in range(3)]


def test_a_page_that_was_captured_often_is_one_seed_and_others_than_pages_none(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = b"".join(
        (
            b'[["urlkey","timestamp","original","mimetype","statuscode"],\n',
            b'["a","2019","http://a.test/x","text/html","200"],\n["a","2020","http://a.test/x","text/html","200"],\n',
            b'["a","2020","http://a.test/x.png","image/png","200"],\n',
            b'["a","2020","http://a.test/gone","text/html","404"]]\n',
        )
    )
    with answering(lambda request: Reply(b"4\n" if "showNumPages" in request.query else answer)) as server:
        assert run(["seeds", "--cdx", server.url, "--prefix", "a.test/", "--words", "x", *LOOPBACK]) == 0
        assert server.asked("collapse") == ["urlkey"]
        assert "original:(?i).*(x).*" in server.asked("filter")
    assert capsys.readouterr().out == "http://a.test/x  # from cdx: a.test/* with x\n"


def test_hosts_named_by_words_are_asked_for_and_absent_ones_are_no_failure(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def index(request: Request) -> Reply:
        if request.query["url"] == ["flood.org"]:
            return Reply(row(1, "www.flood.org"))
        return Reply(b'{"message": "No Captures found for: *.flood.com"}', 404)

    with answering(index) as server:
        assert run(["seeds", "--cdx", server.url, "--words", "flood", *LOOPBACK]) == 0
        assert len(server.requests) == 7
    out, err = capsys.readouterr()
    assert out == "http://www.flood.org/page/1  # from cdx: *.flood.org\n"
    assert "note" not in err


def test_an_address_that_is_no_index_is_said_to_be_none(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = Reply(b"<html>\n<body>Welcome</body>\n</html>", 200, (("Content-Type", "text/html"),))
    with answering(lambda request: page) as server:
        assert run(["seeds", "--cdx", server.url, "--domain", "a.test", *LOOPBACK]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert (
        "3 lines are no rows of an index ('<html>'); skipped; check that this is the address of a CDX server"
        in line
    )


async def test_a_long_answer_is_read_in_little_memory_and_the_best_rows_are_kept() -> None:
    count = depth(20_000, 100_000)

    async def rows(writer: asyncio.StreamWriter, asked: Asked) -> None:
        if "showNumPages" in asked.path:
            writer.write(reply(row(0)))
            return
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n")
        for begin in range(0, count, 5000):
            writer.write(b"".join(row(number) for number in range(begin, begin + 5000)))
            await writer.drain()
        writer.close()

    class Everything(dict[str, object]):
        def get(self, key: str, default: object = None) -> object:
            return rows

    said: list[str] = []
    async with serve(Everything()) as site, browse(site, deadline=5.0) as web:
        endpoint = Endpoint.read("http://index.test/cdx", "--cdx")
        index = Index(web, endpoint, said.append, said.append, lambda url: float(url.endswith("77")))
        tracemalloc.start()
        found = [urls async for _, urls in index.find([Part("a.test", "domain")])]
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    (urls,) = found
    assert len(urls) == MOST
    assert all(url.endswith("77") for url in urls[: min(MOST, count // 100)])
    assert most < 2 << 20
    assert len(said) == count // 100_000
