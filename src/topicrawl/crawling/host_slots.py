"""How many links of one host may be pending, and how many of its pages may be fetched.

At `ahead` pending links a host is held until half of them are answered, so that the links in flight spread over hosts.
This depends on asks and tells only, never on a clock; half, because holding a host touches all its links and would be
too slow for every page.
"""

from __future__ import annotations

from topicrawl.frontier import Frontier
from topicrawl.frontier.hosts import BUSY
from topicrawl.urls import host as host_of


class HostSlots:
    """Holds the hosts that may not be asked now, and releases them."""

    def __init__(self, frontier: Frontier, ahead: int | None, most: int | None) -> None:
        self._frontier, self._ahead, self._most = frontier, ahead, most

    def add(self, link: int) -> None:
        """Count a link as pending."""
        host = self._host(link)
        self._frontier.hosts.columns["asked"][host] += 1
        if not self._has_slot(host, self._ahead):
            self._frontier.hold(host)

    def remove(self, link: int) -> None:
        """Count a link as not pending any more; release the host when half are answered."""
        host, columns = self._host(link), self._frontier.hosts.columns
        columns["asked"][host] -= 1
        if columns["held"][host] & BUSY and self._has_slot(host, self._ahead and self._ahead // 2 + 1):
            self._frontier.release(host)

    def hold_if_full(self, host: int) -> None:
        """Hold a host that may give no more pages, or that was closed."""
        if not self._frontier.hosts.held[host] & BUSY and not self._has_slot(host, self._ahead):
            self._frontier.hold(host)

    def is_full(self, url: str) -> bool:
        """Whether as many pages of the host of `url` have been fetched as may be."""
        host = None if self._most is None else self._frontier.hosts.number(host_of(url))
        return host is not None and self._most is not None and self._fetched(host) >= self._most

    def change_most(self, most: int | None) -> None:
        """Change how many pages of a host may be fetched; holds and releases hosts accordingly."""
        self._most = most
        for host in range(len(self._frontier.hosts)):
            is_held = bool(self._frontier.hosts.held[host] & BUSY)
            if is_held and self._has_slot(host, self._ahead):
                self._frontier.release(host)
            self.hold_if_full(host)

    def may_revisit(self, link: int) -> bool:
        """Whether a known page may be asked for anew: its host is not closed, and has few links pending."""
        columns, host = self._frontier.hosts.columns, self._host(link)
        return not columns["closed"][host] and (self._ahead is None or columns["asked"][host] < self._ahead)

    def reopen(self) -> None:
        """Let hosts be asked again that were closed."""
        self._frontier.hosts.columns["closed"][:] = False
        self.change_most(self._most)

    def _fetched(self, host: int) -> int:
        """Pages of a host that were fetched, each counted once."""
        columns = self._frontier.hosts.columns
        return int(columns["fetched"][host]) - int(columns["again"][host])

    def _has_slot(self, host: int, ahead: int | None) -> bool:
        """Whether one more link of this host may be asked: fewer than `ahead` pending, not closed, not full."""
        columns = self._frontier.hosts.columns
        asked = int(columns["asked"][host])
        if columns["closed"][host] or (ahead is not None and asked >= ahead):
            return False
        return self._most is None or asked + self._fetched(host) < self._most

    def _host(self, link: int) -> int:
        return int(self._frontier.columns["host"][link])
