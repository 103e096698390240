"""Which shard crawls which site: a hash of its registrable domain. It is fixed when a crawl is begun.

Sites that are too large for one shard are split: there each host has a shard of its own hash.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b

from topicrawl.urls import host, site


def shard_name(number: int) -> str:
    """The name of a shard, also of its folder."""
    return f"{number:03}"


@dataclass(frozen=True)
class Route:
    """The shards of a crawl, and the sites that are split by host."""

    shards: int
    split: tuple[str, ...] = ()

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of all shards."""
        return tuple(map(shard_name, range(self.shards)))

    def owner(self, url: str) -> str:
        """The shard that crawls the site of a canonical URL; the same on every machine."""
        name = host(url)
        known = self._owners.get(name)
        if known is None:
            of = site(name)
            known = self._owners[name] = self.names[number_of(name if of in self.split else of, self.shards)]
        return known

    @cached_property
    def _owners(self) -> dict[str, str]:
        """By host: looked up for each link of each page."""
        return {}


def number_of(text: str, many: int) -> int:
    """A number below `many` that depends on the text alone."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big") % many
