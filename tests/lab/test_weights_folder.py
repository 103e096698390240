"""The folder of learned weights: results are read back, unless task or settings changed."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from lab.labelled import task_fields
from topicrawl.errors import RunError
from topicrawl.strategies.weights.learn import learn_weights
from topicrawl.strategies.weights.samples import Samples
from topicrawl_lab.tasks import Task
from topicrawl_lab.weights_folder import WeightsFolder

TASK = msgspec.convert(task_fields(), Task)
LEARNED = learn_weights(Samples.of(np.random.default_rng(1).random((20, 5)).tolist()), "exact")


@pytest.fixture
def folder(tmp_path: Path) -> WeightsFolder:
    """A folder with the result of one task."""
    made = WeightsFolder(tmp_path / "weights", "svsm_mcoa by exact")
    assert made.known([TASK]) == {}
    made.keep(TASK, LEARNED)
    return made


def test_a_result_is_read_back_bit_for_bit(folder: WeightsFolder) -> None:
    found = folder.known([TASK])[TASK.name]
    assert found.weights == LEARNED.weights
    assert found.of_optimum == LEARNED.of_optimum
    assert found.errors.tobytes() == LEARNED.errors.tobytes()
    assert found.facts() == LEARNED.facts()


def test_the_result_of_a_changed_task_is_ignored(folder: WeightsFolder) -> None:
    assert folder.known([msgspec.structs.replace(TASK, topic_words="bread")]) == {}


def test_other_settings_are_refused(folder: WeightsFolder) -> None:
    with pytest.raises(
        RunError, match="holds weights of svsm_mcoa by exact, not of mcoa by exact; give a new"
    ):
        WeightsFolder(folder.path, "mcoa by exact").known([TASK])


def test_an_invalid_file_is_named_in_the_error(folder: WeightsFolder) -> None:
    (folder.path / "learned" / "storms.json").write_text("{}")
    with pytest.raises(RunError, match=r"storms\.json.*delete it"):
        folder.known([TASK])
