"""A copy of the package without native code, as a build without a compiler gives: slower, and the same in all else."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import topicrawl
from topicrawl.web.invented import invented_web

pytestmark = pytest.mark.skipif(
    find_spec("topicrawl._native") is None, reason="there was no compiler when topicrawl was installed"
)


@pytest.fixture(scope="module")
def python_only(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder to import such a copy from."""
    folder = tmp_path_factory.mktemp("python_only")
    leave_out = shutil.ignore_patterns("_native.*.so", "_native.*.pyd", "native", "__pycache__")
    shutil.copytree(Path(topicrawl.__file__).parent, folder / "topicrawl", ignore=leave_out)
    return folder


def said(here: Path, *command: str, package: Path | None = None) -> str:
    """What the command line says, of the copy in `package` if there is one; it must succeed.

    Each of the two has a cache of its own: neither takes pages that the other has read.
    """
    cache = here / ("cache-python" if package else "cache-native")
    environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "TOPICRAWL_CACHE": str(cache)}
    done = subprocess.run(
        [sys.executable, "-m", "topicrawl.cli", *command],
        cwd=here,
        env=environment | ({"PYTHONPATH": str(package)} if package else {}),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_doctor_says_whether_native_code_is_in_use(python_only: Path, tmp_path: Path) -> None:
    assert "\nok    native code reads pages" in said(tmp_path, "doctor")
    without = said(tmp_path, "doctor", package=python_only)
    assert "\nnote  native code is not in use" in without
    assert "pages are read by Python, slower" in without


def test_a_crawl_by_python_alone_visits_the_same_pages_byte_for_byte(
    python_only: Path, tmp_path: Path
) -> None:
    seed = invented_web("invented:7").seeds("rainstorm disaster", 1)[0]
    command = ("crawl", "--topic", "storm, flood", "--seeds", seed, "--web", "invented:7", "--pages", "40")
    said(tmp_path, *command, "--concurrency", "1", "--out", "native")
    said(tmp_path, *command, "--concurrency", "1", "--out", "python", package=python_only)
    logs = [(tmp_path / name / "visits.jsonl").read_bytes() for name in ("native", "python")]
    assert logs[0] == logs[1]
    assert len(logs[0].splitlines()) >= 40
