"""The name of an archive as a web: `cdx:URL`, with the date as of which it is crawled `cdx:URL@YYYYMMDDhhmmss`.

URL is where the archive replays pages (`https://web.archive.org/web/`, `http://localhost:8080/collection/`); the
address of its index is understood too.
"""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import urlsplit

from topicrawl.errors import ConfigError
from topicrawl.urls import canonical

SCHEME = "cdx:"

_NAME = re.compile(r"cdx:(.*?)(?:@(\d{14}))?", re.DOTALL)
_WAYBACK = re.compile(r"(https?://(?:[^/]+\.)?archive\.org)/.*")
"""The Internet Archive: pages are below /web/, the index is elsewhere."""
_INDEX = re.compile(r"/(?:cdx|index)/?$")
"""How the index of a collection of pywb is called, now and in earlier versions."""


class Archive(NamedTuple):
    """Where an archive replays pages and has its index, and the date as of which it is crawled."""

    replay: str
    """Ends with a slash; a timestamp and the URL of a page follow."""
    listing: str
    """Its index."""
    at: str
    """YYYYMMDDhhmmss; captures after it do not count."""


def archive_name(web: str, at: str | None) -> str:
    """The full name of the archive `web`: where it replays, and its date; `ConfigError` if it has none."""
    found = _NAME.fullmatch(web)
    date = at or (found[2] if found else None)
    if date is None:
        raise ConfigError(f"--web {web}: an archive has many dates; say which: --at 2020-05-01")
    replay, _ = _addresses(found[1] if found else "", web)
    return f"{SCHEME}{replay}@{date}"


def read_name(name: str) -> Archive:
    """The archive called `name`; `ConfigError` if that is no full name of one."""
    found = _NAME.fullmatch(name)
    if found is None or found[2] is None:
        raise ConfigError(f"--web {name}: an archive has many dates; say which: --at 2020-05-01")
    return Archive(*_addresses(found[1], name), found[2])


def _addresses(given: str, name: str) -> tuple[str, str]:
    url = canonical(given)
    if url is None or urlsplit(given).query or "@" in urlsplit(given).netloc:
        raise ConfigError(
            f"--web {name}: {given!r} is no address of an archive; write it as cdx:https://web.archive.org/web/"
        )
    if wayback := _WAYBACK.fullmatch(url):
        return f"{wayback[1]}/web/", f"{wayback[1]}/cdx/search/cdx"
    collection = _INDEX.sub("", url).rstrip("/")
    return f"{collection}/", f"{collection}/cdx"
