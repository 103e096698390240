"""A tree as plain text: a line for each block, cells of a row separated by tabs, code as it is."""

from __future__ import annotations

from topicrawl.page.main.formulas import is_displayed
from topicrawl.page.main.tree import BLOCKS, Node, inner_text


def plain_text(node: Node) -> str:
    """The text of an element, without what is left out."""
    lines = _Lines()
    lines.walk(node)
    lines.end()
    return "\n".join(lines.done)


class _Lines:
    """The lines done, and the pieces of the one that is being written."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.pieces: list[str] = []

    def end(self) -> None:
        """End the line."""
        if self.pieces:
            cells = (" ".join(cell.split()) for cell in "".join(self.pieces).split("\0"))
            if line := "\t".join(filter(None, cells)):
                self.done.append(line)
            self.pieces.clear()

    def walk(self, node: Node) -> None:
        tag = node.tag
        if tag == "pre":
            self.end()
            self.done += [line.rstrip() for line in inner_text(node).strip("\r\n").split("\n")]
            return
        is_cell = tag in ("td", "th")
        is_block = not is_cell and (tag == "br" or tag in BLOCKS or is_displayed(node))
        if is_block:
            self.end()
        for child in node.children:
            if isinstance(child, str):
                self.pieces.append(child.replace("\0", " "))
            elif not child.dropped:
                self.walk(child)
        if is_cell:
            self.pieces.append("\0")
        elif is_block:
            self.end()
