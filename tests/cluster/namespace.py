"""Runs a script where there is no network but loopback: several nodes of Ray are several addresses of 127.0.0.0/8."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cluster.postgres import programs

ROOT = Path(__file__).resolve().parents[2]
LONG = pytest.mark.skipif(
    not os.environ.get("TOPICRAWL_CLUSTER_TESTS"), reason="a long proof of clusters: make cluster-test"
)


def run_alone(story: str, *arguments: object, seconds: float, shown: bool = False) -> None:
    """Run a story of ray_stories.py in a namespace of its own. It must succeed; `shown` prints what it does."""
    for name in ("unshare", "ip", "ss"):
        if shutil.which(name) is None:
            pytest.skip(f"{name} is not installed (Debian: util-linux, iproute2)")
    for package in ("ray", "psycopg"):
        pytest.importorskip(package, reason=f"{package} is not installed: pip install 'topicrawl[cluster]'")
    programs()
    if os.getuid() != 0:
        pytest.skip("only root can make a network namespace in which PostgreSQL runs as another user")
    alone = ["unshare", "--net", "--pid", "--fork", "--mount-proc", "--kill-child"]
    if subprocess.run([*alone, "ip", "link", "set", "lo", "up"], check=False, capture_output=True).returncode:
        pytest.skip("this machine allows no namespaces of its own")
    words = [sys.executable, str(ROOT / "tests" / "cluster" / "ray_stories.py"), story, *map(str, arguments)]
    ran = subprocess.run(
        [*alone, "sh", "-c", 'ip link set lo up && exec "$@"', "sh", *words],
        check=False,
        capture_output=not shown,
        text=True,
        timeout=seconds,
        env=os.environ | {"PYTHONPATH": f"{ROOT / 'src'}:{ROOT / 'tests'}"},
    )
    assert ran.returncode == 0, f"{(ran.stdout or '')[-3000:]}\n{(ran.stderr or '')[-6000:]}"
