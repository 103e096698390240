"""A copy of the package without WordNet, as a build without its data gives: what asks WordNet works on, and says so."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import topicrawl
from lab.labelled import write_web
from topicrawl.web.invented import invented_web

NOTE = "has no WordNet: to ssrm, svsm_mcoa words are like themselves only"


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder to import such a copy from."""
    folder = tmp_path_factory.mktemp("bare")
    leave_out = shutil.ignore_patterns("wordnet-3.0", "__pycache__")
    shutil.copytree(Path(topicrawl.__file__).parent, folder / "topicrawl", ignore=leave_out)
    return folder


def told(bare: Path, here: Path, *command: str) -> str:
    """What the command line of the copy says, which must succeed."""
    done = subprocess.run(
        [sys.executable, "-m", "topicrawl.cli", *command],
        cwd=here,
        env=os.environ | {"PYTHONPATH": str(bare), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


def test_compare_says_once_that_words_are_like_themselves_only(bare: Path, tmp_path: Path) -> None:
    strategies = "mcoa,ssrm,svsm_mcoa,svsm_mcoa[lengths=words]"
    command = ("compare", str(write_web(tmp_path)), "--repeats", "1", "--jobs", "1", "--out", "results")
    assert told(bare, tmp_path, *command, "--strategies", strategies).count(NOTE) == 1
    logs = (tmp_path / "results" / "visits" / "storms").glob("*/0.jsonl")
    visits = {log.parent.name: [*map(json.loads, log.read_text().splitlines())] for log in logs}
    values = {name: [(each["asked"], each["priority"]) for each in log] for name, log in visits.items()}
    assert len(values) == 4
    assert values["svsm_mcoa~lengths=words"] == values["mcoa"] != values["svsm_mcoa"]


def test_a_crawl_says_so_and_one_that_asks_nothing_of_wordnet_is_silent(bare: Path, tmp_path: Path) -> None:
    seed = invented_web("invented:7").seeds("rainstorm disaster", 1)[0]
    command = ("crawl", "--topic", "storm, flood", "--seeds", seed, "--web", "invented:7", "--pages", "5")
    said = told(bare, tmp_path, *command, "--strategy", "svsm_mcoa", "--out", "meaning")
    assert said.count("has no WordNet: to svsm_mcoa words are like themselves only") == 1
    assert "WordNet" not in told(bare, tmp_path, *command, "--strategy", "mcoa", "--out", "plain")
