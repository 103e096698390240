"""Scores as a LaTeX table with marks where the tests show a difference, and plots as PDF with their fonts inside."""

from __future__ import annotations

import io
from pathlib import Path

import pypdf
import pytest

from door_packages import needs
from lab.test_comparison import clearly, evenly, results
from topicrawl.report.charts import harvest_line
from topicrawl_lab.comparison.evidence import evaluate
from topicrawl_lab.comparison.gather import gather
from topicrawl_lab.comparison.latex import escaped, latex


def table(folder: Path) -> str:
    gathered = gather(folder)
    return latex(gathered, evaluate(gathered))


def rows(text: str) -> list[list[str]]:
    lines = [line.removesuffix(r" \\") for line in text.splitlines() if line.endswith(r" \\")]
    return [line.split(" & ") for line in lines]


def test_the_best_is_bold_and_the_others_are_marked_where_the_tests_show_it(tmp_path: Path) -> None:
    text = table(results(tmp_path, clearly))
    head, *body = rows(text)
    assert head == ["task", "bfs", "ops"]
    assert body[0] == ["task-0", "0.233$^{*}$", r"\textbf{0.700}"]
    assert body[-2][0] == "mean"
    assert body[-2][1].endswith("$^{*}$")
    assert body[-1] == ["average rank", "2.00", "1.00"]
    for word in (r"\toprule", r"\midrule", r"\bottomrule", r"\begin{tabular}{lrr}", "ops is better"):
        assert word in text


def test_without_a_significant_difference_there_is_no_mark_in_the_mean(tmp_path: Path) -> None:
    mean = next(row for row in rows(table(results(tmp_path, evenly))) if row[0] == "mean")
    assert not any("$" in cell for cell in mean)


def test_many_strategies_are_rows_and_their_names_are_escaped(tmp_path: Path) -> None:
    names = ("bfs", "ops", "ops[anchor_weight=0.7]")
    head, *body = rows(table(results(tmp_path, clearly, tasks=2, strategies=names)))
    assert head == ["strategy", "task-0", "task-1", "mean", "average rank"]
    assert body[2][0] == r"ops{[}anchor\_weight=0.7{]}"


def test_no_name_becomes_a_command_of_latex() -> None:
    assert escaped("\\input{x} 50% & $x^2$ #1 ~\n") == (
        r"\textbackslash{}input\{x\} 50\% \& \$x\textasciicircum{}2\$ \#1 \textasciitilde{}"
    )


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_plot_as_pdf_has_all_its_fonts_inside() -> None:
    needs("typst")
    from topicrawl_lab.plots.pdf import pdf

    made = pdf(harvest_line([(10, 5), (100, 40)], 640, 280), 'harvest "1" \\ #x')
    assert made == pdf(harvest_line([(10, 5), (100, 40)], 640, 280), 'harvest "1" \\ #x'), "the same bytes"
    reader = pypdf.PdfReader(io.BytesIO(made))
    assert len(reader.pages) == 1
    assert reader.metadata is not None
    assert reader.metadata.title == 'harvest "1" \\ #x'
    assert "40 relevant" in reader.pages[0].extract_text()
    found = list(fonts(reader))
    assert found
    assert all(any(key.startswith("/FontFile") for key in each) for each in found)


def fonts(reader: pypdf.PdfReader) -> list[dict[str, object]]:
    """The descriptors of all fonts, wherever in the file they are."""
    objects = (
        reader.get_object(number) for number in range(1, len(reader.xref_objStm) + len(reader.xref[0]) + 1)
    )
    return [each for each in objects if isinstance(each, dict) and each.get("/Type") == "/FontDescriptor"]
