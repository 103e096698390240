"""Conditional requests for the pages of a run itself: "not modified" is answered with the page that it has.

ETag and Last-Modified are those of the last archived answer. A run without an archive asks without conditions. Some
servers never change them, so that after `TRUSTED` answers a page is asked for without conditions, too.
"""

from __future__ import annotations

from topicrawl.crawling.recrawl import ConditionalWeb, Headers
from topicrawl.model import Page, Visit

TRUSTED = 4
"""Answers of "not modified" in a row that are believed."""


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

    def _conditions(self, visit: Visit) -> Headers:
        if self._earlier.count_fetched(visit.url, visit.n) >= TRUSTED:
            return ()
        return super()._conditions(visit)
