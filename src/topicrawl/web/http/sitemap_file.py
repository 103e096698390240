"""Parses one sitemap file: untrusted XML (a sitemap, an index of sitemaps, an RSS or Atom feed), or one URL a line.

Document types that declare anything, and entities, are refused. `&` that begins no reference is read as itself. Of a
damaged file the links before the damage are kept.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass, field
from urllib.parse import urljoin
from xml.parsers import expat

from topicrawl import urls
from topicrawl.page.xml_text import DECLARATION, with_references
from topicrawl.web.http.decoding import GZIP_MAGIC, decoded

ENTRIES = frozenset({"url", "sitemap"})
"""Elements whose `<loc>` is a link; the `<loc>` of images and videos is not."""
FEEDS = frozenset({"rss", "RDF", "feed"})
FEED_ENTRIES = frozenset({"item", "entry"})
"""Elements of a feed whose `<link>` is taken; the feed's own links lead to the site and to the feed itself."""
FEED_DATES = frozenset({"updated", "modified", "pubDate", "date", "published", "issued"})
"""Elements of an entry of a feed that date it."""
CHANGE_DATES = frozenset({"updated", "modified"})
"""Those of them that date its last change."""
READ = FEED_DATES | {"loc", "lastmod", "link", "guid"}
"""Elements whose text is read."""
BASE = "http://www.w3.org/XML/1998/namespace base"
BEFORE_XML = codecs.BOM_UTF8 + b" \t\r\n"
"""Bytes often found before an XML declaration, where the standard allows none."""


class StopReading(Exception):  # noqa: N818 - it ends the reading, it is no error
    """Raised to stop: the limit of links is reached, or a declaration is refused."""


@dataclass(slots=True)
class Sitemap:
    """The links of one sitemap file, as written."""

    locations: list[str] = field(default_factory=list)
    changed: dict[str, str] = field(default_factory=dict)
    """By location: when its page changed last (`<lastmod>`, or the date of an entry of a feed), as written."""
    root: str = ""
    """The outermost element; empty in a list of lines."""
    damage: str = ""
    """Why the file was not read to its end; empty if it was, or if the limit of links was reached."""

    @property
    def is_index(self) -> bool:
        """Whether the links are further sitemaps."""
        return self.root == "sitemapindex"

    @property
    def is_feed(self) -> bool:
        """Whether it is an RSS or Atom feed."""
        return self.root in FEEDS

    @property
    def is_xml(self) -> bool:
        """Whether it is a kind of XML that lists links."""
        return self.is_index or self.is_feed or self.root == "urlset"

    def canonical(self, home: str | None = None) -> list[str]:
        """The links as canonical URLs. Those of a feed may be relative to its URL `home`."""
        found = [self._address(location, home) for location in self.locations]
        return [url for url in found if url]

    def dated(self, home: str | None = None) -> dict[str, str]:
        """The same of those links that say when their page changed last, and what they say."""
        found = {self._address(location, home): when for location, when in self.changed.items()}
        return {url: when for url, when in found.items() if url}

    def _address(self, location: str, home: str | None) -> str | None:
        location = location.strip()
        return urls.join(home, location) if home and self.is_feed and location else urls.canonical(location)


def parse_sitemap(content: bytes, limit: int, most: int) -> Sitemap:
    """The first `most` links of a sitemap, XML or one URL a line, gzipped or not, within `limit` bytes."""
    content, whole = unpacked(content, limit)
    wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    if wide:
        content = content.decode("utf-16", "replace").encode()
    bare = content.lstrip(BEFORE_XML)
    if bare.startswith(b"<"):
        lines_before = content[: len(content) - len(bare)].count(b"\n")
        encoding = "utf-8" if wide else None
        sitemap = _Reader(most, lines_before).read(bare, encoding)
        if sitemap.damage and (mended := with_references(bare)) != bare:
            again = _Reader(most, lines_before).read(mended, encoding)
            sitemap = max(sitemap, again, key=lambda each: len(each.locations))
    else:
        lines = content.decode("utf-8", "replace").removeprefix("\ufeff").splitlines()
        sitemap = Sitemap([line for line in lines if line.strip()][:most])
    if not whole:
        sitemap.damage = f"is damaged, or unpacks to more than {limit:,} bytes"
    return sitemap


