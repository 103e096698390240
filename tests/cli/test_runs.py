from __future__ import annotations

import csv
import json
import os
import socket
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from topicrawl.cli import run
from topicrawl.crawling.make import present_of
from topicrawl.frontier import WAITING
from topicrawl.store.run import Run

Crawl = Callable[..., int]


@pytest.fixture
def crawled(crawl: Crawl, here: Path) -> Path:
    """A finished run of 20 pages."""
    assert crawl("--quiet") == 0
    return here / "run"


def lines(run_folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (run_folder / "visits.jsonl").read_bytes().splitlines()]


def test_status_shows_pages_failures_and_that_no_process_is_writing(
    crawled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["status", "run"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "pages fetched 20" in printed
    assert "written by no process" in printed


def test_status_of_a_run_at_work_names_the_process_and_does_not_wait(
    crawled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (crawled / "summary.json").unlink()
    with Run.open(crawled):
        assert run(["status", "run"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "pages fetched 20" in printed
    assert f"written by process {os.getpid()} on {socket.gethostname()}" in printed


def test_status_recognises_the_lock_of_a_dead_process(
    crawled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (crawled / "lock").write_text(f"process {2**22 + 1} on {socket.gethostname()}\n")
    assert run(["status", "run"]) == 0
    assert "no process" in capsys.readouterr().out


def test_report_is_rebuilt_from_the_log(crawled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = (crawled / "report.html").read_text("utf-8")
    (crawled / "report.html").unlink()
    assert run(["report", "run"]) == 0
    assert capsys.readouterr().out.strip() == str(Path("run") / "report.html")
    assert (crawled / "report.html").read_text("utf-8") == first


def test_why_shows_where_a_link_was_found_and_when_it_was_chosen(
    crawled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = [visit for visit in lines(crawled) if visit["parent"] and visit["fetched"]][-1]
    for flags in ([], ["--history"]):
        assert run(["why", "run", str(found["asked"]), *flags]) == 0
        printed = " ".join(capsys.readouterr().out.split())
        assert "state visited" in printed
        assert f"visit {found['n']}: relevance" in printed
        assert str(found["parent"]) in printed
        assert ("chosen after" if flags else "chosen with priority") in printed
        assert ("anchor relevance" in printed) == bool(flags)


def test_why_tells_the_present_without_a_replay(crawled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Run.open(crawled, writable=False) as opened:
        frontier = present_of(opened).crawl.frontier
    waiting = frontier.urls[int(np.flatnonzero(frontier.columns["state"] == WAITING)[-1])]

    def told(*flags: str) -> list[str]:
        assert run(["why", "run", waiting, *flags]) == 0
        return capsys.readouterr().out.splitlines()

    present, history = told(), told("--history")
    assert [line.split()[1:-1] for line in present[-1:]] == [line.split()[1:-1] for line in history[-1:]]
    assert [line for line in present if line.startswith(("state", "place"))] == [
        line for line in history if line.startswith(("state", "place"))
    ]
    with closing(sqlite3.connect(crawled / "crawl.db")) as log:
        log.execute("UPDATE log SET packed = x'00' WHERE n > 0")
        log.commit()
    assert told() == present, "no page is read"
    assert run(["why", "run", waiting, "--history"]) == 4


def test_why_of_a_link_out_of_scope_says_so(crawled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["why", "run", "http://nobody.test/" + "a/" * 40]) == 0
    assert "not followed" in capsys.readouterr().out


def test_why_of_an_unknown_link_says_so(crawled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["why", "run", "http://nobody.test/"]) == 0
    said = capsys.readouterr().out
    assert "unknown" in said
    assert "no page of this run" in said


def test_export_writes_the_relevant_pages(crawled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    relevant = [visit["url"] for visit in lines(crawled) if float(str(visit["relevance"])) > 0.62]
    assert run(["export", "run", "--format", "csv", "--relevant-only"]) == 0
    assert f"{len(relevant)} pages in pages.csv" in capsys.readouterr().err
    with Path("pages.csv").open(encoding="utf-8-sig", newline="") as file:
        assert [row["url"] for row in csv.DictReader(file)] == relevant


def test_export_to_standard_output(crawled: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run(["export", "run", "--out", "-"]) == 0
    assert len(capfdbinary.readouterr().out.splitlines()) == 20


def test_export_in_an_unknown_format_names_the_nearest(
    crawled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["export", "run", "--format", "jsnol"]) == 2
    assert "did you mean 'jsonl'" in capsys.readouterr().err


def test_doctor_finds_a_sound_run_sound(crawled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", "run"]) == 0
    printed = capsys.readouterr().out
    assert "WRONG" not in printed
    assert "20 answers, each to one earlier choice" in printed


def test_doctor_finds_a_torn_line_and_repairs_it(crawled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = (crawled / "visits.jsonl").read_bytes()
    (crawled / "visits.jsonl").write_bytes(whole[:-40])
    assert run(["doctor", "run"]) == 4
    assert "WRONG visits.jsonl differs from the log" in capsys.readouterr().out
    assert run(["doctor", "run", "--repair"]) == 0
    assert (crawled / "visits.jsonl").read_bytes() == whole


def test_doctor_finds_a_configuration_that_does_not_belong_to_the_log(
    crawled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (crawled / "crawl.toml").read_text("utf-8")
    (crawled / "crawl.toml").write_text(text.replace("anchor_weight = 0.5", "anchor_weight = 0.1"), "utf-8")
    assert run(["doctor", "run"]) == 4
    assert "WRONG crawl.toml and the configuration in crawl.db differ" in capsys.readouterr().out
    assert run(["doctor", "run", "--repair"]) == 4
    assert "anchor_weight = 0.1" in (crawled / "crawl.toml").read_text("utf-8")
    capsys.readouterr()
    assert run(["crawl", "--out", "run", "--pages", "30", "--quiet"]) == 2
    assert "resuming cannot change that" in capsys.readouterr().err


def test_doctor_names_a_configuration_that_cannot_be_read(
    crawled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (crawled / "crawl.toml").open("a") as file:
        file.write("garbage [")
    for more in ([], ["--repair"]):
        assert run(["doctor", "run", *more]) == 4
        printed = capsys.readouterr().out
        assert "WRONG crawl.toml cannot be read" in printed
        assert "malformed entries" not in printed
    assert len(lines(crawled)) == 20


def test_doctor_finds_a_damaged_archive(crawled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    segment = next((crawled / "archive").iterdir())
    content = bytearray(segment.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 200] = bytes(200)
    segment.write_bytes(content)
    assert run(["doctor", "run"]) == 4
    assert "cannot be read" in capsys.readouterr().out


def test_doctor_without_a_run_checks_the_installation(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor"]) == 0
    printed = capsys.readouterr().out
    assert "ok    aiohttp" in printed
    assert "ok    cache" in printed


def test_doctor_finds_a_cache_that_cannot_be_written(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "file").write_text("in the way")
    monkeypatch.setenv("TOPICRAWL_CACHE", str(here / "file" / "cache"))
    assert run(["doctor"]) == 1
    assert "WRONG cache" in capsys.readouterr().out
