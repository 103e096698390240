"""Every WARC that a crawl of the hostile web leaves passes an independent reader."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from warcio.checker import Checker

from hostile.harness import crawl
from hostile.rows import GROUPS, load

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs a second loopback address")


class Silent:
    verbose = False
    quiet = True

    def __init__(self, files: list[str]) -> None:
        self.inputs = files


def test_the_archive_of_a_crawl_of_broken_servers_is_valid(tmp_path: Path) -> None:
    seeds = [seed for row in load().values() if row.group == "broken" for seed in row.seeds]
    evidence = crawl(seeds, GROUPS["broken"], tmp_path)
    segments = sorted((evidence.out / "archive").glob("*.warc.gz"))
    assert segments
    checker = Checker(Silent([str(segment) for segment in segments]))
    checker.process_all()
    assert checker.exit_value == 0
