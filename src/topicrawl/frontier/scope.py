"""Which links a crawl may follow, decided once, when a link is first found."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from topicrawl.errors import ConfigError
from topicrawl.urls import FEW_SLASHES, host, hostname, looks_endless, site


@dataclass(frozen=True)
class Scope:
    """The limits set by the user. Empty means no limit.

    `allow_domain`: host names, each with everything below it. `same_site`: only registrable domains of the seeds.
    `include` and `exclude`: regular expressions searched in the URL; a link must match one of the first and none of
    the second. `max_depth`: clicks from a seed. `max_per_host`: pages fetched from one host.
    """

    allow_domain: tuple[str, ...] = ()
    same_site: bool = False
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    max_depth: int | None = None
    max_per_host: int | None = None
    follow_nofollow: bool = False

    @cached_property
    def _include(self) -> re.Pattern[str] | None:
        return _any_of("include", self.include)

    @cached_property
    def _exclude(self) -> re.Pattern[str] | None:
        return _any_of("exclude", self.exclude)

    @cached_property
    def _domains(self) -> frozenset[str]:
        return frozenset(domain.lower().strip(".") for domain in self.allow_domain)

    @cached_property
    def is_open(self) -> bool:
        """Whether no rule concerns the URL."""
        return not (self.allow_domain or self.same_site or self.include or self.exclude)

    def refusal(self, url: str, depth: int, seed_hosts: frozenset[str]) -> str | None:
        """Why a link may not be followed, or None when it may."""
        if self.max_depth is not None and depth > self.max_depth:
            return f"deeper than max_depth {self.max_depth}"
        if looks_endless(url):
            return "a path that looks like a trap (too deep, or one segment over and over)"
        if self.is_open:
            return None
        if reason := self._refusal_of_host(url, seed_hosts):
            return reason
        if self._include is not None and not self._include.search(url):
            return "matches no include pattern"
        if self._exclude is not None and self._exclude.search(url):
            return "matches an exclude pattern"
        return None

    def _refusal_of_host(self, url: str, seed_hosts: frozenset[str]) -> str | None:
        if self._domains and not _below(hostname(url), self._domains):
            return "outside allow_domain"
        if self.same_site and site(host(url)) not in _sites(seed_hosts):
            return "not on a seed's site"
        return None

    def is_passable(self, url: str, seed_hosts: frozenset[str]) -> bool:
        """Whether a redirect may pass through: the host is allowed, and nothing excludes the URL.

        `include` holds for pages only: many sites redirect to a form of consent and back.
        """
        is_excluded = self._exclude is not None and self._exclude.search(url)
        return not is_excluded and self._refusal_of_host(url, seed_hosts) is None

    def admitted(self, urls: Iterable[str], depth: int, seed_hosts: frozenset[str]) -> list[str]:
        """Those links, all found at this depth, that may be followed."""
        if self.is_open and (self.max_depth is None or depth <= self.max_depth):
            return [url for url in urls if url.count("/") < FEW_SLASHES or not looks_endless(url)]
        return [url for url in urls if not self.refusal(url, depth, seed_hosts)]

    def is_within(self, other: Scope) -> bool:
        """Whether it certainly admits nothing that `other` excludes."""
        return (
            (not other.allow_domain or (bool(self.allow_domain) and self._domains <= other._domains))
            and self.same_site >= other.same_site
            and (not other.include or (bool(self.include) and set(self.include) <= set(other.include)))
            and set(self.exclude) >= set(other.exclude)
            and _at_most(self.max_depth, other.max_depth)
            and _at_most(self.max_per_host, other.max_per_host)
            and self.follow_nofollow <= other.follow_nofollow
        )

    def check(self) -> None:
        """Raise `ConfigError` for invalid regular expressions."""
        _ = self._include, self._exclude


def hosts_of(urls: Iterable[str]) -> frozenset[str]:
    """The hosts of some URLs."""
    return frozenset(map(host, urls))


@lru_cache(maxsize=64)
def _sites(hosts: frozenset[str]) -> frozenset[str]:
    """The registrable domains of hosts; found only where a scope asks, as the list of public suffixes loads slowly."""
    return frozenset(map(site, hosts))


def _at_most(limit: int | None, other: int | None) -> bool:
    """Whether a limit (None: none) allows no more than another."""
    return other is None or (limit is not None and limit <= other)


def _below(name: str, domains: frozenset[str]) -> bool:
    """Whether a host name is one of the domains or below one."""
    while True:
        if name in domains:
            return True
        _, dot, name = name.partition(".")
        if not dot:
            return False


def _any_of(name: str, patterns: tuple[str, ...]) -> re.Pattern[str] | None:
    for pattern in patterns:
        try:
            re.compile(pattern)
        except re.error as error:
            raise ConfigError(f"{name}: {pattern!r} is not a regular expression ({error})") from error
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns)) if patterns else None
