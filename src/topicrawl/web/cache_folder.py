"""The cache folder: indexes of recorded webs, unpacked recordings and parsed pages."""

from __future__ import annotations

import hashlib
import logging
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

log = logging.getLogger(__name__)

_KEY = r"-[0-9a-f]{20}"
PURPOSES = {
    re.compile(rf"(.+?){_KEY}\.index(?:\.\d+)?"): "where pages stand in the recording",
    re.compile(rf"(.+?){_KEY}\.warc(?:\.\d+)?"): "the recording, unpacked",
    re.compile(rf"(.+?)(?:{_KEY})?\.pages{_KEY}\.db(?:-\w+)?"): "pages read already",
}
"""The purpose of a file by the pattern of its name: name of the web, key, number of a process that is writing."""


def cache_folder(given: Path | None = None) -> Path:
    """The folder `given`, else $TOPICRAWL_CACHE, else `topicrawl` in the user's own cache folder."""
    if given is not None:
        return given
    if named := os.environ.get("TOPICRAWL_CACHE"):
        return Path(named)
    if base := os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA"):
        return Path(base) / "topicrawl"
    return Path.home() / ".cache" / "topicrawl"


def make_folder(folder: Path) -> None:
    """Create `folder`; log a line before the first file is written to the user's cache folder."""
    folder.mkdir(parents=True, exist_ok=True)
    if folder == cache_folder() and not any(folder.iterdir()):
        log.warning(
            "what is read from recorded and invented webs is kept in %s, so that it is read faster again; "
            "see and clear it with: topicrawl cache",
            folder,
        )


@dataclass(frozen=True, slots=True)
class Kept:
    """A file of the cache: the web it belongs to, what it is for, and its size in bytes."""

    path: Path
    web: str
    purpose: str
    size: int


def kept(folder: Path) -> Iterator[Kept]:
    """The cache files in `folder`, by name; other files there are ignored."""
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        for pattern, purpose in PURPOSES.items():
            if (found := pattern.fullmatch(path.name)) and path.is_file():
                yield Kept(path, found[1], purpose, path.stat().st_size)
                break


def clear(folder: Path) -> tuple[int, list[Path]]:
    """Remove the cache files from `folder`; returns the bytes freed and the files that could not be removed.

    A crawl that is running is not disturbed: it holds its files open (on Windows they cannot be removed and stay).
    The side files of a database are removed after it, unless another process has created it again meanwhile.
    """
    freed, left = 0, []
    for file in kept(folder):
        database = file.path.name.rpartition(".db-")[0]
        if database and file.path.with_name(f"{database}.db").exists():
            continue
        try:
            file.path.unlink(missing_ok=True)
            freed += file.size
        except OSError:
            left.append(file.path)
    return freed, left


def key(*parts: object) -> str:
    """A hash of `parts`, for use in a file name."""
    return hashlib.blake2b(repr(parts).encode("utf-8", "surrogateescape"), digest_size=10).hexdigest()


def code_key(*names: str) -> str:
    """A hash of the source of these modules and folders of the package.

    It invalidates the cache when that code changes, without a version number to maintain.
    """
    package = resources.files("topicrawl")
    places = [package.joinpath(name) for name in names]
    files = [file for place in places for file in (place.iterdir() if place.is_dir() else [place])]
    return key(sorted((file.name, file.read_bytes()) for file in files if file.is_file()))
