"""A web on loopback whose pages all speak of storms: half of them mean the weather, half a comic hero of that name.

The web has no end: every address is a page, of a kind and with links that follow from its number. Most seeds are
of the second kind, so a crawl for "storm" finds mostly such pages.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HOSTS, LINKS = 24, 12
WEATHER = "rain wind river levee gauge forecast pressure cloud coast harbour thunder tide warning valley dam"
HERO = "hero villain cape mutant panel comic reader sequel artist ink cover mask powers alliance saga"
WORDS = {True: WEATHER.split(" "), False: HERO.split(" ")}
PLACES = [
    first + second
    for first in ("ash", "oak", "elm", "hazel", "birch")
    for second in ("ford", "ton", "ham", "by")
]
OTHERS = [
    f"{place}{end}" for place in PLACES for end in ("er", "ish", "ward", "like", "ian", "ese", "less", "ful")
]
"""Words that say nothing of the kind: they make every page a different one."""


def url(number: int) -> str:
    return f"http://h{number % HOSTS}.test/{number}"


def is_weather(number: int) -> bool:
    """The kind of a page, which its address does not tell."""
    return random.Random(number).random() < 0.5


def title(number: int) -> str:
    words = random.Random(number).sample(WORDS[is_weather(number)], 2)
    return f"Storm: {' and '.join(words)} {number}"


def linked(number: int) -> list[int]:
    """Two in three links lead to pages of the same kind."""
    drawn = random.Random(-number - 1)
    found: list[int] = []
    while len(found) < LINKS:
        other = drawn.randrange(100_000)
        if is_weather(other) == is_weather(number) or drawn.random() < 0.5:
            found.append(other)
    return found


def seeds() -> list[str]:
    """Six pages of the second kind, and four of the first with "rain" in their titles."""
    heroes = [number for number in range(100) if not is_weather(number)][:6]
    rain = [number for number in range(1000) if is_weather(number) and "rain" in title(number)][:4]
    return [url(number) for number in (*heroes, *rain)]


def page(number: int) -> bytes:
    drawn = random.Random(number)
    words = [
        *drawn.choices(WORDS[is_weather(number)], k=15),
        *drawn.sample(OTHERS, 90),
        *["storm"] * 5,
    ]
    text = " ".join(words)
    links = "".join(f"<li><a href='{url(other)}'>{title(other)}</a>" for other in linked(number))
    return f"<!doctype html><title>{title(number)}</title><h1>{title(number)}</h1><p>{text}<ul>{links}</ul>".encode()


class _Site(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        name = self.path.removeprefix("/")
        body = page(int(name)) if name.isdecimal() else b""
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def served() -> Iterator[list[str]]:
    """The words of `topicrawl crawl` that reach this web."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Site)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield ["--resolve", f"*.test=127.0.0.1:{server.server_port}", "--allow-net", "127.0.0.0/8"]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
