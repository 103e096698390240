"""topicrawl: focused web crawling. Give it a topic, it brings back the pages about it, and as few others as it can.

crawl(**settings)        a crawl, as an asynchronous iterator over its visits; begins a run or resumes one
crawl_sync(**settings)   the same without an event loop
Run(folder)              a run on disk: visits, pages, links, search, why
Table                    visits, pages, links … of a run for Arrow, pandas and polars: `Run(folder).tables`
Visit, Page, Link        what a crawl yields, what a page says, a link as `filter_link` sees it
Topic                    terms with weights, where a topic is not written as text
Judge, Seen              what says how likely a page is relevant, and a page as it sees it
main_text(url, html)     the main text of a page that you have, a `MainText`
Settings                 the settings by name, for type checkers
TopicrawlError           the base of all errors raised
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from topicrawl.api import Judge, Link, Run, Seen, Settings, Table, Visit, crawl, crawl_sync
    from topicrawl.errors import TopicrawlError
    from topicrawl.model import Page, Response, Topic
    from topicrawl.page.main.extract import MainText, main_text

__all__ = [
    "Judge",
    "Link",
    "MainText",
    "Page",
    "Response",
    "Run",
    "Seen",
    "Settings",
    "Table",
    "Topic",
    "TopicrawlError",
    "Visit",
    "crawl",
    "crawl_sync",
    "main_text",
]

_HOMES = {
    **{"TopicrawlError": "errors", "Page": "model", "Response": "model", "Topic": "model"},
    **dict.fromkeys(("MainText", "main_text"), "page.main.extract"),
}


def __getattr__(name: str) -> Any:
    """Import on first use: the parse workers need none of what a whole crawl needs."""
    if name not in __all__:
        raise AttributeError(f"module 'topicrawl' has no attribute {name!r}")
    return getattr(import_module(f"topicrawl.{_HOMES.get(name, 'api')}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
