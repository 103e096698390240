"""Texts as vectors of length 1, from files on this machine: nothing is fetched.

Without a folder the static vectors of the package `wordllama`, which are in its wheel. In a folder that
sentence-transformers wrote, static vectors are read here; any other model is run by that package.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from topicrawl.errors import ConfigError

Vectors = npt.NDArray[np.float64]
Embed = Callable[[Sequence[str]], Vectors]
LONGEST = 20_000
"""Characters of a text that are read."""
WEIGHTS, TOKENIZER = "model.safetensors", "tokenizer.json"


def open_vectors(folder: str) -> Embed:
    """What turns texts into vectors; `ConfigError` if it cannot be used."""
    return _in_folder(Path(folder)) if folder else _in_wheel()


def _in_wheel() -> Embed:
    """The vectors of the wheel, read from its files: the package itself may fetch others."""
    try:
        inside = Path(str(files("wordllama")))
        weights, tokenizer = (
            next(inside.glob("weights/*.safetensors")),
            next(inside.glob("tokenizers/*.json")),
        )
    except (ImportError, StopIteration):
        raise ConfigError(
            "--judge embedding: the package with the vectors is not installed; pip install 'topicrawl[embedding]'"
        ) from None
    return _static(weights, tokenizer, "--judge embedding")


def _in_folder(folder: Path) -> Embed:
    if not folder.is_dir():
        raise ConfigError(
            f"--judge embedding:{folder}: is no folder; give one that sentence-transformers wrote"
        )
    for place in (folder, *sorted(path for path in folder.glob("*") if path.is_dir())):
        if (place / WEIGHTS).is_file() and (place / TOKENIZER).is_file() and _is_static(folder):
            return _static(place / WEIGHTS, place / TOKENIZER, f"--judge embedding:{folder}")
    if not (folder / "modules.json").is_file():
        raise ConfigError(
            f"--judge embedding:{folder}: has no modules.json; give a folder that sentence-transformers wrote"
        )
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError:
        raise ConfigError(
            f"--judge embedding:{folder}: its model is not static; pip install sentence-transformers, which runs it"
        ) from None
    model = SentenceTransformer(str(folder), local_files_only=True, trust_remote_code=False)
    return lambda texts: _of_length_one(model.encode([text[:LONGEST] for text in texts]))


def _is_static(folder: Path) -> bool:
    """Whether a folder has one vector for each token: by its modules, or where it names none, by what it holds."""
    try:
        modules = json.loads((folder / "modules.json").read_text("utf-8"))
    except OSError:
        return True
    except ValueError:
        raise ConfigError(
            f"--judge embedding:{folder}: modules.json is damaged; copy the folder again"
        ) from None
    return any("StaticEmbedding" in str(each.get("type", "")) for each in modules if isinstance(each, dict))


def _static(weights: Path, words: Path, where: str) -> Embed:
    """The mean of the vectors of a text's tokens; `where` is what errors call the place."""
    try:
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer
    except ImportError:
        raise ConfigError(
            f"{where}: safetensors and tokenizers are not installed; pip install 'topicrawl[embedding]'"
        ) from None
    try:
        tables, tokenizer = load_file(weights), Tokenizer.from_file(str(words))
    except Exception as error:  # the readers raise errors of their own
        raise ConfigError(f"{where}: cannot be read ({error}); copy the folder again") from None
    table = next((array for array in tables.values() if array.ndim == 2), None)
    if table is None:
        raise ConfigError(f"{where}: {weights.name} has no table of vectors; give another folder")
    return lambda texts: _means(table, tokenizer, texts)


def _means(table: Any, tokenizer: Any, texts: Sequence[str]) -> Vectors:
    rows = np.zeros((len(texts), table.shape[1]))
    for row, text in enumerate(texts):
        ids = tokenizer.encode(text[:LONGEST], add_special_tokens=False).ids
        if ids:
            rows[row] = table[ids].astype(np.float64).mean(axis=0)
    return _of_length_one(rows)


def _of_length_one(rows: Any) -> Vectors:
    found: Vectors = np.array(rows, dtype=np.float64)
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    found /= np.where(lengths > 0, lengths, 1.0)
    return found
