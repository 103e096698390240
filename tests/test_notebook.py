"""The notebook of examples/ runs from top to bottom in a real kernel, and shows what it says."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).resolve().parents[1] / "examples" / "run_in_data_frames.ipynb"


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of the libraries that start a kernel
def test_the_notebook_runs_in_a_kernel_and_shows_the_run(tmp_path: Path) -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "store the notebook without outputs"
    NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute()
    assert (tmp_path / "run" / "summary.json").exists()
    shown = [
        str(output.get("data", {}).get("text/html", output.get("text", "")))
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
    ]
    assert "60 pages from" in shown[0]
    assert "data:image/svg+xml;base64," in shown[0]
    assert "Rain Desk" in "".join(shown[1:])
    assert "<td>False</td>" in shown[-1]
