"""Contexts as files: Burmeister's `.cxt`, which ConExp and most other FCA tools read.

    B
    a name, or nothing
    2
    2

    D1
    D2
    T1
    T2
    X.
    XX

A file that cannot be read is a `TopicError` that names the line. The format is UTF-8; a byte order mark, any kind of
line end and space around names are accepted.
"""

from __future__ import annotations

from collections.abc import Iterator

from topicrawl.errors import TopicError
from topicrawl.topic.fca.context import Context, shown

_CXT_DIGITS = str.maketrans("Xx.", "110")


def read_cxt(content: bytes, *, source: str = "context.cxt") -> Context:
    """The context that a file in Burmeister's format holds."""
    lines = _Lines(_text(content, source), source)
    if lines.take("the letter B") not in ("B", "b"):
        raise TopicError(f"{lines.where}: is not the letter B, with which a Burmeister context begins")
    lines.take("a name or an empty line")
    documents_count, terms_count = lines.take_count("documents"), lines.take_count("terms")
    lines.pass_blank()
    documents = lines.take_names("document", documents_count)
    terms = lines.take_names("term", terms_count)
    rows = [lines.take_row(document, terms_count) for document in documents]
    if extra := next(filter(None, lines.rest()), ""):
        raise TopicError(f"{lines.where}: {shown(extra)} follows the last row; correct the counts above")
    return Context.from_rows(documents, terms, rows)


def write_cxt(context: Context) -> str:
    """`context` in Burmeister's format."""
    head = ["B", "", str(len(context.documents)), str(len(context.terms)), ""]
    places = range(len(context.terms))
    rows = ["".join("X" if row >> j & 1 else "." for j in places) for row in context.rows]
    return "\n".join([*head, *context.documents, *context.terms, *rows, ""])


class _Lines:
    """The lines of a file, consumed in order, with the current position."""

    def __init__(self, text: str, source: str) -> None:
        self._lines = [line.strip() for line in text.splitlines()]
        self._source = source
        self._taken = 0

    @property
    def where(self) -> str:
        """Position of the line taken last, for messages."""
        return f"{self._source}, line {self._taken}"

    def take(self, what: str) -> str:
        """The next line, which should be `what`."""
        if self._taken == len(self._lines):
            raise TopicError(
                f"{self._source}, line {self._taken + 1}: the file ends where {what} is expected"
            )
        self._taken += 1
        return self._lines[self._taken - 1]

    def take_count(self, what: str) -> int:
        line = self.take(f"the number of {what}")
        if not (line.isascii() and line.isdigit() and len(line) < 10 and int(line)):
            raise TopicError(f"{self.where}: {shown(line)} is not the number of {what}; give 1 or more")
        return int(line)

    def pass_blank(self) -> None:
        if self._lines[self._taken : self._taken + 1] == [""]:
            self._taken += 1

    def take_names(self, kind: str, count: int) -> tuple[str, ...]:
        names: dict[str, str] = {}
        for number in range(1, count + 1):
            name = self.take(f"the name of {kind} {number} of {count}")
            _add_name(names, kind, name, self.where)
        return tuple(names)

    def take_row(self, document: str, width: int) -> int:
        line = self.take(f"the row of document {shown(document)}")
        if len(line) != width:
            raise TopicError(f"{self.where}: row of {len(line)} marks; {width} terms need {width}")
        for column, mark in enumerate(line, 1):
            if mark not in "Xx.":
                raise TopicError(f"{self.where}, column {column}: mark {mark!r} is neither X nor a full stop")
        return int(line[::-1].translate(_CXT_DIGITS), 2)

    def rest(self) -> Iterator[str]:
        while self._taken < len(self._lines):
            yield self.take("more")


def _add_name(names: dict[str, str], kind: str, name: str, where: str) -> None:
    """Add to `names`, which maps each name to its position in the file."""
    if len(name.splitlines()) != 1:
        raise TopicError(
            f"{where}: the name {shown(name)} of a {kind} is blank or has a line break; give one line"
        )
    if name in names:
        raise TopicError(f"{where}: {kind} {shown(name)} is already at {names[name]}; rename one of them")
    names[name] = where


def _text(content: bytes, source: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise TopicError(
            f"{source}, line {line}: is not UTF-8 text ({error.reason}); save it as UTF-8"
        ) from None
