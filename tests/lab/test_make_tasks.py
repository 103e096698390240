from __future__ import annotations

import re
from pathlib import Path

import pytest

from lab.labelled import PAGES, relevant, url
from topicrawl_lab.cell_runner import TaskWeb, oracle
from topicrawl_lab.check_tasks import faults
from topicrawl_lab.labels import labels_path, web_path
from topicrawl_lab.make_tasks import Sizes, make_tasks, useful_groups
from topicrawl_lab.tasks import TaskError, read_tasks, write_tasks


@pytest.fixture
def task_web(small: Path) -> TaskWeb:
    return TaskWeb(small / "small.warc.gz", small / "small.labels.csv")


SIZES = Sizes(least=25, largest_share=0.5)


def test_labels_of_useful_size_make_tasks(task_web: TaskWeb) -> None:
    storms = sorted(url(n) for n in range(PAGES) if relevant(n))
    assert useful_groups(task_web, SIZES) == {"kind:weather": storms}
    assert set(useful_groups(task_web, Sizes(least=25, largest_share=1))) == {"kind:weather", "kind:kitchen"}


def test_a_task_depends_only_on_its_label_and_the_seed(task_web: TaskWeb) -> None:
    (made,) = make_tasks(task_web, sizes=SIZES, seed=1)
    wide = {task.name: task for task in make_tasks(task_web, sizes=Sizes(25, 1.0), seed=1)}
    assert wide["weather"] == made
    (other,) = make_tasks(task_web, sizes=SIZES, seed=2)
    assert other.examples != made.examples


def test_a_made_task_has_the_documented_sizes_and_passes_the_check(
    task_web: TaskWeb, small: Path, tmp_path: Path
) -> None:
    (made,) = make_tasks(task_web, sizes=SIZES)
    assert (made.name, made.web, made.budget, made.relevant) == ("weather", "small", 200, 30)
    assert len(set(made.examples)) == 20
    assert len(made.seed_sets) == len(made.oracle_at_budget) == 10
    assert all(len(set(seeds)) == 3 for seeds in made.seed_sets)
    assert not {seed for seeds in made.seed_sets for seed in seeds} & set(made.examples)
    assert made.topic_words.split(", ")[0] == "weather"
    assert re.search(made.relevant_label, "kind:weather.storm")
    assert not re.search(made.relevant_label, "kind:weatherman")
    write_tasks([made], tmp_path / "tasks.json")
    assert list(faults(read_tasks(tmp_path / "tasks.json"), small)) == []


def test_without_a_label_of_useful_size_the_error_names_the_flag(task_web: TaskWeb) -> None:
    with pytest.raises(TaskError, match="--least"):
        list(make_tasks(task_web, sizes=Sizes(least=100)))


@pytest.mark.webs
@pytest.mark.parametrize("name", ["rainstorm-disaster", "faculty-pages"])
def test_the_oracle_of_the_given_tasks_is_reproduced(name: str, webs: Path) -> None:
    task = next(task for task in read_tasks(webs / "tasks.json") if task.name == name)
    given = TaskWeb(web_path(webs, task.web), labels_path(webs, task.web))
    found = [oracle(task, number, given.graph, given.labels) for number in range(3)]
    given.offline.close()
    assert found == list(task.oracle_at_budget[:3])


@pytest.mark.webs
def test_the_given_tasks_pass_the_check(webs: Path) -> None:
    assert list(faults(read_tasks(webs / "tasks.json"), webs)) == []
