"""The plots of a comparison as files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from topicrawl_lab.comparison import figures
from topicrawl_lab.comparison.evidence import Evidence
from topicrawl_lab.comparison.gather import Gathered
from topicrawl_lab.comparison.sweeps import Sweep, drawing
from topicrawl_lab.plots.curves import multiples
from topicrawl_lab.plots.files import write_plot

WIDTH, COLUMNS = 980, 4


def write_plots(
    folder: Path,
    gathered: Gathered,
    evidence: Evidence | None,
    sweeps: Sequence[Sweep] = (),
    *,
    with_pdf: bool = False,
) -> list[Path]:
    """Write every plot as SVG and as PNG, and perhaps as PDF."""
    drawn = (*_drawn(gathered, evidence), *_swept(sweeps))
    return [path for name, svg in drawn for path in write_plot(folder, name, svg, with_pdf=with_pdf)]


def _drawn(gathered: Gathered, evidence: Evidence | None) -> Iterator[tuple[str, str]]:
    if evidence is not None:
        yield "ranks", figures.ranks(evidence, WIDTH)
    for measure in figures.measures(gathered):
        yield measure.letter, figures.overall(gathered, measure, WIDTH, 400)
        panels = [(task, figures.task_bands(gathered, task, measure)) for task in gathered.tasks]
        yield f"{measure.letter}-tasks", multiples(f"{measure.letter} by task", panels, WIDTH, COLUMNS)


def _swept(sweeps: Sequence[Sweep]) -> Iterator[tuple[str, str]]:
    for sweep in sweeps:
        if draw := drawing(sweep):
            yield f"sweep-{sweep.strategy}", draw(WIDTH // 2)
