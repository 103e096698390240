"""Where a page was found, and what became of its links: from the index and the log alone."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from topicrawl.dashboard.index import key_of
from topicrawl.dashboard.query import Row, row_of
from topicrawl.model import NOFOLLOW, REFUSED, Links, Visit
from topicrawl.store.run import Run

MOST = 300
"""Links of a page that are listed."""


class Parent(NamedTuple):
    """The page that a link was found on first."""

    row: Row
    anchor: str
    """The text of the link there; empty where it was a redirect or the text is."""


class Fate(NamedTuple):
    """A link of a page, and the visit it led to."""

    url: str
    anchor: str
    row: Row | None
    nofollow: bool
    refused: bool


def visit_number(connection: sqlite3.Connection, url: str) -> int | None:
    """The first visit that asked for `url` or ended there."""
    found = connection.execute(
        "SELECT a.n FROM addresses a JOIN run.visits v ON v.n = a.n WHERE a.key = ?1 AND ?2 IN (v.url, v.asked)"
        " ORDER BY a.n LIMIT 1",
        (key_of(url), url),
    ).fetchone()
    return None if found is None else int(found[0])


def parent_of(connection: sqlite3.Connection, log: Run, visit: Visit) -> Parent | None:
    """The page on which the link of a visit was found; None for a seed."""
    n = None if visit.parent is None else visit_number(connection, visit.parent)
    row = None if n is None else row_of(connection, n)
    if row is None:
        return None
    _, _, outcome = next(log.told(row.n - 1))
    links = outcome.page.links if outcome.page else Links()
    anchors = [
        text for url, text in zip(links.urls, links.anchors, strict=True) if url == visit.asked and text
    ]
    return Parent(row, anchors[0] if anchors else "")


def fates(connection: sqlite3.Connection, links: Links) -> list[Fate]:
    """The different links of a page, the first `MOST`, with what became of them."""
    flags = links.flags or bytes(len(links.urls))
    first: dict[str, tuple[str, int]] = {}
    for url, anchor, flag in zip(links.urls, links.anchors, flags, strict=True):
        if url not in first or (anchor and not first[url][0]):
            first[url] = (anchor, flag)
    found = []
    for url, (anchor, flag) in list(first.items())[:MOST]:
        n = visit_number(connection, url)
        row = None if n is None else row_of(connection, n)
        found.append(Fate(url, anchor, row, bool(flag & NOFOLLOW), bool(flag & REFUSED)))
    return found
