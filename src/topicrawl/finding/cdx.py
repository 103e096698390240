"""Asks the index of an archive (CDX server API) for pages of a domain, below an address, or of hosts named by words.

Answers are read while they arrive and only the best rows are kept, so that an index of a million rows takes no more
memory than one of a thousand.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from hashlib import blake2b

from topicrawl.errors import ConfigError, FetchError
from topicrawl.finding.endpoint import Endpoint
from topicrawl.finding.search import HOPELESS, PATIENCE
from topicrawl.urls import canonical, host, path_parts
from topicrawl.web.cdx_rows import Row, Rows
from topicrawl.web.http import HttpWeb

MOST = 1000
"""Pages kept of one part of an index."""
MOST_ROWS = 5_000_000
"""Rows read of one part of an index."""
FEW_ROWS = 500
"""Rows asked for of a host that may not exist: its name is made of words."""
TOP_LEVEL = ("org", "com", "net", "info", "gov", "edu", "int")
"""Where hosts named by words are looked for."""
TOLD = 100_000
"""Rows between two lines of progress."""
NO_ROWS = re.compile(r"no captures? found|no results", re.IGNORECASE)

Parameters = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an index: a domain with its hosts, or all addresses that begin alike."""

    url: str
    match: str
    """`domain` or `prefix`."""
    words: tuple[str, ...] = ()
    """The address must hold one of these; empty: any will do."""
    is_guess: bool = False
    """Whether the host may not exist."""

    @property
    def shown(self) -> str:
        named = f"*.{self.url}" if self.match == "domain" else f"{self.url}*"
        return f"{named} with {' '.join(self.words)}" if self.words and not self.is_guess else named


def parts_of(domain: str | None, prefix: str | None, words: Sequence[str]) -> list[Part]:
    """The parts of an index that flags ask for; with words alone, the hosts that are named by them."""
    if domain and prefix:
        raise ConfigError(f"--domain {domain} and --prefix {prefix}: give one of them")
    wanted = tuple(dict.fromkeys(word for text in words for word in re.findall(r"\w+", text.lower())))
    if domain:
        name = host(canonical(domain if "://" in domain else f"http://{domain.removeprefix('*.')}/") or "")
        if "." not in name:
            raise ConfigError(f"--domain {domain!r} is no domain; write it as example.org")
        return [Part(name, "domain", wanted)]
    if prefix:
        address = canonical(
            prefix.removesuffix("*") if "://" in prefix else f"http://{prefix.removesuffix('*')}"
        )
        if address is None:
            raise ConfigError(f"--prefix {prefix!r} is no address; write it as example.org/floods/")
        return [Part(address.partition("://")[2], "prefix", wanted)]
    names = dict.fromkeys(name for text in words for name in _names(text))
    if not names:
        raise ConfigError("--cdx: say what of the index to take: --domain, --prefix or --words")
    return [Part(f"{name}.{top}", "domain", wanted, is_guess=True) for name in names for top in TOP_LEVEL]


def _names(text: str) -> list[str]:
    """Names that a host about these words may have."""
    words = re.findall(r"[a-z0-9]+", text.lower())
    joined = ["".join(words), "-".join(words)] if len(words) > 1 else []
    return [*joined, *(word for word in words if len(word) > 2)]


@dataclass
class Best:
    """The best pages of a part of an index, `most` at most.

    Equals are drawn evenly from all of the part, by the hash of their address: the first in the index would all be of
    one folder.
    """

    worth: Callable[[str], float]
    most: int = MOST
    _heap: list[tuple[float, int, bytes, str]] = field(default_factory=list)
    _kept: set[str] = field(default_factory=set)
    _last: str = ""

    def add(self, row: Row) -> None:
        """Consider a row; captures of one page are neighbours."""
        if row.url == self._last or not row.is_page:
            return
        self._last = row.url
        url = canonical(row.url)
        if url is None or url in self._kept:
            return
        entry = (self.worth(url), -path_parts(url), blake2b(url.encode(), digest_size=8).digest(), url)
        if len(self._heap) < self.most:
            heapq.heappush(self._heap, entry)
        elif entry > self._heap[0]:
            self._kept.discard(heapq.heapreplace(self._heap, entry)[-1])
        else:
            return
        self._kept.add(url)

    def urls(self) -> list[str]:
        """The best first."""
        return [entry[-1] for entry in sorted(self._heap, reverse=True)]


