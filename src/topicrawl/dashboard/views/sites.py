"""Sites: what each host and each section of it has yielded; a click excludes or favours one."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from topicrawl.dashboard.opened import Opened
from topicrawl.dashboard.rendering import markup
from topicrawl.dashboard.sections import folders
from topicrawl.dashboard.views.frame import opened
from topicrawl.dashboard.views.frame import show as show_page
from topicrawl.report.tables import meter
from topicrawl.store import wishes
from topicrawl.store.wishes import Change

HOSTS = 25
"""Hosts of a page of the table."""
SECTIONS = 2_000
"""Sections of a host that are read, the largest ones."""
LONGEST = 30
"""Letters of a place in the table; SQLite has no larger numbers."""
ORDERS = {
    "pages": "most pages first",
    "relevant": "most relevant pages first",
    "failed": "most failures first",
}
HOSTS_AFTER = (
    "SELECT id, host, section, pages, relevant, failed FROM sites WHERE section = ''"
    " AND ({0} < ?1 OR ({0} = ?1 AND id > ?2)) ORDER BY {0} DESC, id LIMIT ?3"
)
SECTIONS_OF = (
    "SELECT section, pages, relevant, failed FROM sites WHERE host = ? AND section <> ''"
    " ORDER BY {0} DESC, id LIMIT ?"
)


class Excluded(NamedTuple):
    """That a site is excluded, or will be."""

    waits: bool
    """Until the crawl is resumed."""
    back: dict[str, Any]
    """The wish that takes it back."""


class Site(NamedTuple):
    """A host, or a section of one."""

    id: int
    host: str
    section: str
    """Empty for the whole host."""
    pages: int
    relevant: int
    failed: int
    excluded: Excluded | None = None
    depth: int = 0
    """Folders that a section is in."""

    @property
    def yielded(self) -> float:
        """The share of relevant pages."""
        return self.relevant / self.pages if self.pages else 0.0

    @property
    def pattern(self) -> str:
        """What excludes it: a regular expression for URLs."""
        return pattern_of(self.host, self.section)

    @property
    def meter(self) -> str:
        """Its yield as a small bar."""
        return markup(meter(self.yielded))


def pattern_of(host: str, section: str) -> str:
    """The regular expression that the URLs of a host, or of a section of it, match.

    >>> pattern_of("a.test", "/blog/")
    '^https?://a\\\\.test/blog/'
    """
    end = "/[^/]*$" if section == "/" else re.escape(section or "/")
    return f"^https?://{re.escape(host)}{end}"


def show(request: Request) -> Response:
    """The table of hosts, each with its sections."""
    run = opened(request)
    run.refresh()
    order = request.query_params.get("order", "pages")
    order = order if order in ORDERS else "pages"
    excluded = _excluded(run)
    with run.index() as connection:
        hosts = _hosts(connection, order, request.query_params.get("after", ""), excluded)
        shown = [(host, _sections(connection, host, order, excluded)) for host in hosts[:HOSTS]]
        total = connection.execute("SELECT count(*) FROM sites WHERE section = ''").fetchone()[0]
    last = hosts[HOSTS - 1] if len(hosts) > HOSTS else None
    after = f"{getattr(last, order)},{last.id}" if last else ""
    values = {"sites": shown, "total": total, "order": order, "orders": ORDERS, "after": after}
    return show_page(request, "sites.html", "sites", run, name=run.name, far=run.far(), **values)


def _excluded(run: Opened) -> dict[str, Excluded]:
    """What is excluded by its pattern, also what waits for a resume."""
    patterns = run.config().exclude
    found = {
        each: Excluded(False, {"kind": "change", "settings": {"exclude": [x for x in patterns if x != each]}})
        for each in patterns
    }
    for wish in wishes.waiting(run.path):
        for pattern in wish.body.add.get("exclude", ()) if isinstance(wish.body, Change) else ():
            found[pattern] = Excluded(True, {"kind": "undo", "wish": wish.id})
    return found


def _hosts(
    connection: sqlite3.Connection, order: str, after: str, excluded: Mapping[str, Excluded]
) -> list[Site]:
    value, _, number = after.partition(",")
    is_place = value.isdecimal() and number.isdecimal() and len(after) < LONGEST
    place = (int(value), int(number)) if is_place else (1 << 62, 0)
    rows = connection.execute(HOSTS_AFTER.format(order), (*place, HOSTS + 1))
    return [_host(row, excluded) for row in rows]


def _host(row: tuple[int, str, str, int, int, int], excluded: Mapping[str, Excluded]) -> Site:
    return Site(*row, excluded=excluded.get(pattern_of(row[1], row[2])))


def _sections(
    connection: sqlite3.Connection, host: Site, order: str, excluded: Mapping[str, Excluded]
) -> list[Site]:
    rows = connection.execute(SECTIONS_OF.format(order), (host.host, SECTIONS))
    return [
        Site(
            host.id,
            host.host,
            each.section,
            each.pages,
            each.relevant,
            each.failed,
            excluded.get(pattern_of(host.host, each.section)),
            each.depth,
        )
        for each in folders(rows, order)
    ]
