"""WordNet, queried by words.

A word may be given in any case and inflection (`Rainstorms`, `acid_rain`). Queries about words consider all their
senses; a word that WordNet does not have is similar only to itself.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache, cached_property, lru_cache
from itertools import chain, pairwise

import numpy as np
import numpy.typing as npt

from topicrawl.topic.letters import normal
from topicrawl.topic.wordnet.matrix import LinRows
from topicrawl.topic.wordnet.morphology import Exceptions, base_forms
from topicrawl.topic.wordnet.names import noun_named
from topicrawl.topic.wordnet.tables import Tables, packaged, read_tables
from topicrawl.topic.wordnet.taxonomy import Floats, Rows, Taxonomy, information

try:
    from topicrawl._native import noun_named as native_noun_named
except ImportError:  # the same in Python, several times slower

    def native_noun_named(
        words: list[str],
        text: bytes,
        bounds: memoryview[int],
        first: memoryview[int],
        exceptions: Exceptions,
    ) -> int | None:
        """None: `noun_named` looks for all names."""
        return None


PARTS_OF_SPEECH = "nvar"
ANY_PART, NOUN = len(PARTS_OF_SPEECH), PARTS_OF_SPEECH.index("n")
Senses = tuple[tuple[int, ...], ...]
"""Synsets, by part of speech."""
_NO_SENSES: Senses = ((),) * len(PARTS_OF_SPEECH)
_REMEMBERED = 1 << 12
"""Words whose senses are cached, less than 1 MB."""
_NO_NOUN = -1
_PREPARED = 8
"""Lists of words whose rows are cached."""


class WordNet:
    """Synsets are numbers; `identifier` and `members` describe them."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self._bounds: list[int] = np.cumsum([0, *tables.sizes]).tolist()
        self._range_of_part = np.array([*pairwise(self._bounds), (0, self._bounds[-1])])
        self._senses = lru_cache(_REMEMBERED)(self._find_senses)
        self.first_noun = lru_cache(_REMEMBERED)(self._find_first_noun)
        self._rows = lru_cache(_PREPARED)(self._prepare_rows)
        self.taxonomy = Taxonomy(tables.parents, tables.ancestors, self._content())

    @staticmethod
    def load() -> WordNet | None:
        """The WordNet inside this package, read on first use; None where it was built without."""
        return _packaged()

    def prepare(self) -> None:
        """Make what looking up many words needs, for processes that are forked afterwards."""
        self.tables.vocabulary.prepare()
        assert self._phrase_begins

    def synsets(self, word: str, pos: str | None = None) -> tuple[int, ...]:
        """The senses of `word` as `pos` (n noun, v verb, a adjective, r adverb; None: each), the most used first."""
        by_part = self._senses(word)
        return tuple(chain(*by_part)) if pos is None else by_part[PARTS_OF_SPEECH.index(pos)]

    def begins_phrase(self, word: str) -> bool:
        """Whether `synsets` may know a phrase that begins with this word, which is in lower case."""
        if self.tables.vocabulary.has_many_lookups:
            return word in self._phrase_begins
        return True  # to find that out would take longer

    def named(self, name: list[str]) -> int | None:
        """The first sense as a noun of what a name with these words, in lower case, or its longest part names."""
        tables = self.tables
        sense = native_noun_named(name, *tables.vocabulary.table, self._first_nouns, tables.exceptions)
        if sense is None:
            return noun_named(name, self.first_noun, self.begins_phrase)
        return None if sense == _NO_NOUN else sense

    def senses(self, words: Sequence[str]) -> Rows:
        """The senses of many words, a row each, unordered; a row may hold a sense twice."""
        entries = [list(self._entries(word)) for word in words]
        numbers, parts = np.array([*chain(*entries)], dtype=np.int32).reshape(-1, 2).T
        owners = np.repeat(np.arange(len(words)), [len(each) for each in entries])
        synsets, entry = self.tables.senses.gather(numbers)
        first, last = self._range_of_part[parts[entry]].T
        meant = (first <= synsets) & (synsets < last)
        sizes = np.bincount(owners[entry[meant]], minlength=len(words))
        return Rows(np.append(0, np.cumsum(sizes)).astype(np.int32), synsets[meant])

    def pos(self, synset: int) -> str:
        """The part of speech: n, v, a or r."""
        return PARTS_OF_SPEECH[sum(synset >= bound for bound in self._bounds[1:-1])]

    def identifier(self, synset: int) -> str:
        """The synset as WordNet 3.0 is cited: `02084071-n`."""
        return f"{self.tables.offsets[synset]:08}-{self.pos(synset)}"

    def members(self, synset: int) -> tuple[str, ...]:
        """The words of the synset, its name first."""
        return tuple(map(self.tables.vocabulary.word, self.tables.members[synset].tolist()))

    def synonyms(self, word: str) -> set[str]:
        """The other words of all its synsets."""
        found = {member for synset in self.synsets(word) for member in self.members(synset)}
        return found - {_spelling(word)}

    def hypernyms(self, word: str) -> set[str]:
        """The words one step more general, over all senses."""
        parents = self.taxonomy.parents
        above = {parent for synset in self.synsets(word) for parent in parents[synset].tolist()}
        return {member for synset in above for member in self.members(synset)}

    def are_synonyms(self, a: str, b: str) -> bool:
        """Whether two words share a synset."""
        return not set(self.synsets(a)).isdisjoint(self.synsets(b))

    def is_a(self, word: str, general: str) -> bool:
        """Whether some sense of `general` is an ancestor of some sense of `word`."""
        generals = set(self.synsets(general))
        return any(generals & (self.taxonomy.above[synset] - {synset}) for synset in self.synsets(word))

    def lin(self, a: int, b: int) -> float:
        """Lin's similarity of two synsets, in [0, 1]; 0 across parts of speech."""
        return self.taxonomy.lin(a, b)

    def similarity(self, a: str, b: str) -> float:
        """The largest similarity of any two senses; equal words have 1, also those that WordNet does not have."""
        if _spelling(a) == _spelling(b):
            return 1.0
        senses = self.synsets(b)
        return max((self.lin(x, y) for x in self.synsets(a) for y in senses), default=0.0)

    def similarities(self, words_a: Sequence[str], words_b: Sequence[str]) -> Floats:
        """`similarity` of every word of one list (rows) with every word of the other (columns).

        Put the list that will be used again first: its rows are cached.
        """
        found = np.zeros((len(words_a), len(words_b)), dtype=np.float32)
        senses = [self._senses(word) for word in words_b]
        for part, rows in enumerate(self._rows(tuple(words_a))):
            np.maximum(found, rows.lin([by_part[part] for by_part in senses]), out=found)
        found[_equal(words_a, words_b)] = 1
        return found

    def _prepare_rows(self, words: tuple[str, ...]) -> list[LinRows]:
        """The rows of these words, for each part of speech: senses of different parts have nothing in common."""
        senses = [self._senses(word) for word in words]
        parts = range(len(PARTS_OF_SPEECH))
        return [LinRows(self.taxonomy, [by_part[part] for by_part in senses]) for part in parts]

    def _find_senses(self, word: str) -> Senses:
        """All senses of all words that `word` may be a form of, by part of speech, each once."""
        entries = list(self._entries(word))
        if not entries:
            return _NO_SENSES
        found: tuple[dict[int, None], ...] = tuple({} for _ in PARTS_OF_SPEECH)
        for number, part in entries:
            for synset in self.tables.senses[number].tolist():
                of = bisect_right(self._bounds, synset) - 1
                if part in (ANY_PART, of):
                    found[of][synset] = None
        return tuple(map(tuple, found))

    def _find_first_noun(self, word: str) -> int | None:
        """`synsets(word, "n")[0]`, or None, without looking for the other senses."""
        first = self._first_nouns
        for number, part in self._entries(word):
            if part in (ANY_PART, NOUN) and first[number] != _NO_NOUN:
                return first[number]
        return None

    @cached_property
    def _first_nouns(self) -> memoryview[int]:
        """The first sense of each word as a noun, by its number in the vocabulary."""
        starts, synsets = self.tables.senses.starts, self.tables.senses.values
        nouns = np.flatnonzero(synsets < self._bounds[NOUN + 1])[::-1]  # nouns are numbered first
        found = np.full(len(starts) - 1, _NO_NOUN, np.int32)
        found[np.searchsorted(starts, nouns, side="right") - 1] = synsets[
            nouns
        ]  # the last one written is the first
        return memoryview(found)  # type: ignore[arg-type]  # an item costs a third of numpy's

    def _entries(self, word: str) -> Iterator[tuple[int, int]]:
        """The number of each word that `word` may be a form of, and as which part of speech; of itself, as any."""
        word = _spelling(word)
        of = self.tables.vocabulary.number
        itself = of(word)
        if itself is not None:
            yield itself, ANY_PART
        for pos, base in base_forms(word, self.tables.exceptions, known=itself is not None):
            if (number := of(base)) is not None:
                yield number, PARTS_OF_SPEECH.index(pos)

    @cached_property
    def _phrase_begins(self) -> frozenset[str]:
        """Words with which phrases begin, and inflected ones such as "men of letters"."""
        irregular = (phrase.partition(" ")[0] for phrase in self.tables.exceptions if " " in phrase)
        return frozenset(self.tables.vocabulary.phrase_begins().union(irregular))

    def _content(self) -> npt.NDArray[np.float64]:
        """Information content, within each part of speech."""
        parts = np.split(self.tables.frequencies.astype(np.float64), self._bounds[1:-1])
        return np.concatenate(list(map(information, parts, self.tables.totals.tolist())))


@cache
def _packaged() -> WordNet | None:
    tables = read_tables(packaged())
    return None if tables is None else WordNet(tables)


def _spelling(word: str) -> str:
    if word.isascii() and all(map(str.isalpha, word.split(" "))):
        return word.lower()
    return normal(word.replace("_", " "))


def _equal(words_a: Sequence[str], words_b: Sequence[str]) -> npt.NDArray[np.bool_]:
    numbers: dict[str, int] = {}
    a, b = (
        np.array([numbers.setdefault(_spelling(word), len(numbers)) for word in words], dtype=np.int32)
        for words in (words_a, words_b)
    )
    return np.equal.outer(a, b)
