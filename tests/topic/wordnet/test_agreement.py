"""Our numbers are those of an independent implementation over the same data."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from topicrawl.topic.wordnet import Taxonomy, WordNet
from topicrawl.topic.wordnet.matrix import LinRows
from topicrawl.topic.wordnet.taxonomy import UNSEEN, Rows, information

PAIRS = 1500
NOUN_AND_VERB = pytest.mark.parametrize("pos", ["n", "v"])


def synsets(wordnet: WordNet, pos: str) -> range:
    """The numbers of all synsets of this part of speech."""
    nouns, verbs, *_ = wordnet.tables.sizes.tolist()
    return range(nouns) if pos == "n" else range(nouns, nouns + verbs)


def sample(wordnet: WordNet, synsets: Sequence[int]) -> list[tuple[int, int]]:
    """Pairs of all kinds: any two, two under one ancestor, one above the other, one with itself."""
    rng = random.Random("pairs")
    above = wordnet.taxonomy.above
    pairs: list[tuple[int, int]] = []
    while len(pairs) < PAIRS:
        a, b = rng.choice(synsets), rng.choice(synsets)
        parent = rng.choice(sorted(above[a]))
        kin = next((c for c in rng.sample(synsets, 2000) if parent in above[c]), parent)
        pairs += [(a, b), (a, kin), (a, parent), (a, a)]
    return [pair for pair in pairs if any(wordnet.taxonomy.content[list(pair)])]


def theirs(reference: Any, wordnet: WordNet, synset: int) -> Any:
    offset = int(wordnet.tables.offsets[synset])
    return reference.wordnet.synset_from_pos_and_offset(wordnet.pos(synset), offset)


def our_counts(wordnet: WordNet, pos: str) -> dict[int, float]:
    """Our frequencies in NLTK's form: offset -> count, and the total under 0."""
    tables, total = wordnet.tables, wordnet.tables.totals["nvar".index(pos)]
    counts = {int(tables.offsets[i]): float(tables.frequencies[i]) for i in synsets(wordnet, pos)}
    return counts | {0: float(total)}


def recounted(wordnet: WordNet, pos: str, counts: dict[int, float]) -> tuple[Taxonomy, dict[int, int]]:
    """The nouns or verbs of WordNet with other counts, and the new number of each synset."""
    old = synsets(wordnet, pos)
    seen = np.array([counts.get(offset, 0.0) for offset in wordnet.tables.offsets[old].tolist()])
    content = information(seen, counts[0])
    depth = np.diff(wordnet.taxonomy.ancestors.starts)[old]
    order = np.lexsort((depth, content))
    number = {old[place]: new for new, place in enumerate(order.tolist())}

    def renumbered(rows: Rows) -> Rows:
        return Rows.of([[number[node] for node in rows[old[place]].tolist()] for place in order.tolist()])

    ancestors = renumbered(wordnet.taxonomy.ancestors)
    return Taxonomy(renumbered(wordnet.taxonomy.parents), ancestors, content[order]), number


@NOUN_AND_VERB
def test_lin_is_what_nltk_computes_from_our_counts(wordnet: WordNet, reference: Any, pos: str) -> None:
    counts = {pos: our_counts(wordnet, pos)}
    pairs = sample(wordnet, synsets(wordnet, pos))
    expected = [
        theirs(reference, wordnet, a).lin_similarity(theirs(reference, wordnet, b), counts) for a, b in pairs
    ]
    assert len(pairs) >= 1000
    assert len({round(value, 6) for value in expected}) > 300
    assert [wordnet.lin(a, b) for a, b in pairs] == pytest.approx(expected, abs=1e-12)


@NOUN_AND_VERB
def test_lin_is_what_nltk_computes_from_the_counts_of_the_brown_corpus(
    wordnet: WordNet, reference: Any, pos: str
) -> None:
    taxonomy, number = recounted(wordnet, pos, reference.brown[pos])
    pairs = sample(wordnet, [old for old, new in number.items() if taxonomy.content[new] != UNSEEN])
    expected = [
        theirs(reference, wordnet, a).lin_similarity(theirs(reference, wordnet, b), reference.brown)
        for a, b in pairs
    ]
    assert len(pairs) >= 1000
    assert [taxonomy.lin(number[a], number[b]) for a, b in pairs] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("a", "b", "pos", "expected"),
    [("dog", "cat", "n", 0.8768), ("dog", "car", "n", 0.1846), ("run", "walk", "v", 0.5050)],
)
def test_the_published_values_come_out_with_the_counts_of_the_brown_corpus(
    wordnet: WordNet, reference: Any, a: str, b: str, pos: str, expected: float
) -> None:
    taxonomy, number = recounted(wordnet, pos, reference.brown[pos])
    first, second = (number[wordnet.synsets(word, pos)[0]] for word in (a, b))
    assert taxonomy.lin(first, second) == pytest.approx(expected, abs=5e-5)


@NOUN_AND_VERB
def test_the_matrix_has_the_numbers_of_single_pairs(wordnet: WordNet, pos: str) -> None:
    rows, columns = zip(*sample(wordnet, synsets(wordnet, pos))[:400], strict=True)
    matrix = LinRows(wordnet.taxonomy, [(row,) for row in rows]).lin([(column,) for column in columns])
    expected = [[wordnet.lin(row, column) for column in columns] for row in rows]
    assert np.allclose(matrix, expected, atol=1e-6)
    assert len(np.unique(matrix.round(4))) > 100


def test_senses_are_in_the_order_of_nltk(wordnet: WordNet, reference: Any) -> None:
    words = random.Random("words").sample(range(len(wordnet.tables.vocabulary)), 1500)
    for word in map(wordnet.tables.vocabulary.word, words):
        for pos in "nv":
            listed = reference.wordnet.synsets(word.replace(" ", "_"), pos, check_exceptions=False)
            offsets = list(dict.fromkeys(synset.offset() for synset in listed if spells(word, synset)))
            ours = [wordnet.tables.offsets[s] for s in wordnet.synsets(word, pos)]
            assert [offset for offset in ours if offset in offsets] == offsets, (word, pos)


def spells(word: str, synset: Any) -> bool:
    """Whether the synset has the word itself, and not only what the word may be a form of."""
    return word in {name.replace("_", " ").lower() for name in synset.lemma_names()}
