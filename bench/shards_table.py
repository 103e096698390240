"""Tables of what `python -m bench.shards` measured: python -m bench.shards_table OUT.csv …

Each row compares crawls in shards with the crawl of the same task in one, untaught: means over tasks, and the 95 %
interval of the mean difference.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable
from statistics import mean, stdev

Key = tuple[str, int, str, bool]
"""Strategy, shards, by what pages are divided, whether there was a teacher."""

WEBS: dict[str, Callable[[str], bool]] = {
    "webkb": lambda task: task.startswith(("course", "faculty", "project", "staff")),
    "debdocs": lambda task: task.startswith("docs-"),
    "invented, 96 hosts each": lambda task: task.startswith("invented") and " 500 hosts" not in task,
    "invented, 500 hosts each": lambda task: " 500 hosts" in task,
    "chemistry": lambda task: task.startswith("chemistry"),
    "all but chemistry": lambda task: not task.startswith("chemistry"),
}


def main() -> None:
    scores: dict[Key, dict[str, tuple[float, float]]] = {}
    for path in sys.argv[1:]:
        with open(path, newline="") as file:  # noqa: PTH123
            for task, strategy, shards, by, taught, score, _, _, cost in csv.reader(file):
                key = strategy, int(shards), by, taught == "True" and strategy == "scout"
                name = task if task.startswith("invented") or task[-2:-1] == " " else f"{task} 0"
                scores.setdefault(key, {})[name] = float(score), float(cost)
    print("| web | strategy | tasks | one | shards | score | difference | relative | ms a page |")
    print("|---|---|--:|--:|--:|--:|--:|--:|--:|")
    for web, belongs in WEBS.items():
        for key, found in sorted(scores.items()):
            strategy, shards, by, taught = key
            one = scores.get((strategy, 1, by, False), {})
            both = [task for task in found if task in one and belongs(task)]
            if shards == 1 or not both:
                continue
            before, after = ([of[task][0] for task in both] for of in (one, found))
            differences = [b - a for a, b in zip(before, after, strict=True)]
            spread = 1.96 * stdev(differences) / len(both) ** 0.5 if len(both) > 1 else 0.0
            taught_words = {("scout", True): ", taught", ("scout", False): ", each alone"}.get(
                (strategy, taught), ""
            )
            print(
                f"| {web} | {strategy}{taught_words} | {len(both)} | {mean(before):.3f} | {shards} | {mean(after):.3f} "
                f"| {mean(differences):+.3f} ± {spread:.3f} | {mean(after) / mean(before) - 1:+.1%} "
                f"| {mean(found[task][1] for task in both):.2f} |"
            )


if __name__ == "__main__":
    main()
