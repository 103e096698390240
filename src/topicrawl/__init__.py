"""topicrawl: focused web crawling. Give it a topic, it brings back the pages about it, and as few others as it can."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from topicrawl.api import crawl, crawl_sync
    from topicrawl.errors import TopicrawlError
    from topicrawl.model import Page, Topic, Visit

__all__ = ["Page", "Topic", "TopicrawlError", "Visit", "crawl", "crawl_sync"]

_HOMES = {
    "crawl": "api",
    "crawl_sync": "api",
    "TopicrawlError": "errors",
    "Page": "model",
    "Topic": "model",
    "Visit": "model",
}


def __getattr__(name: str) -> Any:
    """Import on first use: the parse workers need none of what a whole crawl needs."""
    if name not in _HOMES:
        raise AttributeError(f"module 'topicrawl' has no attribute {name!r}")
    return getattr(import_module(f"topicrawl.{_HOMES[name]}"), name)
