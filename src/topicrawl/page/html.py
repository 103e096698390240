"""HTML to `Page`: by native code where it supports the markup, else by the events of a full HTML5 parser.

`html_turbohtml.parse` gives the events of the tree a browser would build and defines the result; native code (reader.h)
builds the same tree and gives the same `Page`, and None for the few pages that it does not support: very deep ones, and
those with NUL characters.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html.entities import html5
from typing import NamedTuple

from topicrawl import urls
from topicrawl.model import IMAGE, Links, Page, pack_ints
from topicrawl.page.collect import Collector, leads_nowhere, refresh_target
from topicrawl.page.groups import HEADLINE
from topicrawl.page.normalize import FIELD_LIMIT, fold, nfkc
from topicrawl.page.scripted import LITTLE_TEXT, NO_TEXT, needs_script, says_more
from topicrawl.page.unscripted import noscript_length, with_noscript, with_shadow_roots

try:
    from topicrawl._native import read_page
except ImportError:  # installed without a compiler
    read_page = None  # type: ignore[assignment]

Parser = Callable[[str], Collector]

_SELF_CLOSED = re.compile(
    r"<(a|b|div|h[1-6]|i|iframe|li|noscript|p|script|span|strong|style|td|textarea|th|title)(\s[^<>]*)?/>",
    re.IGNORECASE,
)


class Columns(NamedTuple):
    """The columns of a page, in the order in which native code returns them."""

    title: str
    language: str
    text: str
    segment_starts: bytes
    segment_groups: bytes
    urls: list[str]
    anchors: list[str]
    link_titles: list[str]
    link_starts: bytes
    link_ends: bytes
    flags: bytes
    tag_paths: list[str]
    path_numbers: bytes
    robots: str
    length: int
    """Characters of the body's text."""
    has_scripts: bool
    noscript: str


def read_html(url: str, text: str, *, xml: bool = False, parser: Parser | None = None) -> Page:
    """The page with the HTML `text` at `url`, its language as declared. In `xml` a `<title/>` is empty.

    A given `parser` is used instead of native code.
    """
    if xml:
        text = from_xml(text)
    text, columns = _without_scripts(url, text, parser)
    return _page(url, columns, text)


def shown(url: str, text: str) -> str:
    """The HTML that a browser without scripts shows, for those that read markup themselves."""
    has_more = noscript_length(text) > NO_TEXT
    return _without_scripts(url, text, None)[0] if has_more else with_shadow_roots(text)


def _without_scripts(url: str, text: str, parser: Parser | None) -> tuple[str, Columns]:
    """The markup to read, and what it says: with what stands in `noscript`, where that says more than a short page."""
    text = with_shadow_roots(text)
    found = _read(url, text, parser)
    if found.length < LITTLE_TEXT and says_more(found.noscript, found.length):
        text = with_noscript(text)
        found = _read(url, text, parser)
    return text, found


def _read(url: str, text: str, parser: Parser | None) -> Columns:
    columns = native_columns(url, text) if parser is None else None
    return columns or _columns(url, (parser or _parse)(text))


def from_xml(text: str) -> str:
    """XHTML as an HTML parser reads it: elements that are closed at once get an end tag."""
    return _SELF_CLOSED.sub(r"<\1\2></\1>", text)


def native_columns(url: str, text: str) -> Columns | None:
    """What native code reads; None when it is not installed or does not support the page."""
    if read_page is None:
        return None
    columns = read_page(url, text, urls.join, fold, nfkc, refresh_target, leads_nowhere, html5)
    return None if columns is None else Columns(*columns)


def _parse(text: str) -> Collector:
    from topicrawl.page.html_turbohtml import parse  # loaded with the first page that needs it

    return parse(text)


def _page(url: str, found: Columns, markup: str) -> Page:
    robots = robot_rules(found.robots)
    return Page(
        url=url,
        title=found.title,
        language=found.language.strip(),
        text=found.text,
        segment_starts=found.segment_starts,
        segment_groups=found.segment_groups,
        links=Links(
            found.urls,
            found.anchors,
            found.link_titles,
            found.link_starts,
            found.link_ends,
            found.flags,
            found.tag_paths,
            found.path_numbers,
        ),
        noindex="noindex" in robots,
        nofollow="nofollow" in robots,
        needs_script=found.has_scripts and found.length < LITTLE_TEXT and _needs_script(found, markup),
    )


def _columns(url: str, found: Collector) -> Columns:
    body = "".join(found.pieces)
    title = fold("".join(found.title))
    headlines = filter(None, (title, found.metas.get("keywords"), found.metas.get("description")))
    lead = "\n".join([*headlines, ""] if body else headlines)
    starts, groups = [position + len(lead) for position in found.segment_starts], found.segment_groups
    return Columns(
        title,
        found.language,
        lead + body,
        pack_ints([0, *starts] if lead else starts),
        pack_ints([HEADLINE, *groups] if lead else groups),
        *_links(url, found, body, len(lead)),
        found.metas.get("robots", ""),
        found.length,
        found.scripts > 0,
        "".join(found.noscript),
    )


def robot_rules(value: str) -> set[str]:
    """The rules of a robots meta or an X-Robots-Tag header, `none` expanded to noindex and nofollow."""
    if not value:
        return set()
    rules = {rule.strip() for rule in value.lower().split(",")}
    return rules | {"noindex", "nofollow"} if "none" in rules else rules


def _links(
    url: str, found: Collector, body: str, offset: int
) -> tuple[list[str], list[str], list[str], bytes, bytes, bytes, list[str], bytes]:
    base = (urls.join(url, found.base) if found.base else None) or url
    targets, anchors, titles, starts, ends, flags, paths = [], [], [], [], [], bytearray(), bytearray()
    rows = zip(
        found.hrefs,
        found.link_titles,
        found.alts,
        found.link_starts,
        found.link_ends,
        found.flags,
        found.path_numbers,
        strict=True,
    )
    for href, title, alt, start, end, flag, path in rows:
        target = urls.join(base, href)
        if target is None:
            continue
        has_text = start < end
        targets.append(target)
        anchors.append(
            body[start : min(end, start + FIELD_LIMIT)].replace("\n", " ") if has_text else fold(alt)
        )
        titles.append(fold(title) if title else "")
        starts.append(start + offset)
        ends.append(end + offset)
        flags.append(flag & ~IMAGE if has_text else flag)
        paths.append(path)
    columns = targets, anchors, titles, pack_ints(starts), pack_ints(ends), bytes(flags)
    return *columns, found.tag_paths.paths, bytes(paths)


def _needs_script(found: Columns, markup: str) -> bool:
    body = found.text[len(found.text) - found.length :]
    return needs_script(markup, text=body, links=len(found.urls), noscript=found.noscript)
