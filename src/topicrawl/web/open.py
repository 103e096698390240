"""Opens the web that `--web` names."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from topicrawl.errors import WebError
from topicrawl.urls import host
from topicrawl.web import Web
from topicrawl.web.archive_name import SCHEME
from topicrawl.web.cache_folder import cache_folder, code_key, key

if TYPE_CHECKING:
    from topicrawl.web.http import HttpSettings
    from topicrawl.web.invented import InventedWeb
    from topicrawl.web.recorded import RecordedWeb


def open_web(
    spec: str, *, bodies: bool = False, cache: Path | None = None, http: HttpSettings | None = None
) -> Web:
    """The web called `spec`: `http`, `invented:SEED`, `invented:SHAPE[:SEED]`, the path of a WARC or a folder, or the
    replay server of an archive with a date (`cdx:URL@20200501235959`).

    An invented web may have a day: `invented:7@day=30`.
    Recorded and invented webs keep parsed pages in the folder `cache` (see `cache_folder`). `bodies` asks for
    the body of every answer, as an archive needs it; only the webs `http` and `cdx:` need the settings `http`.
    """
    if spec == "http":
        from topicrawl.web.http import HttpWeb

        if http is None:
            raise WebError(
                "web 'http': a recorded or invented web is needed here; write invented:7 or a path"
            )
        return HttpWeb(http)
    if spec.startswith(SCHEME):
        return _archive(spec, http)
    web = open_offline(spec, cache)
    if getattr(web, "day", None) is not None:
        return web  # its pages change: another day would be another cache
    return _cached(web, cache_folder(cache), bodies)


def _archive(spec: str, http: HttpSettings | None) -> Web:
    from topicrawl.web.archive import ArchiveWeb

    if http is None:
        raise WebError(
            f"web {spec!r}: an archive on a server cannot be used here; write invented:7 or a path"
        )
    return ArchiveWeb(spec, http)


def open_offline(spec: str, cache: Path | None = None) -> RecordedWeb | InventedWeb:
    """The invented or recorded web called `spec`, without a cache."""
    if spec.startswith("invented"):
        from topicrawl.web.invented import invented_web

        return invented_web(spec)
    if spec.startswith(SCHEME):
        raise WebError(
            f"web {spec!r}: an archive on a server cannot be used here; write invented:7 or a path"
        )
    if spec.startswith(("http:", "https:")):
        raise WebError(
            f"web {spec!r}: this is the URL of a page; write --web http and give the page as a seed"
        )
    if not spec or not Path(spec).exists():
        raise WebError(
            f"web {spec!r}: no such file; write http, invented:7, cdx:URL, or the path of a WARC or a folder of them"
        )
    from topicrawl.web.recorded import RecordedWeb

    return RecordedWeb(spec, cache)


def _cached(web: RecordedWeb | InventedWeb, folder: Path, bodies: bool) -> Web:
    """`web` with its pages cached in `folder`; `web` itself if the folder cannot be written."""
    from topicrawl.web.cached import CachedWeb, parser_key
    from topicrawl.web.recorded import RecordedWeb

    if isinstance(web, RecordedWeb):
        state = web.fingerprint
        label = f"{Path(web.name).name}-{key(str(Path(web.name).resolve()))}"
    else:
        state = code_key("web/invented")
        label = web.name.replace(":", "-")
    path = folder / f"{label}.pages-{key(state, parser_key())}.db"
    with suppress(OSError):
        _drop_outdated(path, f"{label}.pages-*")
    try:
        return CachedWeb(web, path, bodies=bodies)
    except (OSError, sqlite3.Error):
        return web


def _drop_outdated(current: Path, pattern: str) -> None:
    """Remove caches of an earlier state of this web or of an earlier parser: they are never read again."""
    for file in current.parent.glob(pattern):
        if not file.name.startswith(current.name):
            file.unlink()


@dataclass(frozen=True, slots=True)
class WebInfo:
    """Counts of a web. `bytes` are those of bodies as recorded, before decoding; an invented web has none."""

    pages: int
    hosts: Counter[str]
    statuses: Counter[int]
    media_types: Counter[str]
    bytes: int
    warnings: tuple[str, ...]


def web_info(path: Path | str, cache: Path | None = None) -> WebInfo:
    """The counts of the recorded web at `path`: one answer per URL, as a crawl would get them.

    Of an invented web (`invented:7`), its pages on each host.
    """
    if str(path).startswith("invented:"):
        from topicrawl.web.invented import invented_web

        counts = invented_web(str(path)).atlas.counts()
        return WebInfo(counts.total(), counts, Counter(), Counter(), 0, ())
    from topicrawl.web.recorded import RecordedWeb

    web = RecordedWeb(path, cache)
    answers = web.answers.values()
    return WebInfo(
        pages=sum(answer.status == 200 for answer in answers),
        hosts=Counter(host(url) for url in web.answers),
        statuses=Counter(answer.status for answer in answers),
        media_types=Counter(answer.row.media_type for answer in answers),
        bytes=sum(answer.row.size for answer in answers),
        warnings=tuple(web.warnings),
    )
