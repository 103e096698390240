"""What a watch knows of the fetched pages: what each said, how often it changes, how many new pages it leads to.

Time is counted in days since the first turn, as the turns of the log tell it. A clock that was set back counts as no
time, and a pause as at most `MOST_TURNS` turns, so that one wrong time in the log does not spoil the estimates.
"""

from __future__ import annotations

from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from topicrawl.floats import Floats
from topicrawl.frontier import Frontier
from topicrawl.frontier.columns import Columns
from topicrawl.model import Page, ints
from topicrawl.value.change import USUAL_RATE, rate, site_rate

Hosts = npt.NDArray[np.int32]
ROW = "watched"
"""The column of links that has the row of a fetched page, from 1; 0 for other links."""
KEPT = 16
"""Visits of a page that count for its rate, the latest: a page that changes its ways is followed."""
IMAGINED_DAYS = 2.0
"""Days that count as seen of a page in how many new pages it leads to: as is usual for a page like it."""
USUAL_FOUND = 0.02
"""Relevant new pages a day that one page leads to, before anything was seen."""
THERE, GONE, UNSEEN = 0, 1, 2
"""States of a page; unseen: its link was asked for, and there was no answer so far."""
SUMS = ("visits", "changes", "days", "found", "link_days")
"""What is summed up for each site, and for all."""


