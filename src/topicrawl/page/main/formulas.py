"""Formulas of a page as text: TeX between dollars, or what MathML shows.

A formula in TeX becomes an element `math` with one text: `$…$`, or `$$…$$` where it has a line of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from topicrawl.page.main.tree import Node, elements

_TEX = re.compile(r"(?<![a-z])(?:la)?tex(?![a-z])", re.IGNORECASE)
"""In the encoding of an annotation or the type of a script: its text is TeX."""
_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_SIGN = re.compile(r"\\(?:begin|end)\{[a-zA-Z]+\*?\}|\\.|\$\$?", re.DOTALL)
"""Beginnings and ends of formulas in the text of a page, and what is neither: a backslash with the next character."""
_CLOSED_BY = {"\\(": "\\)", "\\[": "\\]", "$$": "$$", "$": "$"}
_LONGEST_BETWEEN_DOLLARS = 500
"""Characters; what is longer between two single dollars is no formula."""
_NO_TEXT = frozenset(("code", "kbd", "math", "pre", "samp", "tt"))
"""Elements whose text has no formulas."""
_INVISIBLE = re.compile("[\u2061-\u2064]")
_BETWEEN = {"mfrac": "/", "msub": "_", "msup": "^", "munder": "_", "mover": "^"}
_AROUND = {"msubsup": ("_", "^"), "munderover": ("_", "^")}


def is_tex(kind: str) -> bool:
    """Whether the encoding of an annotation, or the type of a script, names TeX."""
    return _TEX.search(kind) is not None


def write_formula(node: Node) -> None:
    """Make an element `math` of MathML its TeX, or what it shows."""
    for child in elements(node):
        if child.tag == "annotation" and is_tex(child.attributes.get("encoding", "")):
            tex = "".join(text for text in child.children if isinstance(text, str))
            if tex := _one_line(tex):
                dollars = "$$" if node.attributes.get("display") == "block" else "$"
                node.children = [dollars + tex + dollars]
                return
    node.tag = "span"
    node.children = [_shown(node)]


def _one_line(tex: str) -> str:
    """TeX without comments and line breaks."""
    return " ".join(_COMMENT.sub("", tex).split())


def is_displayed(node: Node) -> bool:
    """Whether an element is a formula with a line of its own."""
    return node.tag == "math" and str(node.children[0]).startswith("$$")


def find_formulas(node: Node) -> None:
    """Make elements of formulas that are written in the text of a page, as MathJax and KaTeX read them."""
    if node.tag in _NO_TEXT:
        return
    children: list[Node | str] = []
    for child in node.children:
        if isinstance(child, str):
            children += _divided(child, node) if "\\" in child or "$" in child else [child]
        else:
            find_formulas(child)
            children.append(child)
    node.children = children


def _divided(text: str, parent: Node) -> Iterator[Node | str]:
    """Text and formulas by turns."""
    written = 0
    opened: re.Match[str] | None = None
    for found in _SIGN.finditer(text):
        sign = found[0]
        if opened is not None and sign == _end_of(opened[0]) and _is_formula(text, opened, found):
            is_environment = sign.startswith("\\end")
            tex = text[opened.start() : found.end()] if is_environment else text[opened.end() : found.start()]
            formula = Node("math", parent=parent)
            dollars = "$" if sign in ("$", "\\)") else "$$"
            formula.children.append(dollars + _one_line(tex) + dollars)
            yield text[written : opened.start()]
            yield formula
            written, opened = found.end(), None
        elif sign in _CLOSED_BY or (opened is None and sign.startswith("\\begin")):
            opened = found
    yield text[written:]


def _end_of(sign: str) -> str:
    return _CLOSED_BY.get(sign) or sign.replace("\\begin", "\\end")


def _is_formula(text: str, opened: re.Match[str], closed: re.Match[str]) -> bool:
    """Whether there is a formula between two signs; single dollars are also amounts and names."""
    tex = text[opened.end() : closed.start()]
    if opened[0] != "$":
        return bool(tex.strip())
    before, after = text[: opened.start()][-1:], text[closed.end() :][:1]
    is_apart = tex == tex.strip() and not before.isalnum() and not after.isalnum()
    says_so = len(tex) == 1 or any(sign in tex for sign in "\\^_{")
    return is_apart and says_so and 0 < len(tex) <= _LONGEST_BETWEEN_DOLLARS


def _shown(node: Node) -> str:
    """The text that an element of MathML shows, in one line."""
    parts = []
    for child in node.children:
        if isinstance(child, str):
            parts.append(" ".join(_INVISIBLE.sub("", child).split()))
        elif not child.tag.startswith("annotation"):
            parts.append(_shown(child))
    tag = node.tag
    if tag in _BETWEEN or tag in _AROUND:
        first, *rest = filter(None, parts) if any(parts) else [""]
        signs = _AROUND.get(tag) or (_BETWEEN[tag],)
        first = _grouped(first) if tag == "mfrac" else first
        return first + "".join(sign + _grouped(part) for sign, part in zip(signs, rest, strict=False))
    if tag == "msqrt":
        return "√" + _grouped(_joined(parts))
    if tag == "mroot":
        return "√".join(map(_grouped, reversed(list(filter(None, parts)))))
    if tag in ("mtable", "mtr"):
        return ("; " if tag == "mtable" else ", ").join(filter(None, parts))
    if tag == "mfenced":
        return f"({', '.join(filter(None, parts))})"
    return _joined(parts)


def _joined(parts: list[str]) -> str:
    """Parts side by side; words apart."""
    joined, last = "", ""
    for part in filter(None, parts):
        words = joined[-1:].isalnum() and part[0].isalnum() and (len(last) > 1 or len(part) > 1)
        joined += f" {part}" if words else part
        last = part
    return joined


def _grouped(part: str) -> str:
    return part if len(part) <= 1 or part.isalnum() else f"({part})"
