"""What the ablation of scout leaves out, and its table (bench/ablation.py)."""

from __future__ import annotations

import sys
from pathlib import Path

from topicrawl_lab.spec import parse_specs
from topicrawl_lab.tasks import Task

sys.path.append(str(Path(__file__).resolve().parents[2]))

from bench.ablation import WITHOUT, table


def task(name: str, web: str) -> Task:
    return Task(name, web, "^x$", "words", 200, 100, ("http://a.test/",), (("http://a.test/",),), (50,))


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
