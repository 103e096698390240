"""The link graph of a recorded web, for the oracle and for making tasks; strategies never see it."""

from __future__ import annotations

from topicrawl.crawling.offline import OfflinePages, followable


class Graph:
    """All pages of a web with the links that lead to pages of it, redirects followed."""

    def __init__(self, offline: OfflinePages) -> None:
        self._final: dict[str, str] = {}
        raw: dict[str, list[str]] = {}
        for url in offline.urls():
            found = offline.outcome(url)
            if found.page is not None:
                self._final[url] = found.url
                if found.url not in raw:
                    raw[found.url] = followable(found.page)
        self._links = {
            url: list(dict.fromkeys(self._final[link] for link in links if link in self._final))
            for url, links in raw.items()
        }

    def page(self, url: str) -> str | None:
        """The page that `url` leads to, or None."""
        return self._final.get(url)

    def links(self, url: str) -> list[str]:
        """The pages that a page links to."""
        return self._links.get(url, [])

    def __len__(self) -> int:
        return len(self._links)

    def __contains__(self, url: str) -> bool:
        return url in self._links
