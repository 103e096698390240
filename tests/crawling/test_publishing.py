"""live.json: written while somebody looks, and only then; a run that stands tells the same from its snapshot."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

from crawling.test_listening import complete, opened, pausing
from topicrawl.crawling.live_state import LiveState
from topicrawl.crawling.publishing import LIVE, WATCHED, WATCHING, live_state_of, look
from topicrawl.model import Instruction, Visit
from topicrawl.store import wishes
from topicrawl.store.run import Run
from topicrawl.store.wishes import GoOn


def test_a_crawl_tells_what_it_does_while_somebody_looks(tmp_path: Path) -> None:
    out, seen = tmp_path / "run", list[LiveState]()
    session = opened(out, pages=12, max_requests=500)

    def watch() -> None:
        while not seen:
            if state := look(out):
                seen.append(state)
            time.sleep(0.05)
        session.instruct(Instruction(pause=False))

    with ThreadPoolExecutor(1) as person:
        pausing(session, 10, lambda visit: person.submit(watch))
        complete(session)
    [told] = seen
    assert told.running
    assert told.paused
    assert told.visits == told.pages + told.failed
    assert told.visits in (10, 11), "one was in flight"
    assert told.failed == sum(told.failures.values())
    assert len(told.next) == min(20, told.waiting)
    assert all(link.reasons for link in told.next)
    assert {limit.setting: limit.most for limit in told.limits} == {"pages": 12, "max_requests": 500}
    assert not (out / LIVE).exists(), "the crawl has ended"
    with Run.open(out, writable=False) as run:
        stands = live_state_of(run)
        assert abs(stands.time - time.time()) < 600
    assert (stands.running, stands.pages, stands.paused) == (False, 12, False)
    assert stands.next
    assert stands.in_flight == []


def test_nobody_looks_and_nothing_is_written(tmp_path: Path) -> None:
    out, found = tmp_path / "run", list[bool]()
    session = opened(out, pages=8)
    (out / WATCHING).parent.mkdir()
    (out / WATCHING).touch()
    long_ago = time.time() - 2 * WATCHED
    os.utime(out / WATCHING, (long_ago, long_ago))

    def later(visit: Visit) -> None:
        time.sleep(1.2)  # longer than from one look to the next
        found.append((out / LIVE).exists())
        wishes.add(out, GoOn())

    pausing(session, 5, later)
    complete(session)
    assert found == [False]


def test_what_is_left_of_a_crawl_that_was_killed_is_not_the_present(tmp_path: Path) -> None:
    out = tmp_path / "run"
    complete(opened(out, pages=3))
    with Run.open(out, writable=False) as run:
        stands = live_state_of(run)
    (out / LIVE).write_bytes(msgspec.json.encode(msgspec.structs.replace(stands, time=time.time() - 60)))
    assert look(out) is None
    assert (out / WATCHING).exists()
    (out / LIVE).write_bytes(b"{")
    assert look(out) is None
