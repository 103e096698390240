"""The shards of a crawl read as one run: their visits in the order of time, numbered anew.

    RUN/crawl.toml      the configuration of the whole crawl        RUN/summary.json, report.html   how it ended
    RUN/shards.toml     how it is divided                           RUN/shards/000 …                a run for each shard

It is for reading only: each shard is written by its own process. There is no log of the whole crawl to replay.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

import msgspec

from topicrawl.errors import RunError
from topicrawl.frontier.route import Route
from topicrawl.model import Ask, Event, Instruction, Outcome, Timing, Turn, Turned, Version, Visit
from topicrawl.store.disk import disk_errors
from topicrawl.store.log import Place
from topicrawl.store.run import CONFIG, Run, has_begun, read_config, stored_summary, write_summary
from topicrawl.store.shard_files import SHARD, SHARDS, ShardFile, read_shard, shard_folders
from topicrawl.store.warc import Record


def check_shards(path: Path, route: Route) -> None:
    """`RunError` if a shard of the crawl in `path` is missing though others have begun, or is divided otherwise."""
    folders = shard_folders(path, route)
    lost = [folder for folder in folders.values() if not (folder / CONFIG).is_file()]
    if lost and any(has_begun(folder) for folder in folders.values()):
        raise RunError(f"{lost[0]} is missing, a shard of this crawl; put it back, or begin another run")
    for name, folder in folders.items():
        if folder not in lost and read_shard(folder) != ShardFile(name, route):
            raise RunError(
                f"{path / SHARDS} and {folder / SHARD} do not agree; put both files back as they were"
            )


class MergedRun(Run):
    """A crawl in shards, for reading."""

    def __init__(self, path: Path, route: Route) -> None:
        self.path, self.route = path, route
        self.config_toml = read_config(path / CONFIG)
        self.repairs = []
        before = stored_summary(path)
        folders = shard_folders(path, route)
        check_shards(path, route)
        with ExitStack() as undo:
            self.shards = {
                name: undo.enter_context(Run.open(folder, writable=False))
                for name, folder in folders.items()
                if (folder / CONFIG).is_file()
            }
            self._opened = undo.pop_all()
        self._ended = before if stored_summary(path) == before else None
        if not self.shards:
            raise RunError(f"{path} was begun and has no shard yet; resume it: topicrawl crawl --out {path}")

    def close(self) -> None:
        """Close all shards; a second call does nothing."""
        self._opened.close()

    def shard_of(self, url: str) -> Run | None:
        """The shard that crawls the site of a canonical URL; None if it has not begun."""
        return self.shards.get(self.route.owner(url))

    # --- visits -----------------------------------------------------------------------------------------------------

    @property
    def last_n(self) -> int:
        return len(self._places)

    @property
    def last_turn(self) -> Turn | None:
        """None: a crawl in shards is not watched."""
        return None

    def turned(self) -> Iterator[tuple[int, Turned]]:
        """None, either."""
        return iter(())

    def visits(self, after: int = 0) -> Iterator[Visit]:
        return (_renumbered(visit, n) for n, (visit,) in self._merged(after, _alone(Run.visits)))

    def timings(self, after: int = 0) -> Iterator[tuple[int, Timing]]:
        return ((n, timing) for n, (_, timing) in self._merged(after, Run.timings))

    def told(self, after: int = 0) -> Iterator[tuple[Visit, Ask, Outcome]]:
        for n, (visit, ask, outcome) in self._merged(after, Run.told):
            yield _renumbered(visit, n), ask, outcome

    def outcomes(self) -> Iterator[tuple[Visit, Outcome]]:
        return ((visit, outcome) for visit, _, outcome in self.told())

    def pages(self, after: int = 0) -> Iterator[tuple[Visit, Any]]:
        for visit, _, outcome in self.told(after):
            if visit.fetched and outcome.page is not None:
                yield visit, outcome.page

    def page(self, url: str) -> Any:
        found = (run.page(url) for run in self.shards.values())
        return next((page for page in found if page is not None), None)

    def visit_of(self, url: str) -> Visit | None:
        for name, run in self.shards.items():
            if (visit := run.visit_of(url)) is not None and visit.error != "elsewhere":
                return _renumbered(visit, self._numbers[name, visit.n])
        return None

    def numbers_of(self, name: str) -> list[int]:
        """The numbers that the visits of a shard have here, in their order there."""
        return [n for n, (shard, _) in enumerate(self._places, 1) if shard == name]

    # --- the archive ------------------------------------------------------------------------------------------------

    @property
    def has_archive(self) -> bool:
        return any(run.has_archive for run in self.shards.values())

    def record(self, n: int) -> Record | None:
        run, own = self.place(n)
        return run.record(own)

    def archived(self, n: int) -> bytes | None:
        run, own = self.place(n)
        return run.archived(own)

    def extent(self, n: int) -> tuple[int, int, int] | None:
        run, own = self.place(n)
        return run.extent(own)

    def missing(self) -> Iterator[Visit]:
        for name, run in self.shards.items():
            for visit in run.missing():
                yield _renumbered(visit, self._numbers[name, visit.n])

    @property
    def missing_count(self) -> int:
        return sum(run.missing_count for run in self.shards.values())

    def segments(self) -> list[Path]:
        return [path for run in self.shards.values() for path in run.segments()]

    def captures(self, n: int | None = None) -> Iterator[Place]:
        if n is None:
            self._refuse("lists places in one archive")
        run, own = self.place(n)
        return run.captures(own)

    # --- the log ----------------------------------------------------------------------------------------------------

    def versions(self) -> list[Version]:
        return next(iter(self.shards.values())).versions()

    def instructions(self) -> list[Instruction]:
        """What people said, each once: instructions go to every shard."""
        found = dict[bytes, Instruction]()
        for run in self.shards.values():
            found |= {msgspec.msgpack.encode(each): each for each in run.instructions()}
        return sorted(found.values(), key=lambda each: each.time)

    def placed_instructions(self) -> Iterator[tuple[int, int, Instruction]]:
        """The same, the latest first, numbered in the order of time: their places in the logs of shards differ. Each is
        after the visits that all shards had made.
        """
        before = Counter[bytes]()
        for run in self.shards.values():
            for _, visits, each in run.placed_instructions():
                before[msgspec.msgpack.encode(each)] += visits
        numbered = list(enumerate(self.instructions(), 1))[::-1]
        return iter([(number, before[msgspec.msgpack.encode(each)], each) for number, each in numbered])

    def check_kinds(self) -> None:
        for run in self.shards.values():
            run.check_kinds()

    @property
    def began_without_version(self) -> bool:
        return False

    def check_log(self) -> None:
        for run in self.shards.values():
            run.check_log()

    @property
    def id(self) -> str:
        return next(iter(self.shards.values())).id

    @property
    def begun_with(self) -> str:
        return next(iter(self.shards.values())).begun_with

    @begun_with.setter
    def begun_with(self, config_toml: str) -> None:
        self._refuse("changes a log")

    @property
    def last_seq(self) -> int:
        return sum(run.last_seq for run in self.shards.values())

    def replay(self, after: int = 0) -> Generator[Event, None, None]:
        self._refuse("replays one log")

    def _refuse(self, what: str) -> NoReturn:
        raise RunError(
            f"{self.path} is a crawl in shards, and this command {what}; give it one of its shards, such as "
            f"{next(iter(self.shards.values())).path}"
        )

    def finish(self, summary: dict[str, Any]) -> None:
        """Write the summary of the whole crawl."""
        with disk_errors(self.path):
            self._ended = {**summary, "instructions": len(self.instructions())}
            write_summary(self.path, self._ended)

    @property
    def is_summary_old(self) -> bool:
        summary, now = self.summary, len(self.instructions())
        return summary is not None and summary.get("instructions", now) != now

    # --- the order of time ------------------------------------------------------------------------------------------

    @cached_property
    def _places(self) -> list[tuple[str, int]]:
        """For each visit its shard, and its number there."""
        times = (_in_order(name, run.timings()) for name, run in self.shards.items())
        return [(name, own) for _, name, own in heapq.merge(*times)]

    @cached_property
    def _numbers(self) -> dict[tuple[str, int], int]:
        """The number of each visit by its shard and its number there."""
        return {place: n for n, place in enumerate(self._places, 1)}

    def place(self, n: int) -> tuple[Run, int]:
        """The shard that made visit n, and the number of the visit there."""
        name, own = self._places[n - 1]
        return self.shards[name], own

    def _merged(self, after: int, read: Any) -> Iterator[tuple[int, Any]]:
        """What `read` says of each visit of a shard, for the visits of all of them."""
        places = self._places[after:]
        first = dict[str, int]()
        for name, own in places:
            first.setdefault(name, own)
        reading = {name: iter(read(self.shards[name], own - 1)) for name, own in first.items()}
        for n, (name, _) in enumerate(places, after + 1):
            yield n, next(reading[name])


def _in_order(name: str, timings: Iterable[tuple[int, Timing]]) -> Iterator[tuple[float, str, int]]:
    """Time, shard and number of its visits; the time never falls, so that the order of the shard is kept."""
    latest = 0.0
    for n, timing in timings:
        latest = max(latest, timing.started)
        yield latest, name, n


def _alone(read: Any) -> Any:
    """As tuples of one."""
    return lambda run, after: ((visit,) for visit in read(run, after))


def _renumbered(visit: Visit, n: int) -> Visit:
    return msgspec.structs.replace(visit, n=n)
