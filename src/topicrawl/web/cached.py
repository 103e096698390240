"""A web around a web that caches parsed pages, so that a second crawl of the same pages parses nothing.

Pages are cached under their final URL, so a redirect is fetched from the wrapped web. Several crawls may share one
cache. A batch that cannot be written is dropped: its pages are parsed again next time.
"""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from time import monotonic, sleep

import zstandard

from topicrawl.model import Response
from topicrawl.web import Web, Wrapper
from topicrawl.web.cache_folder import code_key, key, make_folder

BATCH = 200
"""Pages that are written together."""
BUSY_SECONDS = 5.0
"""How long a writer waits for the lock of another process."""


def parser_key() -> str:
    """A hash of the code and libraries that parse pages: cached pages are valid only for the same parser."""
    return key(version("turbohtml"), code_key("model.py", "urls.py", "page"))


class CachedWeb(Wrapper):
    """`web` with its parsed pages cached in the SQLite file at `path`.

    With `bodies` every answer also has its body, as an archive needs it.
    """

    def __init__(self, web: Web, path: Path, *, bodies: bool) -> None:
        super().__init__(web)
        self.bodies = bodies
        self._hits = 0
        self._sizes: dict[str, int] = {}
        self._batch: list[tuple[str, int, bytes]] = []
        self._reader = _connect(path)
        self._writer = _connect(path)
        self._thread = ThreadPoolExecutor(1, "page-cache")
        self._unpack = zstandard.ZstdDecompressor().decompress
        self._pack = zstandard.ZstdCompressor(3).compress

    @property
    def reads(self) -> int:
        """Pages read from the cache or from the web itself."""
        return self._hits + self.web.reads

    async def fetch(self, url: str, headers: tuple[tuple[str, str], ...] = ()) -> Response:
        """The answer for `url`; a cached page comes parsed, and without content unless `bodies` is set."""
        if not self.bodies and not headers and (cached := self._cached(url)):
            self._hits += 1
            size, parsed = cached
            return Response(asked=url, url=url, status=200, reason="OK", size=size, parsed=parsed)
        answer = await self.web.fetch(url, headers)
        if answer.status != 200:
            return answer
        if cached := self._cached(answer.url):
            return replace(answer, parsed=cached[1])
        self._sizes[answer.url] = answer.size
        return answer

    def remember(self, url: str, parsed: bytes) -> None:
        """Cache the packed page parsed from the answer whose final URL is `url`.

        Of two answers fetched at a time, the first is cached. A page that a user's function made is not.
        """
        size = self._sizes.pop(url, None)
        if size is None:
            return
        self._batch.append((url, size, parsed))
        if len(self._batch) >= BATCH:
            self._flush()

    async def close(self) -> None:
        self._flush()
        self._thread.shutdown()
        self._reader.close()
        self._writer.close()
        await self.web.close()

    def _cached(self, url: str) -> tuple[int, bytes] | None:
        try:
            row = self._reader.execute("SELECT size, page FROM pages WHERE url = ?", (url,)).fetchone()
            return (row[0], self._unpack(row[1])) if row else None
        except (sqlite3.Error, zstandard.ZstdError):
            return None

    def _flush(self) -> None:
        batch, self._batch = self._batch, []
        self._thread.submit(self._write, batch)

    def _write(self, batch: list[tuple[str, int, bytes]]) -> None:
        rows = [(url, size, self._pack(parsed)) for url, size, parsed in batch]
        with suppress(sqlite3.Error), self._writer:
            self._writer.executemany("INSERT OR REPLACE INTO pages VALUES (?, ?, ?)", rows)


def _connect(path: Path) -> sqlite3.Connection:
    """A connection to the cache at `path`; a damaged cache is replaced by an empty one.

    SQLite does not wait when two processes change a new file to WAL at a time: one is refused at once, and tries again.
    """
    make_folder(path.parent)
    give_up = monotonic() + BUSY_SECONDS
    while True:
        try:
            return _open(path)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or monotonic() > give_up:
                raise
            sleep(0.02)
        except sqlite3.DatabaseError:
            path.unlink()


def _open(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(
            "CREATE TABLE IF NOT EXISTS pages (url TEXT PRIMARY KEY, size INTEGER NOT NULL, page BLOB NOT NULL)"
        )
        connection.commit()
    except sqlite3.Error:
        connection.close()
        raise
    return connection
