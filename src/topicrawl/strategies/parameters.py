"""A strategy's parameters: name, default, the paper's symbol and meaning, declared once for help and docs."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from topicrawl.errors import ConfigError
from topicrawl.strategies import Strategy

PUBLISHED_PAGES = 15_000
"""Length of the crawls in the papers that have parameters counted in pages of the whole crawl."""
MOST = 10**9
"""Bound of numbers, and of their negatives, that declare none: sums of their products stay finite, and whole numbers
fit into every column."""
_SHOWN = 40
"""Characters of a value that an error shows."""
_YES_NO = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a strategy."""

    name: str
    default: Any
    help: str
    symbol: str = ""
    where: str = ""
    choices: tuple[str, ...] = ()
    low: float = -math.inf
    high: float = math.inf
    scales: bool = False


def parameter(
    default: Any,
    help: str,  # noqa: A002
    *,
    symbol: str = "",
    where: str = "",
    choices: tuple[str, ...] = (),
    low: float = -math.inf,
    high: float = math.inf,
    scales: bool = False,
) -> Any:
    """A dataclass field with the paper's symbol, where the paper defines it, and its valid values.

    A number is always bounded: by `MOST` where it declares no bound.
    With `scales` it counts pages of the paper's whole crawl: comparisons scale it with the length of the crawl.
    """
    if _is_number(type(default)):
        most = max(MOST, abs(default))
        low, high = (low if math.isfinite(low) else -most), (high if math.isfinite(high) else most)
    facts = {"help": help, "symbol": symbol, "where": where, "choices": choices, "low": low, "high": high}
    return dataclasses.field(default=default, metadata=facts | {"scales": scales})


def parameters(strategy: type) -> list[Parameter]:
    """The parameters of a strategy class, in the order it declares them."""
    return [
        Parameter(field.name, field.default, **field.metadata)
        for field in dataclasses.fields(strategy)
        if field.init and field.metadata
    ]


def scaled(strategy: type, pages: int) -> dict[str, int]:
    """The parameters of a strategy class that count pages of the paper's whole crawl, at a crawl of `pages` pages."""
    return {
        each.name: max(1, round(each.default * pages / PUBLISHED_PAGES))
        for each in parameters(strategy)
        if each.scales
    }


def with_presets(strategy: type[Strategy], given: Mapping[str, Any]) -> dict[str, Any]:
    """`given`, completed by the presets (`presets` of the class) that it names; explicit values win."""
    presets = strategy.presets
    named = [presets[key].get(value, {}) for key, value in given.items() if key in presets]
    return {key: value for preset in (*named, given) for key, value in preset.items()}


def read_settings(name: str, strategy: type, settings: Mapping[str, Any]) -> dict[str, Any]:
    """`settings` (strings from `--set`, or TOML values) as arguments of the strategy called `name`."""
    known = {parameter.name: parameter for parameter in parameters(strategy)}
    for key in settings:
        if key not in known:
            near = get_close_matches(key, known, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(known) or 'none'}"
            raise ConfigError(f"strategy {name!r} has no parameter {key!r}; {hint}")
    return {key: _read(f"{name}.{key}", known[key], value) for key, value in settings.items()}


def _is_number(kind: type) -> bool:
    return kind in (int, float)


def _read(name: str, wanted: Parameter, value: Any) -> Any:
    kind = type(wanted.default)
    try:
        read = _YES_NO[str(value).lower()] if kind is bool else kind(value)
        if kind is int and read != value and not isinstance(value, str):
            raise ValueError("a fraction")
    except (KeyError, TypeError, ValueError, OverflowError):
        what = {int: "whole number", float: "number"}.get(kind, kind.__name__)
        raise ConfigError(
            f"{name} = {_shown(value)} is not a {what}{_bounds(wanted)}; default {wanted.default!r}"
        ) from None
    if wanted.choices and read not in wanted.choices:
        raise ConfigError(f"{name} = {_shown(value)} is unknown; choose one of {', '.join(wanted.choices)}")
    if _is_number(kind) and not wanted.low <= read <= wanted.high:  # also where it is no number
        raise ConfigError(f"{name} = {_shown(value)} is out of range; give a number{_bounds(wanted)}")
    return read


def _shown(value: Any) -> str:
    try:
        text = repr(value)
    except ValueError:  # a number of more digits than Python writes
        return "this"
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _bounds(wanted: Parameter) -> str:
    if not _is_number(type(wanted.default)):
        return ""
    return f" from {_written(wanted.low)} to {_written(wanted.high)}"


def _written(bound: float) -> str:
    return f"{int(bound):,}" if bound == int(bound) and abs(bound) <= MOST else f"{bound:g}"
