"""HTML to its tree and what its head says, from parser events in time linear in the size of the page."""

from __future__ import annotations

import re
from collections.abc import Callable

from turbohtml.saxparse import SaxHandler, sax_parse

from topicrawl.page.html_turbohtml import text_follows
from topicrawl.page.main.formulas import find_formulas, is_tex, write_formula
from topicrawl.page.main.tree import BLOCKS, Node, elements

DEEPEST = 150
"""Levels of the tree. What is nested deeper is put on the last one, so that functions over trees may be recursive."""

_UNSEEN = frozenset(
    """
    applet area audio base basefont bgsound button canvas datalist embed frame frameset iframe input keygen link map
    meta noembed noframes noscript object optgroup option param rp script select source style svg template
    textarea title track video
    """.split()  # noqa: SIM905
)
"""Elements without text of the page inside."""
_KEPT = frozenset(
    """
    class content datetime display encoding href id itemprop itemtype rel role start
    """.split()  # noqa: SIM905
)
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_NEVER_HIDDEN = frozenset(("html", "body", "main", "article"))
_PICTURE_OF_TEX = re.compile(r"(?<!\S)(?:la)?tex(?!\S)|(?<!\S)mwe-math-fallback")
"""Classes of images whose `alt` is TeX, as WordPress and Wikipedia write them."""
_SHOWN_TWICE = ("katex-html", "MathJax", "MathJax_Preview")
"""Classes of elements that show a formula whose TeX is beside them."""
_READS_TEX = re.compile(r"mathjax|katex", re.IGNORECASE)
"""In the address of a script or style: it shows the TeX that is in the text of the page."""

Attributes = tuple[tuple[str, str | None], ...]


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
        self._kept: Callable[[str], None] | None = None  # where text that is not shown goes
        self._misplaced = False  # whether the next text is that of the element before it
        self._formulas: list[Node] = []
        self._listings: list[Node] = []
        self._has_tex = False  # whether formulas are in the text of the page

    def start_element(self, tag: str, attrs: Attributes) -> None:
        self._misplaced = False
        if self._unseen:
            self._unseen += 1
        elif tag in _UNSEEN:
            self._unseen = 1
            self._misplaced = text_follows(tag, attrs, self._depth)
            self._head(tag, dict(attrs))
        elif attrs and (_is_hidden(tag, attrs) or tag == "img"):
            self._unseen = 1
            if tag == "img":
                self._picture(dict(attrs))
        else:
            self._depth += 1
            if self._depth <= DEEPEST:
                node = Node(tag, {name: value for name, value in attrs if value and name in _KEPT}, self._at)
                self._at.children.append(node)
                self._at = node
                if tag == "math":
                    self._formulas.append(node)
                elif tag == "div" and node.name.strip() == "fragment":
                    self._listings.append(node)
                elif tag == "span" and "structfield" in node.name:  # rustdoc shows fields below each other
                    node.tag = "div"
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
            self._kept(data)

    def _head(self, tag: str, attributes: dict[str, str | None]) -> None:
        if tag in ("script", "link") and not self._has_tex:
            self._has_tex = (
                _READS_TEX.search(attributes.get("src") or attributes.get("href") or "") is not None
            )
        if tag == "meta":
            name = attributes.get("property") or attributes.get("name") or attributes.get("itemprop")
            if name and (content := attributes.get("content")):
                self.metas.append((name.strip().lower(), content))
        elif tag == "script":
            kind = (attributes.get("type") or "").lower()
            if "ld+json" in kind:
                self.linked_data.append([])
                self._kept = self.linked_data[-1].append
            elif kind.startswith("math/") and is_tex(kind):
                self._kept = self._tex(display="mode=display" in kind).children.append
        elif tag == "title" and not self.title:
            self._kept = self.title.append
        elif tag == "base" and not self.base:
            self.base = attributes.get("href") or ""

    def _picture(self, attributes: dict[str, str | None]) -> None:
        if _PICTURE_OF_TEX.search(attributes.get("class") or "") and (tex := attributes.get("alt")):
            self._tex(display=False).children.append(tex)

    def _tex(self, *, display: bool) -> Node:
        """A formula at this place, whose TeX is to be put into the element that is returned."""
        formula = Node("math", {"display": "block"} if display else None, self._at)
        tex = Node("annotation", {"encoding": "tex"}, formula)
        formula.children.append(tex)
        self._at.children.append(formula)
        self._formulas.append(formula)
        return tex

    def finish(self) -> None:
        """Write formulas and listings as text, when all has been read."""
        for formula in self._formulas:
            write_formula(formula)
        for listing in self._listings:
            _write_listing(listing)
        if self._has_tex:
            find_formulas(self.root)


def _write_listing(node: Node) -> None:
    """Make a listing of Doxygen, an element for each line, preformatted text without numbers of lines."""
    lines = [each for each in elements(node) if _is_line(each)]
    if not lines:
        return
    node.tag = "pre"
    for each in elements(node):
        if each.name.strip() == "lineno":
            each.children.clear()
        elif each.tag in ("div", "pre") and not _is_line(each):
            each.children = [child for child in each.children if not isinstance(child, str)]
    for line in lines:
        line.children.append("\n")


def _is_line(node: Node) -> bool:
    return node.tag == "div" and node.attributes.get("class") == "line"


def _is_hidden(tag: str, attributes: Attributes) -> bool:
    if tag in _NEVER_HIDDEN:
        return False
    for name, value in attributes:
        if name == "hidden" or (name == "aria-hidden" and value == "true"):
            return True
        if name == "style" and value and _HIDDEN.search(value):
            return True
        if name == "class" and value in _SHOWN_TWICE:
            return True
    return False


def read_tree(html: str) -> Document:
    """The tree of a page."""
    document = Document()
    sax_parse(html, document)
    document.finish()
    return document
