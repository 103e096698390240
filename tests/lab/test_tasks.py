from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import pytest

from lab.labelled import task, task_fields, url
from topicrawl_lab.check_tasks import faults
from topicrawl_lab.tasks import TaskError, read_tasks, schema, select, write_tasks


def written(folder: Path, *tasks: dict[str, object]) -> Path:
    path = folder / "tasks.json"
    path.write_text(json.dumps(tasks))
    return path


def test_writing_the_tasks_read_from_a_file_gives_the_same_content(tmp_path: Path) -> None:
    again = tmp_path / "again.json"
    write_tasks(read_tasks(written(tmp_path, task_fields())), again)
    assert json.loads(again.read_text()) == [task_fields()]


def test_urls_are_canonical_once_read(tmp_path: Path) -> None:
    (read,) = read_tasks(written(tmp_path, task_fields(examples=["http://H0.test:80"])))
    assert read.examples == ("http://h0.test/",)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"budget": 0}, "budget"),
        ({"budget": "many"}, "budget"),
        ({"relevant_label": "("}, "relevant_label '\\('"),
        ({"excluded_label": "["}, "excluded_label"),
        ({"seed_sets": []}, "seed set is empty"),
        ({"seed_sets": [[url(1)], [], [url(2)]]}, "seed set is empty"),
        ({"oracle_at_budget": [1]}, "1 numbers for 3 seed sets"),
        ({"examples": ["file:///etc/passwd"]}, "examples"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_the_error_for_an_invalid_field_names_the_task(
    change: dict[str, object], message: str, tmp_path: Path
) -> None:
    with pytest.raises(TaskError, match=f"task 'storms': .*{message}"):
        read_tasks(written(tmp_path, task_fields() | change))


def test_two_tasks_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match="task 'storms': there are two"):
        read_tasks(written(tmp_path, task_fields(), task_fields()))


@pytest.mark.parametrize("content", ["", "{}", "[]", "[1]", '[{"name": "x"}]'])
def test_an_invalid_tasks_file_is_refused(content: str, tmp_path: Path) -> None:
    path = tmp_path / "tasks.json"
    path.write_text(content)
    with pytest.raises(TaskError):
        read_tasks(path)
    with pytest.raises(TaskError, match=r"absent\.json"):
        read_tasks(tmp_path / "absent.json")


def test_tasks_are_selected_by_name() -> None:
    tasks = [task(name="a"), task(name="b")]
    assert [each.name for each in select(tasks, ["b"])] == ["b"]
    assert select(tasks, []) == tasks
    with pytest.raises(TaskError, match="no task 'c'; the file has a, b"):
        select(tasks, ["c"])


def test_the_schema_file_matches_the_code() -> None:
    assert files("topicrawl_lab").joinpath("tasks.schema.json").read_bytes() == schema()


def test_a_valid_task_has_no_fault(small: Path) -> None:
    assert list(faults(read_tasks(small / "tasks.json"), small)) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"web": "nowhere"}, "unknown web 'nowhere'"),
        (
            {"seed_sets": [["http://h0.test/absent"]] * 3},
            "seed set 0: http://h0.test/absent is not in the web",
        ),
        ({"examples": ["http://h0.test/absent"]}, "example http://h0.test/absent is not in the web"),
        ({"examples": [url(1)]}, f"example {url(1)} is not relevant"),
        ({"relevant_label": "sunshine", "examples": []}, "no relevant page"),
        ({"excluded_label": "storm", "examples": []}, "no relevant page"),
        ({"relevant": 7}, "relevant is 7, but the labels say 30"),
        ({"oracle_at_budget": [27, 0, 27]}, "seed set 1: oracle_at_budget 0"),
    ],
)
def test_a_task_that_contradicts_its_web_is_reported_with_its_name(
    change: dict[str, object], message: str, small: Path
) -> None:
    found = list(faults([task(**change)], small))
    assert any(message in fault for fault in found)
    assert all(fault.startswith("task 'storms': ") for fault in found)
