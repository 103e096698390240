"""Labels that people gave the pages of a recorded web: the ground truth. Only judges read them, after the crawl."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from pathlib import Path

from topicrawl.urls import canonical
from topicrawl_lab.tasks import Task, TaskError

Labels = Mapping[str, tuple[str, ...]]
"""The labels of every labelled page, by canonical URL."""
SUFFIX = ".warc.gz"


def web_path(webs: Path, name: str) -> Path:
    """The path of the recorded web called `name`."""
    return webs / f"{name}{SUFFIX}"


def labels_path(webs: Path, name: str) -> Path:
    """The path of its labels."""
    return webs / f"{name}.labels.csv"


def read_labels(path: Path) -> Labels:
    """The labels in a CSV file with the columns `url` and `label`; a page may have several rows."""
    labels: dict[str, list[str]] = {}
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = csv.reader(file)
            if next(rows, None) != ["url", "label"]:
                raise TaskError(f"labels {str(path)!r}: the first line is not url,label; add it")
            for row in rows:
                if len(row) != 2:
                    raise TaskError(f"labels {str(path)!r}: line {rows.line_num} has not two values; mend it")
                labels.setdefault(canonical(row[0]) or row[0], []).append(row[1])
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise TaskError(f"labels {str(path)!r}: cannot be read ({error}); check the file") from None
    return {url: tuple(several) for url, several in labels.items()}


def relevant_pages(labels: Labels, task: Task) -> frozenset[str]:
    """All pages that are relevant to a task by their labels, its examples included."""
    wanted = re.compile(task.relevant_label)
    unwanted = re.compile(task.excluded_label) if task.excluded_label else None
    return frozenset(
        url
        for url, several in labels.items()
        if any(map(wanted.search, several)) and not (unwanted and any(map(unwanted.search, several)))
    )


def targets(labels: Labels, task: Task) -> frozenset[str]:
    """The pages that count as harvest: relevant, and not among the examples."""
    return relevant_pages(labels, task) - frozenset(task.examples)
