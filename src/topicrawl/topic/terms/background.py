"""Word rates in general text, with which the words of a corpus are compared.

The tables are made by tools/background_tables.py; data/NOTICE.md names their sources.
"""

from __future__ import annotations

import gzip
from functools import cache
from importlib.resources import files

from topicrawl.floats import exp1

TABLES = ("en", "zh")
STEPS = 4
"""A word of level n makes up exp(-n / STEPS) of running text."""
RAREST = 1e-7
"""Rate of a word that is in no table."""

Rates = dict[str, float]
"""Word -> the share of running text that it makes up."""


@cache
def background(language: str) -> Rates:
    """The table of `language`, about 50,000 words; an empty one where there is none. Read in about 20 ms."""
    if language not in TABLES:
        return {}
    packed = files(__package__).joinpath(f"data/background.{language}.txt.gz").read_bytes()
    return parse(gzip.decompress(packed).decode())


def parse(text: str) -> Rates:
    """The table in `text`: a line per level, the level first, then its words."""
    rates: Rates = {}
    for line in text.splitlines():
        level, *words = line.split(" ")
        rates.update(dict.fromkeys(words, exp1(-int(level) / STEPS)))
    return rates
