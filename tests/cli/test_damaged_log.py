"""A crawl.db that was truncated, emptied or changed: every command reports it, and repair salvages what it can."""

from __future__ import annotations

import gc
import random
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from topicrawl.cli import run
from topicrawl.store.run import Run

READERS = (
    ("status", "run"),
    ("why", "run", "http://nobody.test/"),
    ("export", "run", "--out", "-"),
    ("export", "run", "--format", "wacz", "--out", "out.wacz", "--force"),
    ("report", "run"),
    ("search", "run", "flood"),
    ("crawl", "--out", "run", "--quiet"),
    ("crawl", "--out", "run", "--refetch-missing", "--quiet"),
    ("doctor", "run"),
)
OK, DAMAGED = 0, 4
PAGES = "30"


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("whole")


@pytest.fixture
def whole(shelf: Path, crawl: Callable[..., int], here: Path) -> Path:
    """A finished run of 30 pages that no test changes; `damage` puts copies of it in run/."""
    if not (shelf / "run").exists():
        assert crawl("--quiet", "--pages", PAGES) == OK
        shutil.move(here / "run", shelf / "run")
    return shelf / "run"


@pytest.fixture
def damage(whole: Path, here: Path) -> Callable[[Callable[[bytearray], None]], Path]:
    def damaged(change: Callable[[bytearray], None]) -> Path:
        shutil.rmtree(here / "run", ignore_errors=True)
        shutil.copytree(whole, here / "run")
        content = bytearray((whole / "crawl.db").read_bytes())
        change(content)
        (here / "run" / "crawl.db").write_bytes(content)
        return here / "run"

    return damaged


@pytest.fixture(autouse=True)
def _no_traceback(capsys: pytest.CaptureFixture[str]) -> Iterator[None]:
    yield
    printed = capsys.readouterr()
    assert "Traceback" not in printed.err
    assert "internal error" not in printed.err


def size(whole: Path) -> int:
    return (whole / "crawl.db").stat().st_size


def cut(at: int) -> Callable[[bytearray], None]:
    def change(content: bytearray) -> None:
        del content[at:]

    return change


def flip(at: int, bits: int) -> Callable[[bytearray], None]:
    def change(content: bytearray) -> None:
        content[at] ^= bits

    return change


def files(folder: Path) -> dict[str, bytes]:
    keep = ("crawl.db", "visits.jsonl", "timings.jsonl", "summary.json", "archive/00000.warc.gz")
    return {name: (folder / name).read_bytes() for name in keep}


