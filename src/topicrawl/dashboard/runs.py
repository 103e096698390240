"""The runs in a folder: their names in addresses, and what the list of runs says of each."""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from topicrawl.crawling.lifecycle import is_run
from topicrawl.dashboard.division import Division
from topicrawl.dashboard.opened import FOLDER, Opened
from topicrawl.errors import RunError
from topicrawl.report.stop_rules import SENTENCES
from topicrawl.report.summary import why_stopped
from topicrawl.setup.run_config import config_of
from topicrawl.store.lock import writer_of
from topicrawl.store.run import DATABASE, Run
from topicrawl.store.schema import connect_to_read
from topicrawl.store.shard_files import FOLDER as IN_SHARDS
from topicrawl.store.shard_files import SHARDS, runs_in

DEEPEST = 3
"""Folders below the given one in which runs are looked for."""
SMALL = 20_000
"""Visits up to which a curve is drawn from the log where there is no index."""
POINTS = 60


@dataclass(frozen=True)
class Card:
    """A run in the list."""

    name: str
    path: Path
    state: str
    """running, finished, stopped, or damaged."""
    why: str
    topic: str = ""
    strategy: str = ""
    visits: int = 0
    pages: int = 0
    relevant: int = 0
    curve: tuple[tuple[int, int], ...] = ()
    """Pages fetched and relevant pages among them."""
    changed: float = 0.0
    """When something was last written, in seconds since 1970."""


class Runs:
    """The runs at a path: itself, or those in the folders below it."""

    def __init__(self, path: Path) -> None:
        self.root = path
        self.is_one = is_run(path)
        self._opened: dict[str, Opened] = {}
        self._divisions: dict[str, Division] = {}
        self._naming = threading.Lock()
        self._named: dict[Path, str] = {}
        """Every run that was found, and its name: it keeps that when runs are added, so that addresses stay right."""
        if not path.is_dir():
            raise RunError(f"{path} is no folder; give a run, or a folder with runs")

    def paths(self) -> dict[str, Path]:
        """The folders of runs by their names in addresses."""
        found = sorted(_runs_below(self.root, DEEPEST))
        with self._naming:
            for path in found:
                if path not in self._named:
                    self._named[path] = self._new_name(path)
        return {self._named[path]: path for path in found}

    def _new_name(self, path: Path) -> str:
        relative = path.resolve().name if path == self.root else path.relative_to(self.root).as_posix()
        name = plain = re.sub(r"[^\w.-]+", "-", relative).strip(".") or "run"
        number, taken = 1, set(self._named.values())
        while name in taken:
            number += 1
            name = f"{plain}-{number}"
        return name

    def open(self, name: str) -> Opened | None:
        """The run with this name, opened at the first call; None where there is none, or no more, or it has shards."""
        if name not in self._opened:
            path = self.paths().get(name)
            if path is None or _is_divided(path):
                return None
            self._opened.setdefault(name, Opened(path, name))
        found = self._opened[name]
        return found if is_run(found.path) else None

    def division(self, name: str) -> Division | None:
        """The crawl in shards with this name; None where there is none."""
        path = self.paths().get(name)
        if path is None or not _is_divided(path):
            return None
        return self._divisions.setdefault(name, Division(path, name, self._at))

    def _at(self, path: Path) -> Opened | None:
        """The run in a folder that was found."""
        name = self._named.get(path)
        return None if name is None or not is_run(path) else self.open(name)

    def whole_of(self, path: Path) -> str | None:
        """The name of the crawl of which the run in `path` is a shard; None if that is not found here."""
        return self._named.get(path.parent.parent) if path.parent.name == IN_SHARDS else None

    def close(self) -> None:
        """End all threads."""
        for opened in self._opened.values():
            opened.close()

    def cards(self) -> list[Card]:
        """All runs, the one changed last first; a crawl in shards is one of them."""
        found = [self._card(name, path) for name, path in self.paths().items() if self.whole_of(path) is None]
        return sorted(found, key=lambda each: -each.changed)

    def _card(self, name: str, path: Path) -> Card:
        division = self.division(name)
        return card(name, path) if division is None else divided_card(division)


def _runs_below(folder: Path, deepest: int) -> Iterator[Path]:
    if is_run(folder):
        yield folder
        yield from (each for each in runs_in(folder) if each != folder)
        return
    if deepest:
        try:
            inside = sorted(
                each for each in folder.iterdir() if each.is_dir() and not each.name.startswith(".")
            )
        except OSError:
            return
        for each in inside:
            yield from _runs_below(each, deepest - 1)


