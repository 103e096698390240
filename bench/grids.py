"""The grid searches of two papers: `python -m bench.grids r2|alpha OUT SCALE REPEATS`.

IELP tried link thresholds r2 from 0.1 to 0.3 and found 0.12 best; FCITS_OH tried page thresholds α from 0.5 to 0.8 and
found 0.70 (tourism) and 0.62 (rainstorm) best. Each value is a crawler of its own in the paper's experiment
(see `topicrawl reproduce`); all are judged by the published threshold and by the truth of the invented web.
Links at or below r2 are discarded for good, as published; otherwise the threshold would only change their order.
"""

from __future__ import annotations

import csv
import os
import sys
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from topicrawl_lab.reproduce import fcits_oh, ielp
from topicrawl_lab.reproduce.design import Crawler, Setup
from topicrawl_lab.reproduce.experiment import Scaled
from topicrawl_lab.reproduce.run import reproduce

R2 = ("0.05", "0.10", "0.12", "0.15", "0.20", "0.25", "0.30")
ALPHA = ("0.5", "0.55", "0.6", "0.62", "0.65", "0.7", "0.75", "0.8")


GRIDS = {
    "r2": (ielp.SETUP, "ielp[discarded=never,link_threshold={}]", R2),
    "alpha": (fcits_oh.SETUP, "fcits_oh[page_threshold={}]", ALPHA),
}


def main() -> None:
    """Run one grid and print its means."""
    name, out, scale, repeats = sys.argv[1:]
    scaled = Scaled(_grid(name, *GRIDS[name]), float(scale), int(repeats))
    reproduce(scaled, Path(out), os.cpu_count() or 1)
    print(f"{name}: {scaled.budget} pages, {repeats} repeats")
    _show(Path(out))


def _grid(name: str, setup: Setup, spec: str, values: tuple[str, ...]) -> Setup:
    crawlers = tuple(Crawler(f"{name}={value}", (spec.format(value),)) for value in values)
    return replace(setup, crawlers=crawlers, claims=(), published=())


def _show(folder: Path) -> None:
    with (folder / "results.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    last = max(int(row["pages"]) for row in rows)
    found: defaultdict[tuple[str, str], list[dict[str, str]]] = defaultdict(list)
    for row in rows:
        if int(row["pages"]) == last:
            found[row["subject"], row["crawler"]].append(row)
    for (subject, crawler), group in found.items():
        means = (
            f"{name} {fmean(float(row[name]) for row in group):.3f}" for name in ("HR", "harvest_rate_truth")
        )
        print(f"  {subject}, {crawler}: {', '.join(means)}")


if __name__ == "__main__":
    main()
