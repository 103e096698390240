"""A small labelled web on disk, with a page cache of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from lab.labelled import write_web


@pytest.fixture(scope="session")
def _small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("labelled")
    write_web(folder)
    return folder


@pytest.fixture
def small(_small: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the small web: small.warc.gz, small.labels.csv, tasks.json."""
    monkeypatch.setenv("TOPICRAWL_CACHE", str(_small / "cache"))
    return _small
