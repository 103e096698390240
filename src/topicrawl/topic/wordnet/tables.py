"""The tables of WordNet in the package, made at build time by tools/convert_wordnet.py."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

from topicrawl.model import Ints, ints
from topicrawl.topic.wordnet.morphology import Exceptions, read_exceptions
from topicrawl.topic.wordnet.taxonomy import Rows
from topicrawl.topic.wordnet.vocabulary import Vocabulary

WRITTEN_LAST = "totals.i32"
"""Where it is missing, the others may be incomplete."""


@dataclass(frozen=True)
class Tables:
    """Synsets are numbered by part of speech (n, v, a, r), then from the most frequent down, so that parents come
    before their children.

    A frequency is how often a synset, or one below it, was tagged in WordNet's sense-tagged texts, plus one for each
    synset (smoothing).
    """

    vocabulary: Vocabulary
    exceptions: Exceptions
    senses: Rows
    """Word -> its synsets: by part of speech, then from the most used down."""
    members: Rows
    """Synset -> its words, its name first."""
    parents: Rows
    """Synset -> its hypernyms, including those it is an instance of."""
    ancestors: Rows
    """Synset -> itself and its ancestors."""
    offsets: Ints
    """Synset -> its offset in the data file of WordNet 3.0, part of its usual identifier."""
    frequencies: Ints
    sizes: Ints
    """How many synsets of nouns, verbs, adjectives and adverbs there are."""
    totals: Ints
    """How many observations of nouns, verbs, adjectives and adverbs the frequencies count."""


def packaged() -> Traversable:
    """The folder of tables inside the package; absent where it was built without WordNet."""
    return files("topicrawl.topic.wordnet") / "wordnet-3.0"


def read_tables(folder: Traversable) -> Tables | None:
    """The tables in this folder, None where they are missing."""
    if not (folder / WRITTEN_LAST).is_file():
        return None

    def table(name: str) -> Ints:
        return ints((folder / f"{name}.i32").read_bytes())

    def rows(name: str) -> Rows:
        return Rows(table(f"{name}.starts"), table(name))

    return Tables(
        vocabulary=Vocabulary((folder / "words.txt").read_bytes()),
        exceptions=read_exceptions((folder / "exceptions.txt").read_text("ascii")),
        senses=rows("senses"),
        members=rows("members"),
        parents=rows("parents"),
        ancestors=rows("ancestors"),
        offsets=table("offsets"),
        frequencies=table("frequencies"),
        sizes=table("sizes"),
        totals=table("totals"),
    )
