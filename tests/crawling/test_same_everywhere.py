"""A crawl does not depend on the processor, on the number of BLAS threads, or on who starts it."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest
from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

from crawling.same_crawls import RUNS, STATES

NEEDED = {
    "Prescott": "SSE3",
    "Nehalem": "SSE42",
    "Sandybridge": "AVX",
    "Haswell": "FMA3",
    "SkylakeX": "AVX512_SKX",
}
"""Kinds of processor that OpenBLAS has different code for, and what such code needs. (Zen runs that of Haswell.)"""
OPTIONAL = [name for name in __cpu_dispatch__ if __cpu_features__.get(name)]
"""What numpy uses where the processor has it, the oldest first."""
OLD_LIBM = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F,-AVX2_Usable,-FMA_Usable"}
"""As on a processor without these, for exp, log and pow of the C library."""
TWO_THREADS = {"OPENBLAS_NUM_THREADS": "2"}

Environment = dict[str, str]
Results = tuple[dict[str, bytes], dict[str, str]]


def core(name: str) -> Environment:
    """BLAS as on another processor; nothing where this one cannot run that."""
    able = platform.machine().lower() in ("x86_64", "amd64") and __cpu_features__.get(NEEDED[name])
    return {"OPENBLAS_CORETYPE": name} if able else {}


def without(features: list[str]) -> Environment:
    """numpy as on a processor that lacks these."""
    return {"NPY_DISABLE_CPU_FEATURES": " ".join(features)} if features else {}


ENVIRONMENTS = {
    "the oldest processor": core("Prescott") | without(OPTIONAL) | OLD_LIBM,
    "Nehalem with two threads": core("Nehalem") | TWO_THREADS,
    "Sandybridge": core("Sandybridge"),
    "Haswell, also in numpy": core("Haswell") | without(OPTIONAL[1:]),
    "SkylakeX": core("SkylakeX"),
}


def crawled(out: Path, how: str, more: Environment) -> Results:
    """visits.jsonl of each run, and the digests of priorities."""
    process = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("same_crawls.py")), str(out), how],
        env=os.environ | more,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    return {name: (out / name / "visits.jsonl").read_bytes() for name in RUNS}, json.loads(process.stdout)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return crawled(tmp_path_factory.mktemp("plain"), "cli", {})


def test_the_crawls_are_long_enough_to_show_a_difference(plain: Results) -> None:
    visits, states = plain
    assert all(lines.count(b"\n") >= 40 for lines in visits.values())
    assert states.keys() == STATES.keys()


@pytest.mark.parametrize("environment", [name for name, more in ENVIRONMENTS.items() if more])
def test_crawls_are_the_same_on(environment: str, plain: Results, tmp_path: Path) -> None:
    assert crawled(tmp_path, "cli", ENVIRONMENTS[environment]) == plain


def test_crawls_are_the_same_from_python(plain: Results, tmp_path: Path) -> None:
    assert crawled(tmp_path, "api", {}) == plain
