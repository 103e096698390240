from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from topicrawl.cli import run
from topicrawl.model import Topic
from topicrawl.setup.config import Config

Crawl = Callable[..., int]


def visits(folder: Path) -> bytes:
    return (folder / "visits.jsonl").read_bytes()


def test_a_crawl_prints_how_it_read_the_topic_and_ends_with_a_table_and_a_report(
    crawl: Crawl, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert crawl() == 0
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "topic storms, read as inline: rainstorm 1, flood 0.95, rainfall 1, disaster 0.5\n" in printed.err
    assert "% of them; relevance above 0.62" in printed.err
    assert f"report: {Path('run/report.html')}" in printed.err
    assert (here / "run" / "report.html").read_text("utf-8").startswith("<!")
    assert json.loads((here / "run" / "summary.json").read_text())["fetches"] == 20


def test_the_configuration_of_a_run_needs_no_other_file(crawl: Crawl, here: Path, seeds: list[str]) -> None:
    assert crawl("--quiet") == 0
    (here / "seeds.txt").unlink()
    kept = Config.load(here / "run" / "crawl.toml")
    assert kept.seeds == tuple(seeds)
    assert isinstance(kept.topic, Topic)
    assert kept.topic.weights[:2] == (1.0, 0.95)
    assert kept.parameters["anchor_weight"] == 0.5
    assert run(["crawl", "--out", "run", "--pages", "25", "--quiet"]) == 0
    assert json.loads((here / "run" / "summary.json").read_text())["fetches"] == 25
    assert Config.load(here / "run" / "crawl.toml").pages == 25


def test_a_run_that_is_resumed_with_more_pages_equals_one_that_was_not_interrupted(
    crawl: Crawl, here: Path
) -> None:
    assert crawl("--quiet", "--pages", "10") == 0
    assert crawl("--quiet") == 0
    assert crawl("--quiet", "--out", "whole") == 0
    assert visits(here / "run") == visits(here / "whole")


def test_a_finished_run_says_so_and_changes_nothing(
    crawl: Crawl, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert crawl("--quiet") == 0
    before = {path: path.stat().st_mtime_ns for path in (here / "run").rglob("*")}
    assert run(["crawl", "--out", "run"]) == 0
    assert "run is finished: it has what --pages 20 asks for; raise it to go on" in capsys.readouterr().err
    assert {path: path.stat().st_mtime_ns for path in (here / "run").rglob("*")} == before


def test_a_run_without_links_left_is_finished_whatever_is_asked_for(
    crawl: Crawl, capsys: pytest.CaptureFixture[str]
) -> None:
    assert crawl("--quiet", "--max-depth", "0") == 0
    assert run(["crawl", "--out", "run", "--pages", "500"]) == 0
    assert "no link left" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "word"),
    [
        (["--strategy", "bfs"], '--strategy "ops"'),
        (["--topic", "snow"], "--topic"),
        (["--rng-seed", "5"], "--rng-seed 0"),
        (["--web", "invented:8"], "invented:8"),
        (["--set", "anchor_weight=0.9"], "anchor_weight"),
    ],
)
def test_resuming_another_crawl_is_refused_with_the_reason(
    change: list[str], word: str, crawl: Crawl, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert crawl("--quiet", "--pages", "3") == 0
    before = {path: path.read_bytes() for path in (here / "run").rglob("*") if path.is_file()}
    assert run(["crawl", "--out", "run", "--pages", "9", *change]) == 2
    printed = capsys.readouterr().err
    assert printed.startswith("error: the run was begun with ")
    assert word in printed
    assert {path: path.read_bytes() for path in (here / "run").rglob("*") if path.is_file()} == before


def test_resuming_with_the_same_flags_is_allowed(crawl: Crawl) -> None:
    assert crawl("--quiet", "--pages", "5") == 0
    assert crawl("--quiet", "--pages", "8", "--strategy", "ops", "--set", "anchor_weight=0.5") == 0


def test_the_default_strategy_is_scout(here: Path, seeds: list[str]) -> None:
    words = ["--topic", "rainstorm", "--seeds", "seeds.txt", "--web", "invented:7"]
    assert run(["crawl", *words, "--pages", "3", "--out", "run", "--quiet"]) == 0
    assert Config.load(here / "run" / "crawl.toml").strategy == "scout"


def test_flags_override_the_file(crawl: Crawl, here: Path) -> None:
    (here / "my.toml").write_text('[crawl]\npages = 4\nthreshold = 0.5\n[strategy]\npriority = "simple"\n')
    assert crawl("--quiet", "-c", "my.toml", "--pages", "6") == 0
    kept = Config.load(here / "run" / "crawl.toml")
    assert (kept.pages, kept.threshold) == (6, 0.5)


def test_log_json_prints_a_line_of_json_per_event(
    crawl: Crawl, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert crawl("--log-json") == 0
    events = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [event["event"] for event in events[:2]] == ["topic", "visit"]
    assert events[-1]["event"] == "summary"
    logged = [
        {k: v for k, v in event.items() if k != "event"} for event in events if event["event"] == "visit"
    ]
    assert logged == [json.loads(line) for line in visits(here / "run").splitlines()]


def test_verbose_prints_a_line_per_visit(
    crawl: Crawl, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert crawl("-v") == 0
    printed = capsys.readouterr().err
    for line in visits(here / "run").splitlines():
        assert json.loads(line)["url"] in printed


def test_no_warc_keeps_no_archive(crawl: Crawl, here: Path) -> None:
    assert crawl("--quiet", "--no-warc") == 0
    assert not (here / "run" / "archive").exists()


def test_invalid_seed_lines_are_warned_about_and_the_rest_is_used(
    crawl: Crawl, here: Path, seeds: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    lines = (
        f"\ufeff# my seeds\r\n{seeds[0]}\r\nftp://x.test/\r\n{seeds[0]}\r\nhttp://bücher.invented.test/\r\n"
    )
    (here / "seeds.txt").write_bytes(lines.encode())
    assert crawl() == 0
    assert "note: seeds.txt, line 3: 'ftp://x.test/'" in capsys.readouterr().err
    assert Config.load(here / "run" / "crawl.toml").seeds == (seeds[0], "http://xn--bcher-kva.invented.test/")


def test_a_dry_run_shows_seeds_in_their_order_and_writes_nothing(
    crawl: Crawl, here: Path, seeds: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert crawl("--dry-run", "--exclude", seeds[1].split("/")[2]) == 0
    printed = capsys.readouterr()
    assert [line.split()[-1] for line in printed.out.splitlines()[1:]] == [seeds[0], *seeds[2:]]
    assert f"seed {seeds[1]} is left out: matches an exclude pattern" in printed.err
    assert not (here / "run").exists()


@pytest.mark.skipif(os.name == "nt", reason="signals as POSIX knows them")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_crawl_exits_with_0_and_can_be_resumed(
    number: signal.Signals, crawl: Crawl, here: Path, seeds: list[str]
) -> None:
    words = ["--topic", "flood, storm", "--seeds", "seeds.txt", "--web", "invented:7", "--pages", "100000"]
    command = [sys.executable, "-m", "topicrawl.cli", "crawl", *words, "--out", "run", "--quiet"]
    with subprocess.Popen(command, cwd=here, stderr=subprocess.PIPE) as process:
        wait_for_visits(here / "run" / "visits.jsonl", process)
        process.send_signal(number)
        _, printed = process.communicate(timeout=60)
    assert (process.returncode, printed) == (0, b"")
    summary = json.loads((here / "run" / "summary.json").read_text())
    assert summary["stop_reason"] == "interrupted"
    assert run(["crawl", "--out", "run", "--pages", str(summary["fetches"] + 5), "--quiet"]) == 0
    assert json.loads((here / "run" / "summary.json").read_text())["fetches"] == summary["fetches"] + 5


def wait_for_visits(file: Path, process: subprocess.Popen[bytes]) -> None:
    """Wait until the crawl has written something."""
    while not (file.exists() and file.stat().st_size):
        assert process.poll() is None
        time.sleep(0.02)


def test_a_second_process_on_a_run_is_refused(
    crawl: Crawl, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from topicrawl.store.run import Run

    assert crawl("--quiet") == 0
    with Run.open(here / "run"):
        assert run(["crawl", "--out", "run", "--pages", "30"]) == 2
    assert f"process {os.getpid()}" in capsys.readouterr().err


def test_a_recrawl_takes_the_earlier_configuration_and_lists_changes(
    crawl: Crawl, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert crawl("--quiet") == 0
    assert run(["crawl", "--recrawl", "run", "--out", "again", "--pages", "22"]) == 0
    assert "2 new, 0 changed, 20 unchanged, 0 moved, 0 gone" in capsys.readouterr().err
    lines = [json.loads(line) for line in (here / "again" / "changes.jsonl").read_text().splitlines()]
    assert sum(line["change"] == "unchanged" for line in lines) == 20
    first = visits(here / "run").splitlines()
    assert visits(here / "again").splitlines()[: len(first)] == first


@pytest.mark.parametrize(
    ("setting", "edited"), [('web = "invented:7"', 'web = "invented:8"'), ("rng_seed = 0", "rng_seed = 5")]
)
def test_a_run_whose_file_was_edited_into_another_crawl_is_refused(
    crawl: Crawl, here: Path, setting: str, edited: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert crawl("--pages", "20") == 0
    file = here / "run" / "crawl.toml"
    file.write_text(file.read_text().replace(setting, edited))
    assert run(["crawl", "--out", "run", "--pages", "40"]) == 2
    assert "resuming cannot change that" in capsys.readouterr().err


def test_a_run_whose_file_was_edited_to_fetch_more_pages_is_resumed(crawl: Crawl, here: Path) -> None:
    assert crawl("--pages", "20") == 0
    file = here / "run" / "crawl.toml"
    file.write_text(file.read_text().replace("pages = 20", "pages = 30"))
    assert run(["crawl", "--out", "run", "--quiet"]) == 0
    assert b'"fetches": 30' in (here / "run" / "summary.json").read_bytes()


def test_a_seed_outside_the_scope_is_left_out_and_none_left_is_an_error(
    crawl: Crawl, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert crawl("--pages", "5", "--exclude", "invented") == 2
    assert "the scope lets no seed in" in capsys.readouterr().err
    assert not (here / "run").exists()


def test_a_crawl_that_fetched_nothing_prints_why_and_has_exit_code_5(
    crawl: Crawl, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "seeds.txt").write_text("http://no-such-host.invented.test/")
    assert crawl("--pages", "5") == 5
    why = "error: no page was fetched: no link was left to follow (http-404 1); the documentation explains"
    assert why in capsys.readouterr().err
    assert (here / "run" / "report.html").exists()
    assert run(["crawl", "--out", "run", "--quiet"]) == 5, "resuming it brings nothing either"
    assert why in capsys.readouterr().err
    assert run(["status", "run"]) == 0


def test_a_crawl_that_fetched_nothing_within_its_time_can_be_resumed(crawl: Crawl, here: Path) -> None:
    assert crawl("--quiet", "--max-time", "0.0001s") == 5
    assert json.loads((here / "run" / "summary.json").read_text())["fetches"] == 0
    assert run(["crawl", "--out", "run", "--max-time", "none", "--quiet"]) == 0


def test_a_crawl_that_is_interrupted_before_its_first_page_is_saved(here: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        words = ["--topic", "rain", "--seeds", "http://a.test/", "--allow-net", "127.0.0.0/8", "--out", "run"]
        words += ["--resolve", f"*.test=127.0.0.1:{silent.getsockname()[1]}"]
        with subprocess.Popen([sys.executable, "-m", "topicrawl.cli", "crawl", *words]) as process:
            asking, _ = silent.accept()
            process.send_signal(signal.SIGINT)
            assert process.wait(60) == 0
            asking.close()
    summary = json.loads((here / "run" / "summary.json").read_text())
    assert (summary["fetches"], summary["stop_reason"]) == (0, "interrupted")


def test_a_recrawl_without_changes_counts_as_having_fetched_pages(crawl: Crawl, here: Path) -> None:
    assert crawl("--quiet") == 0
    assert run(["crawl", "--recrawl", "run", "--out", "again", "--quiet"]) == 0
    assert json.loads((here / "again" / "summary.json").read_text())["fetches"] == 20