def unpacked(content: bytes, limit: int) -> tuple[bytes, bool]:
    """The content, gunzipped if it is gzipped, up to `limit` bytes, and whether it is complete."""
    return decoded(content, ["gzip"], limit) if content.startswith(GZIP_MAGIC) else (content, True)


class _Reader:
    """Takes the link of each entry from a stream of XML events."""

    def __init__(self, most: int, lines_before: int) -> None:
        self._most = most
        self._lines_before = lines_before
        self._open: list[str] = []
        self._bases: list[str] = [""]
        """The base URL (`xml:base`) of each open element."""
        self._text = ""
        self._link = ""
        """The link of the current entry of a feed."""
        self._location = self._changed = ""
        """What the current entry says: its link (of a sitemap only), and when the page changed."""
        self._guid = ""
        """The permalink of the current entry, used if it has no link."""
        self._sitemap = Sitemap()

    def read(self, content: bytes, encoding: str | None) -> Sitemap:
        parser = expat.ParserCreate(encoding, namespace_separator=" ")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.CharacterDataHandler = self._characters
        parser.EndElementHandler = self._end
        parser.StartDoctypeDeclHandler = self._document_type
        parser.EntityDeclHandler = self._refuse
        try:
            parser.Parse(content, True)
        except StopReading:
            pass
        except expat.ExpatError as error:
            line = error.lineno + self._lines_before
            self._sitemap.damage = f"is malformed XML at line {line:,}: {expat.ErrorString(error.code)}"
        except (ValueError, LookupError) as error:  # an unknown encoding
            self._sitemap.damage = f"cannot be read as XML ({error})"
        return self._sitemap

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        local = name.rpartition(" ")[2]
        if not self._open:
            self._sitemap.root = local
        self._bases.append(_joined(self._bases[-1], attributes.get(BASE, "")))
        self._text = ""
        if local in FEED_ENTRIES:
            self._link = self._guid = self._changed = ""
        elif local == "link" and attributes.get("rel", "alternate") == "alternate":
            self._take(attributes.get("href", ""))
        self._open.append("guid?" if local == "guid" and attributes.get("isPermaLink") == "false" else local)

    def _characters(self, data: str) -> None:
        if self._open[-1] in READ and len(self._text) <= urls.MAX_LENGTH:
            self._text += data

    def _end(self, name: str) -> None:
        ended = self._open.pop()
        inside = self._open[-1] if self._open else ""
        if ended == "loc" and inside in ENTRIES:
            self._location = self._text
            self._add(self._text)
        elif ended == "lastmod" and inside in ENTRIES:
            self._changed = self._text.strip()
        elif ended in ENTRIES:
            self._date()
        elif self._sitemap.is_feed and ended in FEED_ENTRIES:
            self._location = self._link or self._guid
            self._date()
            self._add(self._link or self._guid)
        elif ended in FEED_DATES and inside in FEED_ENTRIES:
            if ended in CHANGE_DATES or not self._changed:
                self._changed = self._text.strip()
        elif ended == "link":
            self._take(self._text)
        elif ended == "guid" and inside in FEED_ENTRIES:
            self._guid = self._text.strip()
        self._bases.pop()
        self._text = ""

    def _date(self) -> None:
        """Keep when the page of the entry that ends here changed."""
        if self._location and self._changed:
            self._sitemap.changed[self._location] = self._changed
        self._location = self._changed = ""

    def _take(self, link: str) -> None:
        """Take the first link of an entry."""
        if link.strip() and not self._link and self._open and self._open[-1] in FEED_ENTRIES:
            self._link = _joined(self._bases[-1], link.strip())

    def _add(self, link: str) -> None:
        if link:
            self._sitemap.locations.append(link)
        if len(self._sitemap.locations) >= self._most:
            raise StopReading

    def _document_type(self, name: str, system: str | None, public: str | None, declares: bool) -> None:
        if declares:
            self._refuse()

    def _refuse(self, *declaration: object) -> None:
        self._sitemap.damage = DECLARATION
        raise StopReading


def _joined(base: str, link: str) -> str:
    try:
        return urljoin(base, link)
    except ValueError:  # one of them is not a URL
        return link
