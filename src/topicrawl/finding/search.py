"""Asks search engines: SearXNG's JSON, or any address with a place for the words (`{query}`)."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from typing import NamedTuple

from topicrawl.errors import FetchError
from topicrawl.finding.answers import Answers, Result, read_answer, read_json
from topicrawl.finding.endpoint import Endpoint
from topicrawl.web.http import HttpWeb

JSON = (("format", "json"),)
ACCEPT = (
    ("Accept", "application/json, application/rss+xml;q=0.9, application/atom+xml;q=0.9, text/html;q=0.8"),
)
PATIENCE = 2
"""Failures in a row after which an endpoint is asked no further query."""
HOPELESS = frozenset({"guard", "dns", "proxy", "robots", "scheme", "url", "tls", "retry-later"})
"""Kinds of failure that the next query would meet too."""


class Page(NamedTuple):
    """The results of one query at one endpoint."""

    endpoint: Endpoint
    query: str
    results: tuple[Result, ...]


async def search(
    web: HttpWeb, endpoints: Iterable[Endpoint], queries: Sequence[str], remark: Callable[[str], None]
) -> AsyncGenerator[Page, None]:
    """The results of each query, as they come; without results where an endpoint failed, which `remark` is told.

    An endpoint that is down is asked no further: the others are.
    """
    for endpoint in endpoints:
        failures = 0
        for number, query in enumerate(queries, 1):
            try:
                found = await _ask(web, endpoint, query)
            except FetchError as failure:
                failures += PATIENCE if failure.kind in HOPELESS else 1
                left = len(queries) - number
                given_up = f" ({left:,} more queries are not asked)" if failures >= PATIENCE and left else ""
                remark(f"{endpoint.complaint(failure)}{given_up}")
                yield Page(endpoint, query, ())
                if failures >= PATIENCE:
                    break
                continue
            failures = 0
            if found.damage:
                remark(f"{endpoint.flag} {endpoint.shown}, asked for {query!r}: {found.damage}")
            yield Page(endpoint, query, found.results)


async def _ask(web: HttpWeb, endpoint: Endpoint, query: str) -> Answers:
    """One query. robots.txt is asked where pages for people are read, not at an interface for programs."""
    if endpoint.is_template:
        response = await web.fetch(endpoint.address(query), ACCEPT)
    else:
        response = await web.consult(endpoint.address("", (("q", query), *JSON)), ACCEPT)
    if response.status != 200:
        said = response.content[:500].decode("utf-8", "replace")
        raise FetchError("http", "" if said.lstrip().startswith("<") else said, status=response.status)
    if endpoint.is_template:
        return read_answer(response.content, response.url, response.header("content-type"))
    found = read_json(response.content)
    if found.damage and response.content.lstrip().startswith(b"<"):
        return Answers(
            (), "answers with a page, not with JSON; write {query} where the words go, or enable `json`"
        )
    return found