@dataclass
class Index:
    """The index of an archive at `endpoint`, asked through `web`. `say` is told of progress, `remark` of faults."""

    web: HttpWeb
    endpoint: Endpoint
    remark: Callable[[str], None]
    say: Callable[[str], None]
    worth: Callable[[str], float] = lambda url: 0.0

    async def find(self, parts: Sequence[Part]) -> AsyncGenerator[tuple[Part, list[str]], None]:
        """The best pages of each part, as they come; an index that is down is asked no further."""
        failures = 0
        for number, part in enumerate(parts, 1):
            best = Best(self.worth)
            try:
                await self._read(part, best)
                failures = 0
            except FetchError as failure:
                failures += PATIENCE if failure.kind in HOPELESS else 1
                left = len(parts) - number
                given_up = f" ({left:,} more parts are not asked)" if failures >= PATIENCE and left else ""
                kept = f"; the {len(best.urls()):,} pages before that are taken" if best.urls() else ""
                self.remark(f"{self.endpoint.complaint(failure)}{kept}{given_up}")
            yield part, best.urls()
            if failures >= PATIENCE:
                return

    async def _read(self, part: Part, best: Best) -> None:
        asked: Parameters = (("url", part.url), ("matchType", part.match), ("output", "json"))
        if part.is_guess:
            await self._rows((*asked, ("limit", str(FEW_ROWS))), part, best)
            return
        pages, dialect = await self._probe(asked)
        if dialect:
            asked += _fields(dialect, part.words)
            for page in range(pages) if pages else [None]:
                own = () if page is None else (("page", str(page)),)
                await self._rows((*asked, *own), part, best)

    async def _probe(self, asked: Parameters) -> tuple[int, str]:
        """How many pages the answer is cut into (0: it is not), and how the server names fields (empty: no row)."""
        rows = Rows()
        async with aclosing(self._lines((*asked, ("showNumPages", "true")))) as lines:
            async for line in lines:
                if line.strip().isdigit():
                    return 0, "original"
                if (pages := _page_count(line)) is not None:
                    return pages, "url" if pages else ""
                if rows.read(line):
                    return 0, rows.dialect
        self._complain(rows)
        return 0, ""

    async def _rows(self, asked: Parameters, part: Part, best: Best) -> None:
        rows, count = Rows(), 0
        wanted = re.compile("|".join(map(re.escape, part.words)), re.IGNORECASE) if part.words else None
        async with aclosing(self._lines(asked)) as lines:
            async for line in lines:
                row = rows.read(line)
                if row is not None and (not wanted or wanted.search(row.url)):
                    best.add(row)
                count += 1
                if count % TOLD == 0:
                    self.say(f"{self.endpoint.shown}: {count:,} rows of {part.shown} read")
                if count >= MOST_ROWS:
                    self.remark(f"{part.shown} has more than {MOST_ROWS:,} rows; the rest is not read")
                    break
        self._complain(rows)

    def _complain(self, rows: Rows) -> None:
        if rows.damaged:
            self.remark(
                f"{self.endpoint.flag} {self.endpoint.shown}: {rows.damaged:,} lines are no rows of an index "
                f"({rows.first_damaged!r}); skipped; check that this is the address of a CDX server"
            )

    async def _lines(self, asked: Parameters) -> AsyncGenerator[bytes, None]:
        """The lines of an answer; none where the server says that it has no capture."""
        try:
            async with aclosing(self.web.lines(self.endpoint.address("", asked))) as lines:
                async for line in lines:
                    yield line
        except FetchError as failure:
            if not (failure.kind == "http" and failure.status == 404 and NO_ROWS.search(failure.detail)):
                raise


def _page_count(line: bytes) -> int | None:
    found = re.search(
        rb'^\s*\{\s*"(?:pages|numPages)"\s*:\s*(\d{1,9})|^\s*\{[^{}]*"pages"\s*:\s*(\d{1,9})', line
    )
    return int(found[1] or found[2]) if found and b'"url"' not in line else None


def _fields(dialect: str, words: Sequence[str]) -> Parameters:
    """Parameters that make an answer short: pages only, and the columns that are read."""
    some = f"(?i).*({'|'.join(map(re.escape, words))}).*"
    if dialect == "url":
        own: Parameters = (
            ("filter", "=status:200"),
            ("filter", "mime:html"),
            ("fl", "url,timestamp,mime,status"),
        )
        return (*own, ("filter", f"~url:{some}")) if words else own
    own = (
        ("filter", "statuscode:200"),
        ("filter", "mimetype:text/html"),
        ("fl", "timestamp,original,mimetype,statuscode"),
        ("collapse", "urlkey"),
    )
    return (*own, ("filter", f"original:{some}")) if words else own
