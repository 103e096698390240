"""Makes the background tables in src/topicrawl/topic/terms/data from two downloaded packages.

    pip download --no-deps spacy-lookups-data==1.0.5
    pip download --no-deps --no-binary jieba jieba==0.42.1
    python tools/background_tables.py spacy_lookups_data-1.0.5-*.whl jieba-0.42.1.tar.gz

A table has a line for each level: the level, then its words. A word of level n makes up exp(-n/4) of running text.
"""

from __future__ import annotations

import gzip
import json
import math
import re
import sys
import tarfile
import zipfile
from collections import defaultdict
from pathlib import Path

DATA = Path(__file__).resolve().parents[1] / "src" / "topicrawl" / "topic" / "terms" / "data"
RAREST = {"en": 2e-7, "zh": 1e-6}
"""Least rate of a word in the table; rarer words are left out and count as equally rare."""
STEPS = 4
"""Levels per factor of e: rates are exact to about an eighth."""


def english(wheel: Path) -> dict[str, float]:
    """Rate of each word: upper and lower case taken together."""
    with zipfile.ZipFile(wheel) as archive:
        packed = archive.read("spacy_lookups_data/data/en_lexeme_prob.json.gz")
    rates: dict[str, float] = defaultdict(float)
    for word, logarithm in json.loads(gzip.decompress(packed)).items():
        if re.fullmatch(r"[a-z]{2,}(?:-[a-z]+)*", word.lower()):
            rates[word.lower()] += math.exp(logarithm)
    return rates


def chinese(sdist: Path) -> dict[str, float]:
    """Rate of each word, single characters included."""
    with tarfile.open(sdist) as archive:
        member = archive.extractfile(f"{sdist.name.removesuffix('.tar.gz')}/jieba/dict.txt")
        assert member is not None
        lines = [line.split() for line in member.read().decode().splitlines()]
    total = sum(int(count) for _, count, _ in lines)
    return {word: int(count) / total for word, count, _ in lines}


def write(language: str, rates: dict[str, float]) -> None:
    """The table of `language`; the same bytes for the same rates."""
    levels: dict[int, list[str]] = defaultdict(list)
    for word, rate in rates.items():
        if rate >= RAREST[language]:
            levels[round(-STEPS * math.log(rate))].append(word)
    text = "".join(f"{level} {' '.join(sorted(words))}\n" for level, words in sorted(levels.items()))
    (DATA / f"background.{language}.txt.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    write("en", english(Path(sys.argv[1])))
    write("zh", chinese(Path(sys.argv[2])))
