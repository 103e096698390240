"""Settings that change when a run is resumed: each change is an instruction in the log, and replays."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from topicrawl.cli import run
from topicrawl.crawling.make import crawl_of
from topicrawl.model import Version
from topicrawl.setup.config import Config
from topicrawl.setup.run_config import begun_config, logged_config
from topicrawl.store.run import Run
from topicrawl.urls import host
from topicrawl.web.invented import invented_web

Crawl = Callable[..., int]


def visits(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "visits.jsonl").read_text().splitlines()]


def replays_exactly(folder: Path) -> None:
    with Run.open(folder, writable=False) as opened:
        again = crawl_of(opened)
        for event in opened.replay():
            again.replay(event)
        assert again.agreement.exact, again.agreement.first
        assert logged_config(opened) == Config.from_toml(opened.config_toml)


@pytest.mark.parametrize("strategy", ["ops", "scout", "fcwseo"])
def test_a_narrower_scope_holds_for_the_rest_of_the_crawl(crawl: Crawl, here: Path, strategy: str) -> None:
    assert crawl("--quiet", "--strategy", strategy) == 0
    before = visits(here / "run")
    excluded = host(str(before[-1]["url"]))
    assert crawl("--quiet", "--strategy", strategy, "--pages", "40", "--exclude", excluded) == 0
    later = visits(here / "run")[len(before) :]
    assert sum(bool(visit["fetched"]) for visit in later) == 20
    assert all(host(str(visit["url"])) != excluded for visit in later if visit["fetched"])
    assert Config.load(here / "run" / "crawl.toml").exclude == (excluded,)
    replays_exactly(here / "run")
    with Run.open(here / "run", writable=False) as opened:
        assert begun_config(opened).exclude == ()


def test_a_blank_pattern_takes_back_those_given_before(crawl: Crawl, here: Path) -> None:
    assert crawl("--quiet", "--exclude", "nowhere") == 0
    assert run(["crawl", "--out", "run", "--pages", "25", "--quiet", "--exclude", ""]) == 0
    assert Config.load(here / "run" / "crawl.toml").exclude == ()
    assert sum(bool(visit["fetched"]) for visit in visits(here / "run")) == 25


def test_a_scope_without_the_seeds_is_no_error_on_resume(crawl: Crawl, here: Path, seeds: list[str]) -> None:
    assert crawl("--quiet") == 0
    before = visits(here / "run")
    words = (word for seed in seeds for word in ("--exclude", seed))
    assert run(["crawl", "--out", "run", "--pages", "25", "--quiet", *words]) == 0
    assert len(visits(here / "run")) > len(before)


def test_a_wider_scope_brings_back_links_that_were_refused(
    crawl: Crawl, here: Path, seeds: list[str]
) -> None:
    site = host(seeds[0])
    assert crawl("--quiet", "--allow-domain", site, "--pages", "5") == 0
    before = len(visits(here / "run"))
    assert run(["crawl", "--out", "run", "--pages", "30", "--allow-domain", "invented.test", "--quiet"]) == 0
    later = [str(visit["url"]) for visit in visits(here / "run")[before:] if visit["fetched"]]
    assert any(host(url) != site for url in later)
    replays_exactly(here / "run")


def test_a_run_without_links_goes_on_when_it_gets_more_seeds(
    crawl: Crawl, here: Path, seeds: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert crawl("--quiet", "--max-depth", "0", "--pages", "50") == 0
    assert run(["crawl", "--out", "run", "--pages", "50"]) == 0
    assert "no link left to follow" in capsys.readouterr().err
    more = [url for url in invented_web("invented:7").seeds("rainstorm disaster", 9) if url not in seeds]
    assert more
    assert (
        run(
            [
                "crawl",
                "--out",
                "run",
                "--pages",
                "50",
                "--quiet",
                *(w for url in more for w in ("--seeds", url)),
            ]
        )
        == 0
    )
    assert {str(visit["asked"]) for visit in visits(here / "run")} == {*seeds, *more}
    assert Config.load(here / "run" / "crawl.toml").seeds == (*seeds, *more)
    replays_exactly(here / "run")


def test_another_threshold_recounts_and_is_in_the_log(crawl: Crawl, here: Path) -> None:
    assert crawl("--quiet", "--threshold", "0.99") == 0
    assert json.loads((here / "run" / "summary.json").read_text())["relevant"] == 0
    assert run(["crawl", "--out", "run", "--pages", "21", "--threshold", "0", "--quiet"]) == 0
    relevant = sum(
        bool(visit["fetched"]) and float(str(visit["relevance"])) > 0 for visit in visits(here / "run")
    )
    assert json.loads((here / "run" / "summary.json").read_text())["relevant"] == relevant > 0
    replays_exactly(here / "run")


def test_another_threshold_recounts_a_finished_run(crawl: Crawl, here: Path) -> None:
    assert crawl("--quiet") == 0
    before = visits(here / "run")
    assert run(["crawl", "--out", "run", "--threshold", "0.01", "--quiet"]) == 0
    assert visits(here / "run") == before
    summary = json.loads((here / "run" / "summary.json").read_text())
    expected = sum(bool(visit["fetched"]) and float(str(visit["relevance"])) > 0.01 for visit in before)
    assert (summary["threshold"], summary["relevant_at_visit"]) == (0.01, expected)
    assert Config.load(here / "run" / "crawl.toml").threshold == 0.01


def test_a_run_with_enough_relevant_pages_goes_on_when_the_threshold_is_raised(
    crawl: Crawl, here: Path
) -> None:
    assert crawl("--quiet", "--relevant", "2") == 0
    before = visits(here / "run")
    above = max(float(str(visit["relevance"])) for visit in before)
    assert run(["crawl", "--out", "run", "--threshold", str(above), "--quiet"]) == 0
    assert len(visits(here / "run")) > len(before)


def test_an_edited_crawl_toml_is_an_instruction_too(crawl: Crawl, here: Path) -> None:
    assert crawl("--quiet") == 0
    file = here / "run" / "crawl.toml"
    file.write_text(
        file.read_text().replace("pages = 20", "pages = 25").replace("delay = 1.0", "delay = 2.0")
    )
    assert run(["crawl", "--out", "run", "--quiet"]) == 0
    with Run.open(here / "run", writable=False) as opened:
        [instruction] = opened.instructions()
        assert instruction.settings == {"pages": 25, "delay": 2.0}
    replays_exactly(here / "run")


def test_a_sitting_of_the_same_version_is_not_announced_again(crawl: Crawl, here: Path) -> None:
    assert crawl("--quiet") == 0
    assert crawl("--quiet", "--pages", "25") == 0
    with Run.open(here / "run", writable=False) as opened:
        [version] = opened.versions()
        assert isinstance(next(opened.replay()), Version)
    assert (version.strategy, version.behaviour) == ("ops", 1)
    assert version.parameters["anchor_weight"] == 0.5


def test_what_is_fixed_is_refused_with_its_reason(crawl: Crawl, capsys: pytest.CaptureFixture[str]) -> None:
    assert crawl("--quiet") == 0
    assert crawl("--rng-seed", "5") == 2
    assert "earlier choices were drawn with it" in capsys.readouterr().err
