"""A turn goes on from the snapshot of the turn before, whatever the length of the log."""

from __future__ import annotations

from pathlib import Path

import pytest

from topicrawl.cli import run
from topicrawl.crawling.lifecycle import go_on
from topicrawl.crawling.make import version_of
from topicrawl.crawling.snapshots import restored
from topicrawl.model import Revisit, Told
from topicrawl.store.run import Run
from topicrawl.store.standing import fetched_anew
from topicrawl.web.invented import InventedWeb


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that was watched for three turns."""
    path = tmp_path_factory.mktemp("watched") / "run"
    crawl = ["crawl", "--web", "invented:7@day=0", "--topic", "tourism", "--pages", "20", "--no-warc", "-q"]
    assert run([*crawl, "--seeds", InventedWeb(7).seeds("tourism", 1)[0], "--out", str(path)]) == 0
    assert run(["watch", str(path), "--every", "1d", "--fetches", "12", "--turns", "3", "-q"]) == 0
    return path


def test_a_turn_begins_from_the_snapshot_of_the_turn_before_and_replays_nothing(watched: Path) -> None:
    session = go_on(watched, lambda sentence: None)
    assert session.run is not None
    with session.run as opened:
        version = version_of(session.config, session.crawl.strategy)
        begin = restored(opened, version, session.crawl, session._new_crawl)
        assert begin.seq == opened.last_seq
        assert begin.crawl.revisits is not None
        assert begin.crawl.tally.visits == opened.last_n


def test_pages_fetched_anew_are_those_that_the_log_asks_for_anew(watched: Path) -> None:
    with Run.open(watched, writable=False) as opened:
        asked, anew = set[str](), set[int]()
        for event in opened.replay():
            if isinstance(event, Revisit):
                asked.add(event.url)
            elif isinstance(event, Told) and event.ask.url in asked:
                asked.remove(event.ask.url)
                anew.add(event.visit.n)
        assert anew
        assert fetched_anew(opened) == anew
