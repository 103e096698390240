"""A run: the directory that holds everything of one crawl.

    crawl.toml      the resolved configuration, written first
    crawl.db        the log: all files below but the archive can be rebuilt from it
    archive/        the bytes that came over the network, in WARC segments
    visits.jsonl    one line per visit        timings.jsonl   when each happened
    summary.json    how it ended              index.cdxj      where each URL is archived  (once finished)
    snapshots/      the state of the crawl, to resume it sooner (snapshots.py)
    lock            which process is writing

Order of writing: archive, one commit, then the line files. Whenever the process dies, opening the run brings archive
and line files back to the last commit. Records that the archive has lost (a segment was truncated or deleted) are
noted in the log until they are fetched again (crawling/refetch.py).
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from topicrawl.errors import RunError, StorageError
from topicrawl.model import (
    Ask,
    Event,
    Instruction,
    Mark,
    Outcome,
    Page,
    Received,
    Response,
    Timing,
    Told,
    Turn,
    Turned,
    Version,
    Visit,
)
from topicrawl.store.archive import Archive, Extent, cut_back, segment_name, segments
from topicrawl.store.cdxj import cdxj
from topicrawl.store.disk import disk_errors, part_of, write_atomically
from topicrawl.store.failpoints import reach
from topicrawl.store.line_files import LineFile, timing_line, visit_line
from topicrawl.store.lock import Lock
from topicrawl.store.log import Log, Place
from topicrawl.store.shard_files import SHARD, read_route, refuse_shards
from topicrawl.store.snapshots import Position
from topicrawl.store.warc import Record, read_record

CONFIG, DATABASE, ARCHIVE, LOCK = "crawl.toml", "crawl.db", "archive", "lock"
VISITS, TIMINGS, SUMMARY, INDEX = "visits.jsonl", "timings.jsonl", "summary.json", "index.cdxj"
SEGMENT_BYTES = 1 << 30
LAST = 1 << 62
"""More than any number of a visit."""


class Run:
    """An open run directory, for one thread at a time; close it, or use it in a `with`."""

    path: Path
    config_toml: str
    repairs: list[str]
    """What was lost, found when the run was opened: sentences for the user; usually empty."""
    _lock: Lock | None = None
    _ended: dict[str, Any] | None = None
    """The summary at the moment that is read, where the run is open for reading."""

    def __init__(self, path: Path, log: Log, lock: Lock | None) -> None:
        self.path = path
        self.config_toml = read_config(path / CONFIG)
        self.repairs = []
        self._log = log
        self._lock = lock
        self._archive: Archive | None = None
        self._followers: list[LineFile] = []
        self._failed = False
        self._index_due = False
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
        """Open the run in `path`. For writing it is locked and repaired; for reading nothing is locked or changed.

        All that is read then is of one moment, whatever a crawl writes meanwhile: open it again for what is newer.
        A creation interrupted after crawl.toml opens as a run with an empty log; a crawl in shards can be read only.
        """
        if not writable and (route := read_route(path)) is not None:
            from topicrawl.store.merged_run import MergedRun  # it is a run itself

            return MergedRun(path, route)
        _refuse_foreign(path)
        begun = has_begun(path)
        if not writable:
            before = stored_summary(path)
            run = cls(path, Log.read(path / DATABASE, begun=begun), None)
            run._ended = before if stored_summary(path) == before else None
            return run
        with disk_errors(path), ExitStack() as undo:
            lock = Lock(path / LOCK)
            undo.callback(lock.release)
            return cls._locked(path, lock, undo, (path / ARCHIVE).is_dir(), SEGMENT_BYTES, begun=begun)

    @classmethod
    def _locked(
        cls, path: Path, lock: Lock, undo: ExitStack, warc: bool, segment_bytes: int, *, begun: bool = False
    ) -> Run:
        """The run that `lock` protects; `undo` releases everything if it cannot be opened."""
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
        """Whether this run archives what it fetches."""
        return self._log.settings.warc

    @property
    def summary(self) -> dict[str, Any] | None:
        """How the run ended; None before that, and again after a resume has added visits."""
        return stored_summary(self.path) if self._lock else self._ended

    @property
    def is_summary_old(self) -> bool:
        """Whether people have said something since the summary was written."""
        summary, now = self.summary, self._log.count_instructions()
        return summary is not None and summary.get("instructions", now) != now

    def write(self, events: Sequence[Event]) -> None:
        """Store `events`: archive and flush, commit together, then append to the line files.

        After a `StorageError` nothing more can be written through this object: open the run again.
        """
        if self._failed:
            raise StorageError(f"{self.path} failed before; open the run again to continue")
        if not events:
            return
        self._failed = True
        if not all(map(_keeps_the_end, events)):
            self._unfinish()
        with disk_errors(self.path):
            reach("archive")
            extents = self._archived(events)
            reach("commit")
            self._log.append(events, extents)
            reach("follow")
            for follower in self._followers:
                follower.catch_up()
            reach("written")
        self._failed = False

    def replay(self, after: int = 0) -> Generator[Event, None, None]:
        """The events of the log with a number above `after`, in order; a `Told` comes without its response."""
        return self._log.events(after)

    @property
    def last_seq(self) -> int:
        """Number of the last event; 0 before the first."""
        return self._log.last_seq

    def mark(self) -> Position:
        """The end of the log, where a snapshot is taken."""
        return Position(*self._log.mark())

    def passed(self, position: Position) -> bool:
        """Whether the log has this position on its way: it has all its events, and they are the same."""
        return self._log.digest(position.seq) == position.digest

    def versions(self) -> list[Version]:
        """What made the choices of this run: one for each change of version; none in a run of topicrawl 0.1."""
        return self._log.versions()

    def instructions(self) -> list[Instruction]:
        """What people changed while the crawl was under way, in order."""
        return self._log.instructions()

    @property
    def last_turn(self) -> Turn | None:
        """The turn of a watch that was begun last."""
        return next((turn for _, turn in self._log.turns()), None)

    @property
    def turn_under_way(self) -> Turn | None:
        """The turn of a watch that was begun and has not ended."""
        begun, turn = next(self._log.turns(), (0, None))
        ended, _ = next(self._log.turned(), (0, None))
        return turn if begun > ended else None

    def turned(self) -> Iterator[tuple[int, Turned]]:
        """The turns of a watch that have ended, with what they noticed, the latest first, each after its number."""
        return self._log.turned()

    @property
    def turned_count(self) -> int:
        """How many turns of a watch have ended."""
        return self._log.count_turned()

    def fetched_before(self, url: str, before: int = LAST) -> Visit | None:
        """The last visit before visit `before` that fetched the page at `url`, and archived it if the run archives."""
        return self._log.fetched_before(url, before)

    def count_fetched(self, url: str, after: int) -> int:
        """How many visits after visit `after` fetched the page at `url`."""
        return self._log.count_fetched(url, after)

    def page_of(self, n: int) -> Page | None:
        """The page of visit n."""
        visit, _, outcome = next(self._log.told(n - 1), (None, None, None))
        return outcome.page if visit is not None and visit.n == n and outcome is not None else None

    def received(self) -> Iterator[Received]:
        """What other shards sent, in order."""
        return self._log.received()

    def placed_instructions(self) -> Iterator[tuple[int, int, Instruction]]:
        """The same, the latest first, each after its number in the log and the number of visits before it."""
        return self._log.placed_instructions()

    def marks(self) -> dict[str, Mark]:
        """What people said of pages, by URL, in the order last said; without what they took back."""
        return {url: mark for url, mark in self.last_marks().items() if mark.relevant is not None}

    def last_marks(self) -> dict[str, Mark]:
        """The last mark on each URL, in order."""
        last: dict[str, Mark] = {}
        for instruction in self.instructions():
            for mark in instruction.marks:
                last.pop(mark.of, None)
                last[mark.of] = mark
        return last

    def check_kinds(self) -> None:
        """`RunError` if a later version of topicrawl wrote events that this one cannot repeat."""
        self._log.check_kinds()

    @property
    def began_without_version(self) -> bool:
        """Whether topicrawl 0.1 began the run: it logged no version."""
        return self._log.began_without_version

    def check_log(self) -> None:
        """Read all of the log that a replay does not read; `ReplayError` if something cannot be read."""
        self._log.check()

    def visits(self, after: int = 0) -> Iterator[Visit]:
        """The visits with n > `after`, in order."""
        return self._log.visits(after)

    def visit_of(self, url: str) -> Visit | None:
        """The first visit that asked for `url` or ended there."""
        return self._log.visit_of(url)

    def timings(self, after: int = 0) -> Iterator[tuple[int, Timing]]:
        """When the visits with n > `after` happened."""
        return self._log.timings(after)

    def told(self, after: int = 0) -> Iterator[tuple[Visit, Ask, Outcome]]:
        """The visits with n > `after`, in order, each with its `Ask` and its `Outcome`."""
        return self._log.told(after)

    @property
    def id(self) -> str:
        """A name that is unique to this run."""
        return self._log.settings.id

    def outcomes(self) -> Iterator[tuple[Visit, Outcome]]:
        """Every visit with its outcome, in order."""
        return self._log.outcomes()

    def pages(self, after: int = 0) -> Iterator[tuple[Visit, Page]]:
        """The fetched pages of the visits with n > `after`, in order."""
        for visit, _, outcome in self._log.told(after):
            if visit.fetched and outcome.page is not None:
                yield visit, outcome.page

    def page(self, url: str) -> Page | None:
        """The page at `url` as of its last visit."""
        pages = [outcome.page for _, outcome in self._log.outcomes(url) if outcome.page]
        return pages[-1] if pages else None

    def record(self, n: int) -> Record | None:
        """The archived answer of visit n; None if it was not archived, is lost or is damaged."""
        captures = list(self._log.captures(n))
        if not captures:
            return None
        page = captures[-1]
        member = self._read(page.segment, page.offset, page.length)
        try:
            return read_record(member) if member else None
        except (ValueError, IndexError):  # no answer that we wrote
            return None

    def archived(self, n: int) -> bytes | None:
        """All records of visit n (redirects, request, response), as the gzip members of a WARC.

        None if nothing was archived, or it is lost or damaged.
        """
        extent = self.extent(n)
        return self._read(*extent) if extent else None

    def extent(self, n: int) -> tuple[int, int, int] | None:
        """Segment, offset and length of the records of visit n; None if nothing is archived."""
        return self._log.extent(n)

    def missing(self) -> Iterator[Visit]:
        """The visits whose records were lost from the archive and not fetched again, in order."""
        return self._log.missing()

    @property
    def missing_count(self) -> int:
        """How many visits `missing` lists."""
        return self._log.missing_count()

    def forget_archived(self, visits: Iterable[int]) -> None:
        """Record permanently that the archive has lost the records of these visits."""
        lost = list(visits)
        if not lost:
            return
        self._log.forget_archived(lost)
        self._open_archive()
        self._index()

    def restore_archived(self, n: int, response: Response, started: float) -> bool:
        """Archive a new answer for visit n, whose records were lost; False if the answer has no bytes.

        Events and line files do not change. The index is updated when the run is closed.
        """
        assert self._archive is not None
        visit, ask, outcome = next(self._log.told(n - 1))
        told = Told(ask, outcome, visit, Timing(started), response)
        with disk_errors(self.path / ARCHIVE):
            extent = self._archive.append(told, again=True)
        if extent is None:
            return False
        self._log.restore_archived(n, extent, started)
        self._index_due = True
        return True

    def restore_visits(self, visits: Iterable[Visit]) -> None:
        """Replace visits of the log that had changed; the lines are to be written again."""
        self._log.restore_visits(visits)

    def captures(self, n: int | None = None) -> Iterator[Place]:
        """The places of the archived answers of visit n (its page last), or of all visits in order."""
        return self._log.captures(n)

    def segments(self) -> list[Path]:
        """The WARC files, in order."""
        return [path for _, path in segments(self.path / ARCHIVE)]

    def rewrite_lines(self) -> None:
        """Rewrite visits.jsonl and timings.jsonl: opening a run repairs only their ends."""
        for follower in self._followers:
            follower.rewrite()

    def update_config(self, config_toml: str) -> None:
        """Replace crawl.toml atomically; `begun_with` stays."""
        with disk_errors(self.path / CONFIG):
            write_atomically(self.path / CONFIG, config_toml.encode())
        self.config_toml = config_toml

    @property
    def begun_with(self) -> str:
        """The configuration that the run was begun with; crawl.toml shows it with all later instructions."""
        return self._log.config or self.config_toml

    @begun_with.setter
    def begun_with(self, config_toml: str) -> None:
        if config_toml != self._log.config:
            self._log.config = config_toml

    def finish(self, summary: dict[str, Any]) -> None:
        """Close the archive, write the index and the summary. Writing more events later removes both.

        Marks on pages of the run do not: it has ended as it had, and only the figures are to be written anew.
        """
        with disk_errors(self.path):
            reach("finish")
            if self._archive:
                self._archive.close()
            self._finished = True
            self._index()
            write_summary(self.path, {**summary, "instructions": self._log.count_instructions()})

    def close(self) -> None:
        """Close all files and release the lock; a second call does nothing."""
        try:
            for follower in self._followers:
                follower.close()
            if self._archive:
                with disk_errors(self.path / ARCHIVE):
                    self._archive.close()
            if self._index_due:
                self._index()
        finally:
            self._log.close()
            if self._lock:
                self._lock.release()

    def _repair(self) -> None:
        """Bring archive and line files to the state of the log."""
        if self.has_archive:
            with disk_errors(self.path / ARCHIVE):
                self._forget_lost_records(self.path / ARCHIVE)
            self._open_archive()
        self._index_due = True  # not now: a run that goes on has none until it ends
        self._followers = [
            LineFile(self.path / VISITS, lambda n: ((v.n, visit_line(v)) for v in self._log.visits(n))),
            LineFile(
                self.path / TIMINGS, lambda n: ((m, timing_line(m, t)) for m, t in self._log.timings(n))
            ),
        ]
        for follower in self._followers:
            follower.catch_up()

    def _open_archive(self) -> None:
        """Truncate the archive to the committed records and open it for appending."""
        folder, ends = self.path / ARCHIVE, self._log.segment_ends()
        with disk_errors(folder):
            if self._archive:
                self._archive.close()
            cut_back(folder, ends)
            fixed = self._log.settings
            self._archive = Archive(folder, fixed.id, fixed.segment_bytes, ends)

    def _forget_lost_records(self, folder: Path) -> None:
        """Note the loss of records that the log lists but that never reached the disk or were deleted."""
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
        """Write index.cdxj for a finished run; a run that is not finished has none."""
        path, self._index_due = self.path / INDEX, False
        with disk_errors(path):
            if not (self._finished and self.has_archive):
                path.unlink(missing_ok=True)
                return
            index = cdxj(self._log.captures())
            if not path.exists() or path.read_bytes() != index:
                write_atomically(path, index)

    def _archived(self, events: Sequence[Event]) -> dict[int, Extent]:
        if self._archive is None:
            return {}
        with disk_errors(self.path / ARCHIVE):
            tolds = (event for event in events if isinstance(event, Told))
            extents = ((told.visit.n, self._archive.append(told)) for told in tolds)
            return {n: extent for n, extent in extents if extent}

    def _unfinish(self) -> None:
        if self._finished:
            with disk_errors(self.path):
                (self.path / SUMMARY).unlink(missing_ok=True)
                (self.path / INDEX).unlink(missing_ok=True)
            self._finished = False

    def _read(self, segment: int, offset: int, length: int) -> bytes | None:
        """The gzip members in these bytes of a segment; None if they are missing or damaged."""
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


def _keeps_the_end(event: Event) -> bool:
    """Whether a run that has ended still has after this event: a mark on a page that it has brings no link."""
    return (
        isinstance(event, Instruction)
        and event == Instruction(marks=event.marks, wish=event.wish, time=event.time)
        and all(mark.page is not None for mark in event.marks)
    )


def _refuse_occupied(path: Path) -> None:
    """Refuse a folder with anything in it but leftovers of a creation that died before crawl.toml was written."""
    if path.exists() and not path.is_dir():
        raise RunError(f"{path} is a file; a run needs a folder: give another --out")
    ours = {LOCK, ARCHIVE, part_of(path / CONFIG).name, SHARD}
    found = sorted(entry.name for entry in path.iterdir() if entry.name not in ours) if path.exists() else []
    if found:
        raise RunError(f"{path} is not empty (it holds {found[0]}); give an empty or new folder as --out")


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"{path} cannot be made: {error.strerror}; give another --out") from error


def read_config(path: Path) -> str:
    """The text of a crawl.toml."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RunError(f"{path} cannot be read: {error}; put the file back as it was") from error


