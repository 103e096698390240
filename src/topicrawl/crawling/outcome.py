"""Converts a `Response` or `FetchError` to an `Outcome`; no other module does."""

from __future__ import annotations

import msgspec

from topicrawl.errors import FetchError
from topicrawl.model import Outcome, Page, Response, TermCounts

_decode_page = msgspec.msgpack.Decoder(Page).decode


def has_page(response: Response) -> bool:
    """Whether the status says that the body is a page."""
    return 200 <= response.status < 300


def known_page(response: Response) -> Page | None:
    """The page if the web has already parsed it, as a cache does; else None."""
    return None if response.parsed is None else _decode_page(response.parsed)


def answered(response: Response, page: Page | None, counts: TermCounts | None = None) -> Outcome:
    """The outcome of an answer; `page` is None if the body is no page."""
    error = None if page else "type" if has_page(response) else "http"
    return Outcome(response.url, response.status, response.size, error, page, counts)


def unanswered(error: FetchError, url: str, response: Response | None = None) -> Outcome:
    """The outcome of a failed fetch of `url`, or of a failure to parse `response`."""
    if response is None:
        return Outcome(url, error.status, error=error.kind)
    return Outcome(response.url, response.status, error=error.kind)
