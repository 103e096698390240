"""pywb over a small WARC: the real server where $TOPICRAWL_PYWB names its environment, else what it answered once.

`make cdx-test` installs pywb in an environment of its own and asks it; $TOPICRAWL_RECORD stores its answers anew.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from socket import socket
from time import monotonic, sleep

import msgspec

from finding.servers import Reply, Request, Server, answering
from web.warcs import HTML, Recorder

ANSWERS = Path(__file__).with_name("pywb_answers.json")
LEFT_OUT = {"date", "transfer-encoding", "connection", "content-length"}
COLLECTION = "storms"


def record(path: Path) -> None:
    """A web of two hosts: a page that changed, a redirect, a page that was gone, a page recorded late, a picture."""
    old = b"""<html><title>Flood warning</title><body>A flood warning. <a href="/dike">The dike holds the flood</a>
        <a href="/moved">moved flood page</a> <a href="http://late.test/flood">a flood that comes late</a>
        <a href="/gone">gone flood page</a></body></html>"""
    with Recorder(path) as warc:
        warc.answer("http://rain.test/", old, "200 OK", HTML, ("X-Old", "yes"), date="2019-03-01T10:00:00Z")
        warc.answer("http://rain.test/", b"<title>Cake</title>All new", date="2020-06-01T10:00:00Z")
        warc.answer("http://rain.test/dike", b"<title>Dike</title>A flood dike", date="2020-02-01T10:00:00Z")
        moved = ("Location", "http://rain.test/dike?from=moved")
        warc.answer(
            "http://rain.test/moved", b"", "301 Moved Permanently", moved, date="2020-02-01T10:00:01Z"
        )
        arrived = b"<title>Arrived</title>A flood page"
        warc.answer("http://rain.test/dike?from=moved", arrived, date="2020-02-01T10:00:02Z")
        warc.answer("http://rain.test/gone", b"gone", "404 Not Found", HTML, date="2020-02-01T10:00:03Z")
        warc.answer("http://late.test/flood", b"<title>Late</title>A flood", date="2023-01-01T10:00:00Z")
        picture = ("Content-Type", "image/png")
        warc.answer("http://rain.test/dike.png", b"\x89PNG", "200 OK", picture, date="2020-02-01T10:00:04Z")


@contextmanager
def pywb(folder: Path) -> Iterator[Server]:
    """The server; requests go through one that records them."""
    installed = os.environ.get("TOPICRAWL_PYWB")
    if installed is None:
        known = msgspec.json.decode(
            ANSWERS.read_bytes(), type=dict[str, tuple[int, list[tuple[str, str]], str]]
        )
        with answering(lambda request: _recorded(known, request, server.url)) as server:
            yield server
        return
    with ExitStack() as stack:
        port = stack.enter_context(_running(Path(installed).resolve(), folder))
        seen: dict[str, tuple[int, list[tuple[str, str]], str]] = {}

        def forward(request: Request) -> Reply:
            reply = _asked(port, request)
            local = f"http://127.0.0.1:{port}"
            headers = [(name, value.replace(local, "BASE")) for name, value in reply.headers]
            seen[request.raw] = (reply.status, headers, reply.body.decode("latin-1").replace(local, "BASE"))
            return _recorded(seen, request, server.url)

        server = stack.enter_context(answering(forward))
        yield server
        if os.environ.get("TOPICRAWL_RECORD"):
            known = msgspec.json.decode(ANSWERS.read_bytes()) if ANSWERS.exists() else {}
            ANSWERS.write_bytes(
                msgspec.json.format(msgspec.json.encode(dict(sorted((known | seen).items()))), indent=1)
            )


def _recorded(known: dict[str, tuple[int, list[tuple[str, str]], str]], request: Request, base: str) -> Reply:
    status, headers, body = known[request.raw]
    lines = tuple((name, value.replace("BASE", base)) for name, value in headers)
    return Reply(body.replace("BASE", base).encode("latin-1"), status, lines)


def _asked(port: int, request: Request) -> Reply:
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", request.raw)
    answer = connection.getresponse()
    headers = tuple(line for line in answer.getheaders() if line[0].lower() not in LEFT_OUT)
    reply = Reply(answer.read(), answer.status, headers)
    connection.close()
    return reply


@contextmanager
def _running(programs: Path, folder: Path) -> Iterator[int]:
    """pywb on a free port, with the WARC as its collection."""
    record(folder / "web.warc.gz")
    for words in (["init", COLLECTION], ["add", COLLECTION, "web.warc.gz"]):
        subprocess.run(
            [programs / "wb-manager", *words], cwd=folder, check=True, capture_output=True, timeout=60
        )
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [programs / "wayback", "-p", str(port), "-b", "127.0.0.1"]
    with (
        (folder / "pywb.log").open("wb") as log,
        subprocess.Popen(command, cwd=folder, stdout=log, stderr=log) as server,
    ):
        try:
            _wait(port, server)
            yield port
        finally:
            server.terminate()


def _wait(port: int, server: subprocess.Popen[bytes]) -> None:
    until = monotonic() + 60
    while monotonic() < until and server.poll() is None:
        with socket() as attempt:
            if attempt.connect_ex(("127.0.0.1", port)) == 0:
                return
        sleep(0.1)
    raise RuntimeError("pywb did not start; see pywb.log")
