"""The shapes of URLs: where they lead, with numbers left out. Native code does the same with many URLs at once."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

FOLDERS = 3
"""Folders of a path that make groups; deeper ones are in the group of the third."""
FOLDERS_REMEMBERED = 1 << 12
"""Folders whose names as groups are cached."""
_NUMBER = re.compile(r"\d+")
_ENDING = re.compile(r"[a-z][a-z0-9]{0,4}", re.IGNORECASE | re.ASCII)
"""What may be the ending of a file name; other letters after a dot are part of a name or number."""


def group_names(urls: list[str], name: Callable[[str], str]) -> list[str]:
    """The name of the smallest group of each URL; `name` is `group_name`."""
    return list(map(name, urls))


def group_name(url: str) -> str:
    """The name of the smallest group of a URL.

    >>> group_name("http://h.test/cal/2026/11/day3.html?view=all")
    'h.test/cal/#/#/*#.html?'
    """
    path, question, _ = url[url.index("/") + 2 :].partition("?")
    folder, _, name = path.rpartition("/")
    stem, dot, ending = name.rpartition(".")
    if not _ENDING.fullmatch(ending):
        stem, dot, ending = name, "", ""
    digits = "#" if _NUMBER.search(stem or ending) else ""
    return f"{_folder_name(folder)}*{digits}{dot}{ending.lower() if dot else ''}{question}"


@lru_cache(FOLDERS_REMEMBERED)
def _folder_name(folder: str) -> str:
    """Host and first folders of a URL, numbers as "#": many URLs share them."""
    host, *folders = folder.split("/")
    return f"{host}/{_NUMBER.sub('#', '/'.join((*folders[:FOLDERS], ''))) if folders else ''}"
