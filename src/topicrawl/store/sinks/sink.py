"""A sink: writes the parts that are due, and notes how far it is."""

from __future__ import annotations

import hashlib
from contextlib import closing
from pathlib import Path

import msgspec

from topicrawl.errors import ConfigError
from topicrawl.model import Visit
from topicrawl.store.exports.tables import TABLES
from topicrawl.store.failpoints import reach
from topicrawl.store.line_files import visit_line
from topicrawl.store.places import Place, open_place
from topicrawl.store.run import Run
from topicrawl.store.shard_files import read_shard
from topicrawl.store.sinks.parts import ENCODERS, rows_by_date
from topicrawl.store.sinks.spec import Spec

ROWS = 1000
"""Visits of a part."""
FLAG = "--sink"


class Reached(msgspec.Struct, frozen=True):
    """What `_topicrawl.json` says: whose sink it is, and which visits are in it."""

    run: str
    format: str
    tables: list[str]
    rows: int = ROWS
    upto: int = 0
    """The last visit that is in it."""
    last: str = ""
    """Digest of that visit, by which a log that went another way since is recognised."""


class Sink:
    """A sink of the run in a folder. One process at a time may write it; the lock of the run is not needed."""

    def __init__(
        self, run: Path, spec: Spec, tables: tuple[str, ...], rows: int = ROWS, place: Place | None = None
    ) -> None:
        self.spec, self.rows = spec, rows
        self._run = run
        self._tables = tables
        self._place = place or open_place(spec.where, FLAG)
        shard = read_shard(run)
        self._shard = shard.name if shard else ""
        self._reached: Reached | None = None

    def check(self, run: Run | None) -> None:
        """`ConfigError` if the place has the sink of another run, or of other tables. A run that begins is None."""
        found = self._place.find(self._marker)
        if found is not None:
            self._refuse_other(_reached(found, self._where), "" if run is None else run.id)

    def step(self, *, whole_parts: bool = False) -> int:
        """Write the next part, if there is anything new; returns how many visits were added.

        With `whole_parts` only a part that is complete. `AwayError` if the place does not answer.
        """
        with closing(Run.open(self._run, writable=False)) as run:
            reached = self._reached or self._opened(run)
            first = reached.upto // reached.rows * reached.rows + 1
            end = min(first + reached.rows - 1, run.last_n)
            if end <= reached.upto or (whole_parts and end < first + reached.rows - 1):
                return 0
            for table in reached.tables:
                self._write(run, table, first, end)
            reach("sink")
            self._note(msgspec.structs.replace(reached, upto=end, last=_digest(run, end)))
            reach("sink-end")
            return end - reached.upto

    @property
    def upto(self) -> int:
        """The last visit that is in it, as far as this process knows."""
        return self._reached.upto if self._reached else 0

    @property
    def _marker(self) -> str:
        return f"_topicrawl-{self._shard}.json" if self._shard else "_topicrawl.json"

    @property
    def _where(self) -> str:
        return f"{FLAG} {self.spec}"

    def _opened(self, run: Run) -> Reached:
        """What the place has of this run. Where the log went another way since, all of it is written again."""
        found = self._place.find(self._marker)
        if found is None:
            reached = Reached(run.id, self.spec.format, list(self._tables), self.rows)
        else:
            reached = _reached(found, self._where)
            self._refuse_other(reached, run.id)
            if not reached.upto or _digest(run, reached.upto) != reached.last:
                reached = msgspec.structs.replace(reached, upto=0, last="")
                self._note(reached)  # first: whoever dies while clearing clears again
                self._clear(reached)
        self._reached = reached
        return reached

    def _refuse_other(self, reached: Reached, run: str) -> None:
        if reached.run != run:
            raise ConfigError(
                f"{self._where} holds the pages of another run; give another place, or empty it"
            )
        if (reached.format, tuple(reached.tables)) != (self.spec.format, self._tables):
            raise ConfigError(
                f"{self._where} was begun as {reached.format} with --sink-tables {','.join(reached.tables)}; "
                "give these, or another place"
            )

    def _write(self, run: Run, table: str, first: int, end: int) -> None:
        columns, encode = _columns(table), ENCODERS[self.spec.format]
        for date, found in rows_by_date(run, table, columns, first, end).items():
            name = f"{self._folder(table)}/date={date}/part-{first:08}.{self.spec.format}"
            self._place.put(name, encode(columns, found))
            reach("sink-part")

    def _folder(self, table: str) -> str:
        return f"{table}/shard={self._shard}" if self._shard else table

    def _note(self, reached: Reached) -> None:
        self._place.put(self._marker, msgspec.json.encode(reached) + b"\n")
        self._reached = reached

    def _clear(self, reached: Reached) -> None:
        for table in reached.tables:
            for name in self._place.names(self._folder(table)):
                self._place.delete(name)


def _columns(table: str) -> dict[str, object]:
    """The columns of a part: those that follow from the log of its visits, and not from later ones."""
    return {name: kind for name, kind in TABLES[table].columns.items() if name != "relevance_now"}


def _reached(content: bytes, where: str) -> Reached:
    try:
        return msgspec.json.decode(content, type=Reached)
    except msgspec.DecodeError as error:
        raise ConfigError(
            f"{where}: its _topicrawl.json cannot be read ({error}); give another place"
        ) from error


def _digest(run: Run, n: int) -> str:
    """Digest of visit n; empty if the log has none."""
    visit: Visit | None = next(run.visits(n - 1), None)
    return "" if visit is None or visit.n != n else hashlib.sha256(visit_line(visit)).hexdigest()


def catch_up(sink: Sink) -> int:
    """Write all that is new, the last part incomplete; returns how many visits were added."""
    added = 0
    while new := sink.step():
        added += new
    return added
