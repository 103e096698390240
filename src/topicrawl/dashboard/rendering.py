"""Turns templates into HTML. Every text is escaped; characters that deceive a reader are removed (safe_text)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from typing import Any
from urllib.parse import quote, urlencode

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from topicrawl.report import tables
from topicrawl.report.templates import template
from topicrawl.safe_text import UNSAFE, one_line

PACKAGE = "topicrawl.dashboard.templates"

SHOWN = 0.0005
"""A smaller factor of a priority is shown as none."""


@cache
def environment() -> Environment:
    """The templates, with the ways to write numbers that the report has."""
    made = Environment(
        autoescape=True,
        loader=FunctionLoader(lambda name: template(name, PACKAGE)),
        undefined=StrictUndefined,
        finalize=_clean,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "amount": tables.amount,
        "size": tables.bytes_of,
        "duration": tables.duration,
        "share": lambda value: f"{value:.0%}",
        "score": lambda value: f"{value:.3f}",
        "short": lambda text, most=200: one_line(str(text), most),
        "query": urlencode,
        "segment": lambda text: quote(str(text), safe=""),
        "limit": _limit,
        "strongest": _strongest,
        "weightless": lambda factors: [name for name, value in factors.items() if abs(value) < SHOWN],
        "address": _address,
        "twice": lambda text: (text, text),
        "priority": lambda value, unranked: f"{value:.4f}" if math.isfinite(value) else unranked,
    }
    made.tests["web_address"] = lambda url: str(url).startswith(("http://", "https://"))
    return made


def _strongest(factors: Mapping[str, float], most: int) -> list[tuple[str, float]]:
    """The factors that count most, without those that say nothing."""
    told = [each for each in factors.items() if abs(each[1]) >= SHOWN]
    return sorted(told, key=lambda each: -abs(each[1]))[:most]


def render(name: str, values: Mapping[str, Any]) -> str:
    """The template `name` with these values."""
    return environment().get_template(name).render(values)


def markup(html: str) -> Markup:
    """HTML that our own code made and escaped, such as a chart of the report."""
    return Markup(html)  # noqa: S704


def _clean(value: Any) -> Any:
    """What a template writes, without characters that deceive a reader; newlines and tabs stay."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return UNSAFE.sub(" ", value)
    return value


def _address(line: str) -> tuple[str, str]:
    """A line in two: what is before the address of a page at its end, and that; empty where it ends with none."""
    before, _, last = line.rpartition(" ")
    return (before, last) if before and last.startswith(("http://", "https://")) else (line, "")


def _limit(value: float, setting: str) -> str:
    """An amount of what a setting limits."""
    if setting == "max_bytes":
        return tables.bytes_of(value)
    return tables.duration(value) if setting == "max_time" else tables.amount(value)
