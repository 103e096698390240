"""`topicrawl mark RUN --ask N`: asks about the pages that are worth it, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from topicrawl.safe_text import one_line
from topicrawl.terminal import note, reply_to, say

if TYPE_CHECKING:
    from topicrawl.catalogue.questions import Question

ANSWERS = {"y": True, "yes": True, "n": False, "no": False}
SKIP, UNDO, QUIT = ("s", "skip", ""), ("u", "undo"), ("q", "quit")
CHOICES = "y, n, skip, undo or quit"
LETTERS = 160


def ask(questions: Sequence[Question], answer: Callable[[str, bool | None], object]) -> int:
    """Ask all questions, in order; returns how many were answered.

    `answer` is called with URL and verdict as soon as one is given, with None where it is taken back, so that an
    interruption loses nothing.
    """
    if not questions:
        note("no page of this run is worth a question: all are marked, or none was fetched")
    answered: list[int] = []
    place = 0
    try:
        while place < len(questions):
            _show(questions[place], place + 1, len(questions))
            word = reply_to(f"relevant? {CHOICES}:")
            word = word if word is None else word.lower()
            if word is None or word in QUIT:
                break
            if word in ANSWERS:
                answer(questions[place].url, ANSWERS[word])
                answered.append(place)
                place += 1
            elif word in SKIP:
                place += 1
            elif word in UNDO and answered:
                place = answered.pop()
                answer(questions[place].url, None)
            else:
                note("nothing to undo" if word in UNDO else f"{one_line(word, 20)!r}: write {CHOICES}")
    except KeyboardInterrupt:
        say("")
    return len(answered)


def _show(question: Question, number: int, of: int) -> None:
    say(f"{number} of {of}: {one_line(question.title or question.url, LETTERS)}")
    for line in (question.url, question.snippet, question.reason):
        if line:
            say("    " + one_line(line, LETTERS + 40))
