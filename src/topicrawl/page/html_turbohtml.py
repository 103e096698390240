"""Parser events by turbohtml; no other module of this package depends on this parser.

turbohtml builds the tree a browser would build and walks it in C, in time linear in the input at any depth.
"""

from __future__ import annotations

from contextlib import suppress

from turbohtml.saxparse import SaxHandler, sax_parse

from topicrawl.page.collect import Collector, TextLimitError


class _Events(Collector, SaxHandler):
    """Ignores comments, doctypes and processing instructions."""


def parse(text: str) -> Collector:
    """The events of `text`, collected."""
    collected = _Events()
    with suppress(TextLimitError):
        sax_parse(text, collected)
    collected.finish()
    return collected
