"""The index of the archive in columns: Parquet, sorted by SURT key, with the names of Common Crawl's index."""

from __future__ import annotations

from typing import BinaryIO

from topicrawl.errors import UsageError
from topicrawl.store.arrow import batches, import_arrow, import_parquet, schema_of
from topicrawl.store.exports.selection import Selection
from topicrawl.store.exports.tables import INDEX_COLUMNS, read_index

ROWS_A_GROUP = 100_000
"""Rows of a row group, whose least and largest key a reader looks at."""
ORDER = [("url_surtkey", "ascending"), ("fetch_time", "ascending")]


def write_index(selection: Selection, file: BinaryIO) -> int:
    """A row for each archived answer of the chosen visits; returns how many answers."""
    if not selection.run.has_archive:
        raise UsageError(f"{selection.run.path} keeps no archive (keep.warc was false), so there is no index")
    pa, parquet = import_arrow("--format commoncrawl"), import_parquet("--format commoncrawl")
    schema, wanted = schema_of(INDEX_COLUMNS), tuple(INDEX_COLUMNS)
    found = batches(schema, read_index(selection, wanted), ROWS_A_GROUP)
    table = pa.Table.from_batches(found, schema).sort_by(ORDER)
    parquet.write_table(table, file, compression="zstd", row_group_size=ROWS_A_GROUP)
    return int(table.num_rows)
