"""`index.cdxj`: where in the archive each URL was captured, sorted by SURT key, as pywb and WACZ read it.

A SURT key has the host's labels reversed (`com,example)/path`), so that the pages of a site, and the sites of a
domain, are adjacent. Replay tools normalise a requested URL in the same way: scheme, user, `www.`, default port,
fragment, trailing slash, letter case, order of query arguments and session ids are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from urllib.parse import quote, unquote_to_bytes, urlsplit

import msgspec

from topicrawl.store.archive import segment_name
from topicrawl.store.log import Place

WWW = re.compile(r"^www\d*\.")
DEFAULT_PORTS = {"http": 80, "https": 443}
SESSION_IN_PATH = re.compile(r"/\((?:[0-9a-z]{24}|(?:[a-z]\([0-9a-z]{24}\))+)\)(?=/[^?]+\.aspx)")
SESSION_IN_QUERY = re.compile(
    r"(?:(?:jsessionid|phpsessid|sid)=[0-9a-z]{32}|aspsessionid[a-z]{8}=[a-z]{24}|cfid=[^&]+&cftoken=[^&]+)"
    r"(?:&|$)"
)
PLAIN = "".join(chr(code) for code in range(0x21, 0x7F) if chr(code) not in "#%")
"""Characters that are unescaped in a key, escaped in the URL or not."""
USUAL = re.compile(
    r"https?://(?:www\d*\.)?([a-z0-9-]+(?:\.[a-z0-9-]+)*)(/[a-z0-9._~-]+(?:/[a-z0-9._~-]+)*|)/?"
)
"""Most URLs need no other normalisation than this pattern does: ten times as fast."""


def cdxj(places: Iterable[Place]) -> bytes:
    """The whole index: one line per capture, in byte order, as binary search needs it."""
    return b"".join(sorted(_line(place) for place in places))


def surt(url: str) -> str:
    """The sort key under which `url` (canonical, http or https) is looked up.

    >>> surt("https://www.example.com:443/Some/Page/?b=2&a=1#top")
    'com,example)/some/page?a=1&b=2'
    """
    lower = url.lower()
    if usual := USUAL.fullmatch(lower):
        return f"{','.join(reversed(usual[1].split('.')))}){usual[2] or '/'}"
    parts = urlsplit(lower)
    host = WWW.sub("", (parts.hostname or "").strip("."))
    port = "" if parts.port in {None, DEFAULT_PORTS.get(parts.scheme)} else f":{parts.port}"
    labels = [host] if ":" in host else reversed(host.split("."))
    path = re.sub("/+", "/", SESSION_IN_PATH.sub("", _normalised(parts.path))).rstrip("/") or "/"
    query = "&".join(sorted(SESSION_IN_QUERY.sub("", _normalised(parts.query)).split("&")))
    return f"{','.join(labels)}{port}){path}{'?' + query if query else ''}"


def _normalised(text: str) -> str:
    """`text` with all escapes undone, nested ones too, then escaped only where necessary."""
    plain = text.encode()
    while (unescaped := unquote_to_bytes(plain)) != plain:
        plain = unescaped
    return quote(plain, safe=PLAIN).lower()


def _line(place: Place) -> bytes:
    moment = datetime.fromtimestamp(place.started, UTC).strftime("%Y%m%d%H%M%S")
    fields = {
        "url": place.url,
        "mime": place.mime,
        "status": str(place.status),
        "digest": place.digest,
        "length": str(place.length),
        "offset": str(place.offset),
        "filename": segment_name(place.segment),
    }
    return f"{surt(place.url)} {moment} ".encode() + msgspec.json.encode(fields) + b"\n"
