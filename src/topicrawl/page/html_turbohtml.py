"""Parser events of a page by turbohtml, collected.

turbohtml builds the tree a browser would build and walks it in C, in time linear in the input at any depth.
"""

from __future__ import annotations

from contextlib import suppress

from turbohtml.saxparse import SaxHandler, sax_parse

from topicrawl.page.collect import Collector, TextLimitError
from topicrawl.page.tag_paths import Attributes

FLAT = 512
"""Open elements from which on turbohtml, as browsers do, puts the content of an element after it instead of inside."""
UNSHOWN = frozenset(("iframe", "noembed", "noframes", "script", "style"))
"""Elements with a text that is not shown, and without elements inside."""


def text_follows(tag: str, attrs: Attributes, depth: int) -> bool:
    """Whether the text of an element that is not shown comes after its end; `depth` elements are open around it.

    A script of another address has no text of its own.
    """
    if depth < FLAT or tag not in UNSHOWN:
        return False
    return tag != "script" or all(name != "src" for name, _ in attrs)


class _Events(Collector, SaxHandler):
    """Ignores comments, doctypes and processing instructions, and text of elements that are not shown."""

    def __init__(self) -> None:
        super().__init__()
        self._misplaced = False  # whether the next text is that of the element before it

    def start_element(self, tag: str, attrs: Attributes) -> None:
        self._misplaced = text_follows(tag, attrs, len(self._elements))
        super().start_element(tag, attrs)

    def characters(self, data: str) -> None:
        if self._misplaced:
            self._misplaced = False
        else:
            super().characters(data)


def parse(text: str) -> Collector:
    """The events of `text`, collected."""
    collected = _Events()
    with suppress(TextLimitError):
        sax_parse(text, collected)
    collected.finish()
    return collected
