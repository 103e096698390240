"""weights.toml: what the four texts of a link are worth; `topicrawl weights learn` writes it, `crawl` takes it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from topicrawl.errors import ConfigError
from topicrawl.settings import spell
from topicrawl.weights.samples import TEXTS

REMEDY = "make one with: topicrawl weights learn"


def write_weights(strategy: str, topic: str, weights: Sequence[float], learned: Mapping[str, Any]) -> str:
    """The file; `learned` says how the weights came about, for those who wonder later."""
    lines = [
        "# Written by topicrawl weights learn: what the four texts of a link are worth.",
        f"strategy = {spell(strategy)}",
        f"topic = {spell(topic)}",
        *(f"{name} = {spell(round(float(weight), 6))}" for name, weight in zip(TEXTS, weights, strict=True)),
        "",
        "[learned]",
        *(f"{name} = {spell(value)}" for name, value in learned.items()),
    ]
    return "\n".join(lines) + "\n"


def read_weights(content: bytes, source: str) -> tuple[str, dict[str, float]]:
    """The strategy that weights were learned for, and the weights as its parameters."""
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
    return str(table.get("strategy", "")), {f"{name}_weight": float(table[name]) for name in TEXTS}
