"""Follows redirects one by one: each hop is checked like any other request."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from topicrawl import urls
from topicrawl.errors import FetchError
from topicrawl.model import Hop
from topicrawl.urls import origin
from topicrawl.web.http.answer import Answer, Headers
from topicrawl.web.http.exchange import Exchange, without_secrets

Allowed = Callable[[str], bool]
"""Whether a redirect may lead to a URL."""
CONDITIONS = frozenset({"if-none-match", "if-modified-since"})
Permit = Callable[[str], Awaitable[float]]
"""Returns the delay before a request for a URL, or raises `FetchError` if it must not be requested."""


def anywhere(url: str) -> bool:
    """Every redirect may be followed."""
    return True


async def follow(
    exchange: Exchange,
    url: str,
    permit: Permit,
    *,
    limit: int,
    headers: Headers = (),
    allowed: Allowed = anywhere,
) -> tuple[Answer, tuple[Hop, ...]]:
    """The answer at the end of the redirects that begin at `url`, and the answers on the way.

    A target that is not allowed is not requested, nor the robots.txt of its host. Conditions hold for `url` alone:
    another page may answer "not modified" to them.
    """
    settings = exchange.settings
    hops: list[Hop] = []
    seen = {url}
    while True:
        try:
            delay = await permit(url)
            answer = await exchange.ask(url, limit=limit, delay=delay, headers=headers)
        except FetchError as failure:
            failure.url = url if hops else failure.url
            raise
        location = answer.location()
        if location is None:
            return answer, tuple(hops)
        if len(hops) == settings.redirects:
            raise FetchError("redirects", f"more than {settings.redirects}", status=answer.status)
        hops.append(answer.hop())
        target = absolute(location, url)
        if target in seen and not settings.cookies:  # with cookies, the same URL may answer differently
            raise FetchError("redirects", f"in a circle at {target}", status=answer.status)
        if not allowed(target):
            raise FetchError("scope", f"a redirect to {target}", status=answer.status)
        headers = tuple(line for line in headers if line[0].lower() not in CONDITIONS)
        if origin(target) != origin(url):
            headers = without_secrets(headers)
        seen.add(target)
        url = target


def absolute(link: str, base: str | None = None) -> str:
    """The canonical URL of `link`; `FetchError` (`scheme`, `url`) if it cannot be fetched."""
    target = urls.join(base, link) if base else urls.canonical(link)
    if target is None:
        scheme = link.strip().partition(":")[0].lower()
        foreign = ":" in link and scheme.isalnum() and scheme not in ("http", "https")
        raise FetchError("scheme" if foreign else "url", link[:200])
    return target
