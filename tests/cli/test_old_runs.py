"""Runs made by earlier versions: they are read as they are, resumed, and exported as that version exported them."""

from __future__ import annotations

import csv
import json
import shutil
import tarfile
from pathlib import Path

import pytest

from topicrawl.cli import run
from topicrawl.model import Postponed
from topicrawl.store.run import Run

OLD_RUNS = Path(__file__).parents[1] / "old_runs"
INVENTED = ("ops", "scout", "fcwseo", "semxdm", "elsewhere")
ALL = (*INVENTED, "postponed")
SHARED_MEMORY = "crawl.db-shm"
"""SQLite's index of the write-ahead log: written by readers too."""


@pytest.fixture
def old(here: Path, request: pytest.FixtureRequest) -> Path:
    """The folder run/, made by an earlier version; exported/ is what that version exported of it."""
    with tarfile.open(OLD_RUNS / f"0.1-{request.param}.tar.xz") as packed:
        packed.extractall(here, filter="data")
    return here / "run"


def files(folder: Path) -> dict[str, bytes]:
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != SHARED_MEMORY)
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def last_visit(folder: Path) -> dict[str, object]:
    line: dict[str, object] = json.loads((folder / "visits.jsonl").read_bytes().splitlines()[-1])
    return line


@pytest.mark.parametrize("old", ALL, indirect=True)
def test_commands_that_read_an_old_run_change_none_of_its_files(
    old: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, last = files(old), last_visit(old)
    for command in (
        ["status", "run"],
        ["why", "run", str(last["asked"])],
        ["export", "run", "--out", "pages.jsonl"],
        ["search", "run", "flood"],
    ):
        assert run(command) == 0, (command, capsys.readouterr().err)
    printed = capsys.readouterr().out
    assert f"visit {last['n']}: relevance" in " ".join(printed.split())
    after = files(old)
    assert {name: after[name] for name in before} == before
    assert all(name.startswith("knowledge/") for name in after.keys() - before.keys())


@pytest.mark.parametrize("old", ALL, indirect=True)
def test_an_old_run_exports_what_its_version_exported(old: Path, here: Path) -> None:
    for form in ("jsonl", "csv"):
        assert run(["export", "run", "--format", form, "--text", "all"]) == 0
    then, now = (read_jsonl(file) for file in exports(here, "jsonl"))
    assert [{name: row.get(name) for name in then[0]} for row in now] == then
    rows_then, rows_now = (read_csv(file) for file in exports(here, "csv"))
    assert [{name: row.get(name) for name in rows_then[0]} for row in rows_now] == rows_then


def exports(here: Path, form: str) -> tuple[Path, Path]:
    """The export by the earlier version, and by this one."""
    return here / "exported" / f"pages.{form}", here / f"pages.{form}"


def read_jsonl(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("old", ALL, indirect=True)
def test_the_report_of_an_old_run_is_written(old: Path) -> None:
    before = files(old)
    before.pop("report.html", None)
    assert run(["report", "run"]) == 0
    after = files(old)
    visits = (json.loads(line) for line in before["visits.jsonl"].splitlines())
    best = max((visit for visit in visits if visit["fetched"]), key=lambda visit: float(visit["relevance"]))
    assert best["url"].encode() in after.pop("report.html")
    assert after == before


@pytest.mark.parametrize("old", INVENTED, indirect=True)
def test_an_old_run_is_resumed_and_keeps_its_lines(old: Path, here: Path) -> None:
    lines = (old / "visits.jsonl").read_bytes()
    assert run(["crawl", "--out", "run", "--pages", "70", "--quiet"]) == 0
    assert json.loads((old / "summary.json").read_bytes())["fetches"] == 70
    assert (old / "visits.jsonl").read_bytes().startswith(lines)
    visits = [json.loads(line) for line in (old / "visits.jsonl").read_bytes().splitlines()]
    assert [visit["n"] for visit in visits] == list(range(1, len(visits) + 1))
    assert run(["doctor", "run"]) == 0
    assert run(["export", "run", "--format", "csv"]) == 0
    then, now = (read_csv(file) for file in exports(here, "csv"))
    assert len(now) == 70
    assert [row["url"] for row in now[: len(then)]] == [row["url"] for row in then]
    shutil.copytree(old, here / "copy")
    assert run(["crawl", "--out", "run", "--pages", "80", "--quiet"]) == 0, (
        "resumed by this version once more"
    )
    assert (old / "visits.jsonl").read_bytes().startswith((here / "copy" / "visits.jsonl").read_bytes())


@pytest.mark.parametrize("old", ["postponed"], indirect=True)
def test_a_postponed_link_of_an_old_run_is_read(old: Path) -> None:
    with Run.open(old, writable=False) as opened:
        assert [event.link for event in opened.replay() if isinstance(event, Postponed)] == [3]


@pytest.mark.parametrize("old", ALL, indirect=True)
def test_doctor_finds_an_old_run_sound_and_repair_leaves_it(
    old: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = files(old)
    assert run(["doctor", "run"]) == 0, capsys.readouterr().out
    assert "WRONG" not in capsys.readouterr().out
    assert files(old) == before
    assert run(["doctor", "run", "--repair"]) == 0
    assert files(old) == before


@pytest.mark.parametrize("old", INVENTED, indirect=True)
def test_a_difference_of_replay_in_an_old_run_is_a_note(
    old: Path, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["doctor", "run", "--replay"]) == 0
    printed = capsys.readouterr().out
    assert "note  written by topicrawl 0.1; this is topicrawl" in printed
    if request.node.callspec.params["old"] == "elsewhere":
        assert "note  a replay differs from the log in" in printed


@pytest.mark.parametrize("old", ["fcwseo"], indirect=True)
def test_a_damaged_old_run_is_repaired_and_keeps_what_can_be_read(
    old: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = (old / "visits.jsonl").read_bytes()
    content = (old / "crawl.db").read_bytes()
    (old / "crawl.db").write_bytes(content[: len(content) * 4 // 5])
    assert run(["doctor", "run"]) == 4
    assert run(["doctor", "run", "--repair"]) == 0, capsys.readouterr()
    assert lines.startswith((old / "visits.jsonl").read_bytes())
    assert (old / "visits.jsonl").read_bytes().count(b"\n") > 20
    assert run(["crawl", "--out", "run", "--pages", "50", "--quiet"]) == 0
    assert run(["doctor", "run"]) == 0
