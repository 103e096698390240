"""What a shard does in each turn, beside a real crawl."""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from shards.test_local import server
from topicrawl.frontier.route import Route
from topicrawl.shards.begin import begin_shards
from topicrawl.shards.coordinator import Grant
from topicrawl.shards.member import Member
from topicrawl.shards.messages import Order, Report
from topicrawl.shards.process import session_of
from topicrawl.store.run import Run
from topicrawl.web.invented import invented_web

__all__ = ["server"]
SEEDS = tuple(invented_web("invented:7").seeds("rainstorm disaster", 2))
GIVEN = {"web": "invented:7", "topic": "rainstorm", "seeds": SEEDS, "strategy": "ops", "warc": False}


def crawled(
    out: Path, *answers: Order | Exception | None, given: Mapping[str, Any] = GIVEN
) -> tuple[list[Report], int]:
    """Crawl as the only shard, with these answers to its reports; returns the reports and the number of visits."""
    divided = begin_shards(given, out, Route(1), lambda remark: None)
    divided.lock.release()
    reports, left = list[Report](), list(answers)

    async def exchange(report: Report) -> Order | None:
        reports.append(report)
        answer = left.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    with Run.open(divided.folders["000"]) as run:
        session = session_of(run)
        member = Member(exchange, session.stop)
        session.may_ask, session.is_part = member.may_ask, True
        session.beside = lambda live: [member.turns(live)]
        try:
            asyncio.run(asyncio.wait_for(session.complete(), 60))
        finally:
            visits = run.last_n
    return reports, visits


def test_a_shard_asks_for_what_it_was_granted_and_no_more(tmp_path: Path) -> None:
    granted = Order(Grant(3, -math.inf))
    reports, visits = crawled(
        tmp_path / "run", granted, *[Order(Grant(3, -math.inf))] * 30, Order(stop="pages")
    )
    assert visits == reports[-1].offer.visits == 3
    assert reports[0].offer.asked == 0
    assert reports[-1].offer.pending == 0


def test_a_shard_that_nobody_answers_saves_and_ends(tmp_path: Path) -> None:
    _, visits = crawled(
        tmp_path / "run", Order(Grant(2, -math.inf)), *[Order(Grant(2, -math.inf))] * 10, None
    )
    assert visits == 2
    with Run.open(tmp_path / "run" / "shards" / "000", writable=False) as run:
        assert run.summary is not None
        assert run.summary["stop_reason"] == "interrupted"


def test_whatever_fails_in_a_turn_ends_the_session(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="the pipe is closed"):
        crawled(tmp_path / "run", Order(), RuntimeError("the pipe is closed"))


def test_shards_that_ask_one_address_keep_its_limits_together(
    tmp_path: Path, server: tuple[int, Counter[str]]
) -> None:
    given = {
        **{name: GIVEN[name] for name in ("topic", "strategy", "warc")},
        "seeds": ("http://site0.test/0",),
        "resolve": (f"*.test=127.0.0.1:{server[0]}",),
        "allow_net": ("127.0.0.0/8",),
        "per_address": 4,
        "delay": 0.001,
    }
    many = Order(Grant(1, -math.inf), shared={"127.0.0.1": 10_000})
    reports, visits = crawled(tmp_path / "run", many, *[many] * 30, Order(stop="pages"), given=given)
    assert visits == 0, "after its robots.txt the host rests for most of an hour"
    assert [report.addresses for report in reports if report.addresses is not None][-1] == ["127.0.0.1"]
