"""wishes.db: anybody adds, what came of a wish is kept, and nothing in it can harm a run."""

from __future__ import annotations

import multiprocessing
import sqlite3
from pathlib import Path

import pytest

from topicrawl.errors import RunError
from topicrawl.store import wishes
from topicrawl.store.wishes import Body, Change, Example, GoOn, Marks, Pause, Seeds, Stop, Undo, Unknown

BODIES: list[Body] = [
    Marks({"http://a.test/": True, "http://b.test/": None}),
    Change({"pages": 10}, {"exclude": ["/x/"]}),
    *(Seeds(["http://a.test/"]), Example("http://a.test/", False), Pause(), GoOn(), Stop(), Undo(seq=3)),
]


def test_wishes_are_read_as_they_were_added_in_their_order(tmp_path: Path) -> None:
    assert wishes.wishes(tmp_path) == []
    assert wishes.stamp(tmp_path) == wishes.NO_STAMP
    ids = [*wishes.add(tmp_path, *BODIES[:2]), *wishes.add(tmp_path, *BODIES[2:])]
    found = wishes.waiting(tmp_path)
    assert [wish.body for wish in found] == BODIES
    assert [wish.id for wish in found] == ids
    assert len(set(ids)) == len(BODIES)
    assert all(wish.time > 1.7e9 for wish in found)


def test_what_came_of_a_wish_is_kept(tmp_path: Path) -> None:
    first, second, third = wishes.add(tmp_path, Pause(), GoOn(), Stop())
    wishes.settle(tmp_path, first, wishes.DONE, seq=7)
    wishes.settle(tmp_path, second, wishes.REFUSED, answer="no")
    done, refused, _ = wishes.wishes(tmp_path)
    assert (done.state, done.seq) == ("done", 7)
    assert (refused.state, refused.answer) == ("refused", "no")
    assert [wish.id for wish in wishes.waiting(tmp_path)] == [third]


def test_the_stamp_changes_with_every_wish_also_beside_an_open_reader(tmp_path: Path) -> None:
    stamps = [wishes.stamp(tmp_path)]
    wishes.add(tmp_path, Pause())
    stamps.append(wishes.stamp(tmp_path))
    reader = sqlite3.connect(tmp_path / wishes.WISHES)  # keeps the write-ahead log alive
    reader.execute("SELECT * FROM wishes").fetchall()
    for _ in range(3):
        wishes.add(tmp_path, Pause())
        stamps.append(wishes.stamp(tmp_path))
    reader.close()
    assert len(set(stamps)) == 5


def _add_many(run: Path) -> None:
    for number in range(20):
        wishes.add(run, Seeds([f"http://a.test/{number}"]))


def test_processes_add_at_the_same_time(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    others = [context.Process(target=_add_many, args=(tmp_path,)) for _ in range(3)]
    for other in others:
        other.start()
    for other in others:
        other.join(60)
    assert len(wishes.waiting(tmp_path)) == 60


def test_a_wish_of_a_later_version_is_unknown_and_the_others_are_read(tmp_path: Path) -> None:
    wishes.add(tmp_path, Pause())
    with sqlite3.connect(tmp_path / wishes.WISHES) as database:
        database.execute("INSERT INTO wishes (id, time, body) VALUES ('x', 1, '{\"kind\": \"sing\"}')")
    database.close()
    assert [wish.body for wish in wishes.waiting(tmp_path)] == [Pause(), Unknown('{"kind": "sing"}')]


@pytest.mark.parametrize("content", [b"no database" * 100, b""])
def test_a_damaged_file_is_told_with_its_remedy(tmp_path: Path, content: bytes) -> None:
    (tmp_path / wishes.WISHES).write_bytes(content)
    if content:
        with pytest.raises(RunError, match="delete it"):
            wishes.wishes(tmp_path)
        with pytest.raises(RunError, match="delete it"):
            wishes.add(tmp_path, Pause())
    else:
        assert wishes.wishes(tmp_path) == []
