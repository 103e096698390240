"""Where things are kept that can be made again: indexes of recorded webs and parsed pages."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path


def cache_folder(given: Path | None = None) -> Path:
    """The folder `given`, else $TOPICRAWL_CACHE, else `topicrawl` in the user's own cache folder."""
    if given is not None:
        return given
    if named := os.environ.get("TOPICRAWL_CACHE"):
        return Path(named)
    if base := os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA"):
        return Path(base) / "topicrawl"
    return Path.home() / ".cache" / "topicrawl"


def key(*parts: object) -> str:
    """A short file name that stands for `parts`; other parts, other name."""
    return hashlib.blake2b(repr(parts).encode("utf-8", "surrogateescape"), digest_size=10).hexdigest()
