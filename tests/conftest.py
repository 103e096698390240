"""Fixtures of all tests: the recorded webs and the public conformance suites, where they are present."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))

BESIDE_THE_CHECKOUT = Path(__file__).resolve().parents[2] / "shared"


def _folder(variable: str, default: Path) -> Path:
    folder = Path(os.environ.get(variable, default))
    if not folder.is_dir():
        pytest.skip(f"{folder} is absent; set ${variable} to a folder that has it")
    return folder


@pytest.fixture(scope="session")
def webs() -> Path:
    """The folder of recorded webs (NAME.warc.gz, NAME.labels.csv, tasks.json)."""
    return _folder("TOPICRAWL_WEBS", BESIDE_THE_CHECKOUT / "webs")


@pytest.fixture(scope="session")
def testsuites() -> Path:
    """The folder of public conformance data."""
    return _folder("TOPICRAWL_TESTSUITES", BESIDE_THE_CHECKOUT / "testsuites")
