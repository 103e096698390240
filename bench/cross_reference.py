"""Similarity of crawled pages to the query: `python -m bench.cross_reference RESULTS TASKS WEBS [STRATEGY …]`.

RESULTS is the folder of a `topicrawl compare`. The pages that each crawl fetched are compared with the first example
of the task by one measure for all (knowledge/item_similarity.py). Similarity and harvest (above 0.25) are averaged
over ninths of the budget, the paper's nine rounds, and over whole crawls; the first STRATEGY is tested against the
others named, or against all others.
"""

from __future__ import annotations

import csv
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

from topicrawl.crawling.offline import OfflinePages
from topicrawl.knowledge.item_similarity import ItemSimilarity
from topicrawl.knowledge.terms import page_terms
from topicrawl_lab.cell import Cell
from topicrawl_lab.results import Results
from topicrawl_lab.spec import parse_specs
from topicrawl_lab.statistics import holm, permutation_test
from topicrawl_lab.tasks import Task, read_tasks

ROUNDS = 9
HARVEST = 0.25
TUNNELS = ("railway", "course", "faculty", "project", "staff")


def main() -> None:
    """Measure and print tables in Markdown."""
    folder, tasks, webs = Path(sys.argv[1]), read_tasks(Path(sys.argv[2])), Path(sys.argv[3])
    results = Results(folder)
    known = {task.name: task for task in tasks}
    with (folder / "results.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if not row.get("error") and row["task"] in known]
    named = [str(parse_specs(name)[0]) for name in sys.argv[4:]]
    if len(named) > 1:
        rows = [row for row in rows if row["strategy"] in named]
    similarities: dict[str, dict[str, list[float]]] = defaultdict(dict)
    shares: dict[str, dict[str, float]] = defaultdict(dict)
    opened: dict[str, OfflinePages] = {}
    for row in sorted(rows, key=lambda row: row["task"]):
        task = known[row["task"]]
        offline = opened.setdefault(task.web, OfflinePages(webs / f"{task.web}.warc.gz"))
        cell = Cell(task, parse_specs(row["strategy"])[0], int(row["seed_set"]), int(row["rng_seed"]))
        visits, _ = results.read_log(cell)
        measure = _measure(task, offline)
        similarities[row["strategy"]][task.name] = [measure(visit.url) for visit in visits if visit.fetched]
        shares[row["strategy"]][task.name] = float(row["oracle_share"])
    _tables(similarities, shares, named[0] if named else next(iter(similarities)))


_MEASURES: dict[str, object] = {}
_TERMS: dict[str, dict[str, int]] = {}


def _measure(task: Task, offline: OfflinePages):  # type: ignore[no-untyped-def]
    """The similarity of a page to the task's first example; terms of pages are cached."""
    if task.name not in _MEASURES:
        page = offline.outcome(task.examples[0]).page
        assert page is not None
        similarity, kept = ItemSimilarity(page_terms(page)), dict[str, float]()

        def measure(url: str) -> float:
            if url not in kept:
                if url not in _TERMS:
                    found = offline.outcome(url).page
                    _TERMS[url] = page_terms(found) if found else {}
                kept[url] = similarity.of_terms(_TERMS[url])
            return kept[url]

        _MEASURES[task.name] = measure
    return _MEASURES[task.name]


def _tables(
    similarities: dict[str, dict[str, list[float]]], shares: dict[str, dict[str, float]], first: str
) -> None:
    common = sorted(set.intersection(*(set(found) for found in similarities.values())))
    print(f"{len(common)} queries\n")
    for kind, value in (
        ("similarity", np.mean),
        ("harvest", lambda part: np.mean(np.asarray(part) > HARVEST)),
    ):
        print(f"{kind} by ninths of the budget\n")
        print("| strategy | " + " | ".join(str(n + 1) for n in range(ROUNDS)) + " | all |")
        print("|---" * (ROUNDS + 2) + "|")
        for name, found in similarities.items():
            parts = [
                [value(part) for part in np.array_split(found[task], ROUNDS) if len(part)] for task in common
            ]
            means = np.mean([part for part in parts if len(part) == ROUNDS], axis=0)
            whole = np.mean([value(found[task]) for task in common])
            print(f"| `{name}` | " + " | ".join(f"{mean:.3f}" for mean in means) + f" | {whole:.3f} |")
        print()
    print("share of the oracle, by labels\n")
    hard = [task for task in common if any(word in task for word in TUNNELS)]
    print(f"| strategy | all {len(common)} | hubs and tunnels {len(hard)} | the others |")
    print("|---|---|---|---|")
    for name, found in shares.items():
        parts = [common, hard, [task for task in common if task not in hard]]
        print(
            f"| `{name}` | "
            + " | ".join(f"{np.mean([found[task] for task in part]):.3f}" for part in parts)
            + " |"
        )
    print("\npaired tests (permutation, Holm over all of a column): difference of means, p\n")
    _tests(similarities, shares, common, first)


def _tests(
    similarities: dict[str, dict[str, list[float]]],
    shares: dict[str, dict[str, float]],
    common: list[str],
    first: str,
) -> None:
    others = [name for name in similarities if name != first]
    print(f"| `{first}` less | similarity | harvest | share of the oracle |")
    print("|---|---|---|---|")
    measures = (
        lambda name, task: float(np.mean(similarities[name][task])),
        lambda name, task: float(np.mean(np.asarray(similarities[name][task]) > HARVEST)),
        lambda name, task: shares[name][task],
    )
    columns = []
    for measure in measures:
        own = [measure(first, task) for task in common]
        theirs = [[measure(other, task) for task in common] for other in others]
        p = holm([permutation_test(own, each) for each in theirs])
        gaps = [np.mean(own) - np.mean(each) for each in theirs]
        columns.append([f"{gap:+.3f}, p = {each:.3f}" for gap, each in zip(gaps, p, strict=True)])
    for place, other in enumerate(others):
        print(f"| `{other}` | " + " | ".join(column[place] for column in columns) + " |")


if __name__ == "__main__":
    main()
