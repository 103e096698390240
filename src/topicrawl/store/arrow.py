"""Columns of Python values as Apache Arrow has them. pyarrow is loaded when first used: a crawl does without it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import NoneType
from typing import Any, get_args

from topicrawl.errors import UsageError

Columns = Mapping[str, Sequence[Any]]
"""Values by the name of their column; all of the same length."""
TIME = "time"
"""The type of a column of times: seconds since 1970 in Python, with time zone UTC in Arrow."""
MICROSECONDS = 1_000_000


def import_arrow(who: str) -> Any:
    """pyarrow; `UsageError` where it is absent. `who` needs it."""
    try:
        import pyarrow
    except ImportError:
        raise _absent(who) from None
    return pyarrow


def import_parquet(who: str) -> Any:
    """pyarrow.parquet; `UsageError` where it is absent. `who` needs it."""
    try:
        import pyarrow.parquet
    except ImportError:
        raise _absent(who) from None
    return pyarrow.parquet


def _absent(who: str) -> UsageError:
    return UsageError(f"{who} needs pyarrow, which is absent; get it with: pip install 'topicrawl[parquet]'")


def schema_of(columns: Mapping[str, Any]) -> Any:
    """The schema of columns by their types in Python: int, float, bool, str, each perhaps `| None`, or `TIME`."""
    pa = import_arrow("a table")
    kinds: dict[Any, Any] = {int: pa.int64(), float: pa.float64(), bool: pa.bool_(), str: pa.string()}
    kinds[TIME] = pa.timestamp("us", tz="UTC")

    def kind(type_: Any) -> Any:
        options = [option for option in get_args(type_) if option is not NoneType]
        return kinds[options[0] if options else type_]

    return pa.schema([(name, kind(type_)) for name, type_ in columns.items()])


def record_batch(schema: Any, columns: Iterable[Sequence[Any]]) -> Any:
    """A record batch of columns in the order of the schema."""
    pa = import_arrow("a table")
    arrays = [
        pa.array(_moments(values) if pa.types.is_timestamp(field.type) else values, field.type)
        for field, values in zip(schema, columns, strict=True)
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _moments(seconds: Sequence[float | None]) -> list[int | None]:
    return [None if value is None else round(value * MICROSECONDS) for value in seconds]


def batches(schema: Any, pieces: Iterable[Columns], rows: int) -> Iterator[Any]:
    """The rows of `pieces` in record batches of at least `rows` rows, but for the last.

    Only one batch is in memory, so a table of any size can be read.
    """
    gathered: dict[str, list[Any]] = {name: [] for name in schema.names}
    count = 0
    for piece in pieces:
        for name, values in gathered.items():
            values.extend(piece[name])
        count += len(next(iter(piece.values())))
        if count >= rows:
            yield record_batch(schema, gathered.values())
            gathered, count = {name: [] for name in schema.names}, 0
    if count:
        yield record_batch(schema, gathered.values())
