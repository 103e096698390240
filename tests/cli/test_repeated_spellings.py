"""A topic whose terms share spellings: it is refused before a run is begun, and a run that has one is mended."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import topicrawl
from topicrawl.cli import run
from topicrawl.errors import TopicError
from topicrawl.model import Topic
from topicrawl.store.run import Run

from .conftest import WEB

SHARED = '"rain|rainstorm|trains" = 1.0\n"trainss|trains|flood" = 0.5'
"""As earlier versions wrote them."""
APART = '"rain|rainstorm|trains" = 1.0\n"trainss|flood" = 0.5'


def test_nothing_is_fetched_or_kept_for_a_topic_that_could_not_be_read_again(
    here: Path, seeds: list[str]
) -> None:
    shared = Topic("trains", ("train|trains", "trains"), (1.0, 0.5))
    with pytest.raises(TopicError, match="'trains' occurs twice"):
        next(topicrawl.crawl_sync(topic=shared, seeds=seeds, web=WEB, out=here / "run"))
    assert not (here / "run").exists()


@pytest.mark.parametrize("more", [[], ["--local", "2"]])
def test_a_run_with_such_a_topic_is_mended_and_replays_to_itself(
    crawl: Callable[..., int], here: Path, capsys: pytest.CaptureFixture[str], more: list[str]
) -> None:
    (here / "topic.txt").write_text("rain|rainstorm|trains 1\ntrainss|flood 0.5")
    assert crawl("--topic", "topic.txt", *more) == 0
    folders = [here / "run", *(here / "run").glob("shards/*/")]
    for folder in folders:
        config = (folder / "crawl.toml").read_text()
        assert APART in config
        (folder / "crawl.toml").write_text(config.replace(APART, SHARED))
        if not more or folder != folders[0]:
            with Run.open(folder) as opened:
                opened.begun_with = opened.begun_with.replace(APART, SHARED)
    capsys.readouterr()
    assert run(["status", "run"]) == 2
    assert "doctor run --repair mends it" in capsys.readouterr().err
    assert run(["doctor", "run", "--repair"]) == 0
    assert run(["doctor", "run", "--replay"]) == 0
    assert "replays to itself" in capsys.readouterr().out
    assert run(["crawl", "--out", "run", "--pages", "30", "-q"]) == 0
