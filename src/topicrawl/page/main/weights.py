"""How much prose is in every element of a page.

A run is text between two line breaks of the page. Runs of prose weigh what they are long, runs of links and short ones
weigh less than nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from topicrawl.page.main.tree import BLOCKS, HEADINGS, Node

PROSE = 40
"""Characters from which a run may be prose."""
SHORT = -8.0
"""Weight of a shorter run."""
LINKED = 0.5
"""Share of linked characters above which a run is one of links."""

_ONE_RUN = frozenset(("td", "th", "dt"))
"""Blocks that are part of the run around them: a row of a table is one."""


def measure(root: Node) -> None:
    """Count the characters of every element, and weigh its runs."""
    _Runs().walk(root, root, linked=False)


class _Runs:
    """The run that is being read."""

    def __init__(self) -> None:
        self.length = self.linked = 0

    def walk(self, node: Node, owner: Node, *, linked: bool) -> None:
        """Read an element; `owner` is the block around it, which gets the weight of its runs."""
        is_block = node.tag in BLOCKS and node.tag not in _ONE_RUN
        if is_block:
            self.end(owner)
            owner = node
        linked = linked or node.tag == "a"
        node.weight, node.dropped = 0.0, False
        characters = in_links = 0
        for child in node.children:
            if isinstance(child, str):
                if length := _length(child):
                    characters += length
                    if linked:
                        in_links += length
                    self.length += length
                    self.linked += length if linked else 0
            else:
                self.walk(child, owner, linked=linked)
                characters += child.characters
                in_links += child.linked
        node.characters, node.linked = characters, in_links
        if is_block:
            self.end(owner)

    def end(self, owner: Node) -> None:
        length, linked = self.length, self.linked
        if not length:
            return
        self.length = self.linked = 0
        if length >= PROSE:
            owner.weight += length - linked if linked <= LINKED * length else -2 * linked
        elif owner.tag in HEADINGS:
            owner.weight -= length if linked else 0
        else:
            owner.weight += SHORT - linked


def _length(text: str) -> int:
    """Characters, those that are not ASCII counted as half their bytes more: Chinese says as much in fewer."""
    text = " ".join(text.split())
    return len(text) if text.isascii() else (len(text) + len(text.encode("utf-8", "replace"))) // 2


def around(node: Node) -> Iterator[Node]:
    """The elements around one, the nearest first."""
    while node.parent is not None:
        node = node.parent
        yield node


def prose(node: Node) -> int:
    """Characters of an element that are in no link."""
    return node.characters - node.linked


def sum_of_prose(node: Node) -> float:
    """The weight of all runs of prose in an element, without what is left out."""
    inner = (child for child in node.children if not isinstance(child, str) and not child.dropped)
    return max(node.weight, 0.0) + sum(map(sum_of_prose, inner))
