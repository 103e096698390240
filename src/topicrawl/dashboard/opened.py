"""A run that somebody looks at: where its files are, its index kept up to date in a thread, what state it is in."""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from topicrawl.crawling.judged import relevance_now
from topicrawl.dashboard import door
from topicrawl.dashboard.index import Index
from topicrawl.dashboard.present import Present
from topicrawl.dashboard.schema import open_index, read_index, remove
from topicrawl.errors import TopicrawlError
from topicrawl.judge.registry import EXAMPLES
from topicrawl.setup.config import Config
from topicrawl.setup.run_config import config_of
from topicrawl.store import wishes
from topicrawl.store.lock import writer_of
from topicrawl.store.run import CONFIG, DATABASE, Run
from topicrawl.store.schema import address_to_read
from topicrawl.store.wishes import WISHES

FOLDER = "ui"
SOON = 2.0
"""Seconds without a further mark after which marks are logged in a run that no crawl writes."""
PATIENCE = 2.0
"""Seconds to wait for the thread that makes the index at the end; what it has not committed it does again."""
FIRST_WAIT = 0.3
"""Seconds that a view waits for the index: enough for a small run to be complete when it is first shown."""
JUDGED_AT_MOST = 100_000
"""Visits up to which the pages of a run that stands are read for search, and judged by all that was learned."""
SMALL, BACKLOG = 2_000, 20_000
"""Visits of a run up to which a view waits for all of that; visits not yet indexed from which on it does not wait."""

log = logging.getLogger(__name__)


class Far(NamedTuple):
    """How far the index is."""

    visits: int
    """Visits of the log."""
    indexed: int
    read: int
    """Visits whose texts can be searched."""
    threshold: float
    judged: bool
    """Whether relevance is by all that was learned, not as judged at the visit."""


