"""The judge `sklearn:FILE`: a pipeline of scikit-learn, trained by `topicrawl judge train`, stored by skops.

A file of skops holds numbers and names of types, no code: it is loaded only if every type in it is one of
scikit-learn, scipy or numpy that our own pipelines consist of. Pickle is never used.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from topicrawl.errors import ConfigError
from topicrawl.judge import Seen
from topicrawl.model import Page, Topic

INSTALL = "scikit-learn and skops are not installed; pip install 'topicrawl[sklearn]'"
FIGURES = "topicrawl.json"
"""What is known of a file, beside the pipeline in its archive."""
LARGEST_FIGURES = 10_000
"""Bytes."""
LEAST = 2
"""Pages of each kind that a training needs."""
FOLDS = 5
MOST_WORDS = 100_000
WORDS = r"(?u)[㐀-鿿]|[^\W㐀-鿿]+"
"""A word, or one Chinese character."""


class Figures(NamedTuple):
    """What `judge train` measured."""

    relevant: int
    others: int
    accuracy: float
    """Share of the pages that a pipeline trained without them judges rightly."""
    auc: float
    """How likely a relevant page is above another, judged in the same way."""


class ByPipeline:
    """Judges by a pipeline that maps texts to probabilities; learns nothing."""

    def __init__(self, topic: Topic, argument: str) -> None:
        self._path = argument
        self._pipeline: Any = None

    @staticmethod
    def check(argument: str) -> str:
        """The full path of the file that a crawl keeps; `ConfigError` if it cannot be used."""
        if not argument:
            raise ConfigError(
                "--judge sklearn: names no file; write --judge sklearn:FILE (topicrawl judge train)"
            )
        load_pipeline(argument)
        return str(Path(argument).resolve())

    def judge(self, seen: Sequence[Seen]) -> list[float]:
        """The probability of each page by its title and text."""
        if self._pipeline is None:
            self._pipeline = load_pipeline(self._path)
        return [float(row[1]) for row in self._pipeline.predict_proba([text_of(each.page) for each in seen])]

    def learn(self, seen: Seen, verdict: bool | None) -> None:
        """Learn nothing: the file is what it is."""
        return

    def save(self) -> bytes:
        """Its state in a snapshot: nothing."""
        return b""

    def load(self, data: bytes) -> None:
        """Take nothing from a snapshot."""


def text_of(page: Page) -> str:
    """The text that a pipeline reads."""
    return f"{page.title}\n{page.text}"


def train(wanted: Sequence[Page], unwanted: Sequence[Page]) -> tuple[Any, Figures]:
    """A pipeline trained on pages, and how good it is by cross-validation."""
    try:
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
    except ImportError:
        raise ConfigError(f"judge train: {INSTALL}") from None
    if min(len(wanted), len(unwanted)) < LEAST:
        raise ConfigError(
            f"judge train: {len(wanted)} relevant and {len(unwanted)} other pages; give {LEAST} of each, or more"
        )
    texts = [text_of(page) for page in (*wanted, *unwanted)]
    labels = [1] * len(wanted) + [0] * len(unwanted)
    words = TfidfVectorizer(sublinear_tf=True, max_features=MOST_WORDS, token_pattern=WORDS)
    pipeline = make_pipeline(words, LogisticRegression(class_weight="balanced", max_iter=1000, C=10.0))
    figures = _figures(pipeline, texts, labels)
    try:
        return pipeline.fit(texts, labels), figures
    except ValueError as error:
        raise ConfigError(
            f"judge train: the pages have no words to learn from ({error}); give others"
        ) from None


def _figures(pipeline: Any, texts: list[str], labels: list[int]) -> Figures:
    from sklearn.metrics import accuracy_score, roc_auc_score
    from sklearn.model_selection import StratifiedKFold, cross_val_predict

    relevant = sum(labels)
    folds = StratifiedKFold(min(FOLDS, relevant, len(labels) - relevant), shuffle=True, random_state=0)
    try:
        said = cross_val_predict(pipeline, texts, labels, cv=folds, method="predict_proba")[:, 1]
    except ValueError as error:
        raise ConfigError(
            f"judge train: the pages have no words to learn from ({error}); give others"
        ) from None
    accuracy, auc = accuracy_score(labels, said > 0.5), roc_auc_score(labels, said)
    return Figures(relevant, len(labels) - relevant, round(float(accuracy), 4), round(float(auc), 4))


def save_pipeline(pipeline: Any, figures: Figures, path: Path) -> None:
    """Write a pipeline with its figures, replacing an earlier file."""
    from skops import io

    part = path.with_name(path.name + ".part")
    try:
        io.dump(pipeline, part, compression=zipfile.ZIP_DEFLATED)
        with zipfile.ZipFile(part, "a") as archive:
            archive.writestr(FIGURES, json.dumps(figures._asdict()))
        part.replace(path)
    except OSError as error:
        raise ConfigError(f"--out {str(path)!r}: cannot be written ({error.strerror})") from None
    finally:
        part.unlink(missing_ok=True)


def read_figures(path: str) -> Figures | None:
    """What was measured when a file was trained; None where another program wrote it."""
    try:
        with zipfile.ZipFile(path) as archive:
            if archive.getinfo(FIGURES).file_size > LARGEST_FIGURES:
                return None
            figures = Figures(**json.loads(archive.read(FIGURES)))
        return figures if all(isinstance(each, int | float) for each in figures) else None
    except (OSError, KeyError, ValueError, TypeError, zipfile.BadZipFile):
        return None


def load_pipeline(path: str) -> Any:
    """The pipeline in a file; `ConfigError` if it is none, or holds other types than those of scikit-learn."""
    try:
        from skops import io
    except ImportError:
        raise ConfigError(f"--judge sklearn:{path}: {INSTALL}") from None
    try:
        strange = sorted(io.get_untrusted_types(file=path))
        if strange:
            raise ConfigError(
                f"--judge sklearn:{path}: holds {_listed(strange)}, which is not loaded for safety; "
                "train with topicrawl judge train, or with a pipeline of scikit-learn alone"
            )
        pipeline = io.load(path, trusted=[])
    except ConfigError:
        raise
    except FileNotFoundError:
        raise ConfigError(
            f"--judge sklearn:{path}: there is no such file; topicrawl judge train makes one"
        ) from None
    except Exception as error:  # a damaged file raises whatever its reader meets
        raise ConfigError(
            f"--judge sklearn:{path}: cannot be read ({error}); topicrawl judge train makes such files"
        ) from None
    _check_on_a_text(pipeline, path)
    return pipeline


def _check_on_a_text(pipeline: Any, path: str) -> None:
    """`ConfigError` unless a pipeline says of a text how likely it is of class 0 and of class 1."""
    kind = type(pipeline).__name__
    if not hasattr(pipeline, "predict_proba"):
        raise ConfigError(f"--judge sklearn:{path}: holds a {kind}, which gives no probabilities")
    try:
        shape, why = pipeline.predict_proba(["a title\na text"]).shape, ""
    except Exception as error:  # not trained, or made for something else than texts
        shape, why = (), f" ({' '.join(str(error).split())[:200]})"
    if shape != (1, 2):
        raise ConfigError(
            f"--judge sklearn:{path}: holds a {kind} that does not tell two classes of texts apart{why}; "
            "train with topicrawl judge train, or on texts with the classes 0 and 1"
        )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(list(names)[:3])
