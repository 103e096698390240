"""What each weight and constant of scout is worth in whole crawls: `python -m bench.search FOLDER OUT [CRAWLS]`.

FOLDER is made by `bench.fold_tasks`. A crawl draws web, task, seed set and whether the links of the examples are used;
each weight and constant of `LEVELS` stays as it is in half of the crawls and has its low or its high value in the
others, drawn by itself. Regression of the share of the oracle over these (low −1, as it is 0, high +1), less the mean
of the same task, seed set and use of links, tells the effect of all of them from the same crawls: for each as much as
if it had been tried alone in half of them. Standard errors are the larger of those by residuals and by tasks.

Then in turn each web is left out: a step along the effects that the others have on average, each times its t / 2 (at
most 1), and what the effects on the web left out say of this step.

OUT gets a line for each crawl, 1,500 unless CRAWLS says otherwise: run it again for more; the table is of all lines.
With too few crawls there is no table, but how many are needed.
"""

from __future__ import annotations

import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import msgspec
import numpy as np

from bench.folds import web_of
from topicrawl.frontier import Floats
from topicrawl.judge import rocchio
from topicrawl.scout import features, host_yields, link_words, siblings, templates
from topicrawl.scout.strategy import Scout
from topicrawl_lab.cell import Cell
from topicrawl_lab.cell_runner import CellRunner
from topicrawl_lab.spec import make_spec
from topicrawl_lab.tasks import Task, read_tasks

CRAWLS = 1_500
STEP = 1.6
"""Factor between a value and its low or high one."""
SETS = {"yes": 0, "no": 1}
"""The seed set of crawls with the links of the examples, and without."""
NEW_PAGES = 10.0
"""Added to the squares of each effect: where little was crawled, effects are small."""
CONSTANTS: Mapping[str, tuple[ModuleType, Sequence[float]]] = {
    "PENALTY": (link_words, (0.6, 1.6)),
    "YIELD_PENALTY": (link_words, (1.2, 3.2)),
    "ENOUGH": (link_words, (1.2, 3.3)),
    "FEW": (link_words, (8, 30)),
    "RECENT": (features, (25, 100)),
    "MEAN_PARENTS": (features, (3, 8)),
    "MEAN_SIBLINGS": (siblings, (1, 4)),
    "MEAN_PLACES": (templates, (1.5, 6)),
    "MEAN_LINKS": (templates, (1, 4)),
    "DOUBT": (host_yields, (0.1, 0.6)),
    "FEW_PAGES": (host_yields, (1.5, 6)),
    "STEEPNESS": (rocchio, (4.5, 8)),
    "TOPIC_SHARE": (rocchio, (0.25, 0.9)),
    "BEGINNING": (rocchio, (25, 70)),
    "NEGATIVES": (rocchio, (5, 20)),
    "COMPLETED": (rocchio, (5, 20)),
    "MEAN_PAGES": (rocchio, (1.5, 6)),
}
"""Constants that are read when they are used: the module, the low value and the high one."""
FIELDS = {"a page's beginning": 1, "title": 2, "URL": 3}
"""The judge's fields, by place."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A crawl: what it was, which of `LEVELS` were low (−1) or high (+1), and the share of the oracle."""

    web: str
    task: str
    links: str
    levels: dict[str, int]
    share: float


