"""A page as a small tree of what is shown, built from parser events in time linear in the size of the page."""

from __future__ import annotations

import re
from collections.abc import Iterator

from turbohtml.saxparse import SaxHandler, sax_parse

from topicrawl.page.html_turbohtml import text_follows

DEEPEST = 150
"""Levels of the tree. What is nested deeper is put on the last one, so that functions over trees may be recursive."""

BLOCKS = frozenset(
    """
    address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure
    footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary
    table tbody td tfoot th thead tr ul
    """.split()  # noqa: SIM905
)
"""Elements that begin and end a line."""
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_UNSEEN = frozenset(
    """
    applet area audio base basefont bgsound button canvas datalist embed frame frameset iframe input keygen link map
    math meta noembed noframes noscript object optgroup option param rp script select source style svg template
    textarea title track video
    """.split()  # noqa: SIM905
)
"""Elements without text of the page inside."""
_KEPT = frozenset(
    ("href", "id", "class", "role", "itemprop", "itemtype", "start", "datetime", "content", "rel")
)
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_NEVER_HIDDEN = frozenset(("html", "body", "main", "article"))
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")

Attributes = tuple[tuple[str, str | None], ...]


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
    """The text inside an element as it is written, whether left out or not."""
    return "".join(
        child if isinstance(child, str) else "\n" if child.tag == "br" else inner_text(child)
        for child in node.children
    )


class Document(SaxHandler):
    """What a page shows (`root`), and what its head says."""

    def __init__(self) -> None:
        self.root = Node("html")
        self.title: list[str] = []
        self.language = ""
        self.base = ""
        self.metas: list[tuple[str, str]] = []
        """Names, in lower case, and contents of its `<meta>` elements."""
        self.linked_data: list[list[str]] = []
        """Its scripts of JSON-LD, each in pieces."""
        self._at = self.root
        self._depth = 0
        self._unseen = 0  # open elements inside one that is not shown, with it
        self._kept: list[str] | None = None  # where text that is not shown goes
        self._misplaced = False  # whether the next text is that of the element before it

    def start_element(self, tag: str, attrs: Attributes) -> None:
        self._misplaced = False
        if self._unseen:
            self._unseen += 1
        elif tag in _UNSEEN:
            self._unseen = 1
            self._misplaced = text_follows(tag, attrs, self._depth)
            self._head(tag, dict(attrs))
        elif attrs and _is_hidden(tag, attrs):
            self._unseen = 1
        else:
            self._depth += 1
            if self._depth <= DEEPEST:
                node = Node(tag, {name: value for name, value in attrs if value and name in _KEPT}, self._at)
                self._at.children.append(node)
                self._at = node
            elif tag in BLOCKS:
                self._at.children.append(Node("br"))
            if tag == "html":
                self.language = dict(attrs).get("lang") or ""

    def end_element(self, tag: str) -> None:
        if self._unseen:
            self._unseen -= 1
            if not self._unseen:
                self._kept = None
            return
        if self._depth <= DEEPEST:
            self._at = self._at.parent or self.root
        self._depth -= 1

    def characters(self, data: str) -> None:
        if self._misplaced:
            self._misplaced = False
        elif not self._unseen:
            self._at.children.append(data)
        elif self._kept is not None:
            self._kept.append(data)

    def _head(self, tag: str, attributes: dict[str, str | None]) -> None:
        if tag == "meta":
            name = attributes.get("property") or attributes.get("name") or attributes.get("itemprop")
            if name and (content := attributes.get("content")):
                self.metas.append((name.strip().lower(), content))
        elif tag == "script" and "ld+json" in (attributes.get("type") or "").lower():
            self._kept = []
            self.linked_data.append(self._kept)
        elif tag == "title" and not self.title:
            self._kept = self.title
        elif tag == "base" and not self.base:
            self.base = attributes.get("href") or ""


def _is_hidden(tag: str, attributes: Attributes) -> bool:
    if tag in _NEVER_HIDDEN:
        return False
    for name, value in attributes:
        if name == "hidden" or (name == "aria-hidden" and value == "true"):
            return True
        if name == "style" and value and _HIDDEN.search(value):
            return True
    return False


def read_tree(html: str) -> Document:
    """The tree of a page."""
    document = Document()
    sax_parse(html, document)
    return document
