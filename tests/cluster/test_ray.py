"""A cluster of real nodes of Ray, in a network namespace with only loopback."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

import pytest

from cluster.namespace import LONG, run_alone


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder with a short path: sockets are in it."""
    folder = Path(mkdtemp(prefix="tc-", dir="/tmp"))
    yield folder
    rmtree(folder, ignore_errors=True)


def test_a_crawl_goes_on_where_a_shard_is_killed(short: Path) -> None:
    run_alone("whole", short, seconds=240)


@LONG
@pytest.mark.timeout(600)
def test_two_nodes_a_stop_and_a_resume(short: Path) -> None:
    run_alone("nodes", short, seconds=560)


@LONG
@pytest.mark.timeout(600)
def test_a_head_that_dies(short: Path) -> None:
    run_alone("head", short, seconds=560)


@LONG
@pytest.mark.timeout(1200)
def test_every_fault_once(short: Path) -> None:
    run_alone("faults", short, seconds=1100)
