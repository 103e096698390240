"""Damaged, removed and hostile runs: the others are shown, and nothing else is touched."""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path

import msgspec
import pytest

from dashboard.conftest import Dashboard
from topicrawl.crawling.marks import marking
from topicrawl.crawling.publishing import LARGEST, live_state_of, look
from topicrawl.dashboard.index import Index
from topicrawl.dashboard.opened import Opened
from topicrawl.dashboard.runs import Runs
from topicrawl.errors import RunError
from topicrawl.store import wishes
from topicrawl.store.run import Run
from topicrawl.store.wishes import Seeds


@pytest.fixture
def folder(crawled: Path, tmp_path: Path) -> Path:
    for name in ("good", "other"):
        shutil.copytree(crawled, tmp_path / "runs" / name)
    return tmp_path / "runs"


def _curve_of_words(run: Path) -> None:
    (run / "ui").mkdir()
    with Run.open(run, writable=False) as opened:
        with closing(Index(run / "ui" / "index.db", opened.id)):
            pass
        with closing(sqlite3.connect(run / "ui" / "index.db")) as connection, connection:
            connection.execute("DROP TABLE curve")
            connection.execute("CREATE TABLE curve (pages, relevant)")
            connection.execute("INSERT INTO curve VALUES ('<b>', '<b>')")
            connection.execute("UPDATE about SET last_n = ?", (opened.last_n,))


@pytest.mark.parametrize("damage", ["counts", "no table", "curve", "no log"])
def test_the_list_shows_the_others_beside_a_damaged_run(folder: Path, damage: str) -> None:
    other = folder / "other"
    if damage == "curve":
        _curve_of_words(other)
    elif damage == "no log":
        (other / "crawl.db").unlink()
    else:
        text = '{"fetches": "many", "relevant": []}' if damage == "counts" else "[1]"
        (other / "summary.json").write_text(text)
    states = {card.name: card.state for card in Runs(folder).cards()}
    assert states == {"good": "finished", "other": "stopped" if damage == "no table" else "damaged"}


def test_a_run_keeps_its_name_when_one_of_a_similar_name_is_added(folder: Path) -> None:
    runs = Runs(folder)
    (folder / "other").rename(folder / "my-run")
    assert runs.paths() == {"good": folder / "good", "my-run": folder / "my-run"}
    (folder / "good").rename(folder / "my run")
    assert runs.paths() == {"my-run": folder / "my-run", "my-run-2": folder / "my run"}
    (folder / "my run").rename(folder / "\u5929\u6c14")
    assert "\u5929\u6c14" in runs.paths()


def test_a_run_that_was_removed_is_not_shown(folder: Path) -> None:
    runs = Runs(folder)
    assert runs.open("good") is not None
    shutil.rmtree(folder / "good")
    assert runs.open("good") is None
    runs.close()


def test_a_link_in_place_of_the_cache_is_not_followed(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "index.db").write_text("precious")
    (folder / "good" / "ui").symlink_to(tmp_path / "mine")
    opened = Opened(folder / "good", "good")
    opened.refresh()
    assert opened.far().visits
    opened.close()
    assert (tmp_path / "mine" / "index.db").read_text() == "precious"
    assert [each.name for each in (tmp_path / "mine").iterdir()] == ["index.db"]
    assert not opened.folder.exists(), "the temporary one is removed"


def test_what_a_person_said_and_cannot_be_kept_is_told(dashboard: Dashboard, run_folder: Path) -> None:
    (run_folder / "wishes.db").mkdir()
    status, says = dashboard.say("/run/storms/wish", {"kind": "seeds", "urls": ["http://a.test/"]})
    (run_folder / "wishes.db").rmdir()
    assert status == 409
    assert "wishes.db is a link, or no file; remove it" in says


@pytest.mark.timeout(30)  # who opens a pipe to read waits for a writer for ever
@pytest.mark.parametrize(
    "name", ["live.json", "lock", "summary.json", "wishes.db", "ui/index.db", "ui/effects.json", "snapshots"]
)
def test_a_pipe_in_place_of_a_file_is_not_waited_for(folder: Path, name: str) -> None:
    place = folder / "good" / name
    if name == "snapshots":
        place = next(place.glob("*"))
    place.parent.mkdir(exist_ok=True)
    place.unlink(missing_ok=True)
    os.mkfifo(place)
    runs = Runs(folder)
    assert {card.name for card in runs.cards()} == {"good", "other"}
    assert look(folder / "good") is None
    with suppress(RunError):
        wishes.wishes(folder / "good")
    opened = runs.open("good")
    assert opened is not None
    opened.refresh(wait=10)
    assert opened.writer is None
    assert opened.present.effects() == []
    with opened.present.crawl() as (crawl, _):
        assert crawl.tally.visits
    runs.close()


def test_wishes_are_not_kept_in_a_file_of_another_folder(folder: Path, tmp_path: Path) -> None:
    wishes.add(folder / "other", Seeds(["http://a.test/"]))
    (folder / "other" / "wishes.db").rename(tmp_path / "mine.db")
    (folder / "good" / "wishes.db").symlink_to(tmp_path / "mine.db")
    before = (tmp_path / "mine.db").read_bytes()
    with pytest.raises(RunError, match=r"wishes\.db is a link"):
        wishes.add(folder / "good", Seeds(["http://b.test/"]))
    with pytest.raises(RunError, match=r"wishes\.db is a link"):
        wishes.wishes(folder / "good")
    assert (tmp_path / "mine.db").read_bytes() == before


def test_a_summary_that_lacks_marks_is_made_up_for_when_somebody_looks(folder: Path) -> None:
    good = folder / "good"
    with Run.open(good) as run:
        urls = [visit.url for visit in run.visits() if visit.fetched]
        run.write([marking(run, [(url, True) for url in urls])])
        assert run.is_summary_old
    opened = Opened(good, "good")
    opened.refresh(wait=10)
    opened.complete()
    opened.close()
    with Run.open(good, writable=False) as run:
        assert run.summary is not None
        assert run.summary["relevant"] == len(urls)


def test_a_live_state_without_end_is_not_read(folder: Path) -> None:
    with Run.open(folder / "good", writable=False) as run:
        told = msgspec.structs.replace(live_state_of(run), time=time.time())
    (folder / "good" / "live.json").write_bytes(msgspec.json.encode(told))
    assert look(folder / "good") == told
    with (folder / "good" / "live.json").open("ab") as file:
        file.write(b" " * LARGEST)
    assert look(folder / "good") is None
