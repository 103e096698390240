"""Crawl tasks: seeds, topic, budget, and the labels of relevant pages.

A tasks file is a JSON list; docs/tasks.md describes it, `tasks.schema.json` beside this module is its schema.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from topicrawl.errors import UsageError
from topicrawl.urls import canonical

Url = Annotated[str, Meta(pattern="^https?://")]
Count = Annotated[int, Meta(ge=0)]


class TaskError(UsageError):
    """A tasks file, or a task in it, that cannot be used."""


class Task(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A task of a comparison. `read_tasks` makes its URLs canonical."""

    name: Annotated[str, Meta(pattern=r"^[\w.+-]+$", description="names a folder of results")]
    web: Annotated[str, Meta(description="NAME.warc.gz is the recorded web, NAME.labels.csv its labels")]
    relevant_label: Annotated[
        str, Meta(description="regular expression: a page with such a label is relevant")
    ]
    topic_words: Annotated[str, Meta(description="the topic in words, as --topic reads it")]
    budget: Annotated[int, Meta(ge=1, description="pages a crawl may fetch, failures not counted")]
    relevant: Annotated[Count, Meta(description="relevant pages in the web, examples included")]
    examples: Annotated[
        tuple[Url, ...], Meta(description="relevant pages a crawler is shown; never counted as found")
    ]
    seed_sets: Annotated[tuple[tuple[Url, ...], ...], Meta(description="where to begin, one list a repeat")]
    oracle_at_budget: Annotated[
        tuple[Count, ...], Meta(description="what a crawler that knows the truth finds, per seed set")
    ]
    excluded_label: Annotated[
        str | None, Meta(description="regular expression: a page with such a label never counts")
    ] = None


def read_tasks(path: Path) -> list[Task]:
    """The tasks in the file at `path`; `TaskError` names the task and what is wrong with its form."""
    try:
        content: Any = msgspec.json.decode(path.read_bytes())
    except OSError as error:
        raise TaskError(f"tasks {str(path)!r}: {error.strerror}; give a tasks.json") from None
    except msgspec.DecodeError as error:
        raise TaskError(
            f"tasks {str(path)!r}: is no JSON ({error}); topicrawl tasks make writes such a file"
        ) from None
    if not isinstance(content, list) or not content:
        raise TaskError(
            f"tasks {str(path)!r}: holds no list of tasks; topicrawl tasks make writes such a file"
        )
    tasks = [_task(entry, place) for place, entry in enumerate(content, 1)]
    if faults := _form_faults(tasks):
        raise TaskError(faults[0])
    return tasks


def write_tasks(tasks: Iterable[Task], path: Path) -> None:
    """Write a tasks file, indented."""
    path.write_bytes(msgspec.json.format(msgspec.json.encode(list(tasks)), indent=1) + b"\n")


def select(tasks: Sequence[Task], names: Iterable[str]) -> list[Task]:
    """The tasks called `names`, in the order of the file; all of them when no name is given."""
    wanted = set(names)
    if unknown := sorted(wanted - {task.name for task in tasks}):
        known = ", ".join(task.name for task in tasks)
        raise TaskError(f"there is no task {unknown[0]!r}; the file has {known}")
    return [task for task in tasks if task.name in wanted or not wanted]


def schema() -> bytes:
    """The JSON schema of a tasks file, as text."""
    described = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **msgspec.json.schema(list[Task]),
    }
    return msgspec.json.format(msgspec.json.encode(described), indent=2) + b"\n"


def _task(entry: Any, place: int) -> Task:
    named = entry.get("name") if isinstance(entry, dict) else None
    try:
        task = msgspec.convert(entry, Task)
    except msgspec.ValidationError as error:
        raise TaskError(
            f"task {named or place!r}: {error}; compare with what topicrawl tasks make writes"
        ) from None
    return msgspec.structs.replace(
        task,
        examples=_canonical(task.examples),
        seed_sets=tuple(_canonical(seeds) for seeds in task.seed_sets),
    )


def _canonical(urls: Iterable[str]) -> tuple[str, ...]:
    return tuple(canonical(url) or url for url in urls)


def _form_faults(tasks: Sequence[Task]) -> list[str]:
    """Faults that show without opening a web, in the order of tasks."""
    seen: set[str] = set()
    faults = []
    for task in tasks:
        if task.name in seen:
            faults.append(f"task {task.name!r}: there are two tasks of this name; rename one")
        seen.add(task.name)
        faults += [f"task {task.name!r}: {fault}" for fault in _own_faults(task)]
    return faults


def _own_faults(task: Task) -> Iterable[str]:
    for field in ("relevant_label", "excluded_label"):
        try:
            re.compile(getattr(task, field) or "")
        except re.error as error:
            yield f"{field} {getattr(task, field)!r} is no regular expression ({error}); mend it"
    if not task.seed_sets or not all(task.seed_sets):
        yield "a seed set is empty; give at least one start URL for every repeat"
    if len(task.oracle_at_budget) != len(task.seed_sets):
        yield (
            f"oracle_at_budget has {len(task.oracle_at_budget)} numbers for {len(task.seed_sets)} seed sets; "
            "give one for each"
        )
