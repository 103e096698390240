"""Bytes to `Page`: sniff the type, decode, parse. Never raises, whatever the bytes are."""

from __future__ import annotations

import msgspec

from topicrawl.model import Page
from topicrawl.page.decode import decode
from topicrawl.page.html import from_xml, read_html, robot_rules
from topicrawl.page.language import language
from topicrawl.page.plain import read_plain
from topicrawl.page.sniff import PLAIN, XHTML, sniff


def read(
    url: str, content: bytes, content_type: str = "", x_robots_tag: str = "", truncated: bool = False
) -> Page | None:
    """The page that `content` (decoded from any content-encoding) holds; None when its type is not supported.

    `url` is the canonical URL after redirects, `content_type` and `x_robots_tag` are headers.
    """
    media_type = sniff(content, content_type)
    if media_type is None:
        return None
    text, charset = decode(content, content_type)
    page = read_plain(url, text) if media_type == PLAIN else read_html(url, text, xml=media_type == XHTML)
    robots = robot_rules(x_robots_tag)
    return msgspec.structs.replace(
        page,
        language=language(page.language, page.text),
        charset=charset,
        media_type=media_type,
        noindex=page.noindex or "noindex" in robots,
        nofollow=page.nofollow or "nofollow" in robots,
        truncated=truncated,
    )


def html_of(content: bytes, content_type: str = "") -> str | None:
    """The HTML that `content` holds; None when it is something else."""
    media_type = sniff(content, content_type)
    if media_type is None or media_type == PLAIN:
        return None
    text, _ = decode(content, content_type)
    return from_xml(text) if media_type == XHTML else text
