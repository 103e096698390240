"""Conditional requests for the pages of a run itself: "not modified" is answered with the page that it has.

ETag and Last-Modified are those of the last archived answer. A run without an archive asks without conditions.
"""

from __future__ import annotations

from topicrawl.crawling.recrawl import ConditionalWeb
from topicrawl.model import Page, Visit


class OwnPages(ConditionalWeb):
    """A web, with "not modified" answered from a run that is being written.

    A visit is looked up when its page is asked for: there may be millions.
    """

    def _all_visits(self) -> dict[str, Visit]:
        return {}

    def _last(self, url: str) -> Visit | None:
        return self._earlier.fetched_before(url)

    def _page(self, visit: Visit) -> Page | None:
        return self._earlier.page_of(visit.n)
