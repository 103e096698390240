"""The page docs/evidence/mutation.md, from the results of tools/mutation.py."""

from __future__ import annotations
from pathlib import Path


def write_page(page: Path, results: Path, packages: dict[str, str], sample: int, seed: int) -> None:
    """Later."""
