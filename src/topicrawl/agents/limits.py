"""What an agent may ask for. The limits are fixed when the server starts; no tool has an argument that changes one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from topicrawl.crawling.lifecycle import is_run
from topicrawl.errors import UsageError
from topicrawl.setup.config import Config
from topicrawl.setup.resolve import resolve
from topicrawl.topic.read import read_topic
from topicrawl.urls import canonical

NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]{0,63}")
SECRET = re.compile(r"(?:^|[\s=:,])(?:env|file):", re.IGNORECASE)
REQUESTS = 2
"""Most requests for each page asked for, where the person set no --max-requests."""
MOST_SEEDS = 100
LONGEST_TOPIC = 2000
"""Letters."""
GIVEN_BY_AGENTS = ("topic", "seeds", "pages", "out")
"""Settings that are no flags of the server: an agent gives the first three, the server the last."""


@dataclass(frozen=True)
class Limits:
    """What the person set."""

    folder: Path
    fixed: Mapping[str, Any] = field(default_factory=dict)
    """Settings of every crawl: scope, network, politeness and the rest."""
    pages: int = 200
    """Most pages of one crawl."""
    total_pages: int = 2000
    """Most pages of all crawls that one server starts."""
    crawls: int = 1
    """Most crawls at once."""
    read_only: bool = False

    def path(self, name: str) -> Path:
        """The folder of a run, inside that of the server; `UsageError` for any other."""
        if not NAME.fullmatch(name):
            raise UsageError(f"run {name[:80]!r}: a name has letters, digits, - and _ only, 64 at most")
        path = self.folder / name
        if path.is_symlink() or path.resolve().parent != self.folder.resolve():
            raise UsageError(f"run {name!r}: it is a link to another place; name a run of this folder")
        return path

    def run(self, name: str) -> Path:
        """The folder of a run that exists."""
        path = self.path(name)
        if not is_run(path):
            raise UsageError(f"run {name!r}: there is none of this name; list_runs names them")
        return path

    def names(self) -> list[str]:
        """The runs of the folder, by name."""
        found = (each for each in self.folder.iterdir() if NAME.fullmatch(each.name) and is_run(each))
        return sorted(each.name for each in found if not each.is_symlink())

    def config(self, topic: str, seeds: Sequence[str], pages: int) -> Config:
        """The configuration of a crawl; `UsageError` for what is beyond a limit."""
        if not 1 <= pages <= self.pages:
            raise UsageError(
                f"pages {pages}: this server allows 1 to {self.pages:,} for a crawl; ask for fewer"
            )
        if not topic.strip() or len(topic) > LONGEST_TOPIC:
            raise UsageError(f"topic: give terms, {LONGEST_TOPIC:,} letters at most")
        if not 1 <= len(seeds) <= MOST_SEEDS:
            raise UsageError(f"seeds: {len(seeds)} given; give 1 to {MOST_SEEDS} addresses of pages")
        refuse_secrets("topic", topic)
        for seed in seeds:
            refuse_secrets("seeds", seed)
        fixed = Config(**self.fixed)
        most = (
            fixed.max_requests or REQUESTS * pages
        )  # pages that fail are none: dead links would have no end
        given = replace(
            fixed, topic=read_topic(topic), seeds=tuple(map(_seed, seeds)), pages=pages, max_requests=most
        )
        return resolve(given, lambda _: None)


def _seed(text: str) -> str:
    url = canonical(text) if text.lower().startswith(("http://", "https://")) else None
    if url is None:
        raise UsageError(
            f"seed {text[:200]!r}: is no http or https address; give one such as https://example.org/"
        )
    return url


def refuse_secrets(name: str, text: str) -> None:
    """`UsageError` for text that names a secret of the person."""
    if SECRET.search(text):
        raise UsageError(
            f"{name}: env: and file: name secrets and files of this machine; an agent cannot give them"
        )