def card(name: str, path: Path) -> Card:
    """What the list says of a run."""
    changed = _changed(path)
    try:
        with Run.open(path, writable=False) as run:
            config, summary = config_of(run), run.summary
            topic: Any = config.topic
            curve, is_present = _curve(path, run.last_n, config.threshold)
            state, why = state_of(path, summary)
            pages, relevant = curve[-1] if curve else (0, 0)
            if summary and not is_present:
                last = summary.get("watch", {"pages": summary["fetches"], "relevant": summary["relevant"]})
                pages, relevant = int(last["pages"]), int(last["relevant"])
            return Card(
                name,
                path,
                state,
                why,
                topic.name,
                config.strategy,
                run.last_n,
                pages,
                relevant,
                curve,
                changed,
            )
    except Exception as error:  # whatever is wrong with one run, the others are listed
        return Card(name, path, "damaged", str(error), changed=changed)


def divided_card(division: Division) -> Card:
    """What the list says of a crawl in shards."""
    path, changed = division.path, 0.0
    try:
        changed = max(map(_changed, runs_in(path)))
        division.refresh()
        summary, shards = division.summary(), division.shards()
        state, why = division_state(division, summary)
        config = next((shard.config() for shard in shards.values() if shard), None)
        curve = tuple(division.curve(POINTS))
        pages, relevant = curve[-1] if curve else (0, 0)
        if summary and state != "running":
            pages, relevant = int(summary["fetches"]), int(summary["relevant"])
        topic: Any = config and config.topic
        return Card(
            division.name,
            path,
            state,
            f"{len(shards):,} shards, {why}",
            topic.name if topic else "",
            config.strategy if config else "",
            sum(division.counts(name).visits for name in shards),
            pages,
            relevant,
            curve,
            changed,
        )
    except Exception as error:  # as above
        return Card(division.name, path, "damaged", str(error), changed=changed)


def division_state(division: Division, summary: dict[str, Any] | None) -> tuple[str, str]:
    """The same of a crawl in shards."""
    writer = division.writer
    return ("running", writer) if writer else state_of(division.path, summary)


def _is_divided(path: Path) -> bool:
    return (path / SHARDS).is_file()


def state_of(path: Path, summary: dict[str, Any] | None) -> tuple[str, str]:
    """Whether a run is under way, finished by its own rules or stopped before, and why."""
    if writer := writer_of(path):
        return "running", writer
    if summary:
        is_finished = summary["stop_reason"] in SENTENCES and summary["stop_reason"] not in (
            "stopped",
            "time",
        )
        return "finished" if is_finished else "stopped", why_stopped(summary)
    return "stopped", "it ended without a summary; it can be resumed"


def _changed(path: Path) -> float:
    times = [each.stat().st_mtime for each in (path / DATABASE, path / f"{DATABASE}-wal") if each.exists()]
    return max(times, default=0.0)


def _curve(path: Path, last_n: int, threshold: float) -> tuple[tuple[tuple[int, int], ...], bool]:
    """Points of the harvest curve: from the index if it is complete, else of a small run from its log; and whether they
    are what the view Live shows."""
    index, is_present = path / FOLDER / "index.db", False
    try:
        points: list[tuple[int, int]] = []
        if index.is_file():
            with closing(sqlite3.connect(f"{index.resolve().as_uri()}?mode=ro", uri=True)) as connection:
                is_present = connection.execute("SELECT last_n FROM about").fetchone() == (last_n,)
                if last_n > SMALL or is_present:
                    sql = "SELECT pages, relevant FROM curve ORDER BY pages"
                    points = [(int(pages), int(relevant)) for pages, relevant in connection.execute(sql)]
        if not points and last_n <= SMALL:
            with closing(connect_to_read(path / DATABASE)) as connection:
                rows = connection.execute(
                    "SELECT relevance > ? FROM visits WHERE fetched ORDER BY n", (threshold,)
                )
                found = 0
                for pages, (relevant,) in enumerate(rows, 1):
                    found += relevant
                    points.append((pages, found))
    except sqlite3.Error:
        return (), False
    stride = max(1, len(points) // POINTS)
    kept = points[::stride]
    return tuple(kept if not points or kept[-1] == points[-1] else [*kept, points[-1]]), is_present
