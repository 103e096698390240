"""HTML to `Page` by turbohtml: the only file that knows this parser.

turbohtml builds the tree a browser would build and walks it in C, in time linear in the input however deep
the nesting. `html_selectolax.parse` is a second parser for the same events, to check this one against.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress

from turbohtml.saxparse import SaxHandler, sax_parse

from topicrawl import urls
from topicrawl.model import IMAGE, Links, Page, pack_ints
from topicrawl.page.collect import Collector, EnoughError
from topicrawl.page.fold import FIELD_LIMIT, fold
from topicrawl.page.groups import HEADLINE

LITTLE_TEXT = 200
"""Characters of text below which a page that asks for JavaScript is taken at its word."""
NO_TEXT = 20
"""Characters of text below which a page with scripts and without links says nothing by itself."""

Parser = Callable[[str], Collector]

_SELF_CLOSED = re.compile(
    r"<(a|b|div|h[1-6]|i|iframe|li|noscript|p|script|span|strong|style|td|textarea|th|title)(\s[^<>]*)?/>",
    re.IGNORECASE,
)


class _Events(Collector, SaxHandler):
    """Comments, doctypes and processing instructions say nothing to us."""


def parse(text: str) -> Collector:
    """The events of `text`, collected."""
    collected = _Events()
    with suppress(EnoughError):
        sax_parse(text, collected)
    collected.finish()
    return collected


def read_html(url: str, text: str, *, xml: bool = False, parser: Parser = parse) -> Page:
    """What the HTML `text` found at `url` says, its language as declared. In `xml` a `<title/>` is empty."""
    found = parser(_SELF_CLOSED.sub(r"<\1\2></\1>", text) if xml else text)
    body = "".join(found.pieces)
    title = fold("".join(found.title))
    headlines = filter(None, (title, found.metas.get("keywords"), found.metas.get("description")))
    lead = "\n".join([*headlines, ""] if body else headlines)
    robots = robot_rules(found.metas.get("robots", ""))
    starts, groups = [position + len(lead) for position in found.segment_starts], found.segment_groups
    links = _links(url, found, body, len(lead))
    return Page(
        url=url,
        title=title,
        language=found.language,
        text=lead + body,
        segment_starts=pack_ints([0, *starts] if lead else starts),
        segment_groups=pack_ints([HEADLINE, *groups] if lead else groups),
        links=links,
        noindex="noindex" in robots,
        nofollow="nofollow" in robots,
        needs_script=_needs_script(found, links),
    )


def robot_rules(value: str) -> set[str]:
    """The rules of a robots meta or an X-Robots-Tag header, `none` spelled out."""
    rules = {rule.strip() for rule in value.lower().split(",")}
    return rules | {"noindex", "nofollow"} if "none" in rules else rules


def _links(url: str, found: Collector, body: str, offset: int) -> Links:
    base = (urls.join(url, found.base) if found.base else None) or url
    targets, anchors, titles, starts, ends, flags = [], [], [], [], [], bytearray()
    rows = zip(
        found.hrefs,
        found.link_titles,
        found.alts,
        found.link_starts,
        found.link_ends,
        found.flags,
        strict=True,
    )
    for href, title, alt, start, end, flag in rows:
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
    return Links(targets, anchors, titles, pack_ints(starts), pack_ints(ends), bytes(flags))


def _needs_script(found: Collector, links: Links) -> bool:
    if not found.scripts or found.length >= LITTLE_TEXT:
        return False
    asks = "javascript" in "".join(found.noscript).lower()
    return asks or (found.length < NO_TEXT and not links.urls)
