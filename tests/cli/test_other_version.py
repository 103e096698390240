"""A run that another version continues: resuming follows its log, and doctor does not take it for a damaged one."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from topicrawl.cli import run

OTHER_VERSION = """
import sys
import topicrawl.scout.strategy as scout
from topicrawl.cli import run

scout.STEP += 1
sys.exit(run(sys.argv[1:]))
"""
"""The command line of a topicrawl whose `scout` has another constant."""


def by_another_version(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", OTHER_VERSION, *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def lines(folder: Path) -> list[bytes]:
    return (folder / "visits.jsonl").read_bytes().splitlines()


def files(folder: Path) -> dict[str, bytes]:
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


@pytest.fixture
def scouted(crawl: Callable[..., int], here: Path) -> Path:
    """A finished run of 60 pages by `scout`."""
    assert crawl("--strategy", "scout", "--pages", "60", "--quiet") == 0
    return here / "run"


def test_a_run_is_resumed_by_a_version_that_would_choose_otherwise(
    scouted: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = lines(scouted)
    resumed = by_another_version("crawl", "--out", "run", "--pages", "90", "--quiet")
    assert resumed.returncode == 0, resumed.stderr
    after = lines(scouted)
    assert after[: len(before)] == before
    assert json.loads((scouted / "summary.json").read_bytes())["fetches"] == 90
    assert run(["crawl", "--out", "run", "--pages", "110", "--quiet"]) == 0
    assert lines(scouted)[: len(after)] == after
    assert run(["doctor", "run"]) == 0, capsys.readouterr().out
    assert run(["why", "run", str(json.loads(after[-1])["asked"])]) == 0
    printed = capsys.readouterr()
    assert f"visit {len(after)}: relevance" in " ".join(printed.out.split())
    assert "error" not in printed.err


def test_a_run_is_resumed_by_a_version_with_a_further_parameter(scouted: Path) -> None:
    """As a run of a version without the parameter kept its configuration."""
    before, line = lines(scouted), "pages = 1.0\n"
    file = scouted / "crawl.toml"
    assert line in file.read_text()
    file.write_text(file.read_text().replace(line, ""))
    with closing(sqlite3.connect(scouted / "crawl.db", isolation_level=None)) as log:
        log.execute("UPDATE run SET config = replace(config, ?, '')", (line,))
    assert run(["doctor", "run"]) == 0
    for pages in ("70", "80"):
        assert run(["crawl", "--out", "run", "--pages", pages, "--quiet"]) == 0
    assert lines(scouted)[: len(before)] == before
    assert line in file.read_text()
    assert run(["crawl", "--out", "run", "--pages", "90", "--set", "pages=0.4"]) == 2


def test_repair_by_a_version_that_would_choose_otherwise_changes_nothing(scouted: Path) -> None:
    before = files(scouted)
    repaired = by_another_version("doctor", "run", "--repair")
    assert repaired.returncode == 0, repaired.stdout
    assert "nothing was changed" in repaired.stdout
    assert files(scouted) == before


def test_replay_within_one_version_is_exact_and_a_difference_is_reported(
    scouted: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["doctor", "run", "--replay"]) == 0
    assert "the log replays to itself" in capsys.readouterr().out
    other = by_another_version("doctor", "run", "--replay")
    assert "a replay differs from the log in" in other.stdout
    assert "after visit" in other.stdout
    assert "not damaged" in other.stdout
    assert other.returncode == 4, "it says that it is the version that wrote the run"


@pytest.fixture
def from_later(crawl: Callable[..., int], here: Path) -> Path:
    """A run whose log ends with an event of a later version."""
    assert crawl("--quiet") == 0
    with closing(sqlite3.connect(here / "run" / "crawl.db")) as log, log:
        last = log.execute("SELECT max(seq) FROM log").fetchone()[0]
        log.execute(
            "INSERT INTO log (seq, packed, kind, version) VALUES (?, ?, 'dreamt', 3)",
            (last + 1, msgspec.msgpack.encode(["of rain"])),
        )
    return here / "run"


def test_a_resume_refuses_an_event_of_a_later_version_and_changes_nothing(
    from_later: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = files(from_later)
    assert run(["crawl", "--out", "run", "--pages", "40", "--quiet"]) == 2
    assert "'dreamt' (version 3)" in capsys.readouterr().err
    assert files(from_later) == before


def test_doctor_names_an_event_of_a_later_version_and_repair_leaves_it(
    from_later: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = files(from_later)
    for more in ([], ["--replay"], ["--repair"]):
        assert run(["doctor", "run", *more]) == 0, (more, capsys.readouterr().out)
        printed = capsys.readouterr().out
        assert "note  events of a later version of topicrawl: 1 'dreamt' (version 3)" in printed
        assert "WRONG" not in printed
    assert files(from_later) == before


def test_visits_of_a_run_with_events_of_a_later_version_are_exported_and_reported(from_later: Path) -> None:
    assert run(["export", "run", "--out", "pages.jsonl"]) == 0
    assert len(Path("pages.jsonl").read_bytes().splitlines()) == 20
    assert run(["report", "run"]) == 0
    assert run(["status", "run"]) == 0
