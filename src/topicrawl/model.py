"""The values that flow through a crawl: frozen, typed, without behaviour beyond reading themselves.

    Ask ─► Response ─► Page + TermCounts ─► Outcome ─► Visit

What is packed to disk or sent between processes is a `msgspec.Struct` (msgpack, never pickle); arrays travel as
little-endian int32 bytes and are read with `ints`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Ints: TypeAlias = "npt.NDArray[np.int32]"
GROUPS = 5
"""Number of tag groups a page's text falls into (see page/groups.py)."""


def ints(packed: bytes) -> Ints:
    """The int32 array that `packed` holds, without copying."""
    import numpy as np  # here, because parse workers do without it

    return np.frombuffer(packed, dtype="<i4")


def pack_ints(values: npt.ArrayLike) -> bytes:
    """`values` as little-endian int32 bytes."""
    import numpy as np

    return np.asarray(values, dtype="<i4").tobytes()


class Links(msgspec.Struct, frozen=True, array_like=True):
    """The out-links of a page as columns, in document order, one row an occurrence.

    `starts` and `ends` are the position of the anchor in `Page.text`, so that its context is a slice of that text
    (an image link has the position of the image, with start = end; its anchor is the image's `alt`).
    """

    urls: list[str] = []
    anchors: list[str] = []
    titles: list[str] = []
    starts: bytes = b""
    ends: bytes = b""
    flags: bytes = b""
    """One byte a link: NOFOLLOW, IMAGE, REFUSED."""
    tag_paths: list[str] = []
    """The distinct tag paths (page/tag_paths.py); none where an earlier version read the page."""
    path_numbers: bytes = b""
    """One byte a link: which of `tag_paths` is its own, NO_PATH for one beyond them."""


NOFOLLOW = 1
IMAGE = 2
REFUSED = 4
"""The `filter_link` of the user does not want this link followed."""


QUIET, DEADLINE, NOT_RENDERED = "quiet", "deadline", "failed"
"""How rendering a page ended: nothing changed any more; its time was over; no browser could do it."""


class Page(msgspec.Struct, frozen=True, array_like=True):
    """A parsed page, independent of any topic.

    `text` is the visible text (NFKC, white space folded, blocks separated by newlines) preceded by title, keywords and
    description; `segment_starts[i]` is where segment i begins in it and `segment_groups[i]` its tag group 0–4.
    """

    url: str
    title: str = ""
    language: str = ""
    text: str = ""
    segment_starts: bytes = b""
    segment_groups: bytes = b""
    links: Links = Links()
    charset: str = ""
    media_type: str = ""
    noindex: bool = False
    nofollow: bool = False
    needs_script: bool = False
    truncated: bool = False
    rendered: str = ""
    """How rendering it ended: QUIET, DEADLINE or NOT_RENDERED; empty where nobody tried."""


class TermCounts(msgspec.Struct, frozen=True, array_like=True):
    """How often each term of a topic occurs in a page: per tag group, and per link anchor.

    `terms` (k) are the term numbers present, `groups` (k × 5) their counts; the three anchor columns are triples
    (row in `Page.links`, term, count). `length` is the number of tokens in the page.
    """

    terms: bytes = b""
    groups: bytes = b""
    anchor_rows: bytes = b""
    anchor_terms: bytes = b""
    anchor_counts: bytes = b""
    length: int = 0


class Outcome(msgspec.Struct, frozen=True, array_like=True):
    """The result of one fetch: all that `crawling/core.py` and a replay need of it."""

    url: str
    """Final URL, canonical: the identity of the page."""
    status: int | None = None
    size: int = 0
    """Bytes of the decoded body."""
    error: str | None = None
    page: Page | None = None
    counts: TermCounts | None = None


class Ask(msgspec.Struct, frozen=True, array_like=True):
    """The strategy chose this link to be fetched."""

    link: int
    url: str
    priority: float
    depth: int
    walker: int = 0
    peek: bool = False


class Visit(msgspec.Struct, frozen=True, omit_defaults=True):
    """A fetch and its result: one line of visits.jsonl, fields in this order."""

    n: int
    url: str
    asked: str
    status: int | None
    fetched: bool
    peek: bool
    relevance: float
    priority: float
    host: str
    depth: int
    parent: str | None
    title: str
    bytes: int
    error: str | None
    term_relevance: float | None = None
    """Relevance by the topic's terms, the measure of the papers; None where topicrawl 0.1 logged the visit."""


