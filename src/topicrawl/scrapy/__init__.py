"""Focused crawling for Scrapy: a scheduler that lets a strategy of topicrawl choose among the requests of any spider.

FocusedScheduler        SCHEDULER = "topicrawl.scrapy.FocusedScheduler"
FocusedLinkExtractor    Scrapy's link extractor, whose links also have their context
"""

from __future__ import annotations

try:
    import scrapy as _scrapy  # noqa: F401
except ImportError as error:  # pragma: no cover
    raise ImportError("topicrawl.scrapy needs Scrapy; pip install 'topicrawl[scrapy]'") from error

from topicrawl.scrapy.links import FocusedLinkExtractor
from topicrawl.scrapy.scheduler import FocusedScheduler

__all__ = ["FocusedLinkExtractor", "FocusedScheduler"]
