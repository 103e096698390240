"""What labels add to `xref`: `python -m bench.similar WEB.labels.csv RUN …`.

RUNs are crawls of a recorded web whose pages are labelled by subject. Sixty pages of each are queries, those that share
a subject with at least six others; of the ten most similar pages of the run, the share with a subject of the query is
averaged. Similarity is Eq. (3) without labels, and with labels that weigh all the same, 1 + ln of how often the
page says them, or the square root of that, which is `xref`.
"""

from __future__ import annotations

import csv
import random
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from topicrawl.catalogue.catalogue import Catalogue
from topicrawl.knowledge.similar import Weigh, similar_items
from topicrawl.knowledge.terms import page_terms
from topicrawl.setup.run_config import config_of
from topicrawl.store.run import Run
from topicrawl_lab.statistics import permutation_test

QUERIES, SHARED, FIRST = 60, 6, 10
WEIGHTS: dict[str, Weigh] = {
    "no labels": np.zeros_like,
    "all the same": np.ones_like,
    "1 + ln": lambda said: 1 + np.log(said),
    "square root (xref)": np.sqrt,
}


def main() -> None:
    """Print the mean of each way, and tests against the first."""
    subjects: dict[str, set[str]] = defaultdict(set)
    with Path(sys.argv[1]).open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            subjects[row["url"]].add(row["label"])
    shares: dict[str, list[float]] = defaultdict(list)
    for path in sys.argv[2:]:
        with Run.open(Path(path), writable=False) as run, Catalogue(run, config_of(run)) as catalogue:
            measure(catalogue, subjects, shares)
    for name, found in shares.items():
        p = permutation_test(found, shares["no labels"])
        print(f"{name:20} {np.mean(found):.3f}  p = {p:.3f}  ({len(found)} queries)")


def measure(catalogue: Catalogue, subjects: Mapping[str, set[str]], shares: dict[str, list[float]]) -> None:
    """Add the share of each query of a run."""
    urls = [found.url for found in catalogue.found]
    drawn, used = list(range(len(urls))), 0
    random.Random(5).shuffle(drawn)
    for query in drawn:
        same = np.array([bool(subjects[urls[query]] & subjects[url]) for url in urls])
        page = catalogue.run.page(urls[query])
        if same.sum() < SHARED or page is None or used == QUERIES:
            continue
        used, counts = used + 1, page_terms(page)
        for name, weigh in WEIGHTS.items():
            scores = similar_items(catalogue.learner, counts, weigh).relevance[0]
            scores = scores[catalogue.learner.queries :]
            best = [place for place in np.argsort(-scores, kind="stable").tolist() if place != query][:FIRST]
            shares[name].append(float(same[best].mean()))


if __name__ == "__main__":
    main()