def by_terms(visit: Visit) -> float:
    """The relevance by terms; topicrawl 0.1 logged no other."""
    return visit.relevance if visit.term_relevance is None else visit.term_relevance


class Hop(msgspec.Struct, frozen=True):
    """A redirect that was followed on the way to a page."""

    url: str
    status: int
    reason: str
    headers: tuple[tuple[str, str], ...]
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Rendered:
    """What a browser showed of a page, and what it asked for meanwhile."""

    html: bytes
    """The document after its scripts have run, in UTF-8, without the scripts."""
    ended: str
    """QUIET or DEADLINE."""
    resources: tuple[Response, ...] = ()
    """The answers to its requests, in their order; those that an earlier page has fetched are not repeated."""


@dataclass(frozen=True, slots=True)
class Response:
    """The answer of a web to one URL, redirects followed.

    `body` is the body as sent (content-encoding kept: that is what an archive stores), `content` the decoded bytes,
    at most the body limit. `parsed` is a packed `Page` where the web has parsed it; then body and content may be
    empty.
    """

    asked: str
    url: str
    status: int
    reason: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    content: bytes = b""
    size: int = 0
    truncated: bool = False
    hops: tuple[Hop, ...] = ()
    request_headers: tuple[tuple[str, str], ...] = ()
    address: str = ""
    http_version: str = "1.1"
    parsed: bytes | None = None
    took: float = 0.0
    """Seconds on the network, without the politeness delay before it; 0 where unknown."""
    rendered: Rendered | None = None

    def header(self, name: str) -> str:
        """The first header called `name` (any case), or an empty string."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), "")


class Timing(msgspec.Struct, frozen=True):
    """When the fetch started (seconds since the epoch) and how long each step took (s); never in visits.jsonl."""

    started: float = 0.0
    waited: float = 0.0
    fetched: float = 0.0
    parsed: float = 0.0


TopicPage = tuple[tuple[str, float], ...]
"""A page about a topic: its words of largest weight, and how often each occurs."""


@dataclass(frozen=True, slots=True)
class Topic:
    """The topic of a crawl: terms with weights (the papers' semantic weight vector W)."""

    name: str
    terms: tuple[str, ...]
    weights: tuple[float, ...]
    source: str = field(default="inline", compare=False)
    """How `--topic` was read: a path, a built-in's name, or "inline"."""
    examples: tuple[Page, ...] = field(default=(), hash=False)
    """Example pages given by the user, for strategies that learn from text rather than from terms."""
    pages: tuple[TopicPage, ...] = ()
    """Pages about the topic, for strategies that compare texts with texts; most topics have none."""
    unwanted: tuple[Page, ...] = field(default=(), hash=False)
    """Pages that the user called not relevant, for judges that learn from text."""


@dataclass(frozen=True, slots=True)
class Told:
    """A visit as it is logged: the `Ask`, its outcome, and (live only) the response for the archive."""

    ask: Ask
    outcome: Outcome
    visit: Visit
    timing: Timing = Timing()  # noqa: RUF009 - it is frozen
    response: Response | None = None
    plain: Outcome | None = None
    """What the page said before it was rendered; `outcome` is then the rendered one, and the one that counts."""
    packed: bytes | None = field(default=None, compare=False, repr=False)
    """The page of `outcome` in msgpack where it is at hand, so that it need not be packed again."""


class Postponed(msgspec.Struct, frozen=True, array_like=True):
    """A link that gets no answer although its host does: other links of the host are asked meanwhile."""

    link: int
    url: str = ""
    """Empty where topicrawl 0.1 logged it."""


class Accepted(msgspec.Struct, frozen=True, array_like=True):
    """A peeked page that the strategy took: its links are added without another fetch."""

    url: str


class Version(msgspec.Struct, frozen=True):
    """What made the choices that follow, up to the next `Version`. Events before the first were logged by 0.1."""

    topicrawl: str
    strategy: str
    behaviour: int
    """`Strategy.behaviour`: raised by each change of what the strategy would choose."""
    parameters: dict[str, Any] = {}


class Mark(msgspec.Struct, frozen=True, omit_defaults=True):
    """A person's verdict on a page: relevant, not relevant, or (None) an earlier verdict taken back."""

    page: Page | None
    """What the page says, for a judge to learn; None where it was not visited yet."""
    relevant: bool | None
    url: str = ""
    """Of the page, canonical, where redirects led; empty in earlier logs, where it is that of `page`."""
    time: float = 0.0
    """When the person said so, in seconds since 1970; 0 where that is unknown."""

    @property
    def of(self) -> str:
        """The URL of the page."""
        return self.url or (self.page.url if self.page else "")


class Instruction(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a person changed while the crawl was under way. It holds all that its effect needs."""

    settings: dict[str, Any] = {}
    """Settings of crawl.toml, by name, with their new values."""
    seeds: list[str] = []
    """Further seeds."""
    examples: list[Page] = []
    """Further examples of the topic."""
    unwanted: list[Page] = []
    """Further pages that are not relevant."""
    marks: list[Mark] = []
    pause: bool | None = None
    """True: ask for nothing until an instruction says False."""
    stop: bool = False
    """End the session. It changes nothing of the crawl."""
    wish: str = ""
    """The id of the wish (store/wishes.py) that this carries out."""
    time: float = 0.0
    """When the person said so, in seconds since 1970; 0 where that is unknown."""


class Found(msgspec.Struct, frozen=True, array_like=True):
    """A link that another shard found."""

    url: str
    depth: int
    anchor: str = ""
    parent: str = ""
    relevance: float = 0.0
    """Relevance of the page that contains it."""


class Letter(msgspec.Struct, frozen=True, array_like=True):
    """A page of one shard, cut to its links to the sites of another."""

    page: Page
    """Its links to these sites, the text around them, the headings above them. Without URL: on no page."""
    relevance: float
    """What the page is worth to its links (`Strategy.worth`)."""
    depth: int
    """Of the page: its links are one deeper."""
    start: str = ""
    """The seed or example from which the page was reached."""
    counts: TermCounts | None = None
    """The terms of the topic in the anchors of these links."""
    whole: Outcome | None = None
    """What the one link of the page led to, where a redirect ended at a site of the other shard."""


class Received(msgspec.Struct, frozen=True, omit_defaults=True):
    """What another shard found on its pages."""

    shard: str
    links: list[Found] = []
    letters: list[Letter] = []
    first: int = 0
    """The number of the first letter; those of one sender to one receiver are numbered from 1."""
    others: list[Received] = []
    """What further shards sent: all of it is read together."""


class Learned(msgspec.Struct, frozen=True):
    """A model that was fitted elsewhere, in the form that its reader defines."""

    model: str
    """Who reads it: `strategy` or `judge`."""
    data: bytes


class Revisit(msgspec.Struct, frozen=True, array_like=True):
    """A known page is fetched anew. It stands where an `Ask` would: the strategy did not choose it."""

    url: str
    time: float
    """When it was due, in seconds since 1970."""


class Turn(msgspec.Struct, frozen=True, omit_defaults=True):
    """A turn of a watch begins: known pages are fetched anew, and new links. All that follows counts as of its time."""

    time: float
    """Seconds since 1970."""
    every: float
    """Seconds between two turns."""
    fetches: int
    """Requests of this turn, at most."""
    before: float = 0.0
    """In the first turn: when the last page of the crawl before it was fetched."""
    announced: list[tuple[str, float]] = []
    """What sitemaps said: URLs, and when each page changed last, in seconds since 1970."""


class Noticed(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a turn noticed of one page."""

    url: str
    change: str
    """One of `NOTICED`."""
    n: int = 0
    """The visit that showed it; 0 where none did."""
    relevance: float = 0.0
    title: str = ""
    to: str = ""
    """Where it moved to."""
    text: str = ""
    """The beginning of its main text, as it was where there is none any longer."""
    diff: list[str] = []
    """Of a changed page: sentences of its main text that were added (`+ `) or removed (`- `)."""


NEW, CHANGED, GONE, MOVED, UNLINKED = "new", "changed", "gone", "moved", "unlinked"
NOTICED = (NEW, CHANGED, GONE, MOVED, UNLINKED)
"""What may be noticed of a page; unlinked: no page links to it any longer, as far as is known."""


class Turned(msgspec.Struct, frozen=True, omit_defaults=True):
    """A turn of a watch has ended, and this is what it noticed. It follows from the log and the archive."""

    time: float
    """That of the turn."""
    visits: int = 0
    """Requests of the turn."""
    again: int = 0
    """Those of them that fetched a known page anew."""
    noticed: list[Noticed] = []
    failed: dict[str, int] = {}
    """Those that brought no page, by the kind of failure; without pages that are gone or have moved."""


Event = (
    Ask | Told | Postponed | Accepted | Version | Instruction | Received | Learned | Revisit | Turn | Turned
)
"""The log of a crawl is a sequence of these, in one order. Replay repeats them all."""
