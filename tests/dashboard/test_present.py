"""The crawl in the memory of the dashboard: kept up to date, within a time; the links of a favoured site."""

from __future__ import annotations

import shutil
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest

from topicrawl.cli import run as command
from topicrawl.crawling.wishing import wish
from topicrawl.dashboard.favoured import best_waiting
from topicrawl.dashboard.opened import Opened
from topicrawl.dashboard.views.sites import pattern_of
from topicrawl.frontier import PEEKED
from topicrawl.store.run import Run
from topicrawl.store.wishes import Marks


@pytest.fixture
def opened(crawled: Path, tmp_path: Path) -> Opened:
    run = Path(shutil.copytree(crawled, tmp_path / "storms"))
    shutil.rmtree(run / "snapshots")
    return Opened(run, "storms")


def test_a_view_waits_so_long_for_the_state_and_the_next_look_goes_on_from_there(opened: Opened) -> None:
    seen = []
    for seconds in (0.0, 0.0, 60.0):
        with opened.present.crawl(seconds=seconds) as (crawl, run):
            seen.append(crawl.tally.visits)
            last = run.last_n
    assert seen[0] <= seen[1] < seen[2] == last
    opened.close()


def test_a_favoured_site_gets_links_that_may_be_pages_also_while_it_is_busy(opened: Opened) -> None:
    with opened.present.crawl() as (crawl, _):
        frontier = crawl.frontier
        waiting = np.flatnonzero(frontier.columns["state"] <= PEEKED)
        link = int(waiting[np.argmax(frontier.columns["priority"][waiting])])
        url = frontier.urls[link]
        host = urlsplit(url).netloc
        images = [f"http://{host}/figure.gif", f"http://{host}/paper.PS", f"http://{host}/notes.pdf?a.html"]
        frontier.prioritise(frontier.add(images, depth=1, parent=-1), np.full(3, 99.0))
    before = best_of(opened, host)
    assert before[0] == url
    number = frontier.hosts.number(host)
    assert number is not None
    frontier.hold(number)
    assert best_of(opened, host) == before
    assert best_of(opened, "nowhere.test") == []
    opened.close()


def best_of(opened: Opened, host: str) -> list[str]:
    return best_waiting(opened, host, pattern_of(host, ""), 20)


def test_what_lags_far_behind_goes_on_from_a_newer_snapshot_unless_marks_would_be_missed(
    crawled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Path(shutil.copytree(crawled, tmp_path / "storms"))
    monkeypatch.setattr("topicrawl.dashboard.present.LEAP", 5)
    assert leaps(run)
    with Run.open(run, writable=False) as log:
        url = next(visit.url for visit in log.visits() if visit.fetched)
    wish(run, Marks({url: True}))
    assert command(["crawl", "--out", str(run), "--pages", "42", "--quiet"]) == 0
    assert not leaps(run)


def leaps(run: Path) -> bool:
    """Whether the state is taken from a snapshot that was not there when it was first made."""
    (run / "snapshots").rename(run.with_name("later"))
    opened = Opened(run, "storms")
    with opened.present.crawl(seconds=0) as (begun, _):
        pass
    run.with_name("later").rename(run / "snapshots")
    with opened.present.crawl(seconds=0) as (crawl, _):
        pass
    opened.close()
    return crawl is not begun
