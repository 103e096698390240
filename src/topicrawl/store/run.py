"""A run: the directory with everything one crawl kept.

    crawl.toml      the resolved configuration, there before anything else
    crawl.db        the log: the truth, from which all below but the archive can be made again
    archive/        the bytes that came over the network, in WARC segments
    visits.jsonl    a line a visit            timings.jsonl   when each happened
    summary.json    how it ended              index.cdxj      where each URL is archived  (once finished)
    lock            who is writing

Order of writing: archive, then one commit, then the lines that follow. Whatever moment the process dies at,
opening the run puts archive and followers back to the last commit. What the archive has lost by then (it was cut,
or files of it are gone) is noted in the log for good, until it is fetched again (topicrawl/refetch.py).
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from topicrawl.errors import RunError, StorageError
from topicrawl.model import Ask, Event, Outcome, Page, Response, Timing, Told, Visit
from topicrawl.store.archive import Archive, Stretch, cut_back, segment_name, segments
from topicrawl.store.cdxj import cdxj
from topicrawl.store.disk import disk_errors, part_of, write_atomically
from topicrawl.store.failpoints import reach
from topicrawl.store.line_files import LineFile, timing_line, visit_line
from topicrawl.store.lock import Lock
from topicrawl.store.log import Log, Place
from topicrawl.store.warc import Record, read_record

CONFIG, DATABASE, ARCHIVE, LOCK = "crawl.toml", "crawl.db", "archive", "lock"
VISITS, TIMINGS, SUMMARY, INDEX = "visits.jsonl", "timings.jsonl", "summary.json", "index.cdxj"
SEGMENT_BYTES = 1 << 30


class Run:
    """An open run directory. Use from one thread at a time; close it, or use it in a `with`."""

    path: Path
    config_toml: str
    repairs: list[str]
    """What opening had to give up, a sentence each, for the user to see; usually empty."""

    def __init__(self, path: Path, log: Log, lock: Lock | None) -> None:
        self.path = path
        self.config_toml = _read_config(path / CONFIG)
        self.repairs = []
        self._log = log
        self._lock = lock
        self._archive: Archive | None = None
        self._followers: list[LineFile] = []
        self._failed = False
        self._restored = False
        self._finished = (path / SUMMARY).exists()
        if lock:
            log.config = log.config or self.config_toml
            self._repair()

    @classmethod
    def create(
        cls, path: Path, config_toml: str, *, warc: bool = True, segment_bytes: int = SEGMENT_BYTES
    ) -> Run:
        """A new run in `path`, a folder that is absent or empty."""
        _refuse_occupied(path)
        _make_folder(path)
        with disk_errors(path), ExitStack() as undo:
            lock = Lock(path / LOCK)
            undo.callback(lock.release)
            _refuse_occupied(path)
            if warc:
                (path / ARCHIVE).mkdir(exist_ok=True)
            write_atomically(path / CONFIG, config_toml.encode())
            return cls._locked(path, lock, undo, warc, segment_bytes)

    @classmethod
    def open(cls, path: Path, *, writable: bool = True) -> Run:
        """The run in `path`. To write, it is locked and repaired; to read, nothing is locked or changed.

        A creation that was cut short after crawl.toml opens as a run with an empty log.
        """
        _refuse_foreign(path)
        begun = has_begun(path)
        if not writable:
            return cls(path, Log.read(path / DATABASE, begun=begun), None)
        with disk_errors(path), ExitStack() as undo:
            lock = Lock(path / LOCK)
            undo.callback(lock.release)
            return cls._locked(path, lock, undo, (path / ARCHIVE).is_dir(), SEGMENT_BYTES, begun=begun)

    @classmethod
    def _locked(
        cls, path: Path, lock: Lock, undo: ExitStack, warc: bool, segment_bytes: int, *, begun: bool = False
    ) -> Run:
        """The run that `lock` protects; if it cannot be opened, `undo` lets go of what was taken for it."""
        log = Log.open(path / DATABASE, warc=warc, segment_bytes=segment_bytes, begun=begun)
        undo.callback(log.close)
        run = cls(path, log, lock)
        undo.pop_all()
        return run

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self.close()

    @property
    def last_n(self) -> int:
        """Number of the last visit; 0 before the first."""
        return self._log.last_n

    @property
    def has_archive(self) -> bool:
        """True when this run keeps the bytes it fetched."""
        return self._log.settings.warc

    @property
    def summary(self) -> dict[str, Any] | None:
        """How the run ended; None while it has not, and again once a resume has added to it."""
        path = self.path / SUMMARY
        return json.loads(path.read_bytes()) if path.exists() else None

    def write(self, events: Sequence[Event]) -> None:
        """Keep `events`: archived and flushed, then committed together, then told to the followers.

        After a `StorageError` nothing more can be written through this object: open the run again.
        """
        if self._failed:
            raise StorageError(f"{self.path} failed before; open the run again to go on")
        if not events:
            return
        self._failed = True
        self._unfinish()
        with disk_errors(self.path):
            reach("archive")
            stretches = self._archived(events)
            reach("commit")
            self._log.append(events, stretches)
            reach("follow")
            for follower in self._followers:
                follower.catch_up()
            reach("written")
        self._failed = False

    def replay(self) -> Generator[Event, None, None]:
        """The log in its order; a `Told` comes back without its response."""
        return self._log.events()

    def check_log(self) -> None:
        """Read all that the log keeps beside what a replay needs: a `ReplayError` says that it cannot be read."""
        self._log.check()

    def visits(self, after: int = 0) -> Iterator[Visit]:
        """The visits with n > `after`, in order."""
        return self._log.visits(after)

    def timings(self, after: int = 0) -> Iterator[tuple[int, Timing]]:
        """When the visits with n > `after` happened."""
        return self._log.timings(after)

    def told(self, after: int = 0) -> Iterator[tuple[Visit, Ask, Outcome]]:
        """The visits with n > `after`, in order, each with the choice behind it and what came of it."""
        return self._log.told(after)

    @property
    def id(self) -> str:
        """What no other run is called."""
        return self._log.settings.id

    def pages(self) -> Iterator[tuple[Visit, Page]]:
        """The pages that counted, in the order they were visited."""
        for visit, outcome in self._log.outcomes():
            if visit.fetched and outcome.page is not None:
                yield visit, outcome.page

    def page(self, url: str) -> Page | None:
        """What the page at `url` said when it was last visited."""
        pages = [outcome.page for _, outcome in self._log.outcomes(url) if outcome.page]
        return pages[-1] if pages else None

    def record(self, n: int) -> Record | None:
        """The archived answer of visit n, read back; None where nothing was archived, or it is gone or damaged."""
        captures = list(self._log.captures(n))
        if not captures:
            return None
        page = captures[-1]
        member = self._read(page.segment, page.offset, page.length)
        return read_record(member) if member else None

    def archived(self, n: int) -> bytes | None:
        """Everything archived of visit n (redirects, request, response), as the gzip members of a WARC.

        None where nothing was archived, or it is gone or damaged.
        """
        stretch = self._log.stretch(n)
        return self._read(*stretch) if stretch else None

    def missing(self) -> Iterator[Visit]:
        """The visits whose records the archive has lost and that were not fetched again since, in order."""
        return self._log.missing()

    @property
    def missing_count(self) -> int:
        """How many visits `missing` lists."""
        return self._log.missing_count()

    def forget_archived(self, visits: Iterable[int]) -> None:
        """Take note, for good, that the archive has lost the records of these visits."""
        lost = list(visits)
        if not lost:
            return
        self._log.forget_archived(lost)
        self._open_archive()
        self._index()

    def restore_archived(self, n: int, response: Response, started: float) -> bool:
        """Archive what was answered when the lost page of visit n was asked for again; False: it has no bytes.

        Log and lines stay as they are. The index follows when the run is closed.
        """
        assert self._archive is not None
        visit, ask, outcome = next(self._log.told(n - 1))
        told = Told(ask, outcome, visit, Timing(started), response)
        with disk_errors(self.path / ARCHIVE):
            stretch = self._archive.append(told, again=True)
        if stretch is None:
            return False
        self._log.restore_archived(n, stretch, started)
        self._restored = True
        return True

    def captures(self, n: int | None = None) -> Iterator[Place]:
        """Where the archived answers of visit n stand (its page last), or those of all visits in order."""
        return self._log.captures(n)

    def segments(self) -> list[Path]:
        """The WARC files, in order."""
        return [path for _, path in segments(self.path / ARCHIVE)]

    def rewrite_lines(self) -> None:
        """Write visits.jsonl and timings.jsonl anew: opening a run mends their ends only."""
        for follower in self._followers:
            follower.rewrite()

    def update_config(self, config_toml: str) -> None:
        """Replace crawl.toml, in one step."""
        with disk_errors(self.path / CONFIG):
            write_atomically(self.path / CONFIG, config_toml.encode())
        self._log.config = self.config_toml = config_toml

    @property
    def begun_with(self) -> str:
        """The configuration as we last wrote it, whatever somebody has made of crawl.toml since."""
        return self._log.config or self.config_toml

    def finish(self, summary: dict[str, Any]) -> None:
        """Close the archive, index it, and say how the run ended. Writing more later takes that back."""
        with disk_errors(self.path):
            reach("finish")
            if self._archive:
                self._archive.close()
            self._finished = True
            self._index()
            text = json.dumps(summary, ensure_ascii=False, indent=2) + "\n"
            write_atomically(self.path / SUMMARY, text.encode())

    def close(self) -> None:
        """Let go of all files and of the lock; a second call does nothing."""
        try:
            for follower in self._followers:
                follower.close()
            if self._archive:
                with disk_errors(self.path / ARCHIVE):
                    self._archive.close()
            if self._restored:
                self._index()
                self._restored = False
        finally:
            self._log.close()
            if self._lock:
                self._lock.release()

    def _repair(self) -> None:
        """Bring archive and followers to where the log stands."""
        if self.has_archive:
            with disk_errors(self.path / ARCHIVE):
                self._forget_lost_records(self.path / ARCHIVE)
            self._open_archive()
        self._index()
        self._followers = [
            LineFile(self.path / VISITS, lambda n: ((v.n, visit_line(v)) for v in self._log.visits(n))),
            LineFile(
                self.path / TIMINGS, lambda n: ((m, timing_line(m, t)) for m, t in self._log.timings(n))
            ),
        ]
        for follower in self._followers:
            follower.catch_up()

    def _open_archive(self) -> None:
        """Cut the archive back to what the log knows of, to go on behind it."""
        folder, ends = self.path / ARCHIVE, self._log.segment_ends()
        with disk_errors(folder):
            if self._archive:
                self._archive.close()
            cut_back(folder, ends)
            fixed = self._log.settings
            self._archive = Archive(folder, fixed.id, fixed.segment_bytes, ends)

    def _forget_lost_records(self, folder: Path) -> None:
        """The log may know of records that never reached the disk, or that somebody deleted: note their loss."""
        sizes = {segment: path.stat().st_size for segment, path in segments(folder)}
        for segment, end in self._log.segment_ends().items():
            size = sizes.get(segment, 0)
            if size < end:
                lost = self._log.archived_beyond(segment, size)
                self._log.forget_archived(lost)
                self.repairs.append(
                    f"{folder / segment_name(segment)} lost the records of {len(lost)} visits; "
                    f"`topicrawl crawl --out {self.path} --refetch-missing` gets them back"
                )

    def _index(self) -> None:
        """Let index.cdxj say what the archive of a finished run holds; a run that is not finished has none."""
        path = self.path / INDEX
        with disk_errors(path):
            if not (self._finished and self.has_archive):
                path.unlink(missing_ok=True)
                return
            index = cdxj(self._log.captures())
            if not path.exists() or path.read_bytes() != index:
                write_atomically(path, index)

    def _archived(self, events: Sequence[Event]) -> dict[int, Stretch]:
        if self._archive is None:
            return {}
        with disk_errors(self.path / ARCHIVE):
            tolds = (event for event in events if isinstance(event, Told))
            stretches = ((told.visit.n, self._archive.append(told)) for told in tolds)
            return {n: stretch for n, stretch in stretches if stretch}

    def _unfinish(self) -> None:
        if self._finished:
            with disk_errors(self.path):
                (self.path / SUMMARY).unlink(missing_ok=True)
                (self.path / INDEX).unlink(missing_ok=True)
            self._finished = False

    def _read(self, segment: int, offset: int, length: int) -> bytes | None:
        """Gzip members of a segment; None where they are not there, whole."""
        path = self.path / ARCHIVE / segment_name(segment)
        with disk_errors(path):
            size = path.stat().st_size if path.exists() else 0
            if not 0 <= offset <= offset + length <= size:
                return None
            with path.open("rb") as file:
                file.seek(offset)
                members = file.read(length)
        try:
            gzip.decompress(members)
        except (EOFError, zlib.error, gzip.BadGzipFile):
            return None
        return members


def _refuse_occupied(path: Path) -> None:
    """Let a new run's folder hold at most what a creation leaves that died before crawl.toml was in place."""
    if path.exists() and not path.is_dir():
        raise RunError(f"{path} is a file; a run needs a folder: give another --out")
    ours = {LOCK, ARCHIVE, part_of(path / CONFIG).name}
    found = sorted(entry.name for entry in path.iterdir() if entry.name not in ours) if path.exists() else []
    if found:
        raise RunError(f"{path} is not empty (it holds {found[0]}); give an empty or new folder as --out")


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"{path} cannot be made: {error.strerror}; give another --out") from error


def _read_config(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RunError(f"{path} cannot be read: {error}; put the file back as it was") from error


def has_begun(path: Path) -> bool:
    """Whether the files beside the log of a run say that something was committed to it."""
    lines = path / VISITS
    return (
        (lines.exists() and lines.stat().st_size > 0)
        or (path / SUMMARY).exists()
        or any(segments(path / ARCHIVE))
    )


def _refuse_foreign(path: Path) -> None:
    if not path.is_dir():
        raise RunError(f"{path} is not a folder; give the folder of a run")
    if not (path / CONFIG).is_file():
        raise RunError(
            f"{path} is not a run: it has no {CONFIG}; start one with `topicrawl crawl --out {path}`"
        )
    if (path / DATABASE).is_file():
        return
    if not (path / LOCK).is_file() or (path / VISITS).exists() or any(segments(path / ARCHIVE)):
        raise RunError(
            f"{path} is not a run: it has a {CONFIG} but no {DATABASE}; put it back or choose another folder"
        )
