"""Which visits of a watched run count."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec

from store.writer import ask, told
from topicrawl.model import Event, Turn
from topicrawl.store.run import Run
from topicrawl.store.standing import fetched_anew, replaced

OLD, PAGE = "http://a.example/old", "http://a.example/page"


def visited(n: int, asked: str, url: str, status: int = 200) -> list[Event]:
    """The events of a visit to `asked` that ended at `url`."""
    event = told(n)
    visit = msgspec.structs.replace(event.visit, asked=asked, url=url, status=status, fetched=status == 200)
    return [ask(n), replace(event, visit=visit, response=None)]


def test_a_page_found_through_a_redirect_and_fetched_anew_counts_once(tmp_path: Path) -> None:
    with Run.create(tmp_path / "run", "", warc=False) as run:
        run.write([*visited(1, OLD, PAGE), Turn(1.0, 1.0, 1), *visited(2, PAGE, PAGE)])
        assert (fetched_anew(run), replaced(run)) == ({2}, {1})
        run.write(visited(3, PAGE, PAGE, 404))
        assert replaced(run) == {1, 2}


def test_a_page_that_moved_to_a_known_page_counts_as_that_page(tmp_path: Path) -> None:
    with Run.create(tmp_path / "run", "", warc=False) as run:
        run.write([*visited(1, OLD, OLD), *visited(2, PAGE, PAGE), Turn(1.0, 1.0, 1), *visited(3, OLD, PAGE)])
        assert (fetched_anew(run), replaced(run)) == ({3}, {1, 2})
