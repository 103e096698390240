"""A page as a small tree of what is shown."""

from __future__ import annotations

import re
from collections.abc import Iterator

BLOCKS = frozenset(
    """
    address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure
    footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary
    table tbody td tfoot th thead tr ul
    """.split()  # noqa: SIM905
)
"""Elements that begin and end a line."""
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")


class Node:
    """An element and its children, which are elements and texts.

    `name` has its id and classes in lower case, words separated. The rest is found by `part.py`: characters of the text
    inside, how many of them are in links, how much of it is prose, and whether it is left out.
    """

    __slots__ = (
        "attributes",
        "characters",
        "children",
        "dropped",
        "linked",
        "name",
        "parent",
        "tag",
        "weight",
    )

    def __init__(
        self, tag: str, attributes: dict[str, str] | None = None, parent: Node | None = None
    ) -> None:
        self.tag = tag
        self.attributes = attributes or {}
        self.parent = parent
        self.children: list[Node | str] = []
        self.name = ""
        if "class" in self.attributes or "id" in self.attributes:
            name = f"{self.attributes.get('id', '')} {self.attributes.get('class', '')}"
            self.name = _HUMP.sub("-", name).lower()
        self.characters = self.linked = 0
        self.weight = 0.0
        self.dropped = False


def elements(node: Node) -> Iterator[Node]:
    """An element and all inside it, in the order of the page."""
    left = [node]
    while left:
        node = left.pop()
        yield node
        left += [child for child in reversed(node.children) if not isinstance(child, str)]


def inner_text(node: Node) -> str:
    """The text inside an element as it is written, whether left out or not; blocks have lines of their own."""
    pieces: list[str] = []
    _gather(node, pieces)
    return "".join(pieces)


def _gather(node: Node, pieces: list[str]) -> None:
    for child in node.children:
        if isinstance(child, str):
            pieces.append(child)
            continue
        is_line = child.tag in BLOCKS and child.tag not in ("td", "th")
        if child.tag == "br" or (is_line and pieces and not pieces[-1].endswith("\n")):
            pieces.append("\n")
        _gather(child, pieces)
        if is_line and pieces and not pieces[-1].endswith("\n"):
            pieces.append("\n")
