"""`topicrawl mark` and `topicrawl tell`: what they say, and what they leave in the run."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

import topicrawl
from topicrawl.cli import run
from topicrawl.errors import UsageError
from topicrawl.store import wishes
from topicrawl.store.run import Run

Crawl = Callable[..., int]


@pytest.fixture
def crawled(crawl: Crawl, here: Path) -> Path:
    assert crawl("--quiet", "--pages", "6", "--no-warc") == 0
    return here / "run"


def pages(crawled: Path) -> list[str]:
    with Run.open(crawled, writable=False) as opened:
        return [visit.url for visit in opened.visits() if visit.fetched]


def marks(crawled: Path) -> dict[str, bool | None]:
    with Run.open(crawled, writable=False) as opened:
        return {url: mark.relevant for url, mark in opened.marks().items()}


def test_pages_are_marked_listed_and_forgotten(crawled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two, three, *_ = pages(crawled)
    assert run(["mark", "run", one, two, "--irrelevant"]) == 0
    assert "2 pages marked; links are weighed anew when the run is resumed" in capsys.readouterr().out
    assert run(["mark", "run", three, "--relevant"]) == 0
    assert run(["mark", "run", one, "--forget"]) == 0
    assert marks(crawled) == {two: False, three: True}
    capsys.readouterr()
    assert run(["mark", "run", "--list"]) == 0
    assert capsys.readouterr().out == f"irrelevant\t{two}\nrelevant\t{three}\n"


def test_it_says_which_other_pages_are_judged_otherwise(
    crawl: Crawl, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same told by exports made before and after."""
    assert crawl("--quiet", "--pages", "40", "--no-warc", "--judge", "examples", "--strategy", "bfs") == 0

    def exported() -> dict[str, bool]:
        assert run(["export", "run", "--out", "-"]) == 0
        rows = map(json.loads, capsys.readouterr().out.splitlines())
        return {row["url"]: row["relevance_now"] > 0.5 for row in rows}

    before = exported()
    wrong = [url for url, is_relevant in before.items() if is_relevant][:4]
    capsys.readouterr()
    assert run(["mark", "run", *wrong, "--irrelevant"]) == 0
    said = capsys.readouterr().out.splitlines()
    after = exported()
    moved = {url for url in after if after[url] != before[url]} - {*wrong}
    assert moved, "marks that move no other page show nothing here"
    assert said[0].startswith("4 pages marked")
    assert said[1].startswith(f"{len(moved)} other page")
    assert said[1].endswith(f"{sum(after.values())} of {len(after)} relevant, before {sum(before.values())}")
    assert {line.split()[-1] for line in said[2:7]} <= moved


def test_marks_come_from_a_table(crawled: Path, here: Path) -> None:
    one, two, three, *_ = pages(crawled)
    (here / "marks.csv").write_text(f"url,relevant\n{one},1\n{two},no\n{three},yes\n{three},\n")
    assert run(["mark", "run", "--from", "marks.csv"]) == 0
    assert marks(crawled) == {one: True, two: False}
    assert len(wishes.wishes(crawled)) == 1, "one instruction for all"


WRONG = {
    "{page}": "add --relevant, --irrelevant or --forget",
    "--relevant": "no URL",
    "": "give URLs with --relevant",
    "{page} --relevant --forget": "give one of them",
    "{page} --relevant --list": "give URLs with --relevant",
    "{page}x --relevant": "similar: {page}",
    "http://no-such-host.test/ --relevant": "of no-such-host.test 0 pages were visited",
    "mailto:me --relevant": "no http or https URL",
    "--from none.csv": "cannot be read",
    "--from bare.csv": "url,relevant as first line",
    "--from bad.csv": "line 3: 'maybe' is no verdict",
    "--from empty.csv": "no line",
}


def test_what_cannot_be_marked_or_told_is_said_with_a_remedy(
    crawled: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = pages(crawled)[0]
    (here / "bare.csv").write_text(f"{page},1\n")
    (here / "bad.csv").write_text(f"url,relevant\n{page},1\n{page},maybe\n")
    (here / "empty.csv").write_text("url,relevant\n")
    for arguments, said in WRONG.items():
        assert run(["mark", "run", *arguments.format(page=page).split()]) == 2
        assert said.format(page=page) in capsys.readouterr().err
    for arguments, said in {"": "say one", "--pause --history": "say one", "pages": "NAME=VALUE"}.items():
        assert run(["tell", "run", *arguments.split()]) == 2
        assert said in capsys.readouterr().err
    assert wishes.wishes(crawled) == []


def test_a_folder_that_is_no_run_is_refused(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["mark", ".", "--list"], ["tell", ".", "--pause"]):
        assert run(command) == 2
        assert "is not a run" in capsys.readouterr().err
    assert list(here.iterdir()) == []


def test_a_page_that_was_not_visited_is_marked_if_that_is_wanted(crawled: Path) -> None:
    url = "http://no-such-host.test/"
    assert run(["mark", "run", url, "--irrelevant", "--unvisited"]) == 0
    assert marks(crawled) == {url: False}


def test_questions_are_answered_line_by_line(crawled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("y\nn\n"))
    assert run(["mark", "run", "--ask", "2"]) == 0
    assert sorted(map(str, marks(crawled).values())) == ["False", "True"]


def test_a_run_that_stands_is_told_and_follows_when_it_is_resumed(
    crawled: Path, crawl: Crawl, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["tell", "run", "pages=8", "--exclude", "/x/", "--seed", "http://no-such-host.test/"]) == 0
    assert "when the run is resumed" in capsys.readouterr().err
    assert run(["status", "run"]) == 0
    assert "2 wait to be carried out" in capsys.readouterr().out
    assert run(["tell", "run", "--history"]) == 0
    told = "waiting: pages: 8; exclude: added /x/\nwaiting: 1 further seed: http://no-such-host.test/\n"
    assert capsys.readouterr().out == told
    assert run(["crawl", "--out", "run", "--quiet"]) == 0
    assert len(pages(crawled)) == 8
    capsys.readouterr()
    assert run(["tell", "run", "--history"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert "pages: 6 → 8; exclude: added /x/" in first
    assert "seed http://no-such-host.test/  (cannot be taken back)" in second
    number = first.split()[0]
    assert run(["tell", "run", "--undo", number]) == 0
    assert run(["crawl", "--out", "run", "--quiet", "--pages", "9"]) == 0
    with topicrawl.Run(crawled) as read:
        assert read.config.exclude == ()
        assert read.history()[-1].what == ["exclude: removed /x/"], "the pages have changed since"


def test_the_python_interface_marks_and_asks(crawled: Path) -> None:
    with topicrawl.Run(crawled) as read:
        assert read.mark(pages(crawled)[0], False).state == "done"
        assert read.change(pages=7).state == "waiting"
        for control in (read.pause, read.go_on, read.stop):
            with pytest.raises(UsageError, match="no crawl is running"):
                control()
        assert [entry.what for entry in read.history()] == [[f"not relevant {pages(crawled)[0]}"]]
