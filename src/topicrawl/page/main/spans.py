"""Text inside a block as Markdown: escaped, with emphasis, code and links.

Emphasis is written only where every parser reads it as such: in CommonMark, the characters beside it decide that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from topicrawl.safe_text import for_terminal


class Style(NamedTuple):
    """How a text is shown."""

    strong: bool = False
    emphasis: bool = False
    code: bool = False
    link: str = ""
    """Where it leads, empty for nowhere."""
    formula: bool = False
    """Whether it is a formula that was made safe."""


class Span(NamedTuple):
    """Text of one style; spaces are folded."""

    text: str
    style: Style = Style()


BREAK = Span("\n", Style(link="\n"))
"""A line break."""

_MARKUP = re.compile(
    r"\\(?![^\x00-\x20!-/:-@\[-`{-\x7f])"  # before a letter or digit it is one in CommonMark, too
    r"|[`*\[\]<>~|]"
    r"|&(?=[#A-Za-z]|$)"  # the beginning of a character reference
    r"|!$"  # before a link it would make it an image
    r"|(?<![^\W_])_|_(?![^\W_])"  # inside a word it is no emphasis
)
_MARKUP_IN_TEX = re.compile(
    r"\\.?"
    r"|<(?=[A-Za-z/!?])|&(?=[#A-Za-z])|\](?=\()|~(?=~)|[`$|]"
    r"|(?<![^\W_])_"  # after a letter or digit it begins no emphasis
    r"|\*(?!\s)(?!(?<=[^\W_]\*)(?:[!-/:-@\[-`{-~]|$))"  # nor does this between a letter and another sign
)
_COMMAND = {"<": "\\lt", "*": "\\ast"}
"""Commands for signs of TeX."""
_LINE_MARKUP = re.compile(r"[#+=:-]|\d{1,9}(?=[.)](?:\s|$))")
"""What at the beginning of a line would make a heading, a list, a rule or a table."""
_UNSAFE_IN_LINK = re.compile(r"[\s\x00-\x20<>()\\`|\"\x7f]|&(?=#?\w+;)")


def lines(spans: Sequence[Span], *, in_cell: bool = False) -> list[str]:
    """The lines of Markdown that show these spans; none for spaces only."""
    found = []
    for is_break, some in groupby(spans, lambda span: span == BREAK):
        if not is_break and (line := _line(_pieces(some), in_cell)):
            found.append(_LINE_MARKUP.sub(_escaped_line, line, count=1) if _LINE_MARKUP.match(line) else line)
    return found


def heading(level: int, lines: Iterable[str]) -> str:
    """A heading with these lines."""
    text = " ".join(lines)
    if text.endswith("#") and not text.endswith("\\#"):  # these may mark the end of a heading
        text = text[:-1] + "\\#"
    return f"{'#' * level} {text}"


class _Piece(NamedTuple):
    """Text without spaces around it, and whether there is one before it."""

    text: str
    style: Style
    gap: bool


def _pieces(spans: Iterator[Span]) -> list[_Piece]:
    """Neighbours of one style together, spaces between them."""
    pieces: list[_Piece] = []
    gap = False
    for style, some in groupby(spans, lambda span: span.style):
        raw = for_terminal((" " if style.formula else "").join(span.text for span in some))
        if text := " ".join(raw.split()):
            pieces.append(_Piece(text, style, gap or raw[0].isspace()))
            gap = raw[-1].isspace()
        else:
            gap = gap or bool(raw)
    return pieces


def _line(pieces: list[_Piece], in_cell: bool) -> str:
    line, written = "", 0
    for link, some in groupby(pieces, lambda piece: piece.style.link):
        linked = list(some)
        after = pieces[written + len(linked)] if written + len(linked) < len(pieces) else None
        line += " " if linked[0].gap and line else ""
        ends = (line[-1:] or " ", " " if after is None or after.gap else "x")
        inner = _unlinked(linked, ("[", "]") if link else ends, in_cell)
        line += f"[{inner}]({_UNSAFE_IN_LINK.sub(_safe_in_link, link)})" if link else inner
        written += len(linked)
    return line


def _unlinked(pieces: list[_Piece], ends: tuple[str, str], in_cell: bool) -> str:
    """Pieces that are all in one link or in none, between the characters `ends`."""
    text, was_marked = "", False
    for number, piece in enumerate(pieces):
        if number and piece.gap:
            text += " "
        following = pieces[number + 1] if number + 1 < len(pieces) else None
        after = ends[1] if following is None else " " if following.gap else "x"
        is_code = piece.style.code and not (in_cell and "|" in piece.text)
        shown = code(piece.text) if is_code else piece.text if piece.style.formula else escaped(piece.text)
        mark = "**" * piece.style.strong + "*" * piece.style.emphasis
        opens = shown[0].isalnum() or (text[-1:] or ends[0]) == " "
        closes = shown[-1].isalnum() or after == " "
        is_marked = bool(mark) and opens and closes and not (was_marked and not piece.gap)
        text += f"{mark}{shown}{mark}" if is_marked else shown
        was_marked = is_marked
    return text


def formula(text: str, *, in_cell: bool, in_link: bool) -> str | None:
    """A formula between dollars as it may be written: the same TeX, and no markup where dollars say nothing.

    None where that cannot be.
    """
    text = for_terminal(text)
    dollars = "$$" if text.startswith("$$") else "$"
    tex = text[len(dollars) : -len(dollars)]
    signs = {found[0] for found in _MARKUP_IN_TEX.finditer(tex)}
    if signs & {"`", "$"} or (in_link and ("[" in tex or "]" in tex)):
        return None

    def safe(found: re.Match[str]) -> str:
        sign = found[0]
        if in_cell and sign in ("|", "\\|"):
            command = "\\vert" if sign == "|" else "\\Vert"
        else:
            command = _COMMAND.get(sign, "")
        if command:
            return command + " " * found.string[found.end() :][:1].isalpha()
        return "" if sign == "\\" else sign + " " if sign in ("&", "]", "_", "~") else sign

    return dollars + _MARKUP_IN_TEX.sub(safe, tex) + dollars


def escaped(text: str) -> str:
    """`text` with a backslash before each character that could be markup inside a line."""
    return _MARKUP.sub(lambda found: "\\" + found[0], text)


def code(text: str) -> str:
    """A code span, its fence longer than every one inside."""
    fence = "`" * (_longest_fence(text) + 1)
    space = " " if text[0] == "`" or text[-1] == "`" else ""
    return f"{fence}{space}{text}{space}{fence}"


def fenced(text: str, language: str) -> list[str]:
    """A block of code, its fence longer than every one inside."""
    fence = "`" * max(3, _longest_fence(text) + 1)
    return [fence + language, *(line.rstrip() for line in text.split("\n")), fence]


def _longest_fence(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def _escaped_line(found: re.Match[str]) -> str:
    return f"{found[0]}\\" if found[0].isdigit() else f"\\{found[0]}"


def _safe_in_link(found: re.Match[str]) -> str:
    """A character as a link may have it; before what looks like a character reference, an escaped &."""
    if found[0] == "&":
        return "\\&"
    return "".join(f"%{byte:02X}" for byte in found[0].encode())
