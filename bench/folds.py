"""Weights of scout chosen on some webs and judged on others: `python -m bench.folds FOLDER OUT [EVERY]`.

FOLDER is made by `bench.fold_tasks`; with EVERY only every so many tasks are used. In turn each web is left out:
weights are fitted (fit_weights.py) to logged decisions of the others and crawl its tasks. The webs with most tasks are
split too, wikispeedia by subject and webkb by draw, and each part is crawled with weights fitted to all but it. Beside
it: the weights by hand, and those fitted to all. Share of the oracle, first seed set.

OUT becomes a folder with the logged decisions, the weights and a line for each crawl: run it again to resume. Files of
another behaviour of scout are left alone.
"""

from __future__ import annotations

import csv
import pickle
import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean

import msgspec

from bench.decisions import Decision, decisions
from bench.fit_weights import fitted
from bench.fold_tasks import INVENTED
from topicrawl.scout.strategy import Scout
from topicrawl_lab.cell import Cell
from topicrawl_lab.cell_runner import CellRunner
from topicrawl_lab.spec import Spec, make_spec
from topicrawl_lab.tasks import Task, read_tasks

BY_HAND = {
    **{"parents": 0.5, "text": 0.5, "token": 1.0, "group": 0.5, "company": 0.5, "hub": 0.5, "near": 0.3},
    **{"home": 0.4, "front": 0.3, "share": 0.6, "word": 0.15, "around": 0.1, "path": 0.5, "page": 0.5},
    **{"host_yield": 0.3, "host_ratio": 1.0, "outward": 1.0},
}
"""The weights set by hand, which fitted ones are shrunk towards."""
MERGED = {"in_anchor": "word", "in_url": "word", "in_heading": "around", "in_title": "around"}
"""Features that share a parameter: it gets the mean of their weights."""
DIGITS = 2


def main() -> None:
    """Log, fit, crawl and print the table."""
    folder, out = Path(sys.argv[1]), Path(sys.argv[2])
    every = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    out.mkdir(parents=True, exist_ok=True)
    tasks = read_tasks(folder / "tasks.json")[::every]
    runner = CellRunner(folder, tasks)
    version = f"scout-{Scout.behaviour}"
    logged = _logged(runner, tasks, out / f"decisions-{version}.pickle")
    print(f"{sum(map(len, logged.values()))} decisions of {len(tasks)} tasks", file=sys.stderr)
    weights = _weights(tasks, logged)
    (out / "weights.json").write_bytes(msgspec.json.format(msgspec.json.encode(weights), indent=1))
    with Shares(runner, out / f"shares-{version}.csv") as shares:
        _print(tasks, weights, shares)


class Shares:
    """The share of the oracle that weights reach in a task; each crawl is made once and kept in a file."""

    def __init__(self, runner: CellRunner, path: Path) -> None:
        self._runner, self._path = runner, path
        self._known: dict[tuple[str, str], float] = {}
        if path.exists():
            with path.open(encoding="utf-8", newline="") as file:
                self._known = {(task, spec): float(share) for task, spec, share in csv.reader(file)}

    def __enter__(self) -> Shares:
        self._file = self._path.open("a", encoding="utf-8", newline="")
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __call__(self, task: Task, weights: Mapping[str, float]) -> float:
        spec = _spec(weights)
        key = (task.name, str(spec))
        if key not in self._known:
            cell = Cell(task, spec, 0, 0)
            self._known[key] = self._runner.judge(cell, self._runner.crawl(cell).visits, ()).oracle_share
            csv.writer(self._file).writerow((*key, self._known[key]))
            self._file.flush()
        return self._known[key]


def web_of(task: Task) -> str:
    """The web that a task counts for; the invented ones are one."""
    return "invented" if task.web in INVENTED else task.web


def part_of(task: Task) -> str:
    """The part of its web that is left out with it: a draw of webkb, half of the subjects of wikispeedia."""
    if task.web == "webkb":
        return f"webkb, draw {task.name[-1]}"
    half = "first" if task.name < "history" else "second"
    return f"wikispeedia, {half} subjects" if task.web == "wikispeedia" else ""


def _logged(runner: CellRunner, tasks: Sequence[Task], path: Path) -> dict[str, list[Decision]]:
    """The decisions of each task."""
    found: dict[str, list[Decision]] = pickle.loads(path.read_bytes()) if path.exists() else {}
    for task in tasks:
        if task.name not in found:
            found[task.name] = decisions(Cell(task, _spec(BY_HAND), 0, 0), runner.task_web(task))
            path.write_bytes(pickle.dumps(found))
    return found


def _weights(tasks: Sequence[Task], logged: Mapping[str, list[Decision]]) -> dict[str, dict[str, float]]:
    """The weights fitted to all tasks, and for each web and part those fitted to the others."""

    def fit(kept: Callable[[Task], bool]) -> dict[str, float]:
        by_web: dict[str, list[Decision]] = defaultdict(list)
        for task in filter(kept, tasks):
            by_web[web_of(task)] += logged[task.name]
        return _parameters(fitted(by_web, _features(BY_HAND)))

    left_out = {"": fit(lambda _: True)}
    for name in {web_of(task): None for task in tasks}:
        left_out[name] = fit(lambda task, name=name: web_of(task) != name)  # type: ignore[misc]
    for name in {part_of(task): None for task in tasks if part_of(task)}:
        left_out[name] = fit(lambda task, name=name: part_of(task) != name)  # type: ignore[misc]
    return left_out


def _features(weights: Mapping[str, float]) -> dict[str, float]:
    return {**weights, **{feature: weights[name] for feature, name in MERGED.items()}}


def _parameters(weights: Mapping[str, float]) -> dict[str, float]:
    own = {name: weight for name, weight in weights.items() if name not in MERGED}
    for name in set(MERGED.values()):
        own[name] = fmean(weights[feature] for feature, shared in MERGED.items() if shared == name)
    return {name: round(weight, DIGITS) for name, weight in own.items()}


def _spec(weights: Mapping[str, float]) -> Spec:
    return make_spec("scout", {f"{name}_weight": str(weight) for name, weight in weights.items()})


def _print(tasks: Sequence[Task], weights: Mapping[str, Mapping[str, float]], shares: Shares) -> None:
    print("| web | tasks | by hand | tuned on all | left out |\n|---|--:|--:|--:|--:|")
    rows: dict[str, list[float]] = {}
    for name in list(weights)[1:]:
        some = [task for task in tasks if name in (web_of(task), part_of(task))]
        rows[name] = [
            fmean(shares(task, one) for task in some) for one in (BY_HAND, weights[""], weights[name])
        ]
        print(
            f"| {name} | {len(some)} | " + " | ".join(f"{share:.3f}" for share in rows[name]) + " |",
            flush=True,
        )
    webs = {web_of(task) for task in tasks}
    means = [fmean(column) for column in zip(*(rows[web] for web in webs), strict=True)]
    print(f"| mean of webs | {len(tasks)} | " + " | ".join(f"{share:.3f}" for share in means) + " |")


if __name__ == "__main__":
    main()
