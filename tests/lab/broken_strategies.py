"""A package as others may install it, with strategies that go wrong in their own ways."""

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
    """Put the package into `folder`, which must be on the path."""
    (folder / "broken_strategies_of_others.py").write_text(MODULE)
    described = folder / "broken-1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (described / "entry_points.txt").write_text(ENTRY_POINTS)
