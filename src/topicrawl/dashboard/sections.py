"""The folders of a host: a large folder is shown with those inside it, as a site often has all its pages in one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

DEEPEST = 3
"""Folders inside one another that are told apart."""
SHOWN = 10
"""Folders that are shown of a host, and of a folder that is opened: the largest ones."""
MANY, SHARE = 10, 0.25
"""Pages of a folder, and its share of the host's, from which on the folders inside it are shown."""


class Counts(NamedTuple):
    """What was fetched from a folder and from those inside it."""

    section: str
    pages: int
    relevant: int
    failed: int

    @property
    def depth(self) -> int:
        """How many folders it is inside; 0 for a first folder, and for the files in none (`/`)."""
        return max(0, self.section.count("/") - 2)


def section_of(url: str, deepest: int = DEEPEST) -> str:
    """The folder of a URL's path, of at most so many folders inside one another.

    >>> section_of("https://a.test/blog/2020/x.html"), section_of("https://a.test/x.html")
    ('/blog/2020/', '/')
    >>> section_of("https://a.test/blog/2020/05/07/x.html"), section_of("https://a.test/blog/2020/x.html", 1)
    ('/blog/2020/05/', '/blog/')
    """
    path = "/" + url.partition("://")[2].partition("/")[2].partition("?")[0].partition("#")[0]
    end = 0
    for _ in range(deepest):
        following = path.find("/", end + 1)
        if following < 0 or following >= LONGEST:
            break
        end = following
    return path[: end + 1]


LONGEST = 200
"""Letters of a section, at most."""


def folders(rows: Iterable[tuple[str, int, int, int]], order: str) -> Iterator[Counts]:
    """The folders of a host worth showing, each before those inside it, the first by `order` first.

    `rows` are section, pages, relevant pages and failures of its deepest folders.
    """
    all_of_them: dict[str, Counts] = {}
    inside: dict[str, list[str]] = {}
    host_pages = 0
    for section, pages, relevant, failed in rows:
        host_pages += pages
        for folder in above(section):
            if folder not in all_of_them:
                all_of_them[folder] = Counts(folder, 0, 0, 0)
                inside.setdefault(folder[: folder.rfind("/", 0, -1) + 1] if folder != "/" else "", []).append(
                    folder
                )
            _, had, had_relevant, had_failed = all_of_them[folder]
            all_of_them[folder] = Counts(folder, had + pages, had_relevant + relevant, had_failed + failed)
    firsts = [*inside.pop("", []), *inside.pop("/", [])]

    def shown(names: list[str]) -> Iterator[Counts]:
        found = (all_of_them[name] for name in names)
        kept = [each for each in found if (each.failed if order == "failed" else each.pages)]
        for each in sorted(kept, key=lambda each: -getattr(each, order))[:SHOWN]:
            yield each
            within = inside.get(each.section, [])
            if len(within) > 1 and each.pages >= max(MANY, SHARE * host_pages):
                yield from shown(within)

    return shown(firsts)


def above(section: str) -> list[str]:
    """A folder and those it is in, the first one first.

    >>> above("/blog/2020/"), above("/")
    (['/blog/', '/blog/2020/'], ['/'])
    """
    if section == "/":
        return ["/"]
    ends = [at for at, letter in enumerate(section) if letter == "/" and at]
    return [section[: end + 1] for end in ends]
