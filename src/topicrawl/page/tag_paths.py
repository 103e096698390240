"""The tag path of a link: the elements that contain it, which say in what part of the page it is.

    div#content/ul.links/li/a

An element is its name, the words of its class after a point each, its id after a number sign. Digits and other
characters are left out, because they number what is otherwise alike. Pages of one template have equal paths.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

Attributes = tuple[tuple[str, str | None], ...]
Element = tuple[str, Attributes]

DEPTH = 6
"""Elements of a path, at most: the innermost, with the link itself."""
LONGEST = 16
"""Characters of a name, of a class and of an id that are kept."""
MOST_PATHS = 255
"""Different paths of a page that are kept."""
NO_PATH = MOST_PATHS
"""Stands for the path of links beyond them."""

_LEFT_OUT = re.compile(r"[^A-Za-z_ \t\n\r\f-]")
_ENDS = ("body", "html")


class TagPaths:
    """The distinct tag paths of a page, in the order of their first links."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._labels: dict[Element, str] = {}

    @property
    def paths(self) -> list[str]:
        return list(self._numbers)

    def number(self, open_elements: Sequence[Element]) -> int:
        """The number of the path of the link that is the last of the open elements."""
        labels = []
        for element in reversed(open_elements[-DEPTH:]):
            if element[0] in _ENDS:
                break
            if (label := self._labels.get(element)) is None:
                label = self._labels[element] = _label(*element)
            labels.append(label)
        path = "/".join(reversed(labels))
        if len(self._numbers) == MOST_PATHS:
            return self._numbers.get(path, NO_PATH)
        return self._numbers.setdefault(path, len(self._numbers))


def _label(tag: str, attributes: Attributes) -> str:
    named = dict(attributes)
    class_, id_ = _words(named.get("class")), _words(named.get("id"))
    return _words(tag) + (f".{class_}" if class_ else "") + (f"#{id_}" if id_ else "")


def _words(value: str | None) -> str:
    """The words of an attribute, joined by points."""
    return ".".join(_LEFT_OUT.sub("", value).lower().split())[:LONGEST] if value else ""
