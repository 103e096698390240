"""A third-party package with a strategy that raises and one that kills its process."""

from __future__ import annotations

from pathlib import Path

MODULE = """
import os
from dataclasses import dataclass
from topicrawl.strategies.bfs import BreadthFirst

@dataclass
class Raises(BreadthFirst):
    def observe(self, seen, frontier, rng):
        raise ValueError("no such\\nluck")

@dataclass
class Dies(BreadthFirst):
    def observe(self, seen, frontier, rng):
        os._exit(7)
"""
ENTRY_POINTS = """\
[topicrawl.strategies]
raises = broken_strategies_of_others:Raises
dies = broken_strategies_of_others:Dies
"""


def install(folder: Path) -> None:
    """Write the package to `folder`, which must be on sys.path."""
    (folder / "broken_strategies_of_others.py").write_text(MODULE)
    metadata = folder / "broken-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(ENTRY_POINTS)
