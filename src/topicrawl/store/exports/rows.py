"""One row per page: JSON lines, CSV, Parquet. The same columns in each."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, BinaryIO

import msgspec

from topicrawl.errors import UsageError
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


def rows(selection: Selection) -> Iterator[Row]:
    """A row for every chosen page."""
    for visit, page in selection.pages():
        yield Row(
            visit.n,
            visit.url,
            page.title or visit.title,
            visit.relevance,
            visit.depth,
            visit.host,
            page.language,
            page.noindex,
            page.text,
            selection.relevance(visit),
            visit.relevance if visit.term_relevance is None else visit.term_relevance,
        )


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
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise UsageError(
            "--format parquet needs pyarrow, which is absent; get it with: pip install 'topicrawl[parquet]'"
        ) from None
    kinds = {int: pa.int64(), bool: pa.bool_(), float: pa.float64(), str: pa.string()}
    schema = pa.schema([(each.name, kinds[each.type]) for each in msgspec.structs.fields(Row)])
    stream, count = rows(selection), 0
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        while batch := list(islice(stream, ROWS_AT_ONCE)):
            writer.write_table(pa.Table.from_pylist([msgspec.structs.asdict(row) for row in batch], schema))
            count += len(batch)
    return count
