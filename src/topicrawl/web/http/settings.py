"""All settings and limits of the HTTP web. Times are in seconds, sizes in bytes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version

from topicrawl.web.http.cookie_file import Cookie

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Fixed limits that keep a crawl polite and safe. No setting changes them; tests shorten them."""

    address_delay: float = 0.25
    """Delay between two requests to one address."""
    crawl_delay_cap: float = 60.0
    """Longest `Crawl-delay` of a robots.txt that is obeyed; a longer one is reduced to this."""

    backoff: float = 1.0
    """Delay before the first retry; doubles with each, plus random jitter of up to half of it."""
    backoff_cap: float = 60.0
    """Longest delay before a retry."""
    retry_after_cap: float = 120.0
    """Longest `Retry-After` that is waited for; a longer one is an error (`retry-later`)."""

    min_rate: float = 1024.0
    """Bytes a second below which a body is given up …"""
    min_rate_window: float = 15.0
    """… measured over periods of this length."""
    keep_alive: float = 5.0
    """How long an idle connection is kept for the next request to its host."""
    dns_deadline: float = 10.0
    """One name lookup."""
    dns_age: float = 300.0
    """How long a lookup is cached."""
    dns_failure_age: float = 60.0
    """How long a failed lookup is cached."""

    header_bytes: int = 64 << 10
    """All header lines of an answer together."""
    header_lines: int = 200
    """Number of header lines of an answer."""
    encodings: int = 2
    """Content encodings stacked on one another."""
    redirects: int = 5
    """Redirects followed for one page, and for one robots.txt."""

    robots_bytes: int = 512 << 10
    """How much of a robots.txt is read; the rest is ignored."""
    robots_failure_age: float = 60.0
    """How long an unreachable robots.txt closes its host before it is requested again; doubles each time."""
    robots_failure_cap: float = 3600.0
    """Longest such time."""

    sitemap_bytes: int = 50 * MIB
    """One sitemap after decoding."""
    sitemap_urls: int = 50_000
    """Addresses taken from all sitemaps of a host."""
    sitemap_depth: int = 2
    """Sitemap indexes inside sitemap indexes; 1 allows an index of plain sitemaps."""
    sitemap_files: int = 500
    """Sitemap files read for one host."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpSettings(Limits):
    """The settings of requests, politeness and limits.

    `Config.http` fills these in; their defaults are in config.py only.
    """

    user_agent: str
    """The user agent; empty means `topicrawl/VERSION`."""
    contact: str
    """A URL or mail address where a site's owner can reach the operator of the crawl; added to the user agent."""
    headers: tuple[tuple[str, str], ...]
    """Extra request headers, sent to every host; secrets are refused here."""
    secrets: Mapping[str, tuple[tuple[str, str], ...]] = field(repr=False)
    """Request headers that one origin (`https://example.org`) gets and no other, whatever redirects there are."""
    cookies: bool
    """Whether cookies are kept and sent back; those set for a public suffix (co.uk, github.io) never are."""
    cookie_file: tuple[Cookie, ...] = field(repr=False)
    """Cookies that the user brings. They are sent where they belong, whether or not `cookies` is set."""
    proxy: str | None = field(repr=False)
    """`http://[user:password@]host:port` that carries every request, or `socks5h://`, or `socks5://`. But for the
    last it resolves the names, so the address guard sees only hosts that are written as addresses; the proxy itself
    is trusted."""
    ca_file: str | None
    """PEM file of further certificate authorities. Certificates are always verified."""

    allow_nets: tuple[str, ...]
    """Networks (CIDR) that are fetched from although they are not public."""
    resolve: Mapping[str, str]
    """Names resolved by this table: `name`, `*.suffix` or `*` → `address[:port][, address[:port] …]`.
    The Host header and the certificate check keep the name; the guard still checks the addresses."""

    delay: float
    """Delay between the end of one request to a host and the start of the next."""
    per_host: int
    """Requests in flight per host."""
    per_address: int | None
    """Requests in flight per address, however many hosts live there; None means 4, but no limit inside
    `allow_nets`: those machines are the user's own."""
    concurrency: int
    """Requests in flight altogether. A request that waits for its host does not count."""

    retries: int
    """Further attempts after a failure that may pass: no connection, time-out, 408, 429, 5xx."""
    rng_seed: int
    """Seed of the jitter in `backoff`."""

    deadline: float
    """One request, from connecting to its last byte; waiting for politeness does not count."""
    connect: float
    """TCP connection and TLS handshake together."""
    first_byte: float
    """Longest silence: until the answer begins, and between any two pieces of it."""
    body_bytes: int
    """Body as sent, and again after decoding; what is beyond is cut and the answer marked truncated."""
    robots_age: float
    """How long a robots.txt is cached."""

    @property
    def agent(self) -> str:
        """The User-Agent header."""
        agent = self.user_agent or f"topicrawl/{_version()}"
        return agent if not self.contact or self.contact in agent else f"{agent} (+{self.contact})"

    @property
    def product(self) -> str:
        """The product token of the user agent, by which robots.txt addresses us."""
        agent = self.agent
        named = re.search(r"compatible;\s*([\w-]+)", agent) or re.match(r"[\w-]+", agent)
        return (named[1] if named.lastindex else named[0]) if named else "topicrawl"


@lru_cache(maxsize=1)
def _version() -> str:
    try:
        return version("topicrawl")
    except PackageNotFoundError:
        return "0"
