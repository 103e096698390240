"""A web on loopback that counts how often each page is asked for."""

from __future__ import annotations

import contextlib
import re
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler
from typing import ClassVar


class Web(BaseHTTPRequestHandler):
    """Sites with as many pages each; every page is reached from the first one of the first site."""

    protocol_version = "HTTP/1.1"
    asked: ClassVar[Counter[str]]
    sites: ClassVar[int]
    pages: ClassVar[int]
    seconds: ClassVar[float]
    """Until an answer."""

    def do_GET(self) -> None:
        host = self.headers["host"].partition(":")[0]
        found = re.fullmatch(r"site(\d+)\.test/(\d+)", host + self.path)
        if self.path == "/robots.txt" or found is None:
            self.answer(404, "")
            return
        self.asked[host + self.path] += 1
        time.sleep(self.seconds)
        self.answer(200, self.html(int(found[1]), int(found[2])))

    def html(self, site: int, number: int) -> str:
        """A page with links to its own site and to three others."""
        links = [url(site, number + 1)] if number + 1 < self.pages else []
        links += [url((site * 2 + step) % self.sites, number) for step in (0, 1)]
        links += [url((site + 1) % self.sites, (number + 2) % self.pages)]
        text = " ".join(f"<li>about <a href={link}>rain {link[-2:]}</a></li>" for link in links)
        return f"<title>Rain {site}</title><h1>Rain and flood {number}</h1><p>rain</p><ul>{text}</ul>"

    def answer(self, status: int, text: str) -> None:
        self.send_response(status)
        self.send_header("content-type", "text/html")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        with contextlib.suppress(OSError):
            self.wfile.write(text.encode())

    def log_message(self, *_: object) -> None:
        return


def url(site: int, number: int) -> str:
    return f"http://site{site:02}.test/{number:02}"


def pages_of(sites: int, pages: int, seconds: float) -> type[Web]:
    """A web of its own."""
    return type("Counting", (Web,), {"asked": Counter(), "sites": sites, "pages": pages, "seconds": seconds})
