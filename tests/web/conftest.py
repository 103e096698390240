"""Webs in tests keep their indexes and pages in a folder of the test."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOPICRAWL_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"
