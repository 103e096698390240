"""Drawings in the documentation are what the tools that make them draw now."""

from __future__ import annotations

import runpy
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def test_the_picture_of_selections_is_up_to_date() -> None:
    tool = runpy.run_path(str(ROOT / "tools" / "draw_selections.py"))
    committed = (ROOT / "docs" / "strategies" / "selection.svg").read_text("utf-8")
    assert committed == tool["drawn"](), "run python tools/draw_selections.py"
