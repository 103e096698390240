"""Scrapy's link extractor, whose links also have the words around them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scrapy import Request
from scrapy.http import TextResponse
from scrapy.link import Link
from scrapy.linkextractors.lxmlhtml import LxmlLinkExtractor

from topicrawl.scrapy.pages import Lead, leads, page_of
from topicrawl.urls import canonical

TEXT, CONTEXT = "link_text", "link_context"
"""The keys of `Request.meta` with the text of a link (as in CrawlSpider), and with the words around it."""


class FocusedLink(Link):
    """A link with its context."""

    __slots__ = ("context",)

    def __init__(self, link: Link, lead: Lead) -> None:
        super().__init__(link.url, link.text.strip() or lead.anchor, link.fragment, link.nofollow)
        self.context = lead.context


class FocusedLinkExtractor(LxmlLinkExtractor):
    """Takes the arguments of Scrapy's `LinkExtractor`, and finds the same links.

    The text of a link without one is that of its image. `requests` makes requests that carry text and context; those
    of a `CrawlSpider` with this extractor carry them too.
    """

    def extract_links(self, response: TextResponse) -> list[Link]:
        """The links of a response, each with its `context`."""
        found = leads(page_of(response))
        return [
            FocusedLink(link, found.get(canonical(link.url) or "", Lead()))
            for link in super().extract_links(response)
        ]

    def requests(self, response: TextResponse, **arguments: Any) -> Iterator[Request]:
        """A request for each link, made with these arguments of `Response.follow`."""
        meta = arguments.pop("meta", None) or {}
        for link in self.extract_links(response):
            assert isinstance(link, FocusedLink)
            carried = {**meta, TEXT: link.text, CONTEXT: link.context}
            yield response.follow(link, meta=carried, **arguments)
