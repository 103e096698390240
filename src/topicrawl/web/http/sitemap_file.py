"""One sitemap file: a stranger's XML, or a list of lines.

Document types and entities are refused, and damage ends the reading without losing what came before it.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from xml.parsers import expat

from topicrawl import urls
from topicrawl.web.http.decoding import GZIP_MAGIC, decoded

ENTRIES = frozenset({"url", "sitemap"})
"""Elements whose `<loc>` is a link; images and videos have one, too, that is none."""


class StopReading(Exception):  # noqa: N818 - it ends the reading, it is no error
    """There is enough, or more is refused."""


@dataclass(slots=True)
class Sitemap:
    """The links of one sitemap file, as written."""

    locations: list[str] = field(default_factory=list)
    is_index: bool = False

    def canonical(self) -> list[str]:
        """The links we could follow."""
        return [url for location in self.locations if (url := urls.canonical(location.strip()))]


def parse_sitemap(content: bytes, limit: int, most: int) -> Sitemap:
    """The first `most` links of a sitemap, XML or one URL a line, gzipped or not, within `limit` bytes."""
    if content.startswith(GZIP_MAGIC):
        content, _ = decoded(content, ["gzip"], limit)
    if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return _Reader(most).read(content)
    lines = content.decode("utf-8", "replace").removeprefix("\ufeff").splitlines()
    return Sitemap([line for line in lines if line.strip()][:most])


class _Reader:
    """Picks the `<loc>` of each entry out of a stream of XML events."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: list[str] = []
        self._text = ""
        self._sitemap = Sitemap()

    def read(self, content: bytes) -> Sitemap:
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.CharacterDataHandler = self._characters
        parser.EndElementHandler = self._end
        parser.StartDoctypeDeclHandler = self._refuse
        parser.EntityDeclHandler = self._refuse
        with suppress(expat.ExpatError, StopReading, ValueError):
            parser.Parse(content, True)
        return self._sitemap

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        local = name.rpartition(" ")[2]
        if not self._open:
            self._sitemap.is_index = local == "sitemapindex"
        self._open.append(local)
        self._text = ""

    def _characters(self, data: str) -> None:
        if self._open[-1] == "loc" and len(self._text) <= urls.MAX_LENGTH:
            self._text += data

    def _end(self, name: str) -> None:
        if self._open.pop() == "loc" and self._open and self._open[-1] in ENTRIES:
            self._sitemap.locations.append(self._text)
            if len(self._sitemap.locations) >= self._most:
                raise StopReading
        self._text = ""

    def _refuse(self, *declaration: object) -> None:
        raise StopReading
