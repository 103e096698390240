"""What the benches of docs/evidence/ count and leave out (bench/fold_tasks.py, search.py, ablation.py)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from topicrawl_lab.spec import parse_specs
from topicrawl_lab.tasks import Task

sys.path.append(str(Path(__file__).resolve().parents[2]))

from bench.ablation import WITHOUT, table
from bench.fold_tasks import FEWEST_FOUND, within_reach
from bench.search import Drawn, levels, too_few


def task(name: str, web: str = "wiki", found: tuple[int, ...] = (50, 50)) -> Task:
    return Task(name, web, "^x$", "words", 200, 100, ("http://a.test/",), (("http://a.test/",),) * 2, found)


def test_a_task_is_left_out_where_one_seed_set_leads_to_few_targets(
    capsys: pytest.CaptureFixture[str],
) -> None:
    kept = task("kept", found=(FEWEST_FOUND, 90))
    assert within_reach([kept, task("lost", found=(90, FEWEST_FOUND - 1))]) == [kept]
    assert capsys.readouterr().err == f"lost is left out: its oracle finds {FEWEST_FOUND - 1}\n"


def test_a_search_says_how_many_crawls_each_web_lacks() -> None:
    tasks = [task("a", "archwiki"), task("b", "zhdocs"), task("c", "zhdocs")]
    needed = {"archwiki": len(levels()) + 3, "zhdocs": len(levels()) + 5}
    drawn = [Drawn(web, "a", "yes", {}, 0.5) for web in needed for _ in range(needed[web])]
    assert too_few(drawn, tasks) is None
    said = too_few(drawn[:-1], tasks)
    assert said is not None
    assert said.startswith(f"too few crawls: {2 * needed['zhdocs']} needed")
    assert f"(zhdocs {needed['zhdocs'] - 1} of {needed['zhdocs']})" in said
    assert "archwiki 0 of" in str(too_few([], tasks))


def test_each_part_of_the_ablation_is_switched_off_by_parameters_of_its_own() -> None:
    specs = [str(parse_specs(f"scout[{parameters}]")[0]) for parameters in WITHOUT.values()]
    assert len({*specs, "scout"}) == len(WITHOUT) + 1


def test_the_ablation_is_in_order_of_loss_with_a_column_for_each_web() -> None:
    tasks = [task("a", "archwiki"), task("b", "archwiki"), task("c", "zhdocs")]
    lines = table(tasks, [0.5, 0.7, 0.9], {"little": [0.5, 0.7, 0.84], "much": [0.2, 0.4, 0.9]})
    assert lines[0] == "The whole, 3 tasks: 0.700 (archwiki 0.600, zhdocs 0.900)"
    assert "| archwiki | zhdocs |" in lines[2]
    assert [line.split(" | ")[:3] for line in lines[4:]] == [
        ["| much", "0.500", "-0.200"],
        ["| little", "0.680", "-0.020"],
    ]
    assert lines[4].endswith("| -0.300 | +0.000 |")
