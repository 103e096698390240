"""One row per page: JSON lines, CSV, Parquet. The same columns in each."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any, BinaryIO

import msgspec

from topicrawl.model import by_terms
from topicrawl.store.arrow import import_parquet, record_batch, schema_of
from topicrawl.store.exports.contents import Content, contents
from topicrawl.store.exports.selection import Selection

ROWS_AT_ONCE = 1000
FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
"""First characters of a cell that a spreadsheet takes for a formula."""


class Row(msgspec.Struct, frozen=True):
    """A page as other programs see it; `n` is its place in the order of visits."""

    n: int
    url: str
    title: str
    relevance: float
    depth: int
    host: str
    language: str
    noindex: bool
    """Whether the page asks not to be indexed: it is kept, and the builder of an index can obey."""
    text: str
    relevance_now: float
    """By all that was learned until now; `relevance` was said at the visit."""
    term_relevance: float
    """By the topic's terms, the measure of the papers."""
    fetched_at: str
    """UTC, to the second."""
    status: int | None
    parent: str | None
    """URL of the page on which its link was found; None for a seed."""
    digest: str
    """Digest of the answer as it was sent, as the archive has it."""
    read_digest: str
    """Digest of what was read: the answer without its compression, of a rendered page what the browser showed."""
    author: str
    """As the page marks it, like `published`; empty where it does not."""
    published: str


COLUMNS: dict[str, Callable[[Content], Any]] = {
    "n": lambda content: content.visit.n,
    "url": lambda content: content.visit.url,
    "title": lambda content: content.title,
    "relevance": lambda content: content.visit.relevance,
    "depth": lambda content: content.visit.depth,
    "host": lambda content: content.visit.host,
    "language": lambda content: content.page.language,
    "noindex": lambda content: content.page.noindex,
    "text": lambda content: content.text,
    "relevance_now": lambda content: content.relevance_now,
    "term_relevance": lambda content: by_terms(content.visit),
    "fetched_at": lambda content: content.fetched_at,
    "status": lambda content: content.visit.status,
    "parent": lambda content: content.visit.parent,
    "digest": lambda content: content.digest,
    "read_digest": lambda content: content.read_digest,
    "author": lambda content: content.main.author,
    "published": lambda content: content.main.date,
}
"""How each field of a `Row` is found, in their order."""


def rows(selection: Selection) -> Iterator[Row]:
    """A row for every chosen page."""
    return (Row(*(find(content) for find in COLUMNS.values())) for content in contents(selection))


def write_jsonl(selection: Selection, file: BinaryIO) -> int:
    """One JSON object per line."""
    encoder, count = msgspec.json.Encoder(), 0
    for count, row in enumerate(rows(selection), 1):  # noqa: B007
        file.write(encoder.encode(row) + b"\n")
    return count


def write_csv(selection: Selection, file: BinaryIO) -> int:
    """RFC 4180 in UTF-8 with a header line.

    Text that a spreadsheet would take for a formula gets an apostrophe in front, because pages are
    untrusted. jsonl and parquet keep the text unchanged.
    """
    lines = io.TextIOWrapper(file, encoding="utf-8", newline="")
    writer, count = csv.writer(lines), 0
    writer.writerow(Row.__struct_fields__)
    for count, row in enumerate(rows(selection), 1):  # noqa: B007
        writer.writerow([disarmed(value) for value in msgspec.structs.astuple(row)])
    lines.flush()
    lines.detach()
    return count


def write_marks(selection: Selection, file: BinaryIO) -> int:
    """What people said of pages, as a list that `--examples` reads: columns `url` and `relevant` (1 or 0)."""
    marks = selection.run.marks()
    file.write(marks_table({url: bool(mark.relevant) for url, mark in marks.items()}).encode())
    return len(marks)


def marks_table(marks: Mapping[str, bool]) -> str:
    """Marks by URL as that list."""
    lines = io.StringIO(newline="")
    csv.writer(lines).writerows([("url", "relevant"), *((url, int(said)) for url, said in marks.items())])
    return lines.getvalue()


def disarmed(value: Any) -> Any:
    """`value`, with an apostrophe if it could be a formula."""
    return "'" + value if isinstance(value, str) and value.startswith(FORMULA) else value


def write_parquet(selection: Selection, file: BinaryIO) -> int:
    """Columns, compressed with zstandard."""
    parquet = import_parquet("--format parquet")
    schema = schema_of({each.name: each.type for each in msgspec.structs.fields(Row)})
    stream, count = rows(selection), 0
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        while batch := list(islice(stream, ROWS_AT_ONCE)):
            columns = zip(*map(msgspec.structs.astuple, batch), strict=True)
            writer.write_batch(record_batch(schema, columns))
            count += len(batch)
    return count
