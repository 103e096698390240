"""A tree as Markdown: CommonMark with the tables of GitHub.

Whatever a page says is text: what would be markup is escaped, links lead to web pages only, and there is no HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from topicrawl import urls
from topicrawl.page.main.formulas import is_displayed
from topicrawl.page.main.spans import BREAK, Span, Style, fenced, formula, heading, lines
from topicrawl.page.main.tree import BLOCKS, HEADINGS, Node, elements, inner_text
from topicrawl.safe_text import for_terminal

DEEPEST = 8
"""Levels of lists and quotations; those nested deeper are written as paragraphs."""
LONGEST_CELL = 1_000
"""Characters; a table with a longer cell arranges a page, and its cells are written below each other."""

_LISTS = frozenset(("ul", "ol", "menu", "dir"))
_CODE = frozenset(("code", "kbd", "samp", "tt"))
_LANGUAGE = re.compile(r"(?:^|\s)lang(?:uage)?-([\w+#.-]{1,20})(?:\s|$)")


def markdown(node: Node, base: str) -> str:
    """The Markdown of an element, without what is left out; its links are relative to the URL `base`."""
    page = _Blocks(base)
    page.walk(node, Style())
    page.end()
    return "\n\n".join("\n".join(block.lines) for block in page.done)


class _Block(NamedTuple):
    """The lines of a block, and what is special to paragraphs and lists: a list may follow a paragraph closely."""

    lines: list[str]
    is_paragraph: bool = False
    is_list: bool = False


class _Blocks:
    """The blocks done, and the spans of the one that is being written."""

    def __init__(self, base: str, depth: int = 0, *, in_cell: bool = False) -> None:
        self.done: list[_Block] = []
        self.spans: list[Span] = []
        self._base, self._depth, self._in_cell = base, depth, in_cell

    def walk(self, node: Node, style: Style) -> None:
        """Write what is inside an element."""
        for child in node.children:
            if isinstance(child, str):
                self.spans.append(Span(child, style))
            elif child.dropped:
                continue
            elif child.tag == "br":
                self.spans.append(BREAK)
            elif child.tag == "math":
                self._formula(child, style)
            elif child.tag in BLOCKS:
                self.end()
                self._block(child, style)
                self.end()
            else:
                self.walk(child, self._styled(child, style))

    def end(self) -> None:
        """End the paragraph."""
        if found := lines(self.spans, in_cell=self._in_cell):
            if not self._in_cell:
                found = [line + "\\" for line in found[:-1]] + found[-1:]
            self.done.append(_Block(found, is_paragraph=True))
        self.spans.clear()

    def _styled(self, node: Node, style: Style) -> Style:
        tag = node.tag
        if tag in ("b", "strong"):
            return style._replace(strong=not style.code)
        if tag in ("i", "em"):
            return style._replace(emphasis=not style.code)
        if tag in _CODE:
            return Style(code=True, link=style.link)
        if tag == "a" and (href := node.attributes.get("href", "").strip()) and not href.startswith("#"):
            address = urls.join(self._base, href)
            fragment = "".join(href.partition("#")[1:]).rstrip("#")
            return style._replace(link=address + fragment if address else "")
        return style

    def _formula(self, node: Node, style: Style) -> None:
        text = inner_text(node)
        written = formula(text, in_cell=self._in_cell, in_link=bool(style.link))
        if is_displayed(node):
            self.end()
        self.spans.append(
            Span(text, style) if written is None else Span(written, Style(link=style.link, formula=True))
        )
        if is_displayed(node):
            self.end()

    def _block(self, node: Node, style: Style) -> None:
        tag = node.tag
        if tag in HEADINGS:
            self._heading(node, style)
        elif tag == "pre":
            self._code(node)
        elif tag == "hr":
            self.done.append(_Block(["***"]))
        elif tag == "table":
            self._table(node, style)
        elif tag in _LISTS and self._depth < DEEPEST:
            self._list(node, style)
        elif tag == "blockquote" and self._depth < DEEPEST:
            self._quotation(node, style)
        else:
            self.walk(node, style)

    def _inside(self, node: Node, style: Style, *, in_cell: bool = False) -> list[_Block]:
        """The blocks inside an element, one level deeper."""
        inner = _Blocks(self._base, self._depth + 1, in_cell=in_cell)
        inner.walk(node, style)
        inner.end()
        return inner.done

    def _heading(self, node: Node, style: Style) -> None:
        inside = self._inside(node, style, in_cell=True)
        if inside:
            text = (line for block in inside for line in block.lines)
            self.done.append(_Block([heading(int(node.tag[1]), text)]))

    def _code(self, node: Node) -> None:
        code = for_terminal(inner_text(node).replace("\r\n", "\n")).strip("\n").rstrip()
        if code:
            marked = [node, *(child for child in node.children if not isinstance(child, str))]
            classes = " ".join(each.attributes.get("class", "") for each in marked)
            language = _LANGUAGE.search(classes)
            self.done.append(_Block(fenced(code, language[1] if language else "")))

    def _list(self, node: Node, style: Style) -> None:
        start = node.attributes.get("start", "")
        number = int(start) if start.isdecimal() and len(start) < 7 else 1
        written: list[str] = []
        for child in node.children:
            if isinstance(child, str) or child.dropped:
                continue
            inside = self._inside(child, style)
            if not inside:
                continue
            mark = f"{number}. " if node.tag == "ol" else "- "
            number += 1
            written += _item(inside, mark)
        if written:
            self.done.append(_Block(written, is_list=written[0].startswith(("- ", "1. "))))

    def _quotation(self, node: Node, style: Style) -> None:
        blocks = self._inside(node, style)
        if blocks:
            self.done.append(_Block([f"> {line}".rstrip() for line in _joined(blocks)]))

    def _table(self, node: Node, style: Style) -> None:
        if _has_table(node):  # it arranges a page; to try its cells first would double the work at each level
            self.walk(node, style)
            return
        rows = [[self._inside(cell, style, in_cell=True) for cell in _cells(row)] for row in _rows(node)]
        if not _is_data(rows):
            self.walk(node, style)
            return
        for child in node.children:
            if not isinstance(child, str) and child.tag == "caption" and not child.dropped:
                self.walk(child, style)
                self.end()
        first = next(_rows(node))
        if not all(cell.tag == "th" for cell in _cells(first)):
            rows.insert(0, [])
        width = max(map(len, rows))
        rows[0] += [[]] * (width - len(rows[0]))
        table = [
            _row([" ".join(line for block in cell for line in block.lines) for cell in row]) for row in rows
        ]
        self.done.append(_Block([table[0], _row(["---"] * width), *table[1:]]))


def _has_table(node: Node) -> bool:
    """Whether there is a table inside an element."""
    return any(each.tag == "table" for each in islice(elements(node), 1, None))


def _rows(table: Node) -> Iterator[Node]:
    for child in table.children:
        if isinstance(child, str) or child.dropped:
            continue
        if child.tag == "tr":
            yield child
        elif child.tag in ("thead", "tbody", "tfoot"):
            yield from _rows(child)


def _cells(row: Node) -> list[Node]:
    inside = (child for child in row.children if not isinstance(child, str))
    return [child for child in inside if child.tag in ("td", "th") and not child.dropped]


def _is_data(rows: list[list[list[_Block]]]) -> bool:
    """Whether a table has rows and columns of short texts; others arrange a page."""
    if len(rows) < 2 or max(map(len, rows)) < 2:
        return False
    return all(
        block.is_paragraph and sum(map(len, block.lines)) <= LONGEST_CELL
        for row in rows
        for cell in row
        for block in cell
    ) and all(len(cell) <= 3 for row in rows for cell in row)


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _joined(blocks: list[_Block]) -> list[str]:
    """The lines of blocks, an empty one between two."""
    found: list[str] = []
    for block in blocks:
        found += ["", *block.lines] if found else block.lines
    return found


def _item(blocks: list[_Block], mark: str) -> list[str]:
    """An item of a list: its mark, then all lines below its beginning."""
    if len(blocks) == 2 and blocks[0].is_paragraph and blocks[1].is_list:
        first, *rest = blocks[0].lines + blocks[1].lines
    else:
        first, *rest = _joined(blocks)
    return [mark + first, *(" " * len(mark) + line if line else "" for line in rest)]
