"""Plots as files: SVG with embedded colours (light, or dark by the reader's preference), PNG and PDF (light)."""

from __future__ import annotations

from pathlib import Path

from topicrawl.report.standalone import in_light, standalone
from topicrawl.store.disk import disk_errors, write_atomically
from topicrawl_lab.plots.pdf import pdf

SCALE = 2
"""Pixels of a PNG per CSS pixel."""


def write_plot(folder: Path, name: str, svg: str, *, with_pdf: bool = False) -> list[Path]:
    """Write a drawing as `name`.svg and `name`.png, and perhaps `name`.pdf; returns the paths."""
    made = {f"{name}.svg": standalone(svg).encode(), f"{name}.png": png(svg)}
    if with_pdf:
        made[f"{name}.pdf"] = pdf(svg, name)
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for file, content in made.items():
            write_atomically(folder / file, content)
    return [folder / file for file in made]


def png(svg: str) -> bytes:
    """The drawing in light colours as PNG; uses the fonts of this machine."""
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=in_light(svg), zoom=SCALE))
