"""The rows of a part, divided by the day they were fetched, as Parquet or as JSON lines."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from itertools import takewhile
from typing import Any

import msgspec

from topicrawl.store.arrow import TIME, import_parquet, record_batch, schema_of
from topicrawl.store.exports.selection import Selection
from topicrawl.store.exports.tables import TABLES
from topicrawl.store.run import Run

Rows = dict[str, list[Any]]
"""The values of each column."""


def rows_by_date(run: Run, table: str, columns: Mapping[str, Any], first: int, end: int) -> dict[str, Rows]:
    """The rows of visits `first` to `end`, by the day (UTC) on which their request was sent.

    A day without rows of this table has none, though it has visits.
    """
    dates = {
        n: datetime.fromtimestamp(timing.started, UTC).strftime("%Y-%m-%d")
        for n, timing in takewhile(lambda each: each[0] <= end, run.timings(first - 1))
    }
    found: dict[str, Rows] = {}
    for piece in TABLES[table].read(Selection(run, 0.0, after=first - 1, every_fetch=True), tuple(columns)):
        if not piece["n"]:  # a page without links
            continue
        n = piece["n"][0]
        if n > end:
            break
        rows = found.setdefault(dates[n], {name: [] for name in columns})
        for name, values in rows.items():
            values.extend(piece[name])
    return found


def as_parquet(columns: Mapping[str, Any], rows: Rows) -> bytes:
    """Columns, compressed with zstandard."""
    parquet, schema = import_parquet("--sink parquet"), schema_of(columns)
    file = io.BytesIO()
    with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
        writer.write_batch(record_batch(schema, rows.values()))
    return file.getvalue()


def as_jsonl(columns: Mapping[str, Any], rows: Rows) -> bytes:
    """A JSON object a line; times are text in UTC."""
    encode = msgspec.json.Encoder().encode
    shown = {
        name: list(map(_moment, values)) if columns[name] == TIME else values for name, values in rows.items()
    }
    lines = (dict(zip(shown, row, strict=True)) for row in zip(*shown.values(), strict=True))
    return b"".join(encode(line) + b"\n" for line in lines)


def _moment(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)


ENCODERS: dict[str, Callable[[Mapping[str, Any], Rows], bytes]] = {"parquet": as_parquet, "jsonl": as_jsonl}
"""How the rows of a part are written, by the name of the format, which is also the end of its file name."""
