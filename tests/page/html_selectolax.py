"""The same events by selectolax (lexbor), to check turbohtml against: give `parse` to `read_html` as its parser.

Not for crawls: its time is quadratic in the depth of nesting.
"""

from __future__ import annotations

from contextlib import suppress

from selectolax.lexbor import LexborHTMLParser, LexborNode

from topicrawl.page.collect import Collector, TextLimitError


def parse(text: str) -> Collector:
    """The events of `text`, collected."""
    collected = Collector()
    with suppress(TextLimitError):
        _walk(LexborHTMLParser(text).root, collected)
    collected.finish()
    return collected


def _walk(root: LexborNode | None, collected: Collector) -> None:
    node = root
    opened: list[LexborNode] = []
    while node is not None or opened:
        if node is None:
            element = opened.pop()
            collected.end_element(element.tag or "")
            node = element.next
        elif node.is_element_node:
            collected.start_element(node.tag or "", tuple(node.attributes.items()))
            opened.append(node)
            node = node.child
        else:
            if node.is_text_node:
                collected.characters(node.text_content or "")
            node = node.next
