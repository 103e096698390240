"""Repeats the crawls of a bundle and compares: logs byte for byte, results value for value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from topicrawl_lab.bundle import RESULTS, TASKS, Bundle
from topicrawl_lab.cell import Cell
from topicrawl_lab.cell_runner import Thresholds
from topicrawl_lab.compare import Comparison
from topicrawl_lab.results import Results, Row, read_rows
from topicrawl_lab.spec import parse_specs
from topicrawl_lab.tasks import read_tasks

COSTS = ("seconds", "pages_per_cpu_second")
"""Columns of results.csv that no two runs share."""


@dataclass(frozen=True)
class Repeated:
    """What came of repeating."""

    cells: int
    differences: tuple[str, ...]


def repeat(
    bundle: Bundle,
    webs: Path,
    work: Path,
    *,
    most: int | None = None,
    jobs: int = 1,
    on_row: Callable[[Row, Sequence[str]], None] = lambda row, waiting: None,
) -> Repeated:
    """Crawl the cells of a bundle again, `most` of them spread evenly, in the empty folder `work`."""
    bundle.unpack(RESULTS, work / "then")
    (work / TASKS).write_bytes(bundle.read(TASKS))
    tasks, rows = read_tasks(work / TASKS), read_rows(work / "then" / "results.csv")
    chosen = rows if most is None or most >= len(rows) else [rows[i * len(rows) // most] for i in range(most)]
    comparison = Comparison(
        tasks=[task for task in tasks if any(row.task == task.name for row in chosen)],
        specs=list(dict.fromkeys(spec for row in chosen for spec in parse_specs(row.strategy, "words"))),
        webs=webs,
        all_tasks=tasks,
        rng_repeats=_rng_repeats(chosen, {task.name: len(task.seed_sets) for task in tasks}),
        caps=list(dict.fromkeys(None if row.cap == "none" else int(row.cap) for row in chosen)),
        thresholds=Thresholds(bundle.manifest.threshold, bundle.manifest.similarity),
        jobs=jobs,
    )
    keys = {row.key for row in chosen}
    then, now = Results(work / "then"), Results(work / "now")
    again = {row.key: row for row in comparison.run(now, on_row=on_row, only=keys)}
    cells = {cell.key: cell for cell in comparison.cells() if cell.key in keys}
    differences = [
        text
        for row in chosen
        for text in _differences(row, again.get(row.key), cells.get(row.key), then, now)
    ]
    return Repeated(len(chosen), tuple(differences))


def _rng_repeats(rows: Sequence[Row], seed_sets: dict[str, int]) -> int:
    return max((row.rng_seed - row.seed_set) // seed_sets[row.task] + 1 for row in rows)


def _differences(
    row: Row, again: Row | None, cell: Cell | None, then: Results, now: Results
) -> Iterator[str]:
    name = f"{row.strategy} on {row.task}, seed set {row.seed_set}"
    if again is None or cell is None:
        yield f"{name}: it cannot be repeated"
        return
    if again.error:
        yield f"{name}: {again.error}"
        return
    before, after = (
        results.log(cell).read_bytes().splitlines() if results.log(cell).is_file() else []
        for results in (then, now)
    )
    if before != after:
        same = next((n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), None)
        at = min(len(before), len(after)) if same is None else same
        yield f"{name}: its log differs from visit {at + 1} on"
    old, new = asdict(row), asdict(again)
    changed = [column for column in old if column not in COSTS and old[column] != _stored(new[column])]
    if changed:
        column = changed[0]
        yield f"{name}: {column} was {old[column]}, and is {_stored(new[column])}"


def _stored(value: object) -> object:
    """A value as results.csv has it."""
    return round(value, 6) if isinstance(value, float) else value