@pytest.mark.parametrize("share", [0.0, 0.0001, 0.01, 0.3, 0.9])
def test_every_command_reports_a_truncated_log_and_changes_nothing(
    whole: Path, damage: Callable[..., Path], share: float, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = damage(cut(int(size(whole) * share)))
    before = files(folder)
    for command in READERS:
        assert run(command) == DAMAGED, command
        printed = capsys.readouterr().err
        assert "crawl.db is damaged" in printed
        assert "topicrawl doctor run --repair" in printed
    assert files(folder) == before


@pytest.mark.parametrize("share", [0.0, 0.0001, 0.02])
def test_a_log_beyond_saving_is_left_unchanged_and_usable_files_are_named(
    whole: Path, damage: Callable[..., Path], share: float, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = damage(cut(int(size(whole) * share)))
    before = files(folder)
    assert run(["doctor", "run", "--repair"]) == DAMAGED
    printed = capsys.readouterr().err
    assert "beyond saving" in printed
    assert "--web run/archive" in printed
    assert "run/visits.jsonl" in printed
    assert files(folder) == before
    assert not (folder / "crawl.db.rescued").exists()


@pytest.mark.parametrize("share", [0.8, 0.95])
def test_a_truncated_log_is_salvaged_and_the_resumed_crawl_ends_the_same(
    whole: Path, damage: Callable[..., Path], share: float, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = damage(cut(int(size(whole) * share)))
    broken = (folder / "crawl.db").read_bytes()
    lines = (whole / "visits.jsonl").read_bytes()
    assert run(["doctor", "run", "--repair"]) == OK, capsys.readouterr()
    assert "set aside: crawl.db.damaged" in capsys.readouterr().out
    assert (folder / "crawl.db.damaged").read_bytes() == broken
    assert (folder / "visits.jsonl.damaged").read_bytes() == lines
    saved = (folder / "visits.jsonl").read_bytes()
    assert lines.startswith(saved)
    assert saved.count(b"\n") > 5
    kept = (folder / "archive" / "00000.warc.gz").read_bytes()
    beyond = folder / "archive.damaged" / "00000.warc.gz"
    rest = beyond.read_bytes() if beyond.exists() else b""
    assert kept + rest == (whole / "archive" / "00000.warc.gz").read_bytes()
    assert run(["crawl", "--out", "run", "--quiet"]) == OK
    assert (folder / "visits.jsonl").read_bytes() == lines
    assert run(["doctor", "run"]) == OK


@pytest.mark.parametrize("end", [16, 100])
def test_a_header_of_zeros_costs_nothing(
    whole: Path, damage: Callable[..., Path], end: int, capsys: pytest.CaptureFixture[str]
) -> None:
    def change(content: bytearray) -> None:
        content[:end] = bytes(end)

    folder = damage(change)
    assert run(["status", "run"]) == DAMAGED
    assert run(["doctor", "run", "--repair"]) == OK, capsys.readouterr()
    assert (folder / "visits.jsonl").read_bytes() == (whole / "visits.jsonl").read_bytes()
    assert not list(folder.glob("crawl.db.headed*"))
    assert run(["crawl", "--out", "run", "--quiet"]) == OK


def test_a_configuration_that_is_gone_is_written_again_from_the_log(
    damage: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = damage(lambda content: None)
    assert run(["crawl", "--out", "run", "--quiet", "--pages", str(int(PAGES) + 2)]) == OK
    config = (folder / "crawl.toml").read_bytes()
    (folder / "crawl.toml").unlink()
    for command in READERS:
        if "--out" not in command:
            assert run(command) == 2
            assert (
                "run/crawl.toml is gone; `topicrawl doctor run --repair` writes it" in capsys.readouterr().err
            )
    assert run(["doctor", "run", "--repair"]) == OK, capsys.readouterr()
    assert (folder / "crawl.toml").read_bytes() == config, "with what was changed since it was begun"
    assert run(["crawl", "--out", "run", "--quiet"]) == OK


NOT_MENDED = (
    "beyond saving",
    "has lost the records",
    "the configuration in crawl.db differ",  # in a setting that a replay does not show, such as the name of the web
)


def test_flipped_bits_are_harmless_or_reported_and_repair_succeeds_or_reports_why_not(
    whole: Path, damage: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    chance = random.Random(17)
    lines = (whole / "visits.jsonl").read_bytes()
    with Run.open(whole, writable=False) as sound:
        log = list(sound.replay())
    mended = 0
    for trial in range(12):
        at = chance.randrange(size(whole)) if trial % 2 else chance.randrange(40_000)
        folder = damage(flip(at, 1 << chance.randrange(8)))
        found = run(["doctor", "run"])
        printed = capsys.readouterr()
        assert found in (OK, DAMAGED), (at, printed)
        if found == OK:
            with Run.open(folder, writable=False) as opened:
                assert list(opened.replay()) == log, at
            continue
        for command in READERS[: trial % 4]:
            assert run(command) in (OK, DAMAGED), (at, command)
        repaired = run(["doctor", "run", "--repair"])
        printed = capsys.readouterr()
        assert repaired in (OK, DAMAGED), (at, printed)
        if repaired == DAMAGED:
            told = printed.out + printed.err
            assert any(why in told for why in NOT_MENDED), (at, printed)
            continue
        mended += 1
        assert lines.startswith((folder / "visits.jsonl").read_bytes()), at
        assert run(["doctor", "run"]) == OK, at
    assert mended > 1


def test_a_reader_stopped_by_a_damaged_visit_prints_no_error_later(
    whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", printed.append)
    with Run.open(whole, writable=False) as opened:
        rows = opened.replay()
        next(rows)
    del rows  # closed only now, after its database: an error would be printed, not raised
    gc.collect()
    assert printed == []


def test_a_damaged_copy_of_the_configuration_is_found_and_rewritten(
    whole: Path, damage: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    def change(content: bytearray) -> None:
        at = content.index(b"[keep]\nwarc") + len("[keep]\n")
        content[at] ^= 1

    damage(change)
    assert run(["crawl", "--out", "run", "--quiet"]) == DAMAGED
    assert "crawl.db is damaged: its copy of crawl.toml" in capsys.readouterr().err
    assert run(["doctor", "run"]) == DAMAGED
    assert run(["doctor", "run", "--repair"]) == OK
    assert run(["crawl", "--out", "run", "--quiet"]) == OK


def test_a_line_changed_in_the_middle_is_rewritten(
    whole: Path, damage: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = damage(lambda content: None)
    for name in ("visits.jsonl", "timings.jsonl"):
        sound = (folder / name).read_bytes()
        lines = sound.splitlines(keepends=True)
        (folder / name).write_bytes(b"".join([*lines[:5], lines[5].replace(b"0", b"1"), *lines[6:]]))
        assert run(["doctor", "run"]) == DAMAGED
        assert f"WRONG {name} differs from the log" in capsys.readouterr().out
        assert run(["doctor", "run", "--repair"]) == OK
        assert (folder / name).read_bytes() == sound
        assert not (folder / "crawl.db.damaged").exists()
    assert (folder / "visits.jsonl.damaged").exists(), "a line that was readable is kept"


def test_a_visit_changed_in_the_log_is_restored_from_its_line(
    whole: Path, damage: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = damage(lambda content: None)
    lines = (folder / "visits.jsonl").read_bytes()
    with closing(sqlite3.connect(folder / "crawl.db")) as log, log:
        log.execute("UPDATE visits SET title = 'changed', relevance = 0.125 WHERE n = 10")
    assert run(["doctor", "run"]) == DAMAGED
    assert "WRONG visits.jsonl differs from the log at visit 10" in capsys.readouterr().out
    assert run(["doctor", "run", "--repair"]) == OK
    assert "1 visits of the log had changed" in capsys.readouterr().out
    assert (folder / "visits.jsonl").read_bytes() == lines
    assert not (folder / "visits.jsonl.damaged").exists()
    with Run.open(folder, writable=False) as mended, Run.open(whole, writable=False) as sound:
        assert list(mended.replay()) == list(sound.replay())
