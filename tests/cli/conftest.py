"""Fixtures of the tests of commands: an empty folder, seeds, and a crawl that works."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from topicrawl.cli import run
from topicrawl.web.invented import invented_web

WEB = "invented:7"
TOPIC = "storms: rainstorm 1, flood 0.95, rainfall, disaster 0.5"


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One cache for all tests. It is not empty, because the first use of a cache is announced."""
    folder = tmp_path_factory.mktemp("cache")
    (folder / "used").touch()
    return folder


@pytest.fixture
def here(tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, empty."""
    monkeypatch.setenv("TOPICRAWL_CACHE", str(cache))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def seeds(here: Path) -> list[str]:
    """Pages of the invented web to begin at, also in the file seeds.txt."""
    urls = invented_web(WEB).seeds("rainstorm disaster", 5)
    (here / "seeds.txt").write_text("\n".join(urls))
    return urls


@pytest.fixture
def crawl(seeds: list[str]) -> Callable[..., int]:
    """Crawl 20 pages of the invented web into run/ with `ops`, one at a time; more arguments are appended."""

    def command(*more: str) -> int:
        words = ["--topic", TOPIC, "--seeds", "seeds.txt", "--web", WEB]
        words += ["--pages", "20", "--concurrency", "1", "--strategy", "ops"]
        return run(["crawl", *words, "--out", "run", *more])

    return command
