"""Where things are kept that can be made again: indexes of recorded webs and parsed pages."""

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
"""What each kind of file is for, by how it is called: the name of a web, a key, a process that still writes."""


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
    """Make sure that `folder` is there; what is written first to the user's own is announced."""
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
    """The files of ours in `folder`, by name; anything else there is not ours to speak of."""
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        for pattern, purpose in PURPOSES.items():
            if (found := pattern.fullmatch(path.name)) and path.is_file():
                yield Kept(path, found[1], purpose, path.stat().st_size)
                break


def clear(folder: Path) -> tuple[int, list[Path]]:
    """Remove our files from `folder`: how many bytes that freed, and what could not be removed.

    A crawl that is reading goes on: it holds its files open, which keeps them for itself (on Windows they cannot be
    removed and stay). Files beside a database go behind it, unless somebody has begun it anew meanwhile.
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
