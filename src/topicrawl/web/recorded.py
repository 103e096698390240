"""A recorded web: one WARC, several, or a folder of them, answered from disk.

A recorded URL is answered as it was recorded, any other with status 404. robots.txt is not consulted, because no
server is asked.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from topicrawl.errors import FetchError, WebError
from topicrawl.model import Hop, Rendered, Response
from topicrawl.urls import canonical, join
from topicrawl.web.cache_folder import cache_folder, key
from topicrawl.web.warc_answers import Answer, answers, rendered_answers
from topicrawl.web.warc_index import Index, index
from topicrawl.web.warc_record import BODY_LIMIT, Recorded, read_record
from topicrawl.web.warc_scan import Row

REDIRECTS = 5
"""Redirects followed for one page."""
REDIRECT_STATUSES = frozenset({301, 302, 303, 307, 308})
SUFFIXES = (".warc", ".warc.gz", ".warc.zst")
LONGEST = BODY_LIMIT + (1 << 20)
"""Most bytes of a record that are read: the body limit and 1 MiB for headers."""


class RecordedWeb:
    """The web in the WARCs at `paths`. `reads` counts the recorded answers returned by `fetch`."""

    def __init__(self, paths: Path | str | Sequence[Path | str], cache: Path | None = None) -> None:
        given = [paths] if isinstance(paths, Path | str) else list(paths)
        indexes, self.warnings = _indexes([Path(path) for path in given], cache_folder(cache))
        self.answers, orphans = answers(indexes)
        self._shown = rendered_answers(indexes)
        if orphans:
            self.warnings.append(f"{orphans} revisit records refer to nothing in this web; they are left out")
        self.reads = 0
        self.fingerprint = key(*(one.stamp for one in indexes))
        self._name = ",".join(map(str, given))
        self._files = [Path(one.file) for one in indexes]
        self._data: dict[int, mmap.mmap] = {}
        for number, one in enumerate(indexes):
            if one.file != one.stamp[0]:
                self._open(
                    number
                )  # an unpacked copy in the cache, which may be cleared while the web is open

    @property
    def name(self) -> str:
        return self._name

    async def fetch(self, url: str, headers: tuple[tuple[str, str], ...] = ()) -> Response:
        """The recorded answer, redirects followed; 404 when `url` or its target was not recorded."""
        hops: list[Hop] = []
        answer = self.exchange(url)
        while target := _target(answer):
            hops.append(Hop(answer.url, answer.status, answer.reason, answer.headers, answer.body))
            if len(hops) > REDIRECTS:
                raise FetchError("redirects", f"more than {REDIRECTS}", status=answer.status)
            answer = self.exchange(target)
        self.reads += answer.url in self.answers
        return replace(answer, asked=url, hops=tuple(hops)) if hops else answer

    def exchange(self, url: str, headers: tuple[tuple[str, str], ...] = ()) -> Response:
        """The single answer for `url`, redirects not followed."""
        at = canonical(url) or url
        answer = self.answers.get(at)
        if answer is None:
            return Response(asked=url, url=at, status=404, reason="Not Found")
        recorded = self._recorded(answer)
        return Response(
            asked=url,
            url=at,
            status=recorded.status,
            reason=recorded.reason,
            headers=recorded.headers,
            body=recorded.body,
            content=recorded.content,
            size=len(recorded.content),
            truncated=recorded.truncated,
            http_version=recorded.version,
            rendered=self._rendered(at),
        )

    def behaviour(self, url: str) -> str:
        """A recorded web does not misbehave; see `serve`."""
        return ""

    async def host_answers(self, url: str) -> bool:
        """Always: no network is needed."""
        return True

    def remember(self, url: str, parsed: bytes) -> None:
        """No effect: see `CachedWeb`."""

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
        for data in self._data.values():
            data.close()
        self._data.clear()

    def _rendered(self, url: str) -> Rendered | None:
        """What a browser showed of the page when it was recorded, if one did."""
        shown = self._shown.get(url)
        return None if shown is None else Rendered(self._recorded(shown).content, shown.row.rendered)

    def _recorded(self, answer: Answer) -> Recorded:
        if answer.original is None:
            return read_record(self._block(answer.file, answer.row))
        original = self._recorded(answer.original)
        if answer.status != answer.row.status:
            return original
        own = read_record(self._block(answer.file, answer.row))
        return replace(original, status=own.status, reason=own.reason, headers=own.headers)

    def _block(self, file: int, row: Row) -> bytes:
        data = self._data.get(file) or self._open(file)
        return data[row.offset : row.offset + min(row.length, LONGEST)]

    def _open(self, file: int) -> mmap.mmap:
        with self._files[file].open("rb") as opened:
            data = self._data[file] = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
        return data


def _indexes(paths: list[Path], cache: Path) -> tuple[list[Index], list[str]]:
    """The indexes of all readable files, and warnings; an error only if no file is readable."""
    found, faults = [], []
    for file in (file for path in paths for file in _warcs(path)):
        try:
            found.append(index(file, cache))
        except WebError as fault:
            faults.append(fault)
    if not found:
        raise faults[0]
    return found, [str(fault) for fault in faults] + [warning for one in found for warning in one.warnings]


def _warcs(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = sorted(file for file in path.rglob("*.warc*") if file.name.endswith(SUFFIXES))
    if not files:
        raise WebError(f"web {path}: no WARC in this folder; its files must end in {', '.join(SUFFIXES)}")
    return files


def _target(answer: Response) -> str | None:
    """Where an answer redirects to; None when it does not, or not to an http(s) URL."""
    if answer.status not in REDIRECT_STATUSES:
        return None
    location = answer.header("Location").encode("latin-1", "replace").decode("utf-8", "replace")
    return join(answer.url, location) if location else None
