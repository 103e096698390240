"""Verification and repair of a log with every kind of event: what may happen twice, and what contradicts itself."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import msgspec
import pytest

from topicrawl.model import (
    Accepted,
    Ask,
    Event,
    Found,
    Instruction,
    Learned,
    Postponed,
    Received,
    Revisit,
    Told,
    Version,
)
from topicrawl.store.events import CODECS
from topicrawl.store.log import Log
from topicrawl.store.run import Run
from topicrawl.store.salvage import rescue, trim
from topicrawl.store.verify import examine, sound_entries
from topicrawl.store.verify_log import KNOWN

PEEKED = 11
"""The visit of writer.py that is a peek."""


def anew(made: ModuleType, n: int, page: int) -> list[Event]:
    """The page of an earlier visit, fetched anew as visit n."""
    earlier: Told = made.told(page)
    ask = Ask(page, made.url(page), priority=0.0, depth=0)
    visit = msgspec.structs.replace(earlier.visit, n=n, priority=0.0, depth=0)
    return [Revisit(made.url(page), 1_800_000_000.0), replace(earlier, ask=ask, visit=visit)]


@pytest.fixture
def every_kind(made: ModuleType) -> list[Event]:
    return [
        Version("0.2.0", "fcwseo", 1, {"window": 5}),
        *made.events(1, PEEKED),
        Accepted(made.url(PEEKED)),
        Instruction(settings={"threshold": 0.5}, seeds=["http://more.example/"]),
        Received("two", [Found("http://received.example/", 3)]),
        Learned("strategy", b"a model"),
        *anew(made, 12, page=1),
        made.ask(13),
        Postponed(13, made.url(13)),
    ]


def kept(folder: Path, events: list[Event]) -> Path:
    """A run whose log has these events."""
    with Run.create(folder, "", segment_bytes=8000) as run:
        run.write(events)
    return folder


def faults(folder: Path) -> list[str]:
    return [found.sentence for found in examine(folder) if found.well is False]


def test_every_kind_of_event_is_known_in_its_latest_version() -> None:
    written = {codec.kind: codec.version for codec in CODECS.values()}
    assert {kind: version for kind, version in KNOWN.items() if kind in written} == written


def test_a_log_with_every_kind_of_event_is_sound(tmp_path: Path, every_kind: list[Event]) -> None:
    folder = kept(tmp_path / "run", every_kind)
    assert faults(folder) == []
    sentences = " ".join(found.sentence for found in examine(folder))
    assert "12 answers, each to one earlier choice; 1 in flight; 1 pages were fetched anew" in sentences
    assert "each once" in sentences


CONTRADICTIONS: dict[str, Callable[[ModuleType], list[Event]]] = {
    "accepts a page that was not peeked at": lambda made: [*made.events(1, 3), Accepted(made.url(1))],
    "postpones a link that was not chosen": lambda made: [made.ask(1), Postponed(2, made.url(2))],
    "chooses a link that is in flight": lambda made: [made.ask(1), Revisit(made.url(1), 1.0)],
    "answers a link that was not chosen": lambda made: [*made.events(1, 3), anew(made, 4, page=1)[1]],
    "answers another choice than was made": lambda made: [
        msgspec.structs.replace(made.ask(1), priority=0.5),
        made.told(1),
    ],
}


@pytest.mark.parametrize("fault", CONTRADICTIONS)
def test_an_entry_that_contradicts_those_before_it_is_found(
    tmp_path: Path, made: ModuleType, fault: str
) -> None:
    folder = kept(tmp_path / "run", CONTRADICTIONS[fault](made))
    assert any(fault in sentence for sentence in faults(folder)), faults(folder)


def test_a_link_that_another_version_numbers_otherwise_is_matched_by_its_url(
    tmp_path: Path, made: ModuleType
) -> None:
    folder = kept(tmp_path / "run", [msgspec.structs.replace(made.ask(1), link=99), made.told(1)])
    assert faults(folder) == []


@pytest.mark.parametrize("entry", [14, 20, 25, 26])
def test_repair_keeps_every_event_before_the_first_that_cannot_be_read(
    tmp_path: Path, every_kind: list[Event], entry: int
) -> None:
    folder = kept(tmp_path / "run", every_kind)
    database = folder / "crawl.db"
    with closing(Log.read(database)) as log:
        before = list(log.events())
    with closing(sqlite3.connect(database)) as damaged, damaged:
        damaged.execute("UPDATE log SET packed = x'c1' WHERE seq = ?", (entry,))
    lines = folder / "visits.jsonl", folder / "timings.jsonl"
    rescued = rescue(database, folder / "archive", *lines, segment_bytes=8000)
    read = sound_entries(rescued)
    assert read.entries == entry - 1
    trim(rescued, read.entries)
    with closing(Log.read(rescued)) as log:
        assert list(log.events()) == before[: entry - 1]


def test_repair_keeps_events_of_a_later_version(tmp_path: Path, every_kind: list[Event]) -> None:
    folder = kept(tmp_path / "run", every_kind)
    database = folder / "crawl.db"
    with closing(sqlite3.connect(database)) as log, log:
        log.execute("UPDATE log SET kind = 'dreamt', version = 7 WHERE kind = 'instruction'")
    assert faults(folder) == []
    lines = folder / "visits.jsonl", folder / "timings.jsonl"
    rescued = rescue(database, folder / "archive", *lines, segment_bytes=8000)
    trim(rescued, sound_entries(rescued).entries)
    query = "SELECT seq, n, kind, version, packed FROM log ORDER BY seq"
    with closing(sqlite3.connect(database)) as old, closing(sqlite3.connect(rescued)) as new:
        assert new.execute(query).fetchall() == old.execute(query).fetchall()