class Opened:
    """A run and its index; methods may be called from any thread."""

    def __init__(self, path: Path, name: str) -> None:
        self.path, self.name = path, name
        self.folder = _folder(path)
        self._index = self.folder / "index.db"
        self.present = Present(path, self.folder)
        self._lock = threading.Lock()
        self._stop, self._ready = threading.Event(), threading.Event()
        self._worker: threading.Thread | None = None
        self._settling: threading.Timer | None = None
        self._wants_texts = False
        self._config: tuple[object, Config] | None = None
        self._said: object = None
        """The stamp of the wishes when marks were last taken over."""
        self._done: tuple[object, bool] | None = None
        """What was indexed last: the stamp of the run, and whether texts were read."""
        self.spent = 0.0
        """Processor seconds of the thread that makes the index."""
        self.trouble = ""
        """Why the index could not be made, for the user; usually empty."""

    @contextmanager
    def run(self) -> Iterator[Run]:
        """The run, for reading."""
        with Run.open(self.path, writable=False) as run:
            yield run

    def config(self) -> Config:
        """Its configuration as it is now; read again when crawl.toml was changed."""
        now = (self.path / CONFIG).stat()
        stamp = (now.st_ino, now.st_mtime_ns, now.st_size)
        if self._config is None or self._config[0] != stamp:
            with self.run() as run:
                self._config = stamp, config_of(run)
        return self._config[1]

    @contextmanager
    def index(self) -> Iterator[sqlite3.Connection]:
        """The index for reading, with the log of the run as the database `run`."""
        with closing(read_index(self._index, address_to_read(self.path / DATABASE))) as connection:
            yield connection

    def refresh(self, *, texts: bool = False, wait: float = FIRST_WAIT) -> None:
        """Have the index brought up to date by another thread, and wait a moment until it can be shown.

        With `texts` the pages are read, too.
        """
        with self._lock:
            self._wants_texts |= texts
            if self.is_current(self.stamp()):
                return
            if self._worker is None or not self._worker.is_alive():
                self._ready.clear()
                if not self._index.exists():  # a view reads it at once
                    self._make_index()
                worker = threading.Thread(target=self._work, name=f"index of {self.name}", daemon=True)
                worker.start()
                self._worker = worker
        self._ready.wait(wait)

    def complete(self) -> None:
        """Wait until all is done that was asked for."""
        if self._worker is not None:
            self._worker.join()

    def _make_index(self) -> None:
        """Make an empty index. The folder may be gone: it may be deleted at any time."""
        self.folder.mkdir(exist_ok=True)
        self._done = self._said = None
        with self.run() as run:
            open_index(self._index, run.id).close()

    def marked(self) -> None:
        """Somebody marked a page: have it logged soon, together with the marks that follow at once."""
        with self._lock:
            if self._settling is not None:
                self._settling.cancel()
            self._settling = threading.Timer(SOON, self._settle)
            self._settling.daemon = True
            self._settling.start()

    def close(self) -> None:
        """End the threads; marks that are not logged yet are."""
        if self._settling is not None and self._settling.is_alive():
            self._settling.cancel()
            self._settle()
        self._stop.set()
        if self._worker is not None:
            self._worker.join(PATIENCE)
        if self.folder.parent != self.path:
            shutil.rmtree(self.folder, ignore_errors=True)

    def _settle(self) -> None:
        try:
            door.settle(self.path)
        except (
            TopicrawlError
        ) as error:  # the marks wait, and are logged with the next or when the crawl is resumed
            log.warning("marks are not logged yet: %s", error)

    def far(self) -> Far:
        """How far the index is."""
        with self.index() as connection:
            visits, indexed, read, threshold, judged = connection.execute(
                "SELECT (SELECT coalesce(max(n), 0) FROM run.visits), last_n, read_n, coalesce(threshold, 0.5),"
                " judged <> '' FROM about"
            ).fetchone()
        return Far(visits, indexed, read, threshold, bool(judged) and self.writer is None)

    @property
    def writer(self) -> str | None:
        """The process that crawls into this run; None where there is none, or where marks are being logged by us."""
        found = writer_of(self.path)
        return None if found and found.startswith(f"process {os.getpid()} ") else found

    def is_current(self, stamp: tuple[object, ...]) -> bool:
        """Whether the index is complete for a run with this stamp."""
        return self._done == (stamp, self._wants_texts)

    def stamp(self) -> tuple[object, ...]:
        """A value that changes when something is written to the run, or a crawl begins or ends."""
        found: list[object] = [self.writer is None]
        for name in (DATABASE, f"{DATABASE}-wal", CONFIG, WISHES, f"{WISHES}-wal", f"{FOLDER}/index.db"):
            try:
                now = (self.path / name).stat()
            except OSError:
                continue
            found.append(
                (name, now.st_ino) if name.startswith(FOLDER) else (name, now.st_mtime_ns, now.st_size)
            )
        return tuple(found)

    def _work(self) -> None:
        began = time.thread_time()
        try:
            self._bring_up_to_date()
        finally:
            self._ready.set()
            self.spent += time.thread_time() - began

    def _bring_up_to_date(self) -> None:
        stamp, texts = self.stamp(), self._wants_texts
        try:
            with self.run() as run:
                index = Index(self._index, run.id)
                with closing(index):
                    self._bring_up(index, run)
                is_summary_old = self.writer is None and run.is_summary_old
            self.trouble = ""
            if is_summary_old:  # who logged marks died before it was written
                self.marked()
            if not self._stop.is_set():
                self._done = (stamp, texts)
        except (TopicrawlError, sqlite3.Error, OSError) as error:
            self.trouble = str(error)
            log.warning("the index of %s: %s", self.path, error)

    def _bring_up(self, index: Index, run: Run) -> None:
        config = self.config()
        if run.last_n - index.last_n > BACKLOG:
            self._ready.set()
        index.follow(run, config.threshold, self._stop)
        if (stamp := (run.id, wishes.stamp(self.path))) != self._said:  # marks come as wishes
            said = door.marks_of(run)
            index.mark(said.marks, said.stamp, lambda n: next(run.visits(n - 1)).relevance)
            self._said = stamp
        if run.last_n > SMALL:
            self._ready.set()
        stands = self.writer is None and run.last_n <= JUDGED_AT_MOST
        if self._wants_texts or stands:  # no crawl is slowed by it
            index.read(run, self._stop)
        judged = str(run.last_seq)
        if stands and config.judge == EXAMPLES and index.judged != judged:
            now = relevance_now(run)
            index.judge(((visit.n, float(now[visit.n])) for visit in run.visits() if visit.fetched), judged)


def _folder(run: Path) -> Path:
    """Where files of the dashboard are kept: in the run, or where that cannot be written, in a temporary folder."""
    folder = run / FOLDER
    try:
        if (
            folder.is_symlink()
        ):  # a run from elsewhere must not have files of another folder written or removed
            raise OSError(f"{folder} is a link")
        folder.mkdir(exist_ok=True)
        probe = folder / "index.db"
        probe.touch()
    except OSError:
        return Path(tempfile.mkdtemp(prefix="topicrawl-ui-"))
    if not probe.stat().st_size:
        remove(probe)
    return folder
