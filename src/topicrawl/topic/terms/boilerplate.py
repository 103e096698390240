"""Removes boilerplate (menus, footers, licences), which would otherwise dominate the terms.

In twenty pages of one site the most frequent words are those on every page. Blocks of text (lines) that
many pages of a host share are left out: long ones by themselves, short ones together with their neighbour, since a
menu repeats as a sequence while a heading like "Research interests" is shared by pages that go on differently.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise

from topicrawl.topic.corpus import Document
from topicrawl.topic.letters import fold

SHARED = 0.15
"""Share of a host's pages beyond which a long block, or a pair of blocks, is boilerplate."""
ENOUGH = 10
"""Number of pages that is enough for that, whatever their share."""
COMMON = 0.5
"""Share of a host's pages beyond which even a short block is boilerplate."""
LONG = 60
"""Least characters of a block that is not repeated by chance."""

_VARYING = re.compile(r"(?<!\S)\S*(?:://|www\.|@)\S*|\d+|\W+")
"""Parts that vary in the same footer on different pages: addresses, dates, counts, punctuation."""

Key = str | tuple[str, str]


def without_boilerplate(documents: Sequence[Document]) -> list[str]:
    """The text of each document without what it shares with others of its host."""
    hosts: dict[str, list[int]] = defaultdict(list)
    for number, document in enumerate(documents):
        hosts[document.host].append(number)
    texts = [""] * len(documents)
    for numbers in hosts.values():
        for number, text in zip(numbers, _own([documents[n].text for n in numbers]), strict=True):
            texts[number] = text
    return texts


def _own(texts: list[str]) -> Iterator[str]:
    pages = [text.split("\n") for text in texts]
    keys = [[_key(block) for block in blocks] for blocks in pages]
    repeated = Counter(key for blocks in keys for key in set(_units(blocks)))
    single = Counter(key for blocks in keys for key in set(blocks))
    shared = max(2, min(ENOUGH, int(SHARED * len(texts)) + 1))
    common = max(2, int(COMMON * len(texts)) + 1)
    for blocks, here in zip(pages, keys, strict=True):
        gone = [repeated[key] >= shared or single[key] >= common for key in here]
        for at, pair in enumerate(pairwise(here)):
            if repeated[pair] >= shared:
                gone[at] = gone[at + 1] = True
        yield "\n".join(block for block, out in zip(blocks, gone, strict=True) if not out)


def _units(blocks: list[str]) -> Iterator[Key]:
    """The units that are counted: long blocks, and pairs of neighbours.

    Numbers are removed before: "Lecture 1" and "Lecture 2" become equal blocks, whose pair is not counted as a menu.
    """
    yield from (block for block in blocks if len(block) >= LONG)
    yield from (pair for pair in pairwise(blocks) if pair[0] != pair[1])


def _key(block: str) -> str:
    return _VARYING.sub(" ", fold(block)).strip()
