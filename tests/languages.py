"""Short texts in twenty languages, our own, for tests of what is not English (languages.toml)."""

from __future__ import annotations

from pathlib import Path

import msgspec


class Texts(msgspec.Struct):
    """Texts in one language."""

    subject: str
    pages: list[str]
    other: str = ""


TEXTS = msgspec.toml.decode(Path(__file__).with_suffix(".toml").read_bytes(), type=dict[str, Texts])
