"""How a sink is written in the settings. This module is small: the command line reads it at every start."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

FORMATS = ("parquet", "jsonl")
TABLE_NAMES = ("visits", "pages", "links", "index")


@dataclass(frozen=True)
class Spec:
    """A sink as `--sink` names it: `parquet:PLACE` or `jsonl:PLACE`."""

    format: str
    where: str

    def __str__(self) -> str:
        return f"{self.format}:{self.where}"


def read_spec(text: str) -> Spec:
    """The sink that `text` names; the `ValueError` of a bad one says why."""
    form, colon, where = text.partition(":")
    if not colon or form not in FORMATS or not where.strip():
        raise ValueError(f"{text!r}; write {' or '.join(f'{each}:PLACE' for each in FORMATS)}")
    if "://" in where and "@" in where.partition("://")[2].partition("/")[0]:
        raise ValueError(
            "its URL has a user or a password; leave both out, and give them as the store's package reads them, such "
            "as AWS_ACCESS_KEY_ID"
        )
    return Spec(form, where)


def full_spec(text: str) -> str:
    """A sink with the full path of its folder, so that a run can be resumed from any folder."""
    spec = read_spec(text)
    return text if "://" in spec.where else str(Spec(spec.format, str(Path(spec.where).resolve())))
