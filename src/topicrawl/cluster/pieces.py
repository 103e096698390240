"""A shard in the store: its log and archive piece by piece, its newest snapshot; and back into an empty folder.

    ID/shard-017/log/FIRST-EPOCH.zst                        events from FIRST on
    ID/shard-017/archive/SEGMENT-OFFSET-EPOCH.warc.gz       the WARC records of these events
    ID/shard-017/snapshot/SEQ-EPOCH                         the state of the crawl after event SEQ

An event is durable when its piece and the archived bytes are in the store and the row of the piece is in PostgreSQL.
"""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path

from topicrawl.cluster.database import Connection, Database
from topicrawl.cluster.leases import Lease
from topicrawl.cluster.manifest import (
    Piece,
    Stored,
    add_piece,
    add_snapshot,
    forget_snapshots,
    newest_snapshot,
    pieces,
    totals_of,
)
from topicrawl.cluster.store import Store
from topicrawl.errors import AwayError, TopicrawlError
from topicrawl.store.disk import write_atomically
from topicrawl.store.log_pieces import LogPiece, Span, Totals, make_run, next_piece, read_span
from topicrawl.store.run import Run
from topicrawl.store.snapshots import ENDING, FOLDER, paths

EPOCH = "epoch"
"""The file beside a run directory that says under which epoch it was written last."""


def folder_of(crawl: str, shard: int) -> str:
    """The folder of a shard in the store."""
    return f"{crawl}/shard-{shard:03}"


class Uploader:
    """Puts into the store what a shard has committed; `durable` is the last event that is there. For one thread."""

    def __init__(
        self, run: Path, store: Store, database: Database, lease: Lease, durable: int, threshold: float
    ) -> None:
        """`threshold` is the relevance above which a page counts as relevant."""
        self._run, self._store, self._database, self._lease = run, store, database, lease
        self._folder = folder_of(lease.crawl, lease.number)
        self.durable, self._threshold = durable, threshold
        self._totals: Totals | None = None
        """Of the visits up to `durable`, once they were read."""
        self._next: LogPiece | None = None
        """The piece that is being put there: after a failure the same again, since its row may be there."""
        self._snapshot = 0

    def upload(self) -> bool:
        """Put the next piece there; False if there is nothing new. `AwayError` can be tried again.

        `LostLeaseError` if another holds the shard: then nothing of this one counts any more.
        """
        piece = self._next = self._next or next_piece(self._run, self.durable)
        if piece is None:
            return False
        for span in piece.spans:
            self._store.put(self._archive_name(span), read_span(self._run, span))
        packed = piece.pack()
        name = f"{self._folder}/log/{piece.first:012}-{self._lease.epoch}.zst"
        self._store.put(name, packed)
        row = Piece(piece.first, piece.last, name, len(packed), self._lease.epoch)
        with self._database.connection() as connection:
            if self._totals is None:
                self._totals = totals_of(connection, self._lease.crawl, self._lease.number)
            totals = piece.totals(self._totals, self._threshold)
            add_piece(connection, self._lease, row, totals)
        self.durable, self._totals, self._next = piece.last, totals, None
        return True

    def upload_snapshot(self) -> bool:
        """Put the newest snapshot there whose events are durable, unless it is there."""
        for path in paths(self._run):
            seq = int(path.name.removesuffix(ENDING))
            if seq <= self._snapshot:
                return False
            if seq <= self.durable:
                break
        else:
            return False
        try:
            content = path.read_bytes()
        except FileNotFoundError:  # a newer one has taken its place
            return False
        name = f"{self._folder}/snapshot/{seq:012}-{self._lease.epoch}"
        self._store.put(name, content)
        with self._database.connection() as connection:
            add_snapshot(connection, self._lease, Stored(seq, name, len(content)))
            older = forget_snapshots(connection, self._lease)
        self._snapshot = seq
        for each in older:
            with suppress(AwayError):  # it takes space, no more
                self._store.delete(each)
        return True

    def _archive_name(self, span: Span) -> str:
        return archive_name(self._folder, span, self._lease.epoch)


def archive_name(folder: str, span: Span, epoch: int) -> str:
    """The file of archived bytes."""
    return f"{folder}/archive/{span.segment:05}-{span.offset:012}-{epoch}.warc.gz"


def bring(run: Path, store: Store, connection: Connection, lease: Lease) -> int:
    """Make the run directory of a shard what it was at the last durable event, or later; returns that event.

    A folder that was written under the epoch before ours holds all that the store has, and more: nobody else has held
    the shard since. Any other is replaced by what the store has, and so is one that has lost commits by a power cut.
    Where there is nothing yet, `run` stays absent.
    """
    rows = pieces(connection, lease.crawl, lease.number)
    durable = rows[-1].last if rows else 0
    if not _is_ours(run, lease, durable):
        if run.exists():
            shutil.rmtree(run)
        if rows:
            download(run, store, connection, lease.crawl, lease.number)
    run.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(_epoch_file(run), str(lease.epoch).encode())
    return durable


def _is_ours(run: Path, lease: Lease, durable: int) -> bool:
    """Whether the folder was written by the last holder of the shard, and has all events up to `durable`."""
    try:
        if int(_epoch_file(run).read_bytes()) != lease.epoch - 1:
            return False
        with Run.open(run, writable=False) as opened:
            return opened.last_seq >= durable
    except (OSError, ValueError, TopicrawlError):
        return False


def _epoch_file(run: Path) -> Path:
    return run.with_name(f"{run.name}.{EPOCH}")


def download(run: Path, store: Store, connection: Connection, crawl: str, shard: int) -> None:
    """Make the run directory of a shard, which has durable events, in the absent folder `run`."""
    folder, rows = folder_of(crawl, shard), pieces(connection, crawl, shard)
    epochs = {row.first: row.epoch for row in rows}

    def archived(piece: LogPiece, span: Span) -> bytes:
        return store.get(archive_name(folder, span, epochs[piece.first]))

    run.parent.mkdir(parents=True, exist_ok=True)
    make_run(run, (LogPiece.unpack(store.get(row.name)) for row in rows), archived)
    snapshot = newest_snapshot(connection, crawl, shard)
    if snapshot is not None:
        (run / FOLDER).mkdir(exist_ok=True)
        write_atomically(run / FOLDER / f"{snapshot.seq:012}{ENDING}", store.get(snapshot.name))
