"""A crawl carries out what is wished of its run: while it runs, when it is resumed, exactly once."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

from topicrawl.crawling.event_loop import run_loop
from topicrawl.crawling.lifecycle import Finished, begin, resume
from topicrawl.crawling.session import Session
from topicrawl.model import Instruction, Page, Visit
from topicrawl.setup.config import Config
from topicrawl.setup.run_config import config_of
from topicrawl.store import wishes
from topicrawl.store.run import Run
from topicrawl.store.wishes import (
    Change,
    Example,
    GoOn,
    Marks,
    Pause,
    Seeds,
    Stop,
    Undo,
)
from topicrawl.web.invented import invented_web

SEEDS = tuple(invented_web("invented:7").seeds("rainstorm disaster", 5))
GIVEN: dict[str, Any] = {
    "topic": "storms: rainstorm, flood",
    "seeds": SEEDS,
    "web": "invented:7",
    "warc": False,
    "strategy": "ops",
    "concurrency": 1,
}


def opened(out: Path, **given: Any) -> Session:
    """A new crawl in `out`, or the resumed one."""
    session = resume(out, given, print) if out.exists() else begin(Config(**GIVEN | given), out, print)
    assert isinstance(session, Session)
    return session


def complete(session: Session) -> str:
    """Crawl to the end; returns why it stopped."""
    assert session.run is not None
    with session.run:
        return str(run_loop(session.complete)["stop_reason"])


def pausing(session: Session, at: int, then: Callable[[Visit], object]) -> None:
    """Pause the crawl at a visit, and call `then`: what is wished there is carried out before the crawl goes on."""

    def on_visit(visit: Visit, page: Page | None) -> None:
        if visit.n == at:
            session.instruct(Instruction(pause=True))
            then(visit)

    session.on_visit = on_visit


def logged(out: Path) -> list[tuple[int, int, Instruction]]:
    with Run.open(out, writable=False) as run:
        return list(run.placed_instructions())[::-1]


def test_wishes_are_carried_out_while_it_runs_in_their_order_or_refused_with_a_reason(tmp_path: Path) -> None:
    out = tmp_path / "run"
    session = opened(out, pages=20)

    def wish(visit: Visit) -> None:
        wishes.add(out, Marks({SEEDS[0]: False}), Change({"pages": 25}), Change(add={"exclude": ["/one/"]}))
        wishes.add(out, Seeds([SEEDS[0]]), Change({"exclude": ["("]}), Change({"strategy": "bfs"}))
        wishes.add(out, Change({"colour": "red"}), Undo(seq=1))
        wishes.add(out, Change(add={"exclude": ["/two/"]}), Example(SEEDS[1]), GoOn())

    pausing(session, 10, wish)
    assert complete(session) == "pages"
    told = wishes.wishes(out)
    assert [wish.state for wish in told] == [*["done"] * 3, *["refused"] * 5, *["done"] * 3]
    answers = ("seeds already", "exclude", "strategy", "colour", "no such instruction")
    for said, answer in zip(told[3:8], answers, strict=True):
        assert answer in said.answer
    pause, *carried = logged(out)
    assert pause[2].wish == ""
    assert [(seq, instruction.wish) for seq, _, instruction in carried] == [
        (wish.seq, wish.id) for wish in told if wish.state == "done"
    ]
    assert all(visits >= 10 for _, visits, _ in carried)
    assert carried[1][2].settings == {"pages": 25}
    assert carried[3][2].settings == {"exclude": ["/one/", "/two/"]}
    assert [page.url for page in carried[4][2].examples] == [SEEDS[1]]
    with Run.open(out, writable=False) as run:
        assert sum(visit.fetched for visit in run.visits()) == 25
        assert [mark.relevant for mark in run.marks().values()] == [False]
        assert config_of(run).exclude == ("/one/", "/two/")


def test_what_was_wished_of_a_run_that_stands_is_done_when_it_is_resumed(tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert complete(opened(out, pages=5)) == "pages"
    assert isinstance(resume(out, {}, print), Finished)
    wishes.add(out, Pause(), Stop(), Example("http://no-such-host.test/"), Change({"pages": 8}))
    wishes.add(out, Seeds(["http://no-such-host.test/"]))
    assert complete(opened(out)) == "pages"
    told = wishes.wishes(out)
    assert [wish.state for wish in told] == ["refused", "refused", "refused", "done", "done"]
    assert all("not running" in wish.answer for wish in told[:2])
    assert "no-such-host" in told[2].answer
    with Run.open(out, writable=False) as run:
        assert sum(visit.fetched for visit in run.visits()) == 8
        assert config_of(run).seeds == (*SEEDS, "http://no-such-host.test/")
    assert isinstance(resume(out, {}, print), Finished)


def test_an_example_that_was_not_visited_is_fetched_and_is_no_visit(tmp_path: Path) -> None:
    out = tmp_path / "run"
    session = opened(out, pages=12, seeds=SEEDS[:2])
    other = SEEDS[4]

    def person() -> None:
        wishes.add(out, Example(other))
        while wishes.waiting(out):
            time.sleep(0.05)
        session.instruct(Instruction(pause=False))

    with ThreadPoolExecutor(1) as people:
        pausing(session, 3, lambda visit: people.submit(person))
        assert complete(session) == "pages"
    [_, (_, visits, instruction), _] = logged(out)
    assert [page.url for page in instruction.examples] == [other]
    with Run.open(out, writable=False) as run:
        assert other not in [visit.url for visit in run.visits() if visit.n <= visits]


def test_a_stop_is_logged_ends_the_session_and_the_run_goes_on_when_resumed(tmp_path: Path) -> None:
    out = tmp_path / "run"
    session = opened(out, pages=20)
    pausing(session, 10, lambda visit: wishes.add(out, Stop()))
    assert complete(session) == "stopped"
    assert [instruction.stop for _, _, instruction in logged(out)] == [False, True]
    assert complete(opened(out)) == "pages"
    with Run.open(out, writable=False) as run:
        assert sum(visit.fetched for visit in run.visits()) == 20


def test_a_mark_that_comes_too_late_is_logged_with_the_end_of_the_session(tmp_path: Path) -> None:
    out = tmp_path / "run"
    session = opened(out, pages=5)

    def last(visit: Visit, page: Page | None) -> None:
        if visit.n == 5:  # the crawl ends with it, before it looks for wishes again
            wishes.add(out, Marks({SEEDS[0]: True}), Change({"pages": 9}))

    session.on_visit = last
    assert complete(session) == "pages"
    assert [wish.state for wish in wishes.wishes(out)] == ["done", "waiting"]
    with Run.open(out, writable=False) as run:
        assert list(run.marks()) == [SEEDS[0]]


def test_a_wish_is_carried_out_once_when_the_crawl_is_killed_between_log_and_wish(tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert complete(opened(out, pages=3)) == "pages"
    wishes.add(out, Change(add={"exclude": ["/x/"]}), Marks({SEEDS[0]: False}))
    command = [sys.executable, "-m", "topicrawl.cli", "crawl", "--out", str(out), "--quiet"]
    environment = {**os.environ, "TOPICRAWL_FAULT": "settle:kill"}
    killed = subprocess.run(command, env=environment, timeout=60, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert [wish.state for wish in wishes.wishes(out)] == ["waiting", "waiting"]
    assert [bool(instruction.wish) for _, _, instruction in logged(out)] == [True]
    assert complete(opened(out)) == "pages"
    told = wishes.wishes(out)
    assert [wish.state for wish in told] == ["done", "done"]
    carried = [(seq, instruction.wish) for seq, _, instruction in logged(out) if instruction.wish]
    assert carried == [(wish.seq, wish.id) for wish in told]


def test_wishes_that_cannot_be_read_are_told_and_the_crawl_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert complete(opened(out, pages=3)) == "pages"
    (out / wishes.WISHES).write_bytes(b"no database" * 100)
    session, said = opened(out, pages=5), list[str]()
    session.say = said.append
    assert complete(session) == "pages"
    assert len([sentence for sentence in said if "delete it" in sentence]) == 1
    (out / wishes.WISHES).unlink()
    with closing(sqlite3.connect(out / wishes.WISHES)) as connection:
        connection.execute("CREATE TABLE wishes (other)")
    assert complete(opened(out, pages=7)) == "pages"


def test_a_wish_of_which_nothing_can_be_made_is_refused_and_the_crawl_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert complete(opened(out, pages=3)) == "pages"
    wishes.add(
        out, Change(add={"pages": ["x"]}), Marks({}), Change({"exclude": 7}), Change(add={"exclude": ["/a/"]})
    )
    with closing(sqlite3.connect(out / wishes.WISHES)) as connection, connection:
        connection.execute("UPDATE wishes SET time = 'soon' WHERE number < 3")
        connection.execute("UPDATE wishes SET time = 1e300 WHERE number = 4")
    assert complete(opened(out, pages=5)) == "pages"
    assert [wish.state for wish in wishes.wishes(out)] == ["refused", "refused", "refused", "done"]
    assert [wish.time for wish in wishes.wishes(out)][3] == 0.0


def test_time_and_concurrency_change_while_it_runs(tmp_path: Path) -> None:
    out, pending = tmp_path / "run", dict[int, int]()
    session = opened(out, pages=500, max_time=3600)

    def on_visit(visit: Visit, page: Page | None) -> None:
        pending[visit.n] = len(session.crawl.pending)
        if visit.n == 10:
            session.instruct(Instruction(settings={"concurrency": 4}))
        if visit.n == 40:
            wishes.add(out, Change({"max_time": 0.001}))
            session.instruct(Instruction(pause=True))

    session.on_visit = on_visit
    assert complete(session) == "time"
    assert {pending[n] for n in range(1, 10)} == {0}
    assert max(pending.values()) == 3, "besides the one just told"
