"""Bytes to `Page` for crawls that read more than web pages: feeds, and PDF where pypdf is installed."""

from __future__ import annotations

from collections.abc import Collection
from importlib.util import find_spec

import msgspec

from topicrawl.model import Page

FEED, PDF = "feed", "pdf"
KINDS = (FEED, PDF)
"""Kinds of documents that may be read besides HTML and plain text."""
MEDIA_TYPES = {FEED: "application/rss+xml", PDF: "application/pdf"}


def can_read(kind: str) -> bool:
    """Whether the packages that a kind of document needs are installed."""
    return kind != PDF or find_spec("pypdf") is not None


def read_document(
    kinds: Collection[str],
    url: str,
    content: bytes,
    content_type: str = "",
    x_robots_tag: str = "",
    truncated: bool = False,
) -> Page | None:
    """As `page.read.read`, but documents of these kinds are read too."""
    # readers are imported where pages are read, not where `KINDS` is
    from topicrawl.page.feed import is_feed, read_feed
    from topicrawl.page.pdf import is_pdf, read_pdf
    from topicrawl.page.read import read

    if PDF in kinds and is_pdf(content):
        return _completed(read_pdf(url, content), PDF, truncated)
    if FEED in kinds and is_feed(content):
        return _completed(read_feed(url, content), FEED, truncated)
    return read(url, content, content_type, x_robots_tag, truncated)


def _completed(page: Page | None, kind: str, truncated: bool) -> Page | None:
    if page is None:
        return None
    from topicrawl.page.language import language

    found = language(page.language, page.text)
    return msgspec.structs.replace(page, language=found, media_type=MEDIA_TYPES[kind], truncated=truncated)