class KnownPages:
    """The fetched pages of a crawl that is watched, a row each."""

    def __init__(self, frontier: Frontier) -> None:
        self._frontier = frontier
        frontier.columns.add(ROW, np.int32, 0)
        self.columns = Columns(
            frontier.allocator,
            link=(np.int32, -1),
            text=(np.int64, 0),  # fingerprint of what it said
            relevance=(np.float64, 0.0),
            last=(np.float64, 0.0),  # day of the last fetch
            rate=(np.float64, USUAL_RATE),  # changes a day
            links=(np.int32, 0),  # links that were known after its first fetch
            found=(np.float64, 0.0),  # relevant pages behind links that it got since its first fetch
            days=(np.float64, 0.0),  # days between its first and last fetch
            failures=(np.uint8, 0),  # in a row
            state=(np.uint8, THERE),
            unlinked=(np.bool_, False),
            announced=(np.bool_, False),  # its site says that it has changed since
            next=(np.uint8, 0),  # the visit in `seen` that the next one replaces
            seen=(
                np.dtype((np.float32, (KEPT,))),
                0.0,
            ),  # days before a visit; below 0 where nothing had changed
        )
        self._sites = Columns(**dict.fromkeys(SUMS, (np.float64, 0.0)))
        self._all = [0.0] * len(SUMS)

    def __len__(self) -> int:
        return self.columns.size

    def row(self, link: int) -> int | None:
        """The row of a page, None if it was not fetched."""
        row = int(self._frontier.columns[ROW][link]) - 1
        return row if row >= 0 else None

    def add(self, link: int, page: Page, relevance: float, day: float) -> None:
        """Add a page that was fetched for the first time."""
        row = self.columns.grow(1)
        self._frontier.columns[ROW][link] = row + 1
        self.columns["link"][row] = link
        self.columns["text"][row] = fingerprint(page)
        self.columns["relevance"][row] = relevance
        self.columns["links"][row] = len(self._frontier)
        self.columns["last"][row] = day
        self.columns["rate"][row] = self._site_rate(self._site(link))

    def add_unseen(self, link: int, relevance: float, day: float) -> None:
        """Add a page that gave no answer, to be asked for again; `relevance` is what is expected of it."""
        self.add(link, Page(""), relevance, day)
        self.columns["state"][-1], self.columns["failures"][-1] = UNSEEN, 1

    def lead(self, link: int) -> None:
        """Take note of a relevant new page: the page that it was found on gets the credit."""
        parent = int(self._frontier.columns["parent"][link])
        row = self.row(parent) if parent >= 0 else None
        if row is None or link < self.columns["links"][row]:
            return
        self.columns["found"][row] += 1
        self._sites["found"][self._site(parent)] += 1
        self._all[3] += 1

    def see(self, row: int, page: Page, relevance: float, day: float) -> bool:
        """Take note of a page fetched anew; returns whether it has changed."""
        columns = self.columns
        is_first = columns["state"][row] == UNSEEN
        text, days = fingerprint(page), float(day - columns["last"][row])
        has_changed = bool(text != columns["text"][row])
        columns["text"][row], columns["relevance"][row] = text, relevance
        columns["last"][row], columns["failures"][row] = day, 0
        columns["state"][row], columns["announced"][row] = THERE, False
        if days > 0 and not is_first:
            self._count(row, days, has_changed)
        return has_changed

    def recover(self, row: int, failures: int) -> None:
        """Have the pages of the host of a page count as many failures at most: it answers again."""
        host = self._frontier.columns["host"][self.columns["link"]]
        at = host == host[row]
        self.columns["failures"][at] = np.minimum(self.columns["failures"][at], failures)

    def miss(self, row: int, day: float, *, is_gone: bool) -> bool:
        """Take note of a page that was not fetched anew; returns whether it is gone, and was there before."""
        columns = self.columns
        columns["last"][row], columns["announced"][row] = day, False
        columns["failures"][row] = min(int(columns["failures"][row]) + 1, 255)
        was_there = columns["state"][row] == THERE
        if is_gone:
            columns["state"][row] = GONE
        return bool(is_gone and was_there)

    def found_rates(self) -> Floats:
        """The relevant new pages a day that each page is expected to lead to.

        Of a page that was not seen for long it is what is usual for its site, more for a hub: a relevant page that many
        pages of its site link to, as they do to home pages and lists.
        """
        sums, columns = self._sites, self.columns
        at = self._frontier.columns["host"][columns["link"]]
        self._grow_sites()
        usual = (self._all[3] + USUAL_FOUND) / (self._all[4] + 1.0)
        of_site = (sums["found"] + IMAGINED_DAYS * usual) / (sums["link_days"] + IMAGINED_DAYS)
        guessed = of_site[at] * self._hubs(at)
        rates: Floats = (columns["found"] + IMAGINED_DAYS * guessed) / (columns["days"] + IMAGINED_DAYS)
        return rates

    def _hubs(self, at: Hosts) -> Floats:
        """How much of a hub each page is: on average 1 for the pages of a site."""
        linked = self._frontier.columns["parents_count"][self.columns["link"]] * self.columns["relevance"]
        pages = np.bincount(at, minlength=self._sites.size)
        means = np.bincount(at, linked, self._sites.size) / np.maximum(pages, 1)
        found: Floats = linked / np.maximum(means[at], 1e-9)
        return found

    def guess_rates(self) -> None:
        """Have pages that were fetched only once change as their sites do by now."""
        once = np.flatnonzero(self.columns["days"] == 0)
        self._grow_sites()
        at = self._frontier.columns["host"][self.columns["link"][once]]
        sites, places = np.unique(at, return_inverse=True)
        rates = np.array([self._site_rate(site) for site in sites.tolist()])
        self.columns["rate"][once] = rates[places] if len(once) else 0.0

    def usual_rate(self) -> float:
        """The changes a day of the pages of all sites."""
        visits, changes, days = self._all[:3]
        return site_rate((0.0, 0.0, 0.0), (visits, changes, days))

    def _count(self, row: int, days: float, has_changed: bool) -> None:
        columns, site = self.columns, self._site(int(self.columns["link"][row]))
        for place, more in enumerate((1.0, float(has_changed), days, 0.0, days)):
            self._sites[SUMS[place]][site] += more
            self._all[place] += more
        columns["days"][row] += days
        at = int(columns["next"][row])
        columns["seen"][row, at] = days if has_changed else -days
        columns["next"][row] = (at + 1) % KEPT
        seen = columns["seen"][row].astype(np.float64)
        unchanged = -float(seen[seen < 0].sum())
        columns["rate"][row] = rate(seen[seen > 0], unchanged, self._site_rate(site))

    def _site(self, link: int) -> int:
        self._grow_sites()
        return int(self._frontier.columns["host"][link])

    def _grow_sites(self) -> None:
        self._sites.grow(len(self._frontier.hosts) - self._sites.size)

    def _site_rate(self, site: int) -> float:
        own = tuple(float(self._sites[name][site]) for name in SUMS[:3])
        everywhere = tuple(self._all[:3])
        return site_rate((own[0], own[1], own[2]), (everywhere[0], everywhere[1], everywhere[2]))


def fingerprint(page: Page) -> int:
    """A number for what a page says by itself: its text without that of its links, which are often furniture."""
    text, at, parts = page.text, 0, [page.title]
    for start, end in zip(ints(page.links.starts).tolist(), ints(page.links.ends).tolist(), strict=True):
        if start >= at:
            parts.append(text[at:start])
            at = end
    said = " ".join(" ".join([*parts, text[at:]]).split())
    digest = blake2b(said.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)
