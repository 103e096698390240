"""The weights learned so far by `weights learn --tasks`: a file for each task, so that it can resume."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from topicrawl.errors import RunError
from topicrawl.store.disk import disk_errors, write_atomically
from topicrawl.strategies.weights.learn import Learned
from topicrawl_lab.tasks import Task


class KeptWeights(msgspec.Struct, frozen=True, kw_only=True):
    """Learned weights as they are in files."""

    weights: tuple[float, ...]
    method: str
    train: int
    test: int
    of_optimum: float
    errors: list[float]
    equal_errors: list[float]
    exact_errors: list[float]

    def learned(self) -> Learned:
        """The result as `learn_weights` returned it."""
        errors = map(np.array, (self.errors, self.equal_errors, self.exact_errors))
        return Learned(self.weights, self.method, self.train, self.test, self.of_optimum, *errors)


class Kept(KeptWeights, frozen=True, kw_only=True):
    """The file of a task: the result, the task as it was, and how it was learned (`settings`)."""

    settings: str
    task: Task


def plain(learned: Learned) -> dict[str, Any]:
    """The fields of `KeptWeights`."""
    return {
        name: value.tolist() if isinstance(value, np.ndarray) else value
        for name, value in asdict(learned).items()
    }


@dataclass(frozen=True)
class WeightsFolder:
    """The folder of a study with these settings."""

    path: Path
    settings: str

    def known(self, tasks: Iterable[Task]) -> dict[str, Learned]:
        """The stored results of `tasks`; `RunError` when they were learned with other settings."""
        found = {}
        for task in tasks:
            kept = self._read(task)
            if kept is None or kept.task != task:
                continue
            if kept.settings != self.settings:
                raise RunError(
                    f"{self.path} holds weights of {kept.settings}, not of {self.settings}; give a new --out"
                )
            found[task.name] = kept.learned()
        return found

    def keep(self, task: Task, learned: Learned) -> None:
        """Write the result of a task."""
        kept = Kept(settings=self.settings, task=task, **plain(learned))
        path = self.file(task)
        with disk_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, msgspec.json.encode(kept))

    def _read(self, task: Task) -> Kept | None:
        path = self.file(task)
        if not path.exists():
            return None
        with disk_errors(path):
            content = path.read_bytes()
        try:
            return msgspec.json.decode(content, type=Kept)
        except msgspec.DecodeError as error:
            raise RunError(f"{path}: {error}; delete it, and the task is learned again") from None

    def file(self, task: Task) -> Path:
        """The path of a task's result."""
        return self.path / "learned" / f"{task.name}.json"
