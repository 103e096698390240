"""What people ask of a run, seen from their side: what came of it, the history, and taking things back."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from crawling.test_listening import SEEDS, complete, logged, opened, pausing
from topicrawl.crawling.listening import anything_waits
from topicrawl.crawling.wishes import Entry, history
from topicrawl.crawling.wishing import is_running, log_marks, wish
from topicrawl.dashboard.runs import state_of
from topicrawl.errors import UsageError
from topicrawl.setup.run_config import config_of
from topicrawl.store import wishes
from topicrawl.store.run import Run
from topicrawl.store.wishes import Body, Change, Example, Marks, Pause, Seeds, Stop, Undo


@pytest.fixture
def out(tmp_path: Path) -> Path:
    complete(opened(tmp_path / "run", pages=6))
    return tmp_path / "run"


def entries(out: Path) -> list[Entry]:
    with Run.open(out, writable=False) as run:
        return history(run)


def test_a_mark_in_a_run_that_stands_is_logged_at_once_and_its_summary_follows(out: Path) -> None:
    with Run.open(out, writable=False) as run:
        assert run.summary is not None
        before = run.summary
        marked = {visit.url: True for visit in run.visits() if visit.fetched}
    [said] = wish(out, Marks(marked))
    assert said.state == "done"
    assert [seq for seq, _, _ in logged(out)] == [said.seq]
    with Run.open(out, writable=False) as run:
        assert run.summary is not None
        assert run.summary["relevant"] == len(marked) > before["relevant"]
        assert run.summary.keys() == before.keys()
        for same in ("stop_reason", "seconds", "requests", "pages_per_cpu_second"):
            assert run.summary[same] == before[same]
    assert (out / "report.html").stat().st_mtime_ns >= (out / "summary.json").stat().st_mtime_ns


def test_a_run_that_is_held_keeps_the_wish_and_what_is_no_mark_waits_for_a_resume(out: Path) -> None:
    assert not is_running(out)
    [change] = wish(out, Change({"pages": 9}))
    assert change.state == "waiting"
    with Run.open(out):
        assert is_running(out)
        [said] = wish(out, Marks({SEEDS[0]: True}), patience=0.1)
        assert said.state == "waiting"
        assert not log_marks(out)
    assert log_marks(out)
    assert [each.state for each in wishes.wishes(out)] == ["waiting", "done"]
    [mark] = [seq for seq, _, _ in logged(out)]
    assert [each.state for each in wish(out, Undo(seq=mark), Marks({SEEDS[1]: True}))] == ["done", "done"]
    assert [each.state for each in wish(out, Undo(wish=change.id))] == ["done"]
    assert wishes.wishes(out)[0].answer == "taken back before it was carried out"
    with Run.open(out, writable=False) as run:
        assert list(run.marks()) == [SEEDS[1]]


def test_what_cannot_be_done_is_refused_before_it_is_asked(out: Path) -> None:
    impossible: list[tuple[Body, str]] = [
        (Pause(), "no crawl is running"),
        (Change({"strategy": "bfs"}), "begun with --strategy"),
        (Change({"pages": "many"}), "--pages"),
        (Seeds(["mailto:me"]), "no http or https URL"),
        (Undo(seq=1), "no such instruction"),
        (Marks({"mailto:me": True}), "no http or https URL"),
        (Change({"header": ["Authorization: Basic x"]}), "secret"),
    ]
    for body, said in impossible:
        with pytest.raises(UsageError, match=said):
            wish(out, Change({"pages": 9}), body)
    assert wishes.wishes(out) == []


def test_history_tells_each_instruction_and_how_it_is_taken_back(out: Path) -> None:
    wishes.add(out, Change({"pages": 7}, {"exclude": ["/one/"]}), Seeds(["http://no-such-host.test/"]))
    wishes.add(out, Change(add={"exclude": ["/two/"]}), Marks({SEEDS[0]: True}), Marks({SEEDS[0]: False}))
    complete(opened(out))
    budget, seed, exclude, first, second = entries(out)
    assert budget.what == ["pages: 6 → 7", "exclude: added /one/"]
    assert (seed.what, seed.undo) == (["seed http://no-such-host.test/"], None)
    assert budget.undo is not None
    assert budget.undo.settings == {"pages": 6, "exclude": ["/two/"]}
    assert exclude.undo is not None
    assert exclude.undo.settings == {"exclude": ["/one/"]}
    assert (first.what, first.undo) == ([f"relevant {SEEDS[0]}"], None), "a later mark stands"
    assert second.undo is not None
    assert [mark.relevant for mark in second.undo.marks] == [True]
    assert [entry.wish for entry in entries(out)] == [each.id for each in wishes.wishes(out)]
    assert all(entry.time > 1.7e9 and entry.visits >= 6 for entry in entries(out))


def test_only_the_last_pause_can_be_taken_back(out: Path) -> None:
    session = opened(out, pages=9)
    said: list[str] = []
    session.say = said.append
    pausing(session, 7, lambda visit: wishes.add(out, Pause(), Stop()))
    complete(session)
    states = [(entry.what, entry.undo is None) for entry in entries(out)[-3:]]
    assert states == [(["pause"], True), (["pause"], False), (["stop"], True)]
    resumed = opened(out)
    resumed.say = said.append
    complete(resumed)
    assert "the crawl was paused; it goes on now that it is resumed" in said


def test_an_undo_is_an_instruction_of_its_own_and_works_once(out: Path) -> None:
    [exclude] = wishes.add(out, Change(add={"exclude": ["/one/"]}))
    wishes.add(out, Change(add={"exclude": ["/two/"]}), Undo(wish=exclude), Undo(wish=exclude))
    complete(opened(out))
    told = wishes.wishes(out)
    assert [each.state for each in told] == ["done", "done", "done", "refused"]
    assert "taken back" in told[-1].answer
    with Run.open(out, writable=False) as run:
        assert config_of(run).exclude == ("/two/",)
    assert entries(out)[-1].what == ["exclude: removed /one/"]


def test_seeds_and_examples_that_wait_can_be_taken_back(out: Path) -> None:
    waiting = wish(out, Seeds(["http://no-such-host.test/"]), Example("http://no-such-host.test/page"))
    assert [each.state for each in waiting] == ["waiting"] * 2
    back = wish(out, *(Undo(wish=each.id) for each in waiting))
    assert [each.state for each in back] == ["done"] * 2
    assert {each.state for each in wishes.wishes(out)[:2]} == {"refused"}
    assert not anything_waits(out)


def test_a_page_that_is_an_example_already_is_refused(out: Path) -> None:
    wishes.add(out, Example(SEEDS[0]), Example(SEEDS[0]), Change({"pages": 7}))
    complete(opened(out))
    first, second, _ = wishes.wishes(out)
    assert (first.state, second.state) == ("done", "refused")
    assert "an example already" in second.answer


def test_a_kill_after_a_mark_leaves_the_run_finished_and_its_summary_is_made_up_for(
    out: Path,
) -> None:
    with Run.open(out, writable=False) as run:
        assert run.summary is not None
        marked = {visit.url: True for visit in run.visits() if visit.fetched}
        assert run.summary["relevant"] < len(marked)
    wishes.add(out, Marks(marked))
    code = f"from topicrawl.crawling.wishing import log_marks; from pathlib import Path; log_marks(Path({str(out)!r}))"
    environment = {**os.environ, "TOPICRAWL_FAULT": "finish:kill"}
    killed = subprocess.run([sys.executable, "-c", code], env=environment, check=False)
    assert killed.returncode == -signal.SIGKILL
    with Run.open(out, writable=False) as run:
        assert state_of(out, run.summary)[0] == "finished"
    assert log_marks(out)
    with Run.open(out, writable=False) as run:
        assert run.summary is not None
        assert run.summary["relevant"] == len(marked)
