"""A response of Scrapy as a page of topicrawl, with exactly the links that the spider asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec
from scrapy.http import Response

from topicrawl.model import REFUSED, Links, Outcome, Page, ints, pack_ints
from topicrawl.page.context import spans
from topicrawl.page.read import read
from topicrawl.page.tag_paths import NO_PATH
from topicrawl.urls import canonical


class Lead(NamedTuple):
    """The text of a link, and that text with the words on either side of it."""

    anchor: str = ""
    context: str = ""


def page_of(response: Response) -> Page | None:
    """The page in a response; None where its type is none that is read, or its URL none of http."""
    url = canonical(response.url)
    if url is None:
        return None
    return read(url, response.body, _header(response, "Content-Type"), _header(response, "X-Robots-Tag"))


def leads(page: Page | None) -> dict[str, Lead]:
    """Anchor and context of each link of a page, of its first occurrence that has a text, by canonical URL."""
    found: dict[str, Lead] = {}
    if page is None or not page.links.urls:
        return found
    starts, ends = (places.tolist() for places in spans(page))
    rows = zip(page.links.urls, page.links.anchors, starts, ends, strict=True)
    for url, anchor, start, end in rows:
        if url not in found or not found[url].anchor:
            found[url] = Lead(anchor, page.text[start:end])
    return found


def with_requested(page: Page, requested: Mapping[str, Lead]) -> Page:
    """`page` whose links are those of `requested` (canonical URL ─► what the request carries).

    A link that was not requested is refused; one that the page does not have is added at its end, with the words that
    the request carries.
    """
    links = page.links
    flags = links.flags or bytes(len(links.urls))
    marked = (
        flag if url in requested else flag | REFUSED for url, flag in zip(links.urls, flags, strict=True)
    )
    page = msgspec.structs.replace(page, links=msgspec.structs.replace(links, flags=bytes(marked)))
    known = set(links.urls)
    return _with_more(page, {url: lead for url, lead in requested.items() if url not in known})


def _with_more(page: Page, more: Mapping[str, Lead]) -> Page:
    if not more:
        return page
    links, text = page.links, page.text
    starts, ends = list(ints(links.starts)), list(ints(links.ends))
    for lead in more.values():
        words = lead.context or lead.anchor
        place = len(text) + 1 + max(words.find(lead.anchor), 0)
        text += f"\n{words}"
        starts.append(place)
        ends.append(min(place + len(lead.anchor), len(text)))
    longer = Links(
        [*links.urls, *more],
        [*links.anchors, *(lead.anchor for lead in more.values())],
        [*links.titles, *("" for _ in more)],
        pack_ints(starts),
        pack_ints(ends),
        links.flags + bytes(len(more)),
        links.tag_paths,
        links.path_numbers + bytes([NO_PATH] * len(more)) if links.path_numbers else b"",
    )
    return msgspec.structs.replace(page, text=text, links=longer)


def failed(url: str, response: Response | None) -> Outcome:
    """The outcome of a request whose page cannot be used: no answer, or one that is no page."""
    if response is None:
        return Outcome(url, error="connect")
    final = canonical(response.url) or url
    error = "type" if 200 <= response.status < 300 else "http"
    return Outcome(final, response.status, len(response.body), error)


def _header(response: Response, name: str) -> str:
    value = response.headers.get(name)
    return value.decode("latin-1") if value else ""
