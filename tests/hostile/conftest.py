"""Crawls each group of rows once, when its first row is judged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hostile.harness import Evidence, crawl
from hostile.rows import GROUPS, load


@pytest.fixture(scope="session")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Evidence]:
    """The evidence of one crawl for all rows of a group."""
    found: dict[str, Evidence] = {}

    def crawled(group: str) -> Evidence:
        if group not in found:
            seeds = [seed for row in load().values() if row.group == group for seed in row.seeds]
            folder: Path = tmp_path_factory.mktemp(group)
            found[group] = crawl(seeds, GROUPS[group], folder)
        return found[group]

    return crawled
