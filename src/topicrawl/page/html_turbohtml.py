"""The events of a page by turbohtml: the only file that knows this parser.

turbohtml builds the tree a browser would build and walks it in C, in time linear in the input however deep the nesting.
"""

from __future__ import annotations

from contextlib import suppress

from turbohtml.saxparse import SaxHandler, sax_parse

from topicrawl.page.collect import Collector, EnoughError


class _Events(Collector, SaxHandler):
    """Comments, doctypes and processing instructions say nothing to us."""


def parse(text: str) -> Collector:
    """The events of `text`, collected."""
    collected = _Events()
    with suppress(EnoughError):
        sax_parse(text, collected)
    collected.finish()
    return collected