def stored_summary(run: Path) -> dict[str, Any] | None:
    """The summary of the run in a folder; None where there is none, or a damaged one: the log has all that is in it."""
    path = run / SUMMARY
    try:
        found = json.loads(path.read_bytes()) if path.is_file() else None
    except (FileNotFoundError, ValueError):  # a crawl may have gone on in between
        return None
    return found if isinstance(found, dict) else None


def write_summary(run: Path, summary: Mapping[str, Any]) -> None:
    """Write the summary of the run in a folder."""
    text = json.dumps(summary, ensure_ascii=False, indent=2) + "\n"
    write_atomically(run / SUMMARY, text.encode())


def has_begun(path: Path) -> bool:
    """Whether the files beside the log show that something was committed to it."""
    lines = path / VISITS
    return (
        (lines.exists() and lines.stat().st_size > 0)
        or (path / SUMMARY).exists()
        or any(segments(path / ARCHIVE))
    )


def _refuse_foreign(path: Path) -> None:
    if not path.is_dir():
        raise RunError(f"{path} is not a folder; give the folder of a run")
    refuse_shards(path)
    if not (path / CONFIG).is_file() and (path / DATABASE).is_file():
        raise RunError(
            f"{path / CONFIG} is gone; `topicrawl doctor {path} --repair` writes it again from {DATABASE}"
        )
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
