"""What was learned is there again, unless something else is asked for."""

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
    """One with what was learned on one task."""
    made = WeightsFolder(tmp_path / "weights", "svsm_mcoa by exact")
    assert made.known([TASK]) == {}
    made.keep(TASK, LEARNED)
    return made


def test_it_is_the_same_to_the_last_bit(folder: WeightsFolder) -> None:
    found = folder.known([TASK])[TASK.name]
    assert found.weights == LEARNED.weights
    assert found.of_optimum == LEARNED.of_optimum
    assert found.errors.tobytes() == LEARNED.errors.tobytes()
    assert found.facts() == LEARNED.facts()


def test_a_task_that_has_changed_is_to_be_learned_again(folder: WeightsFolder) -> None:
    assert folder.known([msgspec.structs.replace(TASK, topic_words="bread")]) == {}


def test_other_settings_are_refused(folder: WeightsFolder) -> None:
    with pytest.raises(
        RunError, match="holds weights of svsm_mcoa by exact, not of mcoa by exact; give a new"
    ):
        WeightsFolder(folder.path, "mcoa by exact").known([TASK])


def test_a_file_that_is_none_of_ours_is_named(folder: WeightsFolder) -> None:
    (folder.path / "learned" / "storms.json").write_text("{}")
    with pytest.raises(RunError, match=r"storms\.json.*delete it"):
        folder.known([TASK])
