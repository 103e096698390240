"""The tables of a run for data frames: Arrow, pandas, polars, and whatever else reads Arrow streams (DuckDB).

Rows are read from the log when they are asked for, batch by batch, and only the columns that are asked for. pandas and
polars take Arrow's memory as it is.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from topicrawl.crawling.judged import query_urls, relevance_now, revised
from topicrawl.errors import UsageError
from topicrawl.report.digest import digest
from topicrawl.setup.run_config import config_of
from topicrawl.store.arrow import TIME, Columns, batches, import_arrow, schema_of
from topicrawl.store.exports.selection import Selection
from topicrawl.store.exports.tables import TABLES
from topicrawl.store.run import Run

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

ROWS_AT_ONCE = 10_000
TEXTS_AT_ONCE = 500
"""Rows of a batch, and of a batch with texts of pages, which are large."""
HOST_COLUMNS = {
    **{"host": str, "pages": int, "relevant": int, "failures": int, "bytes": int},
    "harvest_rate": float,
}
MARK_COLUMNS = {"url": str, "relevant": bool, "said": TIME, "n": int | None, "title": str}


@dataclass(frozen=True)
class Table:
    """A table of a run. Nothing is read before `arrow`, `pandas`, `polars`, `reader` or a library asks for it.

    It is an Arrow stream (`__arrow_c_stream__`), so that `polars.DataFrame(table)` and others take it as it is.
    """

    name: str
    types: Mapping[str, Any]
    """The types of its columns, by name."""
    _read: Callable[[tuple[str, ...]], Iterator[Columns]]

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of its columns."""
        return tuple(self.types)

    def select(self, *columns: str) -> Table:
        """The table with these columns only; the others are not read. Without `text` that is much faster."""
        for name in columns:
            if name not in self.types:
                near = difflib.get_close_matches(name, self.types, n=1)
                hint = f"did you mean {near[0]!r}? " if near else ""
                raise UsageError(
                    f"the table {self.name} has no column {name!r}; {hint}it has {', '.join(self.types)}"
                )
        return replace(self, types={name: self.types[name] for name in columns})

    @property
    def schema(self) -> pyarrow.Schema:
        """Names and types of its columns in Arrow."""
        return schema_of(self.types)

    def reader(self) -> pyarrow.RecordBatchReader:
        """Its rows as a stream of batches: for tables that are larger than memory."""
        pa = import_arrow(f"the table {self.name}")
        schema = self.schema
        rows = TEXTS_AT_ONCE if "text" in self.types else ROWS_AT_ONCE
        return pa.RecordBatchReader.from_batches(schema, batches(schema, self._read(self.columns), rows))

    def arrow(self) -> pyarrow.Table:
        """All of it as an Arrow table."""
        return self.reader().read_all()

    def pandas(self) -> pandas.DataFrame:
        """All of it as a data frame of pandas, over Arrow's memory (`ArrowDtype`).

        For columns of numpy write `table.arrow().to_pandas()`, which copies.
        """
        try:
            import pandas
        except ImportError:
            raise _absent("pandas") from None
        return self.arrow().to_pandas(types_mapper=pandas.ArrowDtype)

    def polars(self) -> polars.DataFrame:
        """All of it as a data frame of polars."""
        try:
            import polars
        except ImportError:
            raise _absent("polars") from None
        frame = polars.from_arrow(self.arrow())
        assert isinstance(frame, polars.DataFrame)
        return frame

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The Arrow stream, for libraries that read one."""
        return self.reader().__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        return f"<table {self.name}: {', '.join(self.types)}; read it with .pandas(), .polars() or .arrow()>"


def _absent(name: str) -> UsageError:
    return UsageError(
        f"a data frame of {name} needs {name}, which is absent; get it with: pip install {name}"
    )


class Tables:
    """The tables of a run, each a `Table`."""

    def __init__(self, run: Callable[[], Run]) -> None:
        """`run` opens the run for reading: a table has what is written when it is read."""
        self._run = run

    @property
    def visits(self) -> Table:
        """A row for each fetch, failures included: the fields of visits.jsonl and timings.jsonl."""
        return self._stored("visits")

    @property
    def pages(self) -> Table:
        """A row for each page, as `topicrawl export` has it: text, language, author, relevance at the visit and now.

        `text`, `digest`, `read_digest`, `author` and `published` are read from the archive (5 ms a page), and
        `relevance_now` judges all pages again: `select` the columns you need.
        """
        return self._stored("pages")

    @property
    def links(self) -> Table:
        """A row for each link of each page: page, target, anchor text, whether it is marked nofollow."""
        return self._stored("links")

    @property
    def index(self) -> Table:
        """A row for each archived answer: where in the WARC files it is. Columns are named as Common Crawl's."""
        return self._stored("index")

    @property
    def hosts(self) -> Table:
        """A row for each host: pages, relevant pages by all that was learned, failures, bytes."""
        return Table("hosts", HOST_COLUMNS, self._hosts)

    @property
    def marks(self) -> Table:
        """A row for each page that a person called relevant or not."""
        return Table("marks", MARK_COLUMNS, self._marks)

    def __repr__(self) -> str:
        return "<tables: visits, pages, links, hosts, marks, index>"

    def _stored(self, name: str) -> Table:
        kind = TABLES[name]

        def read(wanted: tuple[str, ...]) -> Iterator[Columns]:
            with self._run() as run:
                config = config_of(run)
                now = relevance_now(run) if "relevance_now" in wanted else None
                query = query_urls(config) if name == "pages" else frozenset[str]()
                yield from kind.read(Selection(run, config.threshold, now=now, query=query), wanted)

        return Table(name, kind.columns, read)

    def _hosts(self, wanted: tuple[str, ...]) -> Iterator[Columns]:
        with self._run() as run:
            visits = revised(run.visits(), relevance_now(run))
            hosts = digest(visits, threshold=config_of(run).threshold).hosts
        for host, share in hosts.items():
            yield {name: (host if name == "host" else getattr(share, name),) for name in wanted}

    def _marks(self, wanted: tuple[str, ...]) -> Iterator[Columns]:
        with self._run() as run:
            for url, mark in run.marks().items():
                visit = run.visit_of(url)
                title = (mark.page.title if mark.page else "") or (visit.title if visit else "")
                row = {"url": url, "relevant": mark.relevant, "said": mark.time or None, "title": title}
                row |= {"n": visit.n if visit else None}
                yield {name: (row[name],) for name in wanted}
