"""Fixtures of all tests: the recorded webs and the public conformance suites, where they are present."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))

BESIDE_THE_CHECKOUT = Path(__file__).resolve().parents[2] / "shared"


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that share a fixture of their module run in one process, so that it is made once."""
    for item in items:
        if item.get_closest_marker("xdist_group") is None and _shares_with_its_module(item):
            item.add_marker(pytest.mark.xdist_group(item.path.as_posix()))


def _shares_with_its_module(item: pytest.Item) -> bool:
    if not isinstance(item, pytest.Function):
        return False
    used = item._fixtureinfo.name2fixturedefs.values()
    return any(fixture.scope == "module" for fixtures in used for fixture in fixtures)


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
