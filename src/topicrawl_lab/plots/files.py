"""Plots as files: SVG that brings its own colours (light, and dark where the reader prefers it), and PNG (light)."""

from __future__ import annotations

import re
from pathlib import Path

from topicrawl.report.templates import template
from topicrawl.store.disk import disk_errors, write_atomically

SHARPNESS = 2
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
    """A drawing that can be shown by itself: with a name space, a background and both palettes."""
    light, dark = palettes()
    return _dressed(svg, _rules(light) + f"@media (prefers-color-scheme: dark) {{\n{_rules(dark)}}}\n")


def png(svg: str) -> bytes:
    """The drawing in its light colours as PNG; letters come from the fonts of this machine."""
    import resvg_py

    # resvg knows no media queries
    dressed = _dressed(svg, _rules(palettes()[0]))
    return bytes(resvg_py.svg_to_bytes(svg_string=dressed, zoom=SHARPNESS))


def palettes() -> tuple[dict[str, str], dict[str, str]]:
    """Colours and type for light and for dark, by the names that tokens.css gives them."""
    light_text, _, dark_text = template("tokens.css").partition("@media")
    light = dict(_TOKEN.findall(light_text))
    return light, light | dict(_TOKEN.findall(dark_text))


def _rules(palette: dict[str, str]) -> str:
    css = template("plots.css") + ".ground { fill: var(--sheet); }\n"
    return _USE.sub(lambda use: palette[use[1]], css.partition("*/\n")[2])


def _dressed(svg: str, css: str) -> str:
    head, _, rest = svg.partition(">")
    namespace = 'xmlns="http://www.w3.org/2000/svg"'
    ground = '<rect class="ground" width="100%" height="100%"/>'
    return f"{head} {namespace}><style>{css}</style>{ground}{rest}\n"
