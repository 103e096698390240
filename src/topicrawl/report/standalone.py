"""A drawing as an SVG file of its own: with namespace, background, and colours for light and for dark."""

from __future__ import annotations

import re

from topicrawl.report.templates import template

_TOKEN = re.compile(r"--([\w-]+): ([^;]+);")
_USE = re.compile(r"var\(--([\w-]+)\)")


def standalone(svg: str) -> str:
    """A drawing as an SVG file: with namespace, background and both palettes."""
    light, dark = palettes()
    return _with_style(svg, _rules(light) + f"@media (prefers-color-scheme: dark) {{\n{_rules(dark)}}}\n")


def in_light(svg: str) -> str:
    """The same in light colours only, for programs that do not support media queries, and for print."""
    return _with_style(svg, _rules(palettes()[0]))


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
