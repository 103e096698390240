"""Wheels: the platforms of pyproject.toml, asked of cibuildwheel, and the check that each wheel passes."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PYTHONS = ["311", "312", "313", "314"]
PLATFORMS = {
    "linux": ["manylinux_x86_64", "manylinux_aarch64", "musllinux_x86_64", "musllinux_aarch64"],
    "macos": ["macosx_x86_64", "macosx_arm64"],
    "windows": ["win_amd64"],
}
TOOLS = os.environ.get("TOPICRAWL_OPS")


def test_the_classifiers_name_the_versions_of_python_that_have_wheels() -> None:
    named = {f"Programming Language :: Python :: {each[0]}.{each[1:]}" for each in PYTHONS}
    assert {each for each in PROJECT["project"]["classifiers"] if "Python :: 3." in each} == named
    assert PROJECT["tool"]["cibuildwheel"]["build"] == [f"cp{each}-*" for each in PYTHONS]


@pytest.mark.skipif(TOOLS is None, reason="cibuildwheel is installed by `make ops-test`")
@pytest.mark.parametrize("platform", PLATFORMS)
def test_cibuildwheel_builds_for_each_platform(platform: str) -> None:
    assert TOOLS
    command = [f"{TOOLS}/cibuildwheel", "--print-build-identifiers", "--platform", platform, ROOT]
    said = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    assert sorted(said.split()) == sorted(f"cp{p}-{on}" for p in PYTHONS for on in PLATFORMS[platform])


@pytest.mark.skipif(find_spec("topicrawl._native") is None, reason="there was no compiler")
def test_the_check_of_a_wheel_passes_here_and_fails_without_native_code(tmp_path: Path) -> None:
    check = [sys.executable, ROOT / "tools" / "check_wheel.py"]
    assert subprocess.run(check, cwd=tmp_path, capture_output=True, timeout=120, check=False).returncode == 0
    blocked = (
        f"import sys; sys.modules['topicrawl._native'] = None; sys.argv = {[str(check[1])]!r}; import runpy; "
    )
    without = [sys.executable, "-c", blocked + "runpy.run_path(sys.argv[0], run_name='__main__')"]
    done = subprocess.run(without, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1
    assert "topicrawl._native" in done.stderr
