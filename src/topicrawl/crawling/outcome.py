"""From a `Response` to an `Outcome`: the only place that decides what came of an answer."""

from __future__ import annotations

import msgspec

from topicrawl.errors import FetchError
from topicrawl.model import Outcome, Page, Response, TermCounts

_decode_page = msgspec.msgpack.Decoder(Page).decode


def has_page(response: Response) -> bool:
    """Whether the answer is one that a page is read from."""
    return 200 <= response.status < 300


def known_page(response: Response) -> Page | None:
    """The page that the web has read already (a cache does); None where it is still to be read."""
    return None if response.parsed is None else _decode_page(response.parsed)


def answered(response: Response, page: Page | None, counts: TermCounts | None = None) -> Outcome:
    """What came of an answer; `page` is None where nothing could be read from it."""
    error = None if page else "type" if has_page(response) else "http"
    return Outcome(response.url, response.status, response.size, error, page, counts)


def unanswered(error: FetchError, url: str, response: Response | None = None) -> Outcome:
    """What came of a fetch that failed, of `url` or, where that came first, of the page in `response`."""
    if response is None:
        return Outcome(url, error.status, error=error.kind)
    return Outcome(response.url, response.status, error=error.kind)
