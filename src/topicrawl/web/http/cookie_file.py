"""Cookies of a file as browsers and curl write it (Netscape's cookies.txt), and which of them a request is sent.

A line has seven fields with tabs between them: domain, whether subdomains get it, path, whether only https does, when
it expires (seconds since 1970; 0 with the browser's session), name, value. No error repeats a name or a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from time import time
from typing import NamedTuple

from topicrawl.errors import ConfigError
from topicrawl.urls import canonical, hostname, registrable
from topicrawl.web.http.guard import literal

FIELDS = 7
HTTP_ONLY = "#HttpOnly_"
"""Begins a line of a cookie that scripts of pages cannot read; any other # begins a comment."""
NAME = re.compile(r"[^\x00-\x20\x7f=;]+")
VALUE = re.compile(r"[^\x00-\x1f\x7f;]*")
JSON = re.compile(r"\s*(\{|\[\s*[\]{])")
REMEDY = "export it as Netscape's cookies.txt, as curl and browser extensions do"


class Cookie(NamedTuple):
    """A cookie of the file."""

    domain: str
    subdomains: bool
    path: str
    secure: bool
    expires: float
    """Seconds since 1970; 0: it does not."""
    name: str
    value: str

    def goes_to(self, host: str, path: str, *, is_secure: bool, now: float) -> bool:
        """Whether a request for `path` at `host`, this domain or one below it, is sent the cookie."""
        at = self.path.rstrip("/")
        return (
            (host == self.domain or self.subdomains)
            and (is_secure or not self.secure)
            and (not self.expires or self.expires > now)
            and (path == self.path or path.startswith(f"{at}/"))
        )


class CookieFile:
    """The cookies of a file, by domain."""

    def __init__(self, cookies: tuple[Cookie, ...] = ()) -> None:
        self._by_domain: dict[str, list[Cookie]] = {}
        for cookie in cookies:
            self._by_domain.setdefault(cookie.domain, []).append(cookie)

    def header(self, url: str) -> str:
        """The Cookie header of a request for `url` (canonical); empty where it gets none."""
        if not self._by_domain:
            return ""
        host, now = hostname(url), time()
        path = url[url.index("/", 8) :].partition("?")[0]
        sent = [
            cookie
            for domain in _domains(host)
            for cookie in self._by_domain.get(domain, ())
            if cookie.goes_to(host, path, is_secure=url.startswith("https:"), now=now)
        ]
        sent.sort(key=lambda cookie: -len(cookie.path))
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in sent)


def read_cookies(text: str, where: str) -> tuple[Cookie, ...]:
    """The cookies in `text` that have not expired; `where` is what an error calls the file."""
    text = text.removeprefix("\ufeff")
    if JSON.match(text):
        raise ConfigError(f"{where} is JSON; {REMEDY}")
    found = [
        _read(line, f"{where}, line {number}")
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip() and (not line.startswith("#") or line.startswith(HTTP_ONLY))
    ]
    if not found:
        raise ConfigError(f"{where} holds no cookie; {REMEDY}")
    now = time()
    fresh = tuple(cookie for cookie in found if not cookie.expires or cookie.expires > now)
    if not fresh:
        raise ConfigError(f"{where}: all {len(found)} cookies have expired; log in and export them again")
    return fresh


def _read(line: str, where: str) -> Cookie:
    fields = line.rstrip("\r").removeprefix(HTTP_ONLY).split("\t")
    if len(fields) == FIELDS - 1:
        fields.append("")  # curl and some exporters leave out an empty value with its tab
    if len(fields) != FIELDS:
        raise ConfigError(f"{where} has {len(fields)} fields with tabs between them, not {FIELDS}; {REMEDY}")
    domain, subdomains, path, secure, expires, name, value = fields
    for number, word in ((2, subdomains), (4, secure)):
        if word.upper() not in ("TRUE", "FALSE"):
            raise ConfigError(f"{where}: field {number} must be TRUE or FALSE; {REMEDY}")
    if not re.fullmatch(r"-?\d{1,15}(\.\d*)?", expires):
        raise ConfigError(f"{where}: field 5 must be a time in seconds since 1970, or 0; {REMEDY}")
    if not NAME.fullmatch(name) or not VALUE.fullmatch(value):
        raise ConfigError(f"{where}: its name or value cannot be sent as a cookie; {REMEDY}")
    url = canonical(f"http://{domain.removeprefix('.')}/") if not re.search(r"[/@?#\s]", domain) else None
    if not url or not path.startswith("/"):
        raise ConfigError(f"{where}: field 1 must be a domain, field 3 a path such as /; {REMEDY}")
    host = hostname(url)
    below = subdomains.upper() == "TRUE" and not literal(host)
    if below and registrable(host) is None:
        raise ConfigError(
            f"{where}: {host} is a public suffix, whose sites belong to many; remove the line, or name one site"
        )
    # some exporters write −1 for a cookie of the session
    return Cookie(host, below, path, secure.upper() == "TRUE", max(0.0, float(expires)), name, value)


def _domains(host: str) -> Iterator[str]:
    """`host` and the domains above it."""
    yield host
    while not literal(host) and "." in host:
        host = host.partition(".")[2]
        yield host
