"""Where things are kept that can be made again: indexes of recorded webs and parsed pages."""

from __future__ import annotations

import hashlib
import os
from importlib import resources
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


def code_key(*names: str) -> str:
    """A key that changes with the source of these modules and folders of the package.

    What was made by other code is made anew, and nobody has to remember to raise a version number.
    """
    package = resources.files("topicrawl")
    places = [package.joinpath(name) for name in names]
    files = [file for place in places for file in (place.iterdir() if place.is_dir() else [place])]
    return key(sorted((file.name, file.read_bytes()) for file in files if file.is_file()))
