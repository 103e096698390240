"""weights.toml: the weights of the four texts of a link; `topicrawl weights learn` writes it, `crawl` reads it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from topicrawl.errors import ConfigError
from topicrawl.strategies.weights.samples import TEXTS
from topicrawl.toml_text import spell

REMEDY = "make one with: topicrawl weights learn"


def write_weights(
    strategy: str,
    topic: str,
    weights: Sequence[float],
    learned: Mapping[str, Any],
    parameters: Mapping[str, str] | None = None,
) -> str:
    """The content of the file; `parameters` are those of the similarity measure, `learned` facts about learning."""
    compared = [f"{name} = {spell(value)}" for name, value in (parameters or {}).items()]
    lines = [
        "# Written by topicrawl weights learn: what the four texts of a link are worth.",
        f"strategy = {spell(strategy)}",
        f"topic = {spell(topic)}",
        *(f"{name} = {spell(round(float(weight), 6))}" for name, weight in zip(TEXTS, weights, strict=True)),
        *(["", "[parameters]", *compared] if compared else []),
        "",
        "[learned]",
        *(f"{name} = {spell(value)}" for name, value in learned.items()),
    ]
    return "\n".join(lines) + "\n"


class Weights(NamedTuple):
    """The content of a weights file."""

    strategy: str
    """The strategy they were learned for."""
    weights: dict[str, float]
    """As parameters of the strategy."""
    parameters: dict[str, Any]
    """The parameters of the similarity measure."""


def read_weights(content: bytes, source: str) -> Weights:
    """Parse a weights file; `source` is its name, for errors."""
    try:
        table = tomllib.loads(content.decode("utf-8-sig"))
    except ValueError as error:
        raise ConfigError(f"weights {source!r}: is not valid TOML in UTF-8 ({error}); {REMEDY}") from None
    for name in TEXTS:
        weight = table.get(name)
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight < float("inf"):
            raise ConfigError(
                f"weights {source!r}: {name} = {weight!r} is no weight; give 0 or more, or {REMEDY}"
            )
    parameters = table.get("parameters", {})
    if not isinstance(parameters, dict):
        raise ConfigError(f"weights {source!r}: parameters = {parameters!r} is no table; {REMEDY}")
    weights = {f"{name}_weight": float(table[name]) for name in TEXTS}
    return Weights(str(table.get("strategy", "")), weights, parameters)
