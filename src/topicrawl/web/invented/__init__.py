"""An invented web: each page is a function of its URL and the web's seed; nothing is stored, its topics are known.

    URL ─► atlas (page and topic) ─► links (targets and anchors) ─► render (HTML)

The same seed gives the same web, byte for byte, on every machine. `invented:7@day=30` is the web `invented:7` thirty
days later (days.py): pages were added, have changed and have vanished; sitemaps tell when.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from email.utils import formatdate
from itertools import islice

from topicrawl.errors import FetchError, WebError
from topicrawl.model import Hop, Response
from topicrawl.web.invented.atlas import Atlas, Spot
from topicrawl.web.invented.days import EPOCH, HOURS
from topicrawl.web.invented.hosts import Host
from topicrawl.web.invented.lexicon import lexicon
from topicrawl.web.invented.links import Linker
from topicrawl.web.invented.render import Renderer
from topicrawl.web.invented.shape import SHAPES, Shape
from topicrawl.web.invented.traps import TrapPages
from topicrawl.web.invented.truth import Truth

Headers = tuple[tuple[str, str], ...]

MAX_HOPS = 10
DEFAULT_SEED = 1
SITEMAP = "/sitemap.xml"
"""Where a host of a web with time lists its pages."""
SITEMAP_URLS = 50_000
"""The most that a sitemap may list."""
SITEMAPS = "http://www.sitemaps.org/schemas/sitemap/0.9"
_SPEC = re.compile(
    r"invented:(?:(?P<seed>\d{1,18})|(?P<shape>[a-z]+)(?::(?P<shape_seed>\d{1,18}))?)"
    r"(?:@day=(?P<day>\d{1,5}(?:\.\d{1,4})?))?"
)
_MOVED = re.compile(r"/moved/(\d{1,4})-(\d{1,18})")
_OUT = re.compile(r"/out/(\d{1,6})-(\d{1,4})-(\d{1,18})")
_REASONS = {200: "OK", 301: "Moved Permanently", 302: "Found", 304: "Not Modified", 404: "Not Found"}


class InventedWeb(Truth):
    """A seeded web whose pages have known topics.

    It acts as the server: it has a robots.txt, and obeying it is up to the crawler.
    """

    warnings: tuple[str, ...] = ()
    reads = 0

    def __init__(self, seed: int, shape: Shape = SHAPES[""], day: float | None = None) -> None:
        self.seed = seed
        self.shape = shape
        self.day = day
        atlas = Atlas(seed, shape, lexicon(), None if day is None else round(HOURS * day))
        super().__init__(atlas, Linker(atlas))
        self._renderer = Renderer(self.atlas, self.linker)
        self._traps = TrapPages(seed, atlas.words) if shape.traps else None

    @property
    def name(self) -> str:
        """The value of `--web` for this web."""
        day = "" if self.day is None else f"@day={self.day:.10g}"
        if self.shape.name == "":
            return f"invented:{self.seed}{day}"
        return f"invented:{self.shape.name}" + (f":{self.seed}" if self.seed != DEFAULT_SEED else "") + day

    def go_to(self, day: float) -> None:
        """Have a web with time be as on this day."""
        assert self.atlas.days is not None, "a web without time stays as it is"
        self.day = day
        self.atlas.days.go_to(round(HOURS * day))

    async def fetch(self, url: str, headers: Headers = ()) -> Response:
        """The answer for `url`, redirects followed; a page whose body ends early is a `FetchError`."""
        hops: list[Hop] = []
        answer = self.exchange(url, headers)
        while answer.status in {301, 302}:
            if len(hops) == MAX_HOPS:
                raise FetchError("redirects", f"more than {MAX_HOPS} from {url}")
            hops.append(Hop(answer.url, answer.status, answer.reason, answer.headers, answer.body))
            answer = self.exchange(answer.header("Location"), headers)
        if self.behaviour(answer.url) == "cut":
            raise FetchError("cut", answer.url)
        return Response(
            asked=url,
            url=answer.url,
            status=answer.status,
            reason=answer.reason,
            headers=answer.headers,
            body=answer.body,
            content=answer.content,
            size=answer.size,
            hops=tuple(hops),
        )

    def exchange(self, url: str, headers: Headers = ()) -> Response:
        """The single answer for `url`, redirects not followed."""
        if self._traps and (page := self._traps.page(url)):
            return _answer(url, 200, "text/html; charset=utf-8", page.encode())
        host, path = self.atlas.split(url)
        if host is None:
            return _answer(url, 404, "text/plain", b"no such host\n")
        if path == "/robots.txt":
            return _answer(url, 200, "text/plain", _robots(host, self.day is not None).encode())
        if path == SITEMAP and self.day is not None:
            return _answer(url, 200, "application/xml", self._sitemap(host).encode())
        spot = self.atlas.spot(url)
        if spot is not None:
            return self._page(url, spot, headers)
        return self._redirect(url, host, path) or _answer(url, 404, "text/html", _message("Not found"))

    def behaviour(self, url: str) -> str:
        """How a server should misbehave at `url`: "slow", "cut" (the body ends early) or not at all."""
        spot = self.atlas.spot(url)
        fault = "" if spot is None else self.atlas.traits(spot).fault
        return fault if fault in {"slow", "cut"} else ""

    async def host_answers(self, url: str) -> bool:
        """Always: no network is needed."""
        return True

    def remember(self, url: str, parsed: bytes) -> None:
        """No effect: making a page again is as fast as keeping it."""

    def rest(self, hosts: Iterable[str]) -> None:
        """No effect: no host is asked."""

    def resting(self) -> dict[str, float]:
        """None: no host is asked."""
        return {}

    def pace(self, delay: float, concurrency: int) -> None:
        """No effect: no host is asked."""

    def addresses(self) -> set[str]:
        """None: no host is asked."""
        return set()

    def share_addresses(self, addresses: Mapping[str, int]) -> None:
        """No effect: no host is asked."""

    async def close(self) -> None:
        """Nothing is open."""

    def _page(self, url: str, spot: Spot, headers: Headers) -> Response:
        traits = self.atlas.traits(spot)
        if traits.fault == "failing":
            return _answer(url, 500, "text/html", _message("Internal error"))
        dated: Headers = ()
        tag = f"{self.seed}-{spot.host}-{spot.section}-{spot.page}"
        if self.day is not None:
            since = self.atlas.last_change(spot)
            tag, dated = f"{tag}-{since}", (("Last-Modified", formatdate(_seconds(since), usegmt=True)),)
        tag = f'"{tag}"'
        if any(name.lower() == "if-none-match" and tag in value for name, value in headers):
            return _answer(url, 304, "text/html", b"", ("ETag", tag), *dated)
        host = self.atlas.hosts[spot.host]
        charset = host.charset
        text = self._renderer.page(spot, traits)
        if self._traps:
            baits = self._traps.baits(host.name, self.atlas.words.topic[traits.topic], url, self.shape.traps)
            text = text.replace("</main>", f"{baits}</main>")
        body = text.encode(charset)
        return _answer(url, 200, f"text/html; charset={charset}", body, ("ETag", tag), *dated)

    def _sitemap(self, host: Host) -> str:
        """The pages of a host, each with the time of its last change; those that never changed without one."""
        entries = []
        for spot in islice(self.atlas.spots_of(host), SITEMAP_URLS):
            since = self.atlas.last_change(spot)
            when = datetime.fromtimestamp(_seconds(since), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            dated = f"<lastmod>{when}</lastmod>" if since else ""
            entries.append(f"<url><loc>{self.atlas.url(spot)}</loc>{dated}</url>\n")
        return f'<?xml version="1.0"?>\n<urlset xmlns="{SITEMAPS}">\n{"".join(entries)}</urlset>\n'

    def _redirect(self, url: str, host: Host, path: str) -> Response | None:
        """The redirect at `url`: 301 for old addresses of pages, 302 for links through a click counter."""
        if match := _MOVED.fullmatch(path):
            status, place = 301, (host.number, *map(int, match.groups()))
        elif match := _OUT.fullmatch(path):
            status, place = 302, tuple(map(int, match.groups()))
        else:
            return None
        spot = self.atlas.existing(*place)
        if spot is None:
            return None
        return _answer(url, status, "text/html", _message("Moved"), ("Location", self.atlas.url(spot)))


def _answer(url: str, status: int, media_type: str, body: bytes, *more: tuple[str, str]) -> Response:
    headers = (("Content-Type", media_type), ("Content-Length", str(len(body))), *more)
    reason = _REASONS.get(status, "Internal Server Error")
    return Response(url, url, status, reason, headers, body, body, len(body))


def _message(text: str) -> bytes:
    return f"<!doctype html><title>{text}</title><p>{text}</p>\n".encode()


def _seconds(hour: int) -> int:
    """An hour of a web with time in seconds since 1970."""
    return EPOCH + 3600 * hour


def _robots(host: Host, has_sitemap: bool) -> str:
    rules = ["User-agent: *", f"Disallow: /{host.closed}/" if host.closed else "Disallow:"]
    if host.delay:
        rules.append(f"Crawl-delay: {host.delay}")
    if has_sitemap:
        rules.append(f"Sitemap: http://{host.name}{SITEMAP}")
    return "\n".join(rules) + "\n"


def invented_web(spec: str) -> InventedWeb:
    """The web named `spec`: `invented:7`, `invented:scale`, `invented:site`, `invented:7@day=30` …"""
    match = _SPEC.fullmatch(spec)
    shape = SHAPES.get(match["shape"] or "") if match else None
    if match is None or shape is None:
        raise WebError(
            f"no invented web is called {spec!r}; write invented:7, invented:scale, invented:sites, invented:site "
            "or invented:traps, or with time invented:7@day=30"
        )
    day = None if match["day"] is None else float(match["day"])
    return InventedWeb(int(match["seed"] or match["shape_seed"] or DEFAULT_SEED), shape, day)
