"""A crawl in shards in the dashboard: one run of the list, a view of all shards, and the views of each."""

from __future__ import annotations

import html
import json
import re
import shutil
from pathlib import Path
from urllib.parse import quote

import pytest

from dashboard.conftest import TOPIC, WEB, Dashboard
from topicrawl.cli import run as command
from topicrawl.crawling.live_state import LiveState
from topicrawl.crawling.wishes import history
from topicrawl.dashboard import door
from topicrawl.dashboard.division import Division
from topicrawl.dashboard.opened import Opened
from topicrawl.dashboard.views.shards import gathered, parts, rows_of, untaken
from topicrawl.setup.run_config import config_of
from topicrawl.store.lock import Lock
from topicrawl.store.run import Run
from topicrawl.store.wishes import Seeds, waiting
from topicrawl.web.invented import invented_web

NAME = "<img src=x onerror=alert(1)>'\""
"""Of the folder of the run."""


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A crawl in two shards."""
    folder = tmp_path_factory.mktemp("divided")
    seeds = folder / "seeds.txt"
    seeds.write_text("\n".join(invented_web(WEB).seeds("rainstorm disaster", 4)))
    words = ["--topic", TOPIC, "--seeds", str(seeds), "--web", WEB, "--pages", "30", "--strategy", "bfs"]
    run = folder / "runs" / NAME
    assert (
        command(["crawl", *words, "--local", "2", "--split", "invented.test", "--out", str(run), "--quiet"])
        == 0
    )
    return run


@pytest.fixture
def division(run_folder: Path) -> Division:
    """It, opened and read."""
    opened = {path: Opened(path, path.name) for path in (run_folder / "shards").iterdir()}
    division = Division(run_folder, "storms", opened.get)
    division.refresh()
    return division


def relevant_in_order(run_folder: Path) -> list[bool]:
    """Whether each page of all shards is relevant, in the order of time."""
    with Run.open(run_folder, writable=False) as run:
        return [visit.relevance > config_of(run).threshold for visit in run.visits() if visit.fetched]


def test_a_crawl_in_shards_is_one_run_of_the_list(dashboard: Dashboard) -> None:
    page = dashboard.get("/")
    assert page.count('<li class="panel">') == 1
    assert re.search(r"\d+ relevant of 3\d pages", page)
    assert "2 shards, all pages asked for are fetched" in page
    assert NAME not in page


def test_it_opens_the_view_of_shards_whose_rows_lead_to_each(dashboard: Dashboard, run_folder: Path) -> None:
    address = re.search(r'href="(/run/[^"]+/)"', dashboard.get("/"))
    assert address is not None
    page = dashboard.get(address[1])
    assert NAME not in page
    assert f"of {len(relevant_in_order(run_folder))} fetched" in page
    assert page.count('<th scope="row">') == 3, "two shards and the sum"
    links = re.findall(r'<th scope="row"><a href="([^"]+)"', page)
    assert len(links) == 2
    for link in links:
        shard = dashboard.get(html.unescape(link))
        assert "Next in line" in shard
        assert f'href="{address[1]}">All shards' in shard
    pages = dashboard.ask(f"{address[1]}pages")
    assert pages.status == 404
    assert "open one of its shards" in pages.text


def test_figures_are_those_of_the_logs(division: Division, run_folder: Path) -> None:
    relevant = relevant_in_order(run_folder)
    assert division.curve() == [(n, sum(relevant[:n])) for n in range(1, len(relevant) + 1)]
    rows = rows_of(division)
    assert sum(row.counts.pages for row in rows) == len(relevant)
    with Run.open(run_folder, writable=False) as run:
        hosts = {visit.host for visit in run.visits() if visit.fetched}
    taken = {}
    for row in rows:
        with Run.open(run_folder / "shards" / row.shard, writable=False) as run:
            taken[row.shard] = sum(len(event.letters) for event in run.received())
    values = gathered(division)
    assert values["hosts"] == len(hosts)
    assert values["taken"] == sum(taken.values()) > 0
    assert {row.shard: row.live and sum(row.live.taken.values()) for row in rows} == taken
    assert values["sent"] == values["taken"] + values["letters"]
    assert values["waiting"] > 0
    assert parts(division).keys() == {
        "live-badge", "live-state", "shards-cards", "shards-curve", "shards-table",
    }  # fmt: skip


def test_a_curve_of_many_pages_is_thinned_and_keeps_its_end(division: Division) -> None:
    whole = division.curve()
    thinned = division.curve(7)
    assert len(thinned) <= 8
    assert set(thinned) < set(whole)
    assert thinned[-1] == whole[-1]


def test_only_new_visits_are_read_and_another_database_from_its_begin(
    run_folder: Path, tmp_path: Path
) -> None:
    copy = Path(shutil.copytree(run_folder, tmp_path / "copy"))
    opened = {path: Opened(path, path.name) for path in (copy / "shards").iterdir()}
    division = Division(
        copy, "storms", lambda path: opened.get(path) if (path / "crawl.db").exists() else None
    )
    (copy / "shards" / "001" / "crawl.db").rename(tmp_path / "later.db")
    division.refresh()
    first = division.curve()
    assert [row.state for row in rows_of(division, in_full=False)] == ["finished", "not begun"]
    division.refresh()
    assert division.curve() == first, "nothing is counted twice"
    (tmp_path / "later.db").rename(copy / "shards" / "001" / "crawl.db")
    division.refresh()
    assert len(division.curve()) == len(relevant_in_order(run_folder))


def test_it_is_read_again_when_the_process_that_joins_the_shards_ends(division: Division) -> None:
    stands = division.stamp()
    lock = Lock(division.path / "lock")
    try:
        assert division.stamp() != stands
        assert gathered(division)["state"] == "running"
    finally:
        lock.release()
    assert division.stamp() == stands
    assert gathered(division)["state"] == "finished"


def test_letters_that_wait_are_those_sent_and_not_taken() -> None:
    def told(sent: dict[str, int], taken: dict[str, int]) -> LiveState:
        return LiveState(0, 0, 0, 0, 0, 0, 0, False, [], [], [], [], sent=sent, taken=taken)

    states = {"000": told({"001": 9}, {"001": 4}), "001": told({"000": 3}, {"000": 5})}
    assert untaken("001", states) == 4
    assert untaken("000", states) == 0, "it told later than its sender"
    assert untaken("000", {**states, "001": None}) is None


def test_a_name_that_is_no_crawl_in_shards_is_told(dashboard: Dashboard) -> None:
    assert dashboard.ask(f"/run/{quote('no such')}/shards").status == 404


def test_what_a_person_says_in_one_shard_goes_to_all(dashboard: Dashboard, run_folder: Path) -> None:
    address = re.search(r'href="(/run/[^"]+/)"', dashboard.get("/"))
    assert address is not None
    _, link = re.findall(r'<th scope="row"><a href="([^"]+)"', dashboard.get(address[1]))
    shards = [run_folder / "shards" / name for name in ("000", "001")]
    with Run.open(shards[1], writable=False) as run:
        visit = next(each for each in run.visits() if each.fetched)
    assert dashboard.say(f"{html.unescape(link)}mark", {"n": visit.n, "mark": "no"})[0] == 200
    before = json.loads((run_folder / "summary.json").read_text())["instructions"]
    door.settle(shards[1])  # as after a moment without further marks
    for folder in (*shards, run_folder):
        with Run.open(folder, writable=False) as run:
            assert list(run.marks()) == [visit.url]
    assert json.loads((run_folder / "summary.json").read_text())["instructions"] == before + 1
    with Run.open(shards[1], writable=False) as run:
        (entry,) = history(run)
    assert dashboard.say(f"{html.unescape(link)}wish", {"kind": "undo", "seq": entry.seq})[0] == 200
    for folder in shards:
        with Run.open(folder, writable=False) as run:
            assert list(run.marks()) == []


def test_what_a_person_asks_of_the_whole_crawl_goes_to_every_shard(
    dashboard: Dashboard, run_folder: Path
) -> None:
    address = re.search(r'href="(/run/[^"]+/)"', dashboard.get("/"))
    assert address is not None
    page = dashboard.get(address[1])
    assert "Add seeds" in page
    assert "pages: now 30" in page
    new = "http://rain-desk-80.invented.test/storms/"
    status, said = dashboard.say(f"{address[1]}wish", {"kind": "seeds", "urls": [new]})
    assert (status, said) == (200, "kept: it is carried out when the crawl is resumed")
    for name in ("000", "001"):
        (waits,) = waiting(run_folder / "shards" / name)
        assert waits.body == Seeds([new])
    listed = re.search(r'<a href="([^"]+)">1 thing that you asked for', dashboard.get(address[1]))
    assert listed is not None
    assert new in dashboard.get(html.unescape(listed[1]))
    status, said = dashboard.say(f"{address[1]}wish", {"kind": "change", "settings": {"pages": "40"}})
    assert status == 409
    assert "resume" in said
