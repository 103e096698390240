"""Converts Princeton's WordNet 3.0 files to the tables of the package (described in docs/wordnet.md).

    python tools/convert_wordnet.py DICT OUT

It runs when the wheel is built, in an empty environment, so it needs the standard library only.
The same input gives the same bytes.
"""

from __future__ import annotations

import re
import sys
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
POS_OF_SENSE_TYPE = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
HYPERNYM_POINTERS = {"@", "@i"}
_SYNTACTIC_MARK = re.compile(r"\((?:a|p|ip)\)$")

Key = tuple[str, int]
"""A synset of the source: part of speech and byte offset in its file."""


@dataclass
class Synset:
    """A synset of the tables.

    `count` is the number of its tags in WordNet's sense-tagged texts plus 1, so that none is 0; `frequency` is the sum
    of the counts of the synset and of all its hyponyms, each once.
    """

    key: Key
    words: list[str]
    parents: list[Key]
    count: int = 1
    frequency: int = 0


def convert(source: Path, out: Path) -> None:
    """Write the tables of the WordNet in the folder `source` into the folder `out`."""
    synsets = read_synsets(source)
    above = ancestors(synsets)
    for key, synset in synsets.items():
        for ancestor in above[key]:
            synsets[ancestor].frequency += synset.count
    # A synset has a smaller frequency than its parents, so this puts parents first.
    ordered = sorted(synsets.values(), key=lambda s: (list(FILES).index(s.key[0]), -s.frequency, s.key[1]))
    number = {synset.key: i for i, synset in enumerate(ordered)}
    senses = read_senses(source)
    words = sorted(senses, key=str.encode)
    word_number = {word: i for i, word in enumerate(words)}

    out.mkdir(parents=True, exist_ok=True)
    (out / "totals.i32").unlink(
        missing_ok=True
    )  # written last: its presence means that all tables are complete
    (out / "words.txt").write_bytes("\n".join(words).encode())
    (out / "exceptions.txt").write_bytes("\n".join(exceptions(source)).encode())
    licence = (source / "LICENSE").read_text(encoding="ascii").splitlines()
    (out / "LICENSE").write_bytes("".join(f"{line.rstrip()}\n" for line in licence).encode())
    write_rows(out / "senses", ([number[key] for key in senses[word]] for word in words))
    write_rows(out / "members", ([word_number[word] for word in synset.words] for synset in ordered))
    write_rows(out / "parents", (sorted(number[key] for key in synset.parents) for synset in ordered))
    write_rows(out / "ancestors", (sorted(number[key] for key in above[synset.key]) for synset in ordered))
    write(out / "offsets.i32", (synset.key[1] for synset in ordered))
    write(out / "frequencies.i32", (synset.frequency for synset in ordered))
    write(out / "sizes.i32", (sum(synset.key[0] == pos for synset in ordered) for pos in FILES))
    write(out / "totals.i32", (sum(s.count for s in ordered if s.key[0] == pos) for pos in FILES))


def read_synsets(source: Path) -> dict[Key, Synset]:
    """All synsets with their counts."""
    synsets = {}
    for pos, name in FILES.items():
        for line in lines(source / f"data.{name}"):
            synset = read_synset(pos, line)
            synsets[synset.key] = synset
    for line in lines(source / "index.sense"):
        sense_key, offset, _, tagged = line.split()
        pos = POS_OF_SENSE_TYPE[sense_key.partition("%")[2][0]]
        synsets[pos, int(offset)].count += int(tagged)
    return synsets


def read_synset(pos: str, line: str) -> Synset:
    """`offset lex_file type n (word id)×n p (pointer offset pos from/to)×p … | gloss`, n in hexadecimal."""
    offset, _, _, count, *rest = line.partition("|")[0].split()
    end = 2 * int(count, 16)
    words = [normalised(_SYNTACTIC_MARK.sub("", word)) for word in rest[:end:2]]
    pointers = rest[end + 1 : end + 1 + 4 * int(rest[end])]
    parents = [
        (to_pos, int(to))
        for symbol, to, to_pos in zip(pointers[::4], pointers[1::4], pointers[2::4], strict=True)
        if symbol in HYPERNYM_POINTERS
    ]
    return Synset((pos, int(offset)), list(dict.fromkeys(words)), parents)


def read_senses(source: Path) -> dict[str, list[Key]]:
    """The synsets of every word: nouns, verbs, adjectives, adverbs, each from the most used sense down."""
    senses: dict[str, list[Key]] = defaultdict(list)
    for pos, name in FILES.items():
        for line in lines(source / f"index.{name}"):
            word, _, count, *rest = line.split()
            senses[normalised(word)] += [(pos, int(offset)) for offset in rest[-int(count) :]]
    return senses


def ancestors(synsets: dict[Key, Synset]) -> dict[Key, set[Key]]:
    """Every synset with itself and all its hypernyms."""
    above: dict[Key, set[Key]] = {}

    def climb(key: Key) -> set[Key]:
        if key not in above:
            above[key] = {key}.union(*(climb(parent) for parent in synsets[key].parents))
        return above[key]

    for key in synsets:
        climb(key)
    return above


def exceptions(source: Path) -> Iterator[str]:
    """Lines `pos inflected base…`, tab-separated: the irregular words."""
    for pos, name in FILES.items():
        for line in lines(source / f"{name}.exc"):
            yield "\t".join((pos, *map(normalised, line.split())))


def normalised(word: str) -> str:
    """A word in lower case, with spaces."""
    return word.replace("_", " ").lower()


def lines(path: Path) -> Iterator[str]:
    """The lines of a file, stripped, without the licence at its beginning."""
    with path.open(encoding="ascii") as file:
        yield from (line.strip() for line in file if not line.startswith("  "))


def write_rows(path: Path, rows: Iterable[list[int]]) -> None:
    """Write rows of different lengths: their values concatenated, and where each row starts (and the last ends)."""
    listed = list(rows)
    write(path.with_suffix(".i32"), (value for row in listed for value in row))
    write(path.with_suffix(".starts.i32"), accumulate(map(len, listed), initial=0))


def write(path: Path, values: Iterable[int]) -> None:
    """Write little-endian 32-bit integers."""
    packed = array("i", values)
    if sys.byteorder == "big":
        packed.byteswap()
    path.write_bytes(packed.tobytes())


if __name__ == "__main__":
    convert(Path(sys.argv[1]), Path(sys.argv[2]))
