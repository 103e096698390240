"""seeds.jsonl of a run: where each of its seeds was found, a line a seed. Runs with one source have none."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from topicrawl.store.disk import disk_errors, write_atomically

SOURCES = "seeds.jsonl"


class SeedSource(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seed, and the sources that named it, such as `search: flood warning` or `seeds.txt`."""

    url: str
    sources: list[str]
    relevance: float | None = None
    """What the judge said of its title and snippet, before it was fetched."""
    title: str = ""


def write_sources(folder: Path, seeds: Iterable[SeedSource]) -> None:
    """Add `seeds` to those in the run at `folder`; nothing is written where there are none."""
    found = {seed.url: seed for seed in seeds}
    if not found:
        return
    kept = {seed.url: seed for seed in read_sources(folder)}
    lines = b"".join(msgspec.json.encode(seed) + b"\n" for seed in (found | kept).values())
    with disk_errors(folder / SOURCES):
        write_atomically(folder / SOURCES, lines)


def read_sources(folder: Path) -> list[SeedSource]:
    """The seeds in the run at `folder` whose sources are known; lines that are damaged are left out."""
    try:
        lines = (folder / SOURCES).read_bytes().splitlines()
    except OSError:
        return []
    found = []
    for line in lines:
        try:
            found.append(msgspec.json.decode(line, type=SeedSource))
        except msgspec.DecodeError:
            continue
    return found
