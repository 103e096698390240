"""Writes values as TOML; the standard library only reads it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any


def key(name: str) -> str:
    """`name` as a TOML key."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else spell(name)


def spell(value: Any) -> str:
    """`value` as TOML. (A JSON string is a TOML string, but for DEL, which JSON leaves bare.)"""
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(spell, value)) + "]" if len(value) < 4 else _column(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key(name)} = {spell(each)}" for name, each in value.items()) + "}"
    if isinstance(value, float):
        return repr(value)
    if hasattr(value, "isoformat"):  # a date or time; this module knows no clock
        return str(value.isoformat())
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _column(values: Iterable[Any]) -> str:
    return "[\n" + "".join(f"  {spell(value)},\n" for value in values) + "]"