def main() -> None:
    """Crawl, and print the table."""
    folder, out = Path(sys.argv[1]), Path(sys.argv[2])
    number = int(sys.argv[3]) if len(sys.argv) > 3 else CRAWLS
    tasks = read_tasks(folder / "tasks.json")
    known = [msgspec.json.decode(line, type=Drawn) for line in _lines(out)]
    runner, rng = CellRunner(folder, tasks), random.Random(len(known))
    with out.open("ab") as file:
        for done in range(number):
            known.append(_crawled(runner, _by_web(tasks), rng))
            file.write(msgspec.json.encode(known[-1]) + b"\n")
            file.flush()
            print(f"\r{done + 1}/{number}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    if (few := too_few(known, tasks)) is not None:
        sys.exit(few)
    _print(known)


def levels() -> dict[str, tuple[float, float]]:
    """The low and the high value of each weight and constant, by name."""
    weights = {name: value for name, value in vars(Scout()).items() if name.endswith("_weight")}
    weights |= {name: float(rocchio.FIELDS[place]) for name, place in FIELDS.items()}
    found = {name: (round(value / STEP, 4), round(value * STEP, 4)) for name, value in weights.items()}
    return found | {name: (low, high) for name, (_, (low, high)) in CONSTANTS.items()}


def too_few(drawn: Sequence[Drawn], tasks: Sequence[Task]) -> str | None:
    """What is missing where a web has fewer crawls than its regression has unknowns; None if each has enough.

    Unknown are the effects, and the mean of each task with and without links of the examples.
    """
    by_web, found = _by_web(tasks), Counter(each.web for each in drawn)
    needed = {web: len(levels()) + len(SETS) * len(some) + 1 for web, some in by_web.items()}
    missing = [f"{web} {found[web]} of {needed[web]}" for web in sorted(needed) if found[web] < needed[web]]
    if not missing:
        return None
    most = max(needed.values()) * len(needed)
    return (
        f"too few crawls: {most} needed, as each draws its web; there are {len(drawn)} ({', '.join(missing)})"
    )


@contextmanager
def constants(values: Mapping[str, float]) -> Iterator[None]:
    """Scout with these values of constants and fields."""
    fields = rocchio.FIELDS.copy()
    before = {name: getattr(CONSTANTS[name][0], name) for name in values if name in CONSTANTS}
    try:
        for name, value in values.items():
            if name in CONSTANTS:
                setattr(CONSTANTS[name][0], name, value)
            elif name in FIELDS:
                rocchio.FIELDS[FIELDS[name]] = value
        yield
    finally:
        rocchio.FIELDS[:] = fields
        for name, value in before.items():
            setattr(CONSTANTS[name][0], name, value)


def _crawled(runner: CellRunner, by_web: Mapping[str, Sequence[Task]], rng: random.Random) -> Drawn:
    """A crawl that was drawn."""
    web = rng.choice(sorted(by_web))
    task, links = rng.choice(by_web[web]), rng.choice(sorted(SETS))
    drawn = {name: rng.choice((-1, 1)) for name in levels() if rng.random() < 0.5}
    values = {name: levels()[name][level > 0] for name, level in drawn.items()}
    weights = {name: str(value) for name, value in values.items() if name.endswith("_weight")}
    cell = Cell(task, make_spec("scout", {**weights, "from_examples": links}), SETS[links], 0)
    with constants(values):
        share = runner.judge(cell, runner.crawl(cell).visits, ()).oracle_share
    return Drawn(web, task.name, links, drawn, share)


def _by_web(tasks: Sequence[Task]) -> dict[str, list[Task]]:
    found: dict[str, list[Task]] = defaultdict(list)
    for task in tasks:
        found[web_of(task)].append(task)
    return found


def _lines(out: Path) -> list[bytes]:
    return out.read_bytes().splitlines() if out.exists() else []


@dataclass(frozen=True, slots=True)
class Effects:
    """What each weight and constant does on one web: effects, standard errors, and their covariances."""

    effect: Floats
    error: Floats
    covariance: Floats


def effects(drawn: Sequence[Drawn], names: Sequence[str]) -> Effects:
    """Regression over the crawls of one web, within task and use of links."""
    high = np.array([[each.levels.get(name, 0) for name in names] for each in drawn], np.float64)
    share = np.array([each.share for each in drawn])
    cells = np.unique([f"{each.task} {each.links}" for each in drawn], return_inverse=True)[1]
    for cell in range(int(cells.max()) + 1):
        high[cells == cell] -= high[cells == cell].mean(axis=0)
        share[cells == cell] -= share[cells == cell].mean()
    inverse = np.linalg.inv(high.T @ high + NEW_PAGES * np.eye(len(names)))
    effect = inverse @ (high.T @ share)
    left = share - high @ effect
    free = max(len(drawn) - int(cells.max()) - 1 - len(names), 1)
    covariance = inverse * (left @ left / free)
    tasks = np.unique([each.task for each in drawn], return_inverse=True)[1]
    sums = [high[tasks == task].T @ left[tasks == task] for task in range(int(tasks.max()) + 1)]
    by_task = inverse @ np.array(sums).T @ np.array(sums) @ inverse
    return Effects(effect, np.sqrt(np.maximum(covariance.diagonal(), by_task.diagonal())), covariance)


def _print(drawn: Sequence[Drawn]) -> None:
    names, webs = list(levels()), sorted({each.web for each in drawn})
    found = [effects([each for each in drawn if each.web == web], names) for web in webs]
    effect, error = np.array([each.effect for each in found]), np.array([each.error for each in found])
    mean, doubt = _mean(effect, error)
    print(f"| higher | mean of webs | ± | {' | '.join(webs)} |\n|---|--:|--:|{'--:|' * len(webs)}")
    for place in np.argsort(-np.abs(mean / doubt)):
        each = " | ".join(f"{value:+.3f}" for value in effect[:, place])
        print(f"| {names[place]} | {mean[place]:+.4f} | {doubt[place]:.4f} | {each} |")
    print("\n| web left out | gain of a step along the effects on the others | ± |\n|---|--:|--:|")
    for out, web in enumerate(webs):
        others = np.arange(len(webs)) != out
        towards, unsure = _mean(effect[others], error[others])
        step = np.clip(towards / unsure / 2, -1, 1)
        spread = float(step @ found[out].covariance @ step) ** 0.5
        print(f"| {web} | {step @ effect[out]:+.3f} | {spread:.3f} |")


def _mean(effect: Floats, error: Floats) -> tuple[Floats, Floats]:
    """The mean over webs, and its standard error."""
    return effect.mean(axis=0), np.sqrt(np.square(error).sum(axis=0)) / len(effect)


if __name__ == "__main__":
    main()
