"""Which page of a recorded web links to which: for those who may know the whole web."""

from __future__ import annotations

from topicrawl.crawling.offline import OfflinePages, followable


class Graph:
    """All pages of a web with the links that lead to pages of it, redirects followed."""

    def __init__(self, shelf: OfflinePages) -> None:
        self._place: dict[str, str] = {}
        raw: dict[str, list[str]] = {}
        for url in shelf.urls():
            found = shelf.outcome(url)
            if found.page is not None:
                self._place[url] = found.url
                if found.url not in raw:
                    raw[found.url] = followable(found.page)
        self._links = {
            url: list(dict.fromkeys(self._place[link] for link in links if link in self._place))
            for url, links in raw.items()
        }

    def page(self, url: str) -> str | None:
        """The page that `url` leads to, or None."""
        return self._place.get(url)

    def links(self, url: str) -> list[str]:
        """The pages that a page links to."""
        return self._links.get(url, [])

    def __len__(self) -> int:
        return len(self._links)

    def __contains__(self, url: str) -> bool:
        return url in self._links
