"""A crawl by example of a small invented web, made once."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from topicrawl.catalogue.catalogue import Catalogue
from topicrawl.cli import run
from topicrawl.crawling.offline import OfflinePages
from topicrawl.setup.run_config import config_of
from topicrawl.store.run import Run
from topicrawl.web.invented import invented_web

WEB, SUBJECT = "invented:7", "rainstorm disaster"


def relevant_page(web: str = WEB) -> tuple[str, str]:
    """URL and text of a page about the subject that is no seed."""
    invented = invented_web(web)
    seeds = invented.seeds(SUBJECT, 40)
    page = OfflinePages(invented).outcome(seeds[-1]).page
    assert page is not None
    return seeds[-1], page.text


@pytest.fixture(scope="session")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of SemXDM in four rounds."""
    here = tmp_path_factory.mktemp("crawled")
    os.environ.setdefault("TOPICRAWL_CACHE", str(here / "cache"))
    (here / "article.txt").write_text(relevant_page()[1])
    seeds = [flag for seed in invented_web(WEB).seeds(SUBJECT, 5) for flag in ("--seeds", seed)]
    asked = ["--strategy", "semxdm", "--query", str(here / "article.txt"), "--web", WEB, "--quiet"]
    rounds = ["--rounds", "4", "--per-round", "40", "--concurrency", "4", "--set", "most_labels=60"]
    assert run(["crawl", *asked, *seeds, *rounds, "--out", str(here / "run")]) == 0
    return here / "run"


@pytest.fixture
def copy(crawled: Path, tmp_path: Path) -> Path:
    """A copy of the run, which a test may change."""
    return Path(shutil.copytree(crawled, tmp_path / "run"))


@pytest.fixture
def opened() -> Iterator[Callable[[Path], Catalogue]]:
    """Opens the catalogue of a run."""
    held: list[Catalogue] = []

    def open_catalogue(path: Path) -> Catalogue:
        log = Run.open(path, writable=False)
        held.append(Catalogue(log, config_of(log)))
        return held[-1]

    yield open_catalogue
    for catalogue in held:
        catalogue.close()
        catalogue.run.close()
