"""A loopback server in a thread, for tests of commands; it answers by a function and records what it was asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

import msgspec


class Reply(NamedTuple):
    """An answer."""

    body: bytes = b""
    status: int = 200
    headers: tuple[tuple[str, str], ...] = (("Content-Type", "application/json"),)


class Request(NamedTuple):
    """A request as the server saw it."""

    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]
    raw: str = ""
    """Path and query as sent."""


@dataclass
class Server:
    """Where a server answers, and the requests so far."""

    url: str
    requests: list[Request] = field(default_factory=list)

    def asked(self, name: str = "q") -> list[str]:
        """The values of a parameter, in the order of the requests."""
        return [value for request in self.requests for value in request.query.get(name, [])]


@contextmanager
def answering(answer: Callable[[Request], Reply]) -> Iterator[Server]:
    """A server on a free port of 127.0.0.1."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = Request(parts.path, parse_qs(parts.query), headers, self.path)
            server.requests.append(request)
            reply = answer(request)
            self.send_response(reply.status)
            for name, value in reply.headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            self.wfile.write(reply.body)

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server = Server(f"http://127.0.0.1:{http.server_address[1]}")
    thread = Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()
        thread.join()


def results(*found: tuple[str, str, str]) -> Reply:
    """An answer of SearXNG with these (url, title, content)."""
    listed = [{"url": url, "title": title, "content": text, "engine": "e"} for url, title, text in found]
    return Reply(msgspec.json.encode({"query": "q", "results": listed, "unresponsive_engines": []}))
