"""The recorded choices of each strategy on a small web: a change of behaviour changes a file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from contracts.small_web import TOPIC, SmallWeb
from topicrawl.crawling.core import Crawl
from topicrawl.judge.registry import own_judge
from topicrawl.strategies.registry import make_strategy, strategy_names

HERE = Path(__file__).parent
REMEDY = (
    "look at the difference, then run TOPICRAWL_GOLDEN=write make test ARGS=tests/golden and commit the file"
)


def choices(name: str, visits: int = 150) -> str:
    web = SmallWeb()
    strategy = make_strategy(name)
    judge = own_judge(strategy.judged_by, TOPIC)
    crawl = Crawl(TOPIC, strategy, web.seeds(), rng_seed=7, judge=judge)
    lines = []
    while len(lines) < visits and (ask := crawl.ask()):
        visit = crawl.tell(ask, web.answer(ask))
        lines.append(f"{visit.n} {visit.asked} {visit.priority:.6f} {visit.relevance:.6f}\n")
    return "".join(lines)


@pytest.mark.parametrize("name", strategy_names())
def test_a_strategy_chooses_as_recorded(name: str) -> None:
    recorded = HERE / f"{name}.txt"
    chosen = choices(name)
    if os.environ.get("TOPICRAWL_GOLDEN") == "write":
        recorded.write_text(chosen)
    assert recorded.exists(), f"{name} has no golden file; {REMEDY}"
    assert chosen == recorded.read_text(), f"{name} chooses differently; {REMEDY}"
