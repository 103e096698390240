"""Questions about pages in the terminal, one after the other."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import topicrawl
from topicrawl.catalogue.questions import Question
from topicrawl.cli import run as command
from topicrawl.cli.ask import ask
from topicrawl.store.run import Run
from topicrawl.web.invented import invented_web

QUESTIONS = [
    Question(f"http://h.test/{name}", name.upper(), 0.5, 3, "why it is asked", f"text of {name}")
    for name in "abc"
]


def replies(monkeypatch: pytest.MonkeyPatch, *lines: str) -> list[tuple[str, bool | None]]:
    """What is said when these lines are the standard input."""
    said: list[tuple[str, bool | None]] = []
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    count = ask(QUESTIONS, lambda url, relevant: said.append((url[-1], relevant)))
    assert count == sum(relevant is not None for _, relevant in said) - sum(r is None for _, r in said)
    return said


def test_each_answer_is_said_at_once_and_the_input_may_end_early(monkeypatch: pytest.MonkeyPatch) -> None:
    assert replies(monkeypatch, "y", "N") == [("a", True), ("b", False)]


def test_skip_says_nothing_and_quit_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    assert replies(monkeypatch, "skip", "yes", "quit", "y") == [("b", True)]


def test_undo_takes_the_last_answer_back_and_asks_again(monkeypatch: pytest.MonkeyPatch) -> None:
    said = replies(monkeypatch, "u", "y", "s", "undo", "n", "y", "n")
    assert said == [("a", True), ("a", None), ("a", False), ("b", True), ("c", False)]


def test_a_word_that_is_no_answer_is_told_and_asked_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert replies(monkeypatch, "perhaps", "y") == [("a", True)]
    shown = capsys.readouterr()
    assert "'perhaps': write y, n, skip, undo or quit" in shown.err
    assert shown.out.count("1 of 3: A") == 2
    assert "    text of b" in shown.out


def test_an_interruption_keeps_what_was_said(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupted(io.StringIO):
        def readline(self, size: int | None = -1, /) -> str:
            if line := super().readline():
                return line
            raise KeyboardInterrupt

    said: list[bool | None] = []
    monkeypatch.setattr("sys.stdin", Interrupted("y\nn\n"))
    assert ask(QUESTIONS, lambda _, relevant: said.append(relevant)) == 2
    assert said == [True, False]


def test_answers_from_a_pipe_are_marks_of_the_run_and_are_not_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    web, folder, about = invented_web("invented:5"), tmp_path / "run", "rainstorm disaster"
    seeds = tuple(web.seeds(about, 3))
    list(
        topicrawl.crawl_sync(topic=web.topic_spec(about), seeds=seeds, web="invented:5", pages=30, out=folder)
    )
    shown = []
    for answers in ("y\nn\n", ""):
        monkeypatch.setattr("sys.stdin", io.StringIO(answers))
        assert command(["mark", str(folder), "--ask", "3"]) == 0
        shown.append(capsys.readouterr().out)
    with Run.open(folder, writable=False) as run:
        marks = run.marks()
    assert [each.relevant for each in marks.values()] == [True, False]
    assert all(url in shown[0] and url not in shown[1] for url in marks)
    assert "1 of 3: " in shown[1]
