"""Plots as files: SVG with embedded colours (light, or dark by the reader's preference), and PNG (light)."""

from __future__ import annotations

import re
from pathlib import Path

from topicrawl.report.templates import template
from topicrawl.store.disk import disk_errors, write_atomically

SCALE = 2
"""Pixels of a PNG per CSS pixel."""
_TOKEN = re.compile(r"--([\w-]+): ([^;]+);")
_USE = re.compile(r"var\(--([\w-]+)\)")


def write_plot(folder: Path, name: str, svg: str) -> list[Path]:
    """Write a drawing as `name`.svg and `name`.png; returns the two paths."""
    made = {f"{name}.svg": standalone(svg).encode(), f"{name}.png": png(svg)}
    with disk_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for file, content in made.items():
            write_atomically(folder / file, content)
    return [folder / file for file in made]


def standalone(svg: str) -> str:
    """A drawing as an SVG file: with namespace, background and both palettes."""
    light, dark = palettes()
    return _with_style(svg, _rules(light) + f"@media (prefers-color-scheme: dark) {{\n{_rules(dark)}}}\n")


def png(svg: str) -> bytes:
    """The drawing in light colours as PNG; uses the fonts of this machine."""
    import resvg_py

    # resvg does not support media queries
    styled = _with_style(svg, _rules(palettes()[0]))
    return bytes(resvg_py.svg_to_bytes(svg_string=styled, zoom=SCALE))


def palettes() -> tuple[dict[str, str], dict[str, str]]:
    """The design tokens for light and for dark, by their names in tokens.css."""
    light_text, _, dark_text = template("tokens.css").partition("@media")
    light = dict(_TOKEN.findall(light_text))
    return light, light | dict(_TOKEN.findall(dark_text))


def _rules(palette: dict[str, str]) -> str:
    css = template("plots.css") + ".ground { fill: var(--sheet); }\n"
    return _USE.sub(lambda use: palette[use[1]], css.partition("*/\n")[2])


def _with_style(svg: str, css: str) -> str:
    head, _, rest = svg.partition(">")
    namespace = 'xmlns="http://www.w3.org/2000/svg"'
    ground = '<rect class="ground" width="100%" height="100%"/>'
    return f"{head} {namespace}><style>{css}</style>{ground}{rest}\n"
