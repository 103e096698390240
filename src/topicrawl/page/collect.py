"""Collects text, links and metadata of a page from parser events, in one pass and in time linear in its size.

Any HTML parser can drive it: an event for each start and end of an element (void ones too) and for each text.
Left out: scripts, styles, `noscript`, `template`, `svg` and other text that is never shown.
Links are `<a>`, `<area>`, frames and the target of a meta refresh. `<link>` elements are not links: users
cannot click them, and their targets (next page, feeds, styles) are linked in the page too or are no pages.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from topicrawl.model import IMAGE, NOFOLLOW
from topicrawl.page.groups import GROUP_OF, REST
from topicrawl.page.normalize import FIELD_LIMIT, TEXT_LIMIT, fold, nfkc
from topicrawl.page.tag_paths import Attributes, Element, TagPaths

MAX_LINKS = 2_000
"""Links read from one page."""

_BLOCKS = frozenset(
    """
    address article aside blockquote body br button caption center dd details dialog dir div dl dt fieldset
    figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol optgroup
    option p pre search section select summary table tbody td textarea tfoot th thead tr ul
    """.split()  # noqa: SIM905
)
_HIDDEN = frozenset(
    ("datalist", "iframe", "noembed", "noframes", "noscript", "script", "style", "svg", "template", "title")
)
_REFRESH = re.compile(
    r"""\s*[\d.]*\s*[;,\s]\s*(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(.*))""", re.IGNORECASE | re.DOTALL
)
_NO_PAGE = ("#", "javascript:", "mailto:", "tel:", "data:")


def leads_nowhere(href: str) -> bool:
    """Whether a link leads to no page: to a fragment of this one, a script, a mail address."""
    return href[:16].lstrip().lower().startswith(_NO_PAGE)


def refresh_target(content: str) -> str:
    """The target of a meta refresh; empty when it has none."""
    target = _REFRESH.match(content)
    return "".join(target.groups("")).strip() if target else ""


class TextLimitError(Exception):
    """The text limit is reached: no more events are needed."""


class Collector:
    """Text with its tag groups, links and metadata of a page; positions count from the start of the body."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.length = 0
        self.segment_starts: list[int] = []
        self.segment_groups: list[int] = []
        self.hrefs: list[str] = []
        self.link_titles: list[str] = []
        self.alts: list[str] = []
        self.link_starts: list[int] = []
        self.link_ends: list[int] = []
        self.flags: list[int] = []
        self.tag_paths = TagPaths()
        self.path_numbers: list[int] = []
        self.title: list[str] = []
        self.metas: dict[str, str] = {}
        self.base: str | None = None
        self.language = ""
        self.noscript: list[str] = []
        self.scripts = 0
        self._gap = ""  # separator before the next text: nothing, a space or a line break
        self._groups = [REST]  # of the open elements that have one
        self._group = -1  # of the last segment
        self._hidden = 0  # open elements whose text is not shown
        self._hidden_target: list[str] | None = None  # where hidden text goes
        self._open: list[int] = []  # rows of open links, -1 for an anchor that is no link
        self._textless: list[int] = []  # rows of open links without text so far
        self._elements: list[Element] = []  # the open ones

    def start_element(self, tag: str, attrs: Attributes) -> None:
        self._elements.append((tag, attrs))
        role = _ROLES.get(tag)
        if role is None:
            return
        block, group, start, _ = role
        if block:
            self._gap = "\n"
        if group is not None:
            self._groups.append(group)
        if start is not None:
            start(self, attrs)

    def end_element(self, tag: str) -> None:
        self._elements.pop()
        role = _ROLES.get(tag)
        if role is None:
            return
        block, group, _, end = role
        if block:
            self._gap = "\n"
        if group is not None:
            self._groups.pop()
        if end is not None:
            end(self)

    def characters(self, data: str) -> None:
        if self._hidden:
            if self._hidden_target is not None:
                self._hidden_target.append(data)
        elif data.isspace():
            self._gap = self._gap or " "
        else:
            self._append(data)

    def _append(self, data: str) -> None:
        left = TEXT_LIMIT - self.length
        if len(data) > left:
            data = data[:left]
        if data.isascii():
            uneven = "\n" in data or "\t" in data or "\r" in data or "\f" in data or "  " in data
            piece = " ".join(data.split()) if uneven else data.strip(" ")  # stripping is thrice as fast
        else:
            data = nfkc(data)[:left]
            piece = " ".join(data.split())
        if not piece:
            return
        if self.length and (gap := self._gap or (" " if data[0].isspace() else "")):
            self.pieces.append(gap)
            self.length += 1
        self._gap = " " if data[-1].isspace() else ""
        group = self._groups[-1]
        if group != self._group:
            self._group = group
            self.segment_starts.append(self.length)
            self.segment_groups.append(group)
        if self._textless:
            for row in self._textless:
                self.link_starts[row] = self.length
            self._textless.clear()
        self.pieces.append(piece)
        self.length += len(piece)
        if self.length >= TEXT_LIMIT:
            raise TextLimitError

    def finish(self) -> None:
        """Close open links; call once after the last event."""
        while self._open:
            self._end_a()

    def _start_a(self, attrs: Attributes) -> None:
        named = dict(attrs)
        row = self._link(named.get("href"), named)
        self._open.append(row)
        if row >= 0:
            self._textless.append(row)

    def _end_a(self) -> None:
        row = self._open.pop() if self._open else -1
        if row < 0:
            return
        self.link_ends[row] = self.length
        if self._textless and self._textless[-1] == row:
            self._textless.pop()
            self.link_starts[row] = self.length

    def _link(self, href: str | None, named: dict[str, str | None], flags: int = 0) -> int:
        """Add a link; its row, or -1 when it leads to no page or the page already has `MAX_LINKS`."""
        if not href or self._hidden or len(self.hrefs) >= MAX_LINKS:
            return -1
        if leads_nowhere(href):
            return -1
        if "nofollow" in (named.get("rel") or "").lower().split():
            flags |= NOFOLLOW
        self.hrefs.append(href)
        self.link_titles.append(named.get("title") or "")
        self.alts.append(named.get("alt") or "")
        self.link_starts.append(self.length)
        self.link_ends.append(self.length)
        self.flags.append(flags)
        self.path_numbers.append(self.tag_paths.number(self._elements))
        return len(self.hrefs) - 1

    def _img(self, attrs: Attributes) -> None:
        if self._open and (row := self._open[-1]) >= 0:
            self.flags[row] |= IMAGE
            if len(self.alts[row]) < FIELD_LIMIT:
                self.alts[row] += f" {dict(attrs).get('alt') or ''}"

    def _area(self, attrs: Attributes) -> None:
        named = dict(attrs)
        self._link(named.get("href"), named, IMAGE)

    def _frame(self, attrs: Attributes) -> None:
        named = dict(attrs)
        self._link(named.get("src"), named)

    def _iframe(self, attrs: Attributes) -> None:
        self._frame(attrs)
        self._hide(attrs)

    def _meta(self, attrs: Attributes) -> None:
        if self._hidden:
            return
        named = {name: value or "" for name, value in attrs}
        content = named.get("content", "")
        name = named.get("name", "").strip().lower()
        if name in ("keywords", "description", "robots"):
            self.metas.setdefault(name, fold(content))
        elif named.get("http-equiv", "").strip().lower() == "refresh":
            self._link(refresh_target(content), {})

    def _base(self, attrs: Attributes) -> None:
        if self.base is None and not self._hidden:
            self.base = dict(attrs).get("href")

    def _html(self, attrs: Attributes) -> None:
        named = dict(attrs)
        self.language = (named.get("lang") or named.get("xml:lang") or "").strip()

    def _hide(self, _: Attributes) -> None:
        self._hidden += 1

    def _show(self) -> None:
        self._hidden -= 1
        self._hidden_target = None

    def _start_title(self, attrs: Attributes) -> None:
        if not self.title and not self._hidden:
            self._hidden_target = self.title
        self._hide(attrs)

    def _start_noscript(self, attrs: Attributes) -> None:
        if not self._hidden:
            self._hidden_target = self.noscript
        self._hide(attrs)

    def _start_script(self, attrs: Attributes) -> None:
        self.scripts += 1
        self._hide(attrs)


_Start = Callable[[Collector, Attributes], None]
_End = Callable[[Collector], None]
_STARTS: dict[str, _Start] = {
    **dict.fromkeys(_HIDDEN, Collector._hide),
    "a": Collector._start_a,
    "area": Collector._area,
    "base": Collector._base,
    "frame": Collector._frame,
    "html": Collector._html,
    "iframe": Collector._iframe,
    "img": Collector._img,
    "meta": Collector._meta,
    "noscript": Collector._start_noscript,
    "script": Collector._start_script,
    "title": Collector._start_title,
}
_ENDS: dict[str, _End] = {**dict.fromkeys(_HIDDEN, Collector._show), "a": Collector._end_a}
_ROLES = {
    tag: (tag in _BLOCKS, GROUP_OF.get(tag), _STARTS.get(tag), _ENDS.get(tag))
    for tag in {*_BLOCKS, *GROUP_OF, *_STARTS, *_ENDS}
}
"""Tag -> is it a block, its group, what to do at its start and at its end: one lookup per event."""
