"""Every row of docs/reliability.md against topicrawl in a process of its own, judged by the server's log."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from hostile.harness import Evidence
from hostile.rows import load
from hostile.rows.parsing import most_links
from topicrawl_lab.hostile import ROWS as SERVED

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="needs a second loopback address and memory limits"
)
JUDGED = load()


@pytest.mark.parametrize(
    "name", [pytest.param(row.name, marks=pytest.mark.xdist_group(row.group)) for row in JUDGED.values()]
)
def test_the_crawler_meets_all_statements_of_the_row(name: str, evidence: Callable[[str], Evidence]) -> None:
    row = JUDGED[name]
    found = evidence(row.group)
    assert row.complaints(found) == [], f"{row.what}\n{found.stderr}"


def test_every_row_is_served_and_judged() -> None:
    names = {f"h{number:02}" for number in range(1, len(SERVED) + 1)}
    assert set(JUDGED) == names
    assert set(SERVED) == names


@pytest.mark.xdist_group("links")
def test_two_thousand_of_a_million_links_on_a_page_are_kept(evidence: Callable[[str], Evidence]) -> None:
    assert most_links(evidence("links")) == 2000
