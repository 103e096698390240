"""The report of a comparison: report.html, summary.md and the plots, from the results folder of `topicrawl compare`."""

from __future__ import annotations

from pathlib import Path

from topicrawl.store.disk import disk_errors, write_atomically
from topicrawl_lab.cell_runner import Thresholds
from topicrawl_lab.comparison.evidence import evaluate
from topicrawl_lab.comparison.gather import gather
from topicrawl_lab.comparison.latex import latex
from topicrawl_lab.comparison.page import render
from topicrawl_lab.comparison.plots import write_plots
from topicrawl_lab.comparison.summary import summary
from topicrawl_lab.comparison.sweeps import read_sweeps

REPORT, SUMMARY, SCORES, PLOTS = "report.html", "summary.md", "scores.tex", "plots"


def write_comparison(
    results: Path,
    webs: Path | None = None,
    thresholds: Thresholds | None = None,
    *,
    for_paper: bool = False,
) -> Path:
    """Write the report of a results folder into it, with a summary in Markdown and the plots as SVG and PNG.

    `webs` is the folder of labels; without it, curves by labels are left out. `for_paper` adds the scores as a LaTeX
    table and the plots as PDF. Returns the report's path.
    """
    gathered = gather(results, webs, thresholds)
    evidence, sweeps = evaluate(gathered), read_sweeps(results)
    written = {REPORT: render(gathered, evidence, sweeps), SUMMARY: summary(gathered, evidence)}
    if for_paper:
        written[SCORES] = latex(gathered, evidence)
    with disk_errors(results):
        for name, text in written.items():
            write_atomically(results / name, text.encode("utf-8", errors="replace"))
    write_plots(results / PLOTS, gathered, evidence, sweeps, with_pdf=for_paper)
    return results / REPORT
