"""A crawl carries out what is wished of its run: while it runs, when it is resumed, exactly once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from topicrawl.crawling.lifecycle import begin, resume
from topicrawl.crawling.session import Session, run_loop
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
    Seeds,
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
    session = resume(out, given, print) if out.exists() else begin(Config(**GIVEN, **given), out, print)
    assert isinstance(session, Session)
    return session


def complete(session: Session) -> str:
    """Crawl to the end; returns why it stopped."""
    assert session.run is not None
    with session.run:
        return str(run_loop(session.complete())["stop_reason"])


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
        wishes.add(out, Change({"colour": "red"}), Example("http://no-such-host.test/"), Undo(seq=1))
        wishes.add(out, Change(add={"exclude": ["/two/"]}), Example(SEEDS[1]), GoOn())

    pausing(session, 10, wish)
    assert complete(session) == "pages"
    told = wishes.wishes(out)
    assert [wish.state for wish in told] == [*["done"] * 3, *["refused"] * 6, *["done"] * 3]
    answers = ("seeds already", "exclude", "strategy", "colour", "no-such-host", "no such instruction")
    for said, answer in zip(told[3:9], answers, strict=True):
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
